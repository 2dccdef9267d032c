import { ArmSchema, type Arm } from '../../shared/record/arm.ts';
import { roundsNeeded } from '../charts/rounds-needed.ts';
import { armLabel } from '../charts/arm-label.ts';
import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import type { Settings } from '../platform/settings-store.ts';

/** The button "Compare this page", with arms and rounds. */
export function comparisonForm(
  settings: Settings,
  onCompare: (chosen: { arms: Arm[]; rounds: number }) => void,
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
    submit,
    cost,
  );
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit.disabled = true;
    onCompare({ arms: chosen(), rounds: rounds.valueAsNumber });
  });
  update();
  return form;
}
