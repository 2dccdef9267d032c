import { reportOf } from '../../../shared/errors/towline-error.ts';
import type { StoredComparison } from '../../../shared/record/comparison-summary.ts';
import { button, element } from '../../charts/element.ts';
import { errorWords } from '../../charts/error-words.ts';
import { text } from '../../charts/text.ts';
import type { RecordEditing } from '../record-source.ts';
import { overviewResults } from '../sections/overview/overview-results.ts';
import type { OverviewChoice } from '../sections/overview/overview-choice.ts';

/** Every comparison: who won how often, the gains site by site, and the list. */
export function overviewPage(
  stored: readonly StoredComparison[],
  editing: RecordEditing | null,
  choice: OverviewChoice,
  redraw: () => void,
): HTMLElement {
  const damaged = stored.filter(({ summary }) => summary === null).map(({ id }) => id);
  const summaries = stored.flatMap(({ summary }) => summary ?? []);
  const page = element(
    'article',
    { 'data-title': text('overviewTitle') },
    element('h1', {}, text('overviewTitle')),
    editing && importBar(editing, redraw),
    stored.length === 0
      ? element(
          'div',
          { class: 'empty' },
          element('h2', {}, text('overviewEmpty')),
          element('p', {}, text('overviewEmptyHint')),
        )
      : null,
    stored.length > 0 ? overviewResults(summaries, damaged, choice) : null,
  );
  if (editing) acceptDrops(page, editing, redraw);
  return page;
}

/** A button and a drop target for records written by the command line or exported elsewhere. */
function importBar(editing: RecordEditing, redraw: () => void): HTMLElement {
  const status = element('p', { class: 'import-status', role: 'status' });
  const input = element('input', {
    type: 'file',
    accept: '.json,application/json',
    multiple: true,
    hidden: true,
  });
  input.addEventListener('change', () => {
    void addFiles([...(input.files ?? [])], editing, status, redraw);
  });
  return element(
    'div',
    { class: 'import-bar' },
    button(text('overviewImport'), () => {
      input.click();
    }),
    input,
    element('span', { class: 'caption' }, text('overviewDrop')),
    status,
  );
}

function acceptDrops(page: HTMLElement, editing: RecordEditing, redraw: () => void): void {
  page.addEventListener('dragover', (event) => {
    event.preventDefault();
  });
  page.addEventListener('drop', (event) => {
    event.preventDefault();
    const status = page.querySelector<HTMLElement>('.import-status');
    if (status) void addFiles([...(event.dataTransfer?.files ?? [])], editing, status, redraw);
  });
}

/** Adds what it can; what it cannot is named and takes nothing else down. */
async function addFiles(
  files: readonly File[],
  editing: RecordEditing,
  status: HTMLElement,
  redraw: () => void,
): Promise<void> {
  const problems: string[] = [];
  for (const file of files) {
    try {
      await editing.add(await file.text(), file.name);
    } catch (thrown) {
      const { message, remedy } = errorWords(reportOf(thrown, 'record'));
      problems.push([message, remedy].filter((part) => part !== null).join(' '));
    }
  }
  if (problems.length === 0) redraw();
  else status.textContent = problems.join(' ');
}
