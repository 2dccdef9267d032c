import { ArmSchema, type Arm } from '../../shared/record/arm.ts';
import { BrowserFamilySchema, type BrowserFamily } from '../../shared/record/browser-family.ts';
import { browserNames } from '../../shared/record/names.ts';
import { roundsNeeded } from '../charts/rounds-needed.ts';
import { armLabel } from '../charts/arm-label.ts';
import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import { runLengthFields, type RunLength } from './run-length-fields.ts';
import type { Settings } from '../platform/settings-store.ts';

export interface Comparing extends RunLength {
  arms: Arm[];
  /** A managed browser of this family, or the person's own. */
  browser: BrowserFamily | 'own';
}

/**
 * The button "Compare this page", with arms, rounds, what ends them, and browser.
 * @param ownFamily the person's own browser's, which a managed one is of unless they choose otherwise
 * @param here whether the person's own browser can load the page too: it does so only once they have agreed
 */
export function comparisonForm(
  settings: Settings,
  ownFamily: BrowserFamily,
  here: boolean,
  onCompare: (chosen: Comparing) => void,
): HTMLElement {
  const arms = ArmSchema.options.map((arm) => ({
    arm,
    box: element('input', { type: 'checkbox', checked: settings.arms.includes(arm) }),
  }));
  const length = runLengthFields(settings.rounds);
  const browsers = [
    ...BrowserFamilySchema.options.map((value) => ({
      value,
      option: element('option', { selected: value === ownFamily }, browserNames[value]),
    })),
    ...(here ? [{ value: 'own' as const, option: element('option', {}, text('popupHere')) }] : []),
  ];
  const browser = element('select', {}, ...browsers.map(({ option }) => option));
  const chosenBrowser = (): Comparing['browser'] =>
    browsers.find(({ option }) => option.selected)?.value ?? ownFamily;
  const agreed = element('input', { type: 'checkbox' });
  const agreement = element(
    'div',
    { class: 'agreement', role: 'group', 'aria-labelledby': 'here-cost' },
    element('p', { id: 'here-cost' }, text('popupHereCost')),
    element('label', { class: 'check-arm' }, agreed, text('popupHereAgree')),
  );
  const cost = element('p', { class: 'caption', 'aria-live': 'polite' });
  const submit = element('button', { type: 'submit', class: 'primary' }, text('popupCompare'));
  const chosen = (): Arm[] => arms.filter(({ box }) => box.checked).map(({ arm }) => arm);

  function update(): void {
    const compared = chosen().length;
    const isHere = chosenBrowser() === 'own';
    agreement.hidden = !isHere;
    // The browser itself then asks for it on submission, and says so to everybody.
    agreed.required = isHere;
    const ends = length.read(compared);
    submit.disabled = ends === null || compared === 0;
    if (ends === null || compared === 0) return;
    const { rounds, precisionPercent } = ends;
    const needed = roundsNeeded(compared);
    const warning = rounds < needed ? ` ${text('popupRoundsFew', String(needed))}` : '';
    const says = isHere
      ? precisionPercent === null
        ? 'popupLoadsHere'
        : 'popupLoadsHereMost'
      : precisionPercent === null
        ? 'popupLoads'
        : 'popupLoadsMost';
    cost.textContent = text(says, String((rounds + 1) * compared), String(rounds)) + warning;
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
    length.rounds,
    length.until,
    element('label', { class: 'rounds wide' }, element('span', {}, text('popupBrowser')), browser),
    here ? agreement : null,
    submit,
    cost,
  );
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const ends = length.read(chosen().length);
    if (ends === null) return;
    submit.disabled = true;
    onCompare({ ...ends, arms: chosen(), browser: chosenBrowser() });
  });
  update();
  return form;
}
