import { ObservationReceiver } from '../recorder/observation-receiver.ts';
import { ObservationStore } from '../platform/observation-store.ts';
import { acceptPageMessages } from '../platform/page-messages.ts';
import {
  allowedOf,
  giveBackAllBut,
  mayAskForAddresses,
  mayReadAddresses,
  onPermissionsChange,
  patternsOf,
} from '../platform/recorder-permissions.ts';
import { runRecorderIn } from '../platform/recorder-script.ts';
import { recorderSettings } from '../platform/recorder-settings.ts';
import { ServerAddresses } from '../platform/server-addresses.ts';
import { isOpenElsewhere, onTabClosed } from '../platform/tabs.ts';
import { watchedPorts } from '../platform/watched-ports.ts';
import type { HostPort } from './host-port.ts';
import { WireTimes } from './wire-times.ts';
import { WireWatch } from './wire-watch.ts';

/**
 * Joins the recorder's parts in the background. Listeners are added before anything is waited for, since the
 * browser wakes the background for those alone that its last life had added at once.
 *
 * @returns whether packets are watched, for the owner of the connection to the host
 */
export function startRecorder(
  host: HostPort,
  onDocument: (tabId: number, protocol: string | null) => void,
): WireWatch {
  const store = new ObservationStore();
  const addresses = new ServerAddresses();
  const isWatched = async (): Promise<boolean> => {
    const { scope, timeOnWire } = await recorderSettings.load();
    return scope !== 'off' && timeOnWire && mayAskForAddresses() && (await mayReadAddresses());
  };
  const watch = new WireWatch({ host, isWanted: isWatched, ports: watchedPorts });
  const times = new WireTimes({
    host,
    watch: () => watch.follow(),
    addresses,
    isOpenElsewhere,
    seesAll: async () => (await recorderSettings.load()).scope === 'all',
    store,
  });
  const receiver = new ObservationReceiver({
    store,
    isWanted: async (url) => {
      const { scope, sites } = await recorderSettings.load();
      return scope === 'all' || (scope === 'sites' && sites.includes(new URL(url).hostname));
    },
    addressesOf: async (tabId, url) => [
      ...(await addresses.of(tabId)),
      ...((await addresses.ofWorkers(new URL(url).origin)) ?? []),
    ],
    limits: async () => {
      const { maxAgeDays, maxMegabytes } = await recorderSettings.load();
      return { maxAgeDays, maxBytes: maxMegabytes * 1e6 };
    },
    isWatched,
  });
  receiver.onDocument = onDocument;
  receiver.onLoaded = (load) => void times.ask(load);
  addresses.onServer = (origin) => {
    if (watch.needsHost) watch.noteServer(origin);
  };
  acceptPageMessages((message, tabId) => receiver.receive(message, tabId));
  addresses.watch();
  onTabClosed((tabId) => void addresses.forget(tabId));

  let following: Promise<void> = Promise.resolve();
  /** Brings the browser in line with what is wanted and allowed; one change after the other, come what may. */
  const follow = (change: (wanted: string[]) => Promise<void>): void => {
    const next = async (): Promise<void> => change(patternsOf(await recorderSettings.load()));
    following = following.then(next, next);
  };
  const run = async (wanted: string[]): Promise<void> => runRecorderIn(await allowedOf(wanted));
  onPermissionsChange(() => {
    addresses.watch();
    follow(run);
    void watch.follow();
  });
  recorderSettings.onChange(() => {
    follow(run);
    follow(giveBackAllBut);
    void watch.follow();
  });
  follow(run);
  void watch.follow();
  return watch;
}
