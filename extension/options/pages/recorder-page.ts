import { element } from '../../charts/element.ts';
import { text } from '../../charts/text.ts';
import type { ObservationStore } from '../../platform/observation-store.ts';
import type { recorderSettings } from '../../platform/recorder-settings.ts';
import { observedLabel } from '../../recorder/observed-table.ts';
import { observationList } from '../sections/observation-list.ts';
import { observationsKept } from '../sections/observations-kept.ts';
import { recorderExtras, type WatchWatcher } from '../sections/recorder-extras.ts';
import { recorderScope } from '../sections/recorder-scope.ts';
import { section } from '../sections/section.ts';

export interface RecorderPageParts {
  settings: typeof recorderSettings;
  store: ObservationStore;
  towlineVersion: string;
  /** Draws the page anew, after what it shows was erased. */
  redraw: () => void;
  watchWatch: WatchWatcher;
  /** Starts a comparison of this address. */
  compare: (url: string) => Promise<void>;
}

/** Page loads shown; the export has all. */
const shown = 100;

/** What the recorder does, on which sites, how much is kept, and the newest of it. */
export async function recorderPage(parts: RecorderPageParts): Promise<HTMLElement> {
  const { settings, store } = parts;
  const current = await settings.load();
  const observations = await store.newest(shown);
  return element(
    'article',
    { 'data-title': text('recorderTitle') },
    element('h1', {}, text('recorderTitle')),
    element('p', { class: 'subtitle' }, text('recorderWhat')),
    section(
      text('recorderScope'),
      await recorderScope(current, settings),
      await recorderExtras(current, settings, parts.watchWatch),
    ),
    section(text('recorderKeep'), await observationsKept(current, parts)),
    section(
      text('recorderList'),
      element(
        'div',
        { class: 'observed-note' },
        observedLabel(),
        element('p', {}, text('recorderNotComparison')),
      ),
      observationList(observations, parts.compare),
    ),
  );
}
