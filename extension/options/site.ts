import { reportOf } from '../../shared/errors/towline-error.ts';
import { endCharts } from '../charts/chart-figure.ts';
import { element } from '../charts/element.ts';
import { errorWords } from '../charts/error-words.ts';
import { text } from '../charts/text.ts';
import { deleteButton } from './export-bar.ts';
import { comparisonPage } from './pages/comparison-page.ts';
import { messagePage } from './pages/message-page.ts';
import { overviewPage } from './pages/overview-page.ts';
import { trialPage } from './pages/trial-page.ts';
import { versusPage } from './pages/versus-page.ts';
import type { RecordEditing, RecordSource } from './record-source.ts';
import { hashOf, parseRoute, type Route } from './route.ts';
import { freshChoice } from './sections/overview/overview-choice.ts';
import type { OffPageStatistics } from './statistics/off-page-statistics.ts';

export interface SiteParts {
  source: RecordSource;
  /** Null in a report on disk. */
  editing: RecordEditing | null;
  /** Makes the settings page; null in a report on disk. */
  settingsPage: (() => Promise<HTMLElement>) | null;
  statistics: OffPageStatistics;
  /** Makes the recorder's page; null in a report on disk. */
  recorderPage: (() => Promise<HTMLElement>) | null;
}

/**
 * The results pages, the same in the extension and in a report on disk. A page is drawn whole from a record
 * whenever the route, the data or the colour scheme changes.
 */
export class Site {
  readonly #parts: SiteParts;
  readonly #main: HTMLElement;
  readonly #nav: HTMLElement;
  readonly #choice = freshChoice();
  #drawing = 0;

  constructor(root: HTMLElement, parts: SiteParts) {
    this.#parts = parts;
    this.#main = element('main', { id: 'content', tabindex: -1 });
    this.#nav = element('nav', { 'aria-label': text('siteTitle') });
    const skip = element('a', { class: 'skip', href: '#content' }, text('siteSkip'));
    skip.addEventListener('click', (event) => {
      // The hash is the route: jump by hand.
      event.preventDefault();
      this.#main.focus();
    });
    root.append(
      skip,
      element(
        'header',
        { class: 'site' },
        element('a', { class: 'brand', href: hashOf({ page: 'overview' }) }, text('siteTitle')),
        this.#nav,
      ),
      this.#main,
    );
    addEventListener('hashchange', () => void this.draw(true));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void this.draw());
  }

  /** Draws the present route. `moved`: the person went there, so start reading at its top. */
  async draw(moved = false): Promise<void> {
    const drawing = ++this.#drawing;
    const route = parseRoute(location.hash);
    const page = await this.#pageOf(route).catch((thrown: unknown) => {
      const { message, remedy } = errorWords(reportOf(thrown, 'record'));
      const { editing } = this.#parts;
      return messagePage(
        text('comparisonDamaged'),
        [message, remedy],
        editing && route.page === 'comparison' ? deleteButton(route.id, editing) : null,
      );
    });
    // A newer drawing overtook this one while it read the store.
    if (drawing !== this.#drawing) {
      endCharts(page);
      return;
    }
    endCharts(this.#main);
    this.#main.replaceChildren(page);
    this.#drawNav(route);
    document.title = [page.dataset.title, text('siteTitle')].filter(Boolean).join(' · ');
    if (moved) {
      scrollTo(0, 0);
      this.#main.focus({ preventScroll: true });
    }
  }

  async #pageOf(route: Route): Promise<HTMLElement> {
    const { source, editing, settingsPage, recorderPage, statistics } = this.#parts;
    const missing = (): HTMLElement =>
      messagePage(text('comparisonMissing'), [text('comparisonMissingHint')]);
    if (route.page === 'settings' && settingsPage) return settingsPage();
    if (route.page === 'recorder' && recorderPage) return recorderPage();
    if (route.page === 'comparison') {
      const record = await source.get(route.id);
      return record ? comparisonPage(record, { source, editing, statistics }) : missing();
    }
    if (route.page === 'trial') {
      const record = await source.get(route.id);
      return record ? trialPage(record, route.index) : missing();
    }
    if (route.page === 'versus') {
      const [first, second] = await Promise.all([source.get(route.first), source.get(route.second)]);
      return first && second ? versusPage(first, second, statistics) : missing();
    }
    return overviewPage(await source.list(), editing, this.#choice, () => void this.draw());
  }

  #drawNav(route: Route): void {
    const link = (to: Route, label: string): HTMLElement =>
      element('a', { href: hashOf(to), 'aria-current': to.page === route.page ? 'page' : null }, label);
    this.#nav.replaceChildren(
      link({ page: 'overview' }, text('siteResults')),
      ...(this.#parts.recorderPage ? [link({ page: 'recorder' }, text('siteRecorder'))] : []),
      ...(this.#parts.settingsPage ? [link({ page: 'settings' }, text('siteSettings'))] : []),
    );
  }
}
