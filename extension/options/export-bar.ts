import type { ComparisonRecord } from '../../shared/record/record.ts';
import type { Trial } from '../../shared/record/trial.ts';
import { button, element } from '../charts/element.ts';
import { saveFile } from '../charts/save-file.ts';
import { text } from '../charts/text.ts';
import { harOf } from './har.ts';
import { requestsCsv, trialsCsv } from './csv.ts';
import type { RecordEditing } from './record-source.ts';
import { hashOf } from './route.ts';

/** Saves the record in other forms; deletes it, after asking, where that is possible. */
export function exportBar(record: ComparisonRecord, editing: RecordEditing | null): HTMLElement {
  const stem = fileStem(record);
  const save = (ending: string, type: string, content: () => string): (() => void) => {
    return () => {
      saveFile(`${stem}${ending}`, new Blob([content()], { type }));
    };
  };
  return element(
    'div',
    { class: 'export-bar' },
    button(
      text('exportRecord'),
      save('.json', 'application/json', () => JSON.stringify(record, null, 1)),
    ),
    button(
      text('exportTrials'),
      save('-loads.csv', 'text/csv', () => trialsCsv(record)),
    ),
    button(
      text('exportRequests'),
      save('-requests.csv', 'text/csv', () => requestsCsv(record)),
    ),
    button(
      text('exportHar'),
      save('.har', 'application/json', () => JSON.stringify(harOf(record, record.trials), null, 1)),
    ),
    editing && deleteButton(record.id, editing),
  );
}

/** Saves one load as HAR. */
export function exportTrialBar(record: ComparisonRecord, trial: Trial): HTMLElement {
  return element(
    'div',
    { class: 'export-bar' },
    button(text('exportTrialHar'), () => {
      const har = JSON.stringify(harOf(record, [trial]), null, 1);
      saveFile(
        `${fileStem(record)}-load-${trial.index + 1}-${trial.arm}.har`,
        new Blob([har], { type: 'application/json' }),
      );
    }),
  );
}

/** Asks in place before it deletes for good. */
export function deleteButton(id: string, editing: RecordEditing): HTMLElement {
  const box = element('span', { class: 'delete' });
  const ask = button(
    text('deleteRecord'),
    () => {
      box.replaceChildren(element('span', { role: 'status' }, text('deleteSure')), yes, no);
      no.focus();
    },
    { class: 'quiet' },
  );
  const yes = button(
    text('deleteYes'),
    () =>
      void editing.delete(id).then(() => {
        location.hash = hashOf({ page: 'overview' });
      }),
    { class: 'danger' },
  );
  const no = button(text('deleteNo'), () => {
    box.replaceChildren(ask);
    ask.focus();
  });
  box.append(ask);
  return box;
}

/** "towline-example.org-2026-01-01": what a person finds again in a folder. */
function fileStem(record: ComparisonRecord): string {
  const host = URL.parse(record.target.asked)?.host ?? '';
  const where = (host === '' ? record.target.asked : host).replace(/[^a-zA-Z0-9.-]+/g, '-');
  return `towline-${where}-${record.createdAt.slice(0, 10)}`;
}
