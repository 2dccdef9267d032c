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
 * What is recorded besides: servers' addresses, and Time on Wire, which needs them. Each takes effect at once. Null where
 * the person may not be asked for addresses.
 */
export async function recorderExtras(
  current: RecorderSettings,
  settings: typeof recorderSettings,
  watchWatch: WatchWatcher,
): Promise<HTMLElement | null> {
  if (!mayAskForAddresses()) return null;
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
  return element(
    'div',
    { class: 'recorder-extras' },
    choice(addresses, text('recorderAddresses'), text('recorderWhyAddresses')),
    choice(times, text('recorderTimes'), text('recorderWhyTimes')),
    status,
  );
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
