import type { ObservationExport } from '../../../shared/record/observation.ts';
import { button, element } from '../../charts/element.ts';
import { formatBytes } from '../../charts/format.ts';
import { saveFile } from '../../charts/save-file.ts';
import { text } from '../../charts/text.ts';
import type { ObservationStore } from '../../platform/observation-store.ts';
import type { recorderSettings, RecorderSettings } from '../../platform/recorder-settings.ts';

interface Parts {
  settings: typeof recorderSettings;
  store: ObservationStore;
  towlineVersion: string;
  redraw: () => void;
}

/** How much is kept and how long, with export and erasing. A smaller limit takes effect at once. */
export async function observationsKept(current: RecorderSettings, parts: Parts): Promise<HTMLElement> {
  const { settings, store } = parts;
  const { count, sizeBytes } = await store.amount();
  const limit = (change: Partial<RecorderSettings>): void => {
    void settings.change(change).then(async ({ maxAgeDays, maxMegabytes }) => {
      await store.prune({ maxAgeDays, maxBytes: maxMegabytes * 1e6 });
    });
  };
  const asking = element('span', { class: 'actions' });
  const erase = button(text('recorderErase'), () => {
    asking.replaceChildren(
      element('span', {}, text('recorderEraseSure')),
      button(text('recorderEraseYes'), () => void store.erase().then(parts.redraw), { class: 'danger' }),
      button(text('deleteNo'), () => {
        asking.replaceChildren(erase);
        erase.focus();
      }),
    );
    asking.querySelector('button')?.focus();
  });
  if (count > 0) asking.append(erase);
  return element(
    'div',
    { class: 'observations-kept' },
    limitField(text('recorderAge'), current.maxAgeDays, 3650, (maxAgeDays) => {
      limit({ maxAgeDays });
    }),
    limitField(text('recorderSize'), current.maxMegabytes, 1000, (maxMegabytes) => {
      limit({ maxMegabytes });
    }),
    element('p', { class: 'amount' }, text('recorderKept', String(count), formatBytes(sizeBytes))),
    count === 0 ? null : button(text('recorderExport'), () => void exportAll(parts)),
    asking,
  );
}

async function exportAll({ store, towlineVersion }: Parts): Promise<void> {
  const content: ObservationExport = {
    format: 'towline-observations',
    version: 1,
    towlineVersion,
    exportedAt: new Date().toISOString(),
    observations: (await store.newest(Infinity)).reverse(),
  };
  saveFile('towline-observations.json', new Blob([JSON.stringify(content)], { type: 'application/json' }));
}

function limitField(
  label: string,
  value: number,
  max: number,
  onValue: (value: number) => void,
): HTMLElement {
  const input = element('input', { type: 'number', min: 1, max, step: 1, value, required: true });
  input.addEventListener('change', () => {
    if (input.reportValidity()) onValue(input.valueAsNumber);
  });
  return element('label', { class: 'field' }, element('span', {}, label), input);
}
