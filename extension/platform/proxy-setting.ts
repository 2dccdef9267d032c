import * as v from 'valibot';
import browser, { type Types } from 'webextension-polyfill';

const ValueSchema = v.object({ mode: v.string() });
/** Not for private windows, where this extension could not answer the relay. */
const scope = 'regular_only';

/** How the browser finds its proxies, which one extension at a time may decide. */
export interface ProxySetting {
  /** As it is now. `mode` is `system` where nobody has decided; null where the browser does not say. */
  read(): Promise<{ mode: string | null; levelOfControl: Types.LevelOfControl }>;
  /** Asks this script from now on, and fails a request rather than go without it. */
  usePacScript(script: string): Promise<void>;
  /** Takes back what this extension has set, if anything. */
  clear(): Promise<void>;
  /** Calls back when the setting, or who may decide it, has changed. */
  onChange(listener: (levelOfControl: Types.LevelOfControl) => void): void;
  /** Calls back when a proxy could not be used; also wakes the background for it. */
  onError(listener: () => void): void;
}

/** As Chrome has it: Firefox's namespace of the same name is another. */
interface ChromeProxy {
  settings: Types.Setting;
  onProxyError: { addListener(listener: () => void): void };
}

/** Null in every build but Chrome's lab build. */
export function proxySetting(): ProxySetting | null {
  const { proxy } = browser as unknown as { proxy?: ChromeProxy };
  if (!proxy) return null;
  const { settings, onProxyError } = proxy;
  return {
    async read() {
      const { value, levelOfControl } = await settings.get({});
      const parsed = v.safeParse(ValueSchema, value);
      return { mode: parsed.success ? parsed.output.mode : null, levelOfControl };
    },
    usePacScript: (data) =>
      settings.set({ scope, value: { mode: 'pac_script', pacScript: { data, mandatory: true } } }),
    clear: () => settings.clear({ scope }),
    onChange(listener) {
      settings.onChange.addListener(({ levelOfControl }) => {
        listener(levelOfControl);
      });
    },
    onError(listener) {
      onProxyError.addListener(listener);
    },
  };
}
