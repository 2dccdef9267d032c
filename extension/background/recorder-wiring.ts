import { ObservationReceiver } from '../recorder/observation-receiver.ts';
import { ObservationStore } from '../platform/observation-store.ts';
import { acceptPageMessages } from '../platform/page-messages.ts';
import {
  allowedOf,
  giveBackAllBut,
  onPermissionsChange,
  patternsOf,
} from '../platform/recorder-permissions.ts';
import { runRecorderIn } from '../platform/recorder-script.ts';
import { recorderSettings } from '../platform/recorder-settings.ts';
import { ServerAddresses } from '../platform/server-addresses.ts';
import { onTabClosed } from '../platform/tabs.ts';

/**
 * Joins the recorder's parts in the background. Listeners are added before anything is waited for, since the
 * browser wakes the background for those alone that its last life had added at once.
 */
export function startRecorder(onDocument: (tabId: number, protocol: string | null) => void): void {
  const store = new ObservationStore();
  const addresses = new ServerAddresses();
  const receiver = new ObservationReceiver({
    store,
    isWanted: async (url) => {
      const { scope, sites } = await recorderSettings.load();
      return scope === 'all' || (scope === 'sites' && sites.includes(new URL(url).hostname));
    },
    addressesOf: (tabId) => addresses.of(tabId),
    limits: async () => {
      const { maxAgeDays, maxMegabytes } = await recorderSettings.load();
      return { maxAgeDays, maxBytes: maxMegabytes * 1e6 };
    },
  });
  receiver.onDocument = onDocument;
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
  });
  recorderSettings.onChange(() => {
    follow(run);
    follow(giveBackAllBut);
  });
  follow(run);
}
