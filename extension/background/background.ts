/** The background: wires its components, and nothing else. It may be ended and started again at any moment. */
import { TowlineError, reportOf } from '../../shared/errors/towline-error.ts';
import {
  hasEnded,
  type BackgroundMessage,
  type PageRequest,
} from '../../shared/messages/extension-messages.ts';
import type { OwnBrowser } from '../../shared/messages/own-browser.ts';
import { clearTabBadges, setBadge, setTabBadge } from '../platform/badge.ts';
import { ComparisonStore } from '../platform/comparison-store.ts';
import { extensionVersion, onInstalled, openWelcome } from '../platform/extension-info.ts';
import { liveNegotiation } from '../platform/live-negotiation.ts';
import { openNativePort } from '../platform/native-port.ts';
import { acceptWatchers, type Watcher } from '../platform/page-port.ts';
import { runTab } from '../platform/run-tab.ts';
import { sessionRuns } from '../platform/session-runs.ts';
import { wakeAlarm } from '../platform/wake-alarm.ts';
import { badgeText } from './badge-text.ts';
import { HostPort } from './host-port.ts';
import { OwnLoads } from './own-loads.ts';
import { protocolBadge } from './protocol-badge.ts';
import { startRecorder } from './recorder-wiring.ts';
import { RunTracker } from './run-tracker.ts';
import { wireWithoutHttp3 } from './without-http3-wiring.ts';

/** Between losing the host and trying again: a host that ends at once is not started in a tight circle. */
const reconnectAfterMs = 1000;
const badgeColor = '#24435c';

const host = new HostPort({
  openNativePort,
  extensionVersion: extensionVersion(),
  newId: () => crypto.randomUUID(),
});
const tracker = new RunTracker({ host, saved: sessionRuns, store: new ComparisonStore() });
const withoutHttp3 = wireWithoutHttp3(host);
const negotiation = liveNegotiation();
const ownLoads = new OwnLoads({ loading: negotiation, tab: runTab });
const watchers = new Set<Watcher>();
const restored = tracker.restore();
const watch = startRecorder(host, (tabId, protocol) => {
  if (!tracker.hasOpenRuns) void setTabBadge(tabId, protocolBadge(protocol));
});

host.onStateChange = () => {
  if (host.state.state !== 'ready') {
    withoutHttp3?.hostGone();
    // Nobody takes the next step of a load either.
    void ownLoads.end();
  }
  tellWatchers();
};
host.onRun = (run) => {
  tracker.update(run);
  if (hasEnded(run)) void ownLoads.end(run.runId);
};
host.onOwnCall = ({ runId, callId, call }) => {
  void ownLoads
    .answer(runId, call)
    .then((answer) => host.ask({ type: 'own-answer', runId, callId, answer }))
    // Who cannot be answered has gone, and what it began is put back with the host's state.
    .catch(() => undefined);
};
host.onOwnStop = (runId) => void ownLoads.stop(runId);
host.onLost = () => {
  if (isHostNeeded()) setTimeout(() => void connect(), reconnectAfterMs);
};
if (withoutHttp3) {
  withoutHttp3.onChange = () => {
    tellWatchers();
    sleepWhenIdle();
  };
}
tracker.onChange = () => {
  tellWatchers();
  void setBadge(badgeText(tracker.runs), badgeColor);
  // A run's progress comes before the protocols of pages.
  if (tracker.hasOpenRuns) void clearTabBadges();
  // A run that was lost says no end of its own.
  else void ownLoads.end();
  void wakeAlarm.set(tracker.hasOpenRuns);
  sleepWhenIdle();
};

acceptWatchers({
  onOpen(watcher) {
    watchers.add(watcher);
    void restored.then(() => {
      watcher.send(currentState());
      return connect();
    });
  },
  onRequest(watcher, request) {
    void restored
      .then(() => act(request))
      .catch((thrown: unknown) => {
        watcher.send({ type: 'refused', error: reportOf(thrown, 'messaging') });
      });
  },
  onClose(watcher) {
    watchers.delete(watcher);
    sleepWhenIdle();
  },
});

onInstalled(() => void openWelcome());
watch.onChange = () => {
  tellWatchers();
  sleepWhenIdle();
};
wakeAlarm.onWake(() => void restored.then(connect));
void restored.then(() => (tracker.hasOpenRuns ? connect() : undefined));

/** Connects if need be and learns what goes on. What fails shows as the host's state. */
async function connect(): Promise<void> {
  try {
    await host.open();
    await tracker.reconcile();
  } catch {
    tellWatchers();
  }
  if (watch.needsHost) await watch.follow();
  sleepWhenIdle();
}

async function act(request: PageRequest): Promise<void> {
  switch (request.type) {
    case 'compare': {
      const browser = request.browser === 'own' ? await ownBrowser() : request.browser;
      const answer = await host.ask({ ...request, browser, shape: null });
      if (answer.type !== 'accepted') {
        throw new TowlineError('bad-message', 'messaging', 'The host did not accept the comparison.');
      }
      if (request.browser === 'own') ownLoads.allow(answer.run.runId);
      tracker.update(answer.run);
      return;
    }
    case 'open-window':
      await host.ask(request);
      return;
    case 'cancel':
      await host.ask({ type: 'cancel', runId: request.runId });
      return;
    case 'dismiss':
      await tracker.dismiss(request.runId);
      return;
    case 'start-without-http3':
      await withoutHttp3?.start(request.url, request.tabId);
      return;
    case 'stop-without-http3':
      await withoutHttp3?.stop();
      return;
    case 'reconnect':
      await connect();
  }
}

/** This browser, for a comparison in it. @throws TowlineError where it lets no extension choose the protocol */
async function ownBrowser(): Promise<OwnBrowser> {
  if (negotiation !== null) return negotiation.about();
  throw new TowlineError('bad-argument', 'messaging', 'This browser lets no extension choose the protocol.', {
    remedy: 'Compare in a browser of its own.',
  });
}

/** An open connection keeps host and background alive: let go when nobody looks and nothing runs or is watched. */
function sleepWhenIdle(): void {
  if (!isHostNeeded() && host.state.state === 'ready') host.close();
}

function isHostNeeded(): boolean {
  return watchers.size > 0 || tracker.hasOpenRuns || watch.needsHost || withoutHttp3?.isOn === true;
}

function currentState(): BackgroundMessage {
  return {
    type: 'state',
    host: host.state,
    runs: [...tracker.runs],
    withoutHttp3: withoutHttp3?.state ?? null,
    watch: watch.state,
  };
}

function tellWatchers(): void {
  for (const watcher of watchers) watcher.send(currentState());
}
