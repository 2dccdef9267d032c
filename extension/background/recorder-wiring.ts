import { ObservationReceiver } from '../recorder/observation-receiver.ts';
import { ObservationStore } from '../platform/observation-store.ts';
import { askPage } from '../platform/page-reader.ts';
import {
  allowedOf,
  giveBackAllBut,
  mayAskForAddresses,
  mayReadAddresses,
  onPermissionsChange,
  patternsOf,
} from '../platform/recorder-permissions.ts';
import { runRecorderIn } from '../platform/recorder-script.ts';
import { recorderSettings, type RecorderSettings } from '../platform/recorder-settings.ts';
import { ServerAddresses } from '../platform/server-addresses.ts';
import { isOpenElsewhere, onTabClosed, tabWatch } from '../platform/tabs.ts';
import { visitStore } from '../platform/visit-store.ts';
import { watchedPorts } from '../platform/watched-ports.ts';
import type { HostPort } from './host-port.ts';
import { PageFollower } from './page-follower.ts';
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
  /** Read once in a life of the background: asking for it at every event of a tab takes part of a load's time. */
  let settings = recorderSettings.load();
  const addresses = new ServerAddresses();
  const isWatched = async (): Promise<boolean> => {
    const { scope, timeOnWire } = await settings;
    return scope !== 'off' && timeOnWire && mayAskForAddresses() && (await mayReadAddresses());
  };
  const watch = new WireWatch({ host, isWanted: isWatched, ports: watchedPorts });
  const times = new WireTimes({
    host,
    watch: () => watch.follow(),
    addresses,
    isOpenElsewhere,
    seesAll: async () => (await settings).scope === 'all',
    store,
  });
  const isWanted = async (url: string): Promise<boolean> => {
    const { scope, sites } = await settings;
    return scope === 'all' || (scope === 'sites' && sites.includes(new URL(url).hostname));
  };
  const receiver = new ObservationReceiver({
    store,
    isWanted,
    addressesOf: async (tabId, url) => [
      ...(await addresses.of(tabId)),
      ...((await addresses.ofWorkers(new URL(url).origin)) ?? []),
    ],
    limits: async () => {
      const { maxAgeDays, maxMegabytes } = await settings;
      return { maxAgeDays, maxBytes: maxMegabytes * 1e6 };
    },
    isWatched,
  });
  receiver.onDocument = onDocument;
  receiver.onLoaded = (load) => void times.ask(load);
  addresses.onServer = (origin) => {
    if (watch.needsHost) watch.noteServer(origin);
  };
  const follower = new PageFollower({
    ask: askPage,
    visits: visitStore,
    isWanted,
    isRestWanted: async () => (await settings).afterLoad,
    receive: (page, tabId) => receiver.receive(page, tabId),
    now: () => Date.now(),
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs);
      return () => {
        clearTimeout(timer);
      };
    },
  });
  const tabs = tabWatch({
    onArrival: (shown) => void follower.onArrival(shown),
    onLoaded: (shown) => void follower.onLoaded(shown),
  });
  tabs.start();
  addresses.watch();
  onTabClosed((tabId) => {
    void addresses.forget(tabId);
    follower.onTabClosed(tabId);
  });

  let following: Promise<void> = Promise.resolve();
  /** Brings the browser in line with what is wanted: one change after the other, come what may. */
  const follow = (change: (wanted: RecorderSettings) => Promise<void>): void => {
    const next = async (): Promise<void> => change(await settings);
    following = following.then(next, next);
  };
  const record = async (wanted: RecorderSettings): Promise<void> => {
    await runRecorderIn(await allowedOf(patternsOf(wanted)));
    if (wanted.scope === 'off') tabs.stop();
    else tabs.start();
    await follower.onWantedChange();
  };
  onPermissionsChange(() => {
    addresses.watch();
    follow(record);
    void watch.follow();
  });
  recorderSettings.onChange(() => {
    settings = recorderSettings.load();
    follow(record);
    follow((wanted) => giveBackAllBut(patternsOf(wanted)));
    void watch.follow();
  });
  follow(record);
  void watch.follow();
  return watch;
}
