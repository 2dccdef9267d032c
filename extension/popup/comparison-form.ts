import { ArmSchema, type Arm } from '../../shared/record/arm.ts';
import { BrowserFamilySchema, type BrowserFamily } from '../../shared/record/browser-family.ts';
import { browserNames } from '../../shared/record/names.ts';
import { roundsNeeded } from '../charts/rounds-needed.ts';
import { armLabel } from '../charts/arm-label.ts';
import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import type { Settings } from '../platform/settings-store.ts';

/**
 * The button "Compare this page", with arms, rounds and browser.
 * @param ownBrowser the person's own, whose family loads the page unless they choose the other
 */
export function comparisonForm(
  settings: Settings,
  ownBrowser: BrowserFamily,
  onCompare: (chosen: { arms: Arm[]; rounds: number; browser: BrowserFamily }) => void,
): HTMLElement {
  const arms = ArmSchema.options.map((arm) => ({
    arm,
    box: element('input', { type: 'checkbox', checked: settings.arms.includes(arm) }),
  }));
  const rounds = element('input', {
    type: 'number',
    min: 1,
    max: 200,
    step: 1,
    required: true,
    value: settings.rounds,
  });
  const browsers = BrowserFamilySchema.options.map((family) => ({
    family,
    option: element('option', { selected: family === ownBrowser }, browserNames[family]),
  }));
  const browser = element('select', {}, ...browsers.map(({ option }) => option));
  const cost = element('p', { class: 'caption', 'aria-live': 'polite' });
  const submit = element('button', { type: 'submit', class: 'primary' }, text('popupCompare'));
  const chosen = (): Arm[] => arms.filter(({ box }) => box.checked).map(({ arm }) => arm);

  function update(): void {
    const count = rounds.valueAsNumber;
    const valid = rounds.validity.valid && chosen().length > 0;
    submit.disabled = !valid;
    if (!valid) return;
    const loads = (count + 1) * chosen().length;
    const needed = roundsNeeded(chosen().length);
    const warning = count < needed ? ` ${text('popupRoundsFew', String(needed))}` : '';
    cost.textContent = text('popupLoads', String(loads), String(count)) + warning;
  }

  const form = element(
    'form',
    { class: 'compare' },
    element(
      'fieldset',
      { class: 'arms' },
      element('legend', {}, text('popupArms')),
      ...arms.map(({ arm, box }) => element('label', { class: 'check-arm' }, box, armLabel(arm))),
    ),
    element('label', { class: 'rounds' }, element('span', {}, text('popupRounds')), rounds),
    element('label', { class: 'rounds browser-choice' }, element('span', {}, text('popupBrowser')), browser),
    submit,
    cost,
  );
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit.disabled = true;
    onCompare({
      arms: chosen(),
      rounds: rounds.valueAsNumber,
      browser: browsers.find(({ option }) => option.selected)?.family ?? ownBrowser,
    });
  });
  update();
  return form;
}
