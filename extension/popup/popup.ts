/** The popup: wires the page in front, the background and the stores to a few small views. */
import type { ErrorReport } from '../../shared/errors/towline-error.ts';
import type { BackgroundMessage, TrackedRun } from '../../shared/messages/extension-messages.ts';
import type { PageReading } from '../../shared/messages/page-reading.ts';
import type { ObservedTime } from '../../shared/record/observed-time.ts';
import { button, element } from '../charts/element.ts';
import { hostNotice } from '../charts/host-notice.ts';
import { speak, text } from '../charts/text.ts';
import { ComparisonStore } from '../platform/comparison-store.ts';
import { currentPage, type CurrentPage } from '../platform/current-page.ts';
import { localizedMessage, openResults, ownBrowserFamily } from '../platform/extension-info.ts';
import { activeTabId, liveNegotiation } from '../platform/live-negotiation.ts';
import { ObservationStore } from '../platform/observation-store.ts';
import { watchBackground, type BackgroundConnection } from '../platform/page-port.ts';
import { recorderSettings } from '../platform/recorder-settings.ts';
import { sessionRuns } from '../platform/session-runs.ts';
import { settingsStore, type Settings } from '../platform/settings-store.ts';
import { visitStore } from '../platform/visit-store.ts';
import { viewId, visitKey } from '../recorder/page-visit.ts';
import { comparisonForm } from './comparison-form.ts';
import { errorParagraphs } from './error-paragraphs.ts';
import { liveView } from './live-view.ts';
import { observedView } from './observed-view.ts';
import { openWith } from './open-with.ts';
import { isComparable, pageView } from './page-view.ts';
import { recorderSwitch } from './recorder-switch.ts';
import { runView } from './run-view.ts';
import { withoutHttp3View, type WithoutHttp3View } from './without-http3-view.ts';

speak(localizedMessage);

type State = Extract<BackgroundMessage, { type: 'state' }>;

const settings = settingsStore.load();
let endFirstDrawing: () => void;
/** What the first drawing does not need begins after it. */
const firstDrawing = new Promise<void>((resolve) => {
  endFirstDrawing = resolve;
});
let page = currentPage(firstDrawing);
let store: ComparisonStore | null = null;
const content = element('div', { class: 'content' });
/** Below the rest, since it comes when the page has answered: nothing above it moves. */
const observed = element('div', { class: 'below' });
const live = element('div', { class: 'below' });
const without = element('div', { class: 'below' });
document.documentElement.lang = text('language');
document.body.append(
  element(
    'header',
    {},
    element('h1', {}, element('img', { src: 'icons/icon-32.png', alt: '' }), text('siteTitle')),
    button(text('popupResults'), () => void see('#/'), { class: 'quiet' }),
  ),
  element('main', {}, content, live, without, observed),
);

let state: State = {
  type: 'state',
  host: { state: 'asleep' },
  runs: [],
  withoutHttp3: null,
  watch: { state: 'off' },
};
let refusal: ErrorReport | null = null;
/** Kept from drawing to drawing, with what the person has typed into it. */
let form: HTMLElement | null = null;
/** Kept too, with the focus in it. */
let withoutView: WithoutHttp3View | null = null;
let drawing = 0;
let drawn = false;

let connection: BackgroundConnection | null = null;
function background(): BackgroundConnection {
  connection ??= watchBackground((message) => {
    if (message.type === 'refused') {
      refusal = message.error;
      form = null;
    } else state = message;
    void draw();
    void drawWithout();
  });
  return connection;
}
void drawFirst();
void drawObserved();
void drawLive();

/**
 * Draws by what the background last wrote down, and only then connects to it: starting it, which starts the host,
 * takes processors that the first drawing needs.
 */
async function drawFirst(): Promise<void> {
  state = { ...state, runs: await sessionRuns.load() };
  await draw();
  setTimeout(background);
}

/** What the page tells of itself, and the recorder's switch. */
async function drawObserved(): Promise<void> {
  const inFront = await page;
  if (!isComparable(inFront)) return;
  const snapshot = await inFront.snapshot;
  const view = observedView(snapshot, await wireOf(inFront.tabId, snapshot));
  const site = new URL(inFront.url).hostname;
  observed.replaceChildren(
    ...(view ? [view] : []),
    ...(inFront.isPrivate
      ? []
      : [
          recorderSwitch(site, await recorderSettings.load(), recorderSettings, () => void see('#/recorder')),
        ]),
  );
  performance.mark('towline-observed');
}

/** What the packets said of a recorded page. */
async function wireOf(tabId: number | null, snapshot: PageReading | null): Promise<ObservedTime | null> {
  if (tabId === null || snapshot === null) return null;
  const visit = (await visitStore.load())[visitKey({ ...snapshot, tabId })];
  if (!visit) return null;
  const observations = new ObservationStore();
  try {
    return (await observations.get(viewId(visit)))?.wire ?? null;
  } finally {
    await observations.close();
  }
}

/** Only where the browser lets an extension choose the protocol. */
async function drawLive(): Promise<void> {
  const negotiation = liveNegotiation();
  if (negotiation === null) return;
  const [inFront, tabId] = [await page, await activeTabId()];
  if (tabId === null || !isComparable(inFront) || inFront.isPrivate) return;
  const now = await negotiation.state();
  const isOfThisPage = now.state !== 'loaded' || (now.tabId === tabId && now.load.url === inFront.url);
  const shown =
    isOfThisPage && (now.state !== 'failed' || now.tabId === tabId) ? now : { state: 'idle' as const };
  live.replaceChildren(liveView(tabId, negotiation, shown, () => void drawPageAnew()));
}

/** Where the build may set a proxy: for a page that HTTP/3 could carry, and for as long as it is on. */
async function drawWithout(): Promise<void> {
  const [inFront, tabId] = [await page, await activeTabId()];
  const now = state.withoutHttp3;
  if (now === null) return;
  const mayCarry = inFront.url?.startsWith('https:') === true && !inFront.isPrivate;
  const here = mayCarry && inFront.url !== null && tabId !== null ? { url: inFront.url, tabId } : null;
  if (here === null && now.state === 'off') {
    without.replaceChildren();
    return;
  }
  withoutView ??= withoutHttp3View(here, (request) => {
    background().send(request);
  });
  if (withoutView.show(now)) void drawPageAnew();
  if (!without.hasChildNodes()) without.append(withoutView.view);
}

/** The page in front was loaded anew: what was said of its requests no longer holds. */
async function drawPageAnew(): Promise<void> {
  const [before, now] = [await page, await currentPage()];
  // Firefox takes `activeTab` back as a page is loaded: then its new timings cannot be read.
  page = Promise.resolve(now.url === null ? { ...before, snapshot: Promise.resolve(null) } : now);
  content.querySelector('.page')?.replaceWith(pageView(await page));
  await drawObserved();
}

async function draw(): Promise<void> {
  const turn = ++drawing;
  const views = await viewsOf(state);
  // A newer state overtook this one while it read the store.
  if (turn !== drawing) return;
  const before = [...content.children];
  if (before.length === views.length && before.every((view, index) => view === views[index])) return;
  const focused = document.activeElement?.textContent ?? '';
  content.replaceChildren(...views);
  restoreFocus(focused);
  if (drawn) return;
  drawn = true;
  // Both marks are for script/bench popup.
  performance.mark('towline-content');
  endFirstDrawing();
}

async function viewsOf({ host, runs }: State): Promise<HTMLElement[]> {
  const inFront = await page;
  const [run] = runs;
  if (run && !isAside(run, inFront)) {
    form = null;
    const summary =
      run.recordId === null ? null : await (store ??= new ComparisonStore()).summary(run.recordId);
    return [
      runView(run, summary, {
        cancel: (runId) => {
          background().send({ type: 'cancel', runId });
        },
        dismiss: (runId) => {
          background().send({ type: 'dismiss', runId });
        },
        see: (recordId) => void see(routeTo(recordId)),
      }),
      ...refusalView(),
    ];
  }
  if (host.state === 'unavailable') {
    const retry = button(text('hostRetry'), () => {
      background().send({ type: 'reconnect' });
    });
    return [pageView(inFront), element('section', { class: 'host' }, hostNotice(host.error), retry)];
  }
  if (!isComparable(inFront)) return [pageView(inFront)];
  const here = liveNegotiation() !== null && !inFront.isPrivate;
  form ??= element(
    'div',
    {},
    pageView(inFront),
    formFor(inFront.url, await settings, here),
    openFor(inFront.url),
  );
  return [form, ...refusalView(), ...(run?.recordId ? [lastResult(run.status.url, run.recordId)] : [])];
}

/** An ended run of another page does not stand in the way of comparing this one. */
function isAside({ status, recordId }: TrackedRun, inFront: CurrentPage): boolean {
  return recordId !== null && isComparable(inFront) && status.url !== inFront.url;
}

function lastResult(url: string, recordId: string): HTMLElement {
  const label = text('popupLast', URL.parse(url)?.host ?? url);
  return button(label, () => void see(routeTo(recordId)), { class: 'quiet last' });
}

function routeTo(recordId: string): string {
  return `#/comparison/${encodeURIComponent(recordId)}`;
}

/** @param here whether it can be loaded in this very browser */
function formFor(url: string, settings: Settings, here: boolean): HTMLElement {
  return comparisonForm(settings, ownBrowserFamily(), here, (chosen) => {
    refusal = null;
    background().send({ type: 'compare', url, ...chosen, gapMs: settings.gapMs });
  });
}

function openFor(url: string): HTMLElement {
  return openWith((arm) => {
    refusal = null;
    background().send({ type: 'open-window', url, arm, browser: ownBrowserFamily() });
  });
}

function refusalView(): HTMLElement[] {
  if (!refusal) return [];
  return [element('section', { class: 'run failed', role: 'alert' }, ...errorParagraphs(refusal))];
}

/** Redrawing replaces the button that has the focus: give it to its successor. */
function restoreFocus(label: string): void {
  if (label === '' || document.activeElement !== document.body) return;
  for (const candidate of content.querySelectorAll('button')) {
    if (candidate.textContent === label) candidate.focus();
  }
}

async function see(route: string): Promise<void> {
  await openResults(route);
  close();
}
