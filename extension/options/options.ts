/** The results and settings pages in the extension: wires them to the store and the background. */
import { readRecord } from '../../shared/record/read-record.ts';
import type { HostState, WatchState } from '../../shared/messages/extension-messages.ts';
import { speak, text } from '../charts/text.ts';
import { ComparisonStore } from '../platform/comparison-store.ts';
import { extensionVersion, localizedMessage, ownBrowserFamily } from '../platform/extension-info.ts';
import { watchBackground, type BackgroundConnection } from '../platform/page-port.ts';
import { ObservationStore } from '../platform/observation-store.ts';
import { recorderSettings } from '../platform/recorder-settings.ts';
import { settingsStore } from '../platform/settings-store.ts';
import { recorderPage } from './pages/recorder-page.ts';
import { settingsPage } from './pages/settings-page.ts';
import { Site } from './site.ts';
import { OffPageStatistics } from './statistics/off-page-statistics.ts';

speak(localizedMessage);
document.documentElement.lang = text('language');

const store = new ComparisonStore();
const observations = new ObservationStore();
let host: HostState = { state: 'asleep' };
let onHost: (state: HostState) => void = () => undefined;
let watch: WatchState = { state: 'off' };
let onWatch: (state: WatchState) => void = () => undefined;

let connection: BackgroundConnection | null = null;
function background(): BackgroundConnection {
  connection ??= watchBackground((message) => {
    if (message.type !== 'state') return;
    host = message.host;
    onHost(host);
    watch = message.watch;
    onWatch(watch);
  });
  return connection;
}

const site = new Site(document.body, {
  source: store,
  statistics: new OffPageStatistics(() => new Worker('statistics-worker.js')),
  editing: {
    async add(text, name) {
      const record = readRecord(text, name);
      await store.save(record);
      return record;
    },
    delete: (id) => store.delete(id),
  },
  settingsPage: () =>
    settingsPage({
      settings: settingsStore,
      watchHost(listener) {
        onHost = listener;
        listener(host);
      },
      retryHost() {
        background().send({ type: 'reconnect' });
      },
    }),
  recorderPage: () =>
    recorderPage({
      settings: recorderSettings,
      store: observations,
      towlineVersion: extensionVersion(),
      redraw: () => void site.draw(),
      watchWatch(listener) {
        onWatch = listener;
        background();
        listener(watch);
      },
      compare: async (url) => {
        const { arms, rounds, gapMs } = await settingsStore.load();
        background().send({
          type: 'compare',
          ...{ url, arms, rounds, precisionPercent: null, gapMs },
          browser: ownBrowserFamily(),
        });
      },
    }),
});

store.onChange(() => void site.draw());
// Connecting starts the background and the host, two processes: once there is something to look at.
void site.draw().then(background);
