import { ArmSchema, type Arm } from '../../../shared/record/arm.ts';
import type { HostState } from '../../../shared/messages/extension-messages.ts';
import { armLabel } from '../../charts/arm-label.ts';
import { roundsNeeded } from '../../charts/rounds-needed.ts';
import { button, element } from '../../charts/element.ts';
import { text } from '../../charts/text.ts';
import { hostNotice } from '../../charts/host-notice.ts';
import type { Settings, settingsStore } from '../../platform/settings-store.ts';
import { section } from '../sections/section.ts';

export interface SettingsPageParts {
  settings: typeof settingsStore;
  /** Calls back now and at every change, until the next page takes its place. */
  watchHost: (listener: (state: HostState) => void) => void;
  retryHost: () => void;
}

/** What new comparisons start with, and whether the host is there. Saved as it is changed. */
export async function settingsPage(parts: SettingsPageParts): Promise<HTMLElement> {
  const settings = await parts.settings.load();
  const saved = element('p', { role: 'status', class: 'saved' });
  const save = (change: Partial<Settings>): void => {
    Object.assign(settings, change);
    void parts.settings.save(settings).then(() => {
      saved.textContent = text('settingsSaved');
    });
  };
  const host = element('div', { class: 'host' });
  parts.watchHost((state) => {
    host.replaceChildren(hostLine(state), hostRetry(state, parts.retryHost));
  });
  return element(
    'article',
    { 'data-title': text('settingsTitle') },
    element('h1', {}, text('settingsTitle')),
    section(
      text('settingsNew'),
      element(
        'fieldset',
        { class: 'arms' },
        element('legend', {}, text('settingsArms')),
        ...ArmSchema.options.map((arm) => armCheckbox(arm, settings, save)),
      ),
      numberField(
        text('settingsRounds'),
        text('settingsRoundsHint', String(roundsNeeded(settings.arms.length))),
        settings.rounds,
        1,
        200,
        (rounds) => {
          save({ rounds });
        },
      ),
      numberField(text('settingsGap'), null, settings.gapMs / 1000, 0, 60, (seconds) => {
        save({ gapMs: seconds * 1000 });
      }),
      saved,
    ),
    section(text('settingsHost'), element('p', { class: 'caption' }, text('hostWhy')), host),
    section(text('settingsData'), element('p', {}, text('settingsDataText'))),
  );
}

function armCheckbox(arm: Arm, settings: Settings, save: (change: Partial<Settings>) => void): HTMLElement {
  const box = element('input', { type: 'checkbox', checked: settings.arms.includes(arm) });
  box.addEventListener('change', () => {
    const arms = ArmSchema.options.filter((each) =>
      each === arm ? box.checked : settings.arms.includes(each),
    );
    // A comparison of nothing is none: the last arm stays.
    if (arms.length === 0) box.checked = true;
    else save({ arms });
  });
  return element('label', { class: 'check-arm' }, box, armLabel(arm));
}

function numberField(
  label: string,
  hint: string | null,
  value: number,
  min: number,
  max: number,
  onValue: (value: number) => void,
): HTMLElement {
  const input = element('input', { type: 'number', min, max, step: 1, value, required: true });
  input.addEventListener('change', () => {
    if (input.reportValidity()) onValue(input.valueAsNumber);
  });
  return element(
    'label',
    { class: 'field' },
    element('span', {}, label),
    input,
    hint === null ? null : element('span', { class: 'caption' }, hint),
  );
}

function hostLine(state: HostState): HTMLElement {
  switch (state.state) {
    case 'ready':
      return element('p', { role: 'status' }, text('hostReady', state.hostVersion));
    case 'connecting':
      return element('p', { role: 'status' }, text('hostConnecting'));
    case 'asleep':
      return element('p', { role: 'status' }, text('hostAsleep'));
    case 'unavailable':
      return hostNotice(state.error);
  }
}

function hostRetry(state: HostState, retry: () => void): HTMLElement | string {
  return state.state === 'ready' || state.state === 'connecting' ? '' : button(text('hostRetry'), retry);
}
