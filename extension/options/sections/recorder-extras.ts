import type { WatchState } from '../../../shared/messages/extension-messages.ts';
import { element } from '../../charts/element.ts';
import { text } from '../../charts/text.ts';
import {
  giveBackAddresses,
  mayAskForAddresses,
  mayReadAddresses,
  requestAddresses,
} from '../../platform/recorder-permissions.ts';
import type { recorderSettings, RecorderSettings } from '../../platform/recorder-settings.ts';

/** Calls back now and at every change, until the next page takes its place. */
export type WatchWatcher = (listener: (state: WatchState) => void) => void;

/**
 * What is recorded besides: requests after the load; servers' addresses, and Time on Wire, which needs them, where the
 * person may be asked for these. Each takes effect at once.
 */
export async function recorderExtras(
  current: RecorderSettings,
  settings: typeof recorderSettings,
  watchWatch: WatchWatcher,
): Promise<HTMLElement> {
  const afterLoad = element('input', { type: 'checkbox', name: 'after-load', checked: current.afterLoad });
  afterLoad.addEventListener('change', () => void settings.change({ afterLoad: afterLoad.checked }));
  const rest = choice(afterLoad, text('recorderAfterLoad'), text('recorderWhyAfterLoad'));
  const wire = mayAskForAddresses() ? await wireChoices(current, settings, watchWatch) : [];
  return element('div', { class: 'recorder-extras' }, rest, ...wire);
}

async function wireChoices(
  current: RecorderSettings,
  settings: typeof recorderSettings,
  watchWatch: WatchWatcher,
): Promise<HTMLElement[]> {
  const agreed = await mayReadAddresses();
  const addresses = element('input', { type: 'checkbox', name: 'addresses', checked: agreed });
  const times = element('input', {
    type: 'checkbox',
    name: 'time-on-wire',
    checked: agreed && current.timeOnWire,
  });
  const status = element('p', { role: 'status', class: 'watch' });
  addresses.addEventListener('change', () => {
    if (addresses.checked) void requestAddresses().then((allowed) => (addresses.checked = allowed));
    else {
      times.checked = false;
      void settings.change({ timeOnWire: false }).then(giveBackAddresses);
    }
  });
  times.addEventListener('change', () => {
    if (!times.checked) {
      void settings.change({ timeOnWire: false });
      return;
    }
    // At once: the browser hears of a click only so long.
    void requestAddresses().then(async (allowed) => {
      addresses.checked = times.checked = allowed;
      if (allowed) await settings.change({ timeOnWire: true });
    });
  });
  watchWatch((state) => {
    status.textContent = watchWords(state);
  });
  return [
    choice(addresses, text('recorderAddresses'), text('recorderWhyAddresses')),
    choice(times, text('recorderTimes'), text('recorderWhyTimes')),
    status,
  ];
}

function choice(box: HTMLElement, label: string, why: string): HTMLElement {
  const words = element('span', {}, label, element('span', { class: 'caption' }, why));
  return element('label', { class: 'choice' }, box, words);
}

function watchWords(state: WatchState): string {
  switch (state.state) {
    case 'off':
      return '';
    case 'starting':
      return text('watchStarting');
    case 'on':
      return text('watchOn', state.interface);
    case 'failed':
      return [text('watchFailed'), state.error.message, state.error.remedy].filter(Boolean).join(' ');
  }
}
