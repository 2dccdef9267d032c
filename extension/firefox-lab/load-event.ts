import { TowlineError } from '../../shared/errors/towline-error.ts';

const { setTimeout, clearTimeout } = ChromeUtils.importESModule('resource://gre/modules/Timer.sys.mjs');

export interface LoadLimits {
  timeoutMs: number;
  /** Handed what gives the load up, for when nobody waits for it any more. */
  onBegin?: (giveUp: () => void) => void;
}

/**
 * Resolves when the page that `begin` has the tab load has fired its load event.
 *
 * @throws TowlineError `load-timeout`; `navigation-failed` with Firefox's name of what went wrong; `own-browser-lost`
 *   when the tab is closed or the load is given up
 */
export function loadEvent(
  tab: NativeTab,
  { timeoutMs, onBegin }: LoadLimits,
  begin: () => void,
): Promise<void> {
  const { linkedBrowser: browser } = tab;
  const window = tab.ownerDocument.defaultView;
  const { STATE_START, STATE_STOP } = Ci.nsIWebProgressListener;
  return new Promise((resolve, reject) => {
    let started = false;
    const finish = (error: TowlineError | null): void => {
      clearTimeout(timer);
      tab.removeEventListener('TabClose', onClose);
      window.removeEventListener('unload', onClose);
      browser.removeProgressListener(listener);
      if (error === null) resolve();
      else reject(error);
    };
    const onClose = (): void => {
      finish(
        new TowlineError('own-browser-lost', 'browser', 'The tab was closed before its page was loaded.'),
      );
    };
    const listener: ProgressListener = {
      QueryInterface: ChromeUtils.generateQI(['nsIWebProgressListener', 'nsISupportsWeakReference']),
      onStateChange: (progress, _request, flags, status) => {
        if (!progress.isTopLevel) return;
        if ((flags & STATE_START) !== 0) started = true;
        else if (started && (flags & STATE_STOP) !== 0) finish(status === 0 ? null : failed(browser, status));
      },
    };
    const timer = setTimeout(() => {
      const seconds = timeoutMs / 1000;
      const late = `The page did not fire its load event within ${seconds} s.`;
      finish(new TowlineError('load-timeout', 'browser', late));
    }, timeoutMs);
    tab.addEventListener('TabClose', onClose);
    window.addEventListener('unload', onClose);
    browser.addProgressListener(listener, Ci.nsIWebProgress.NOTIFY_STATE_WINDOW);
    onBegin?.(() => {
      finish(new TowlineError('own-browser-lost', 'browser', 'The load was given up.'));
    });
    begin();
  });
}

function failed(browser: TabBrowser, status: number): TowlineError {
  return new TowlineError(
    'navigation-failed',
    'browser',
    `${browser.currentURI.spec} could not be loaded: ${ChromeUtils.getXPCOMErrorName(status)}.`,
    { remedy: 'Reload the page: the protocols are as they were before.' },
  );
}
