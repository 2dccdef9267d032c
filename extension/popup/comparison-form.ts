import { ArmSchema, type Arm } from '../../shared/record/arm.ts';
import { BrowserFamilySchema, type BrowserFamily } from '../../shared/record/browser-family.ts';
import { browserNames } from '../../shared/record/names.ts';
import { roundsNeeded } from '../charts/rounds-needed.ts';
import { armLabel } from '../charts/arm-label.ts';
import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';
import { runLengthFields, type RunLength } from './run-length-fields.ts';
import type { Settings } from '../platform/settings-store.ts';

/**
 * The button "Compare this page", with arms, rounds, what ends them, and browser.
 * @param ownBrowser the person's own, whose family loads the page unless they choose the other
 */
export function comparisonForm(
  settings: Settings,
  ownBrowser: BrowserFamily,
  onCompare: (chosen: RunLength & { arms: Arm[]; browser: BrowserFamily }) => void,
): HTMLElement {
  const arms = ArmSchema.options.map((arm) => ({
    arm,
    box: element('input', { type: 'checkbox', checked: settings.arms.includes(arm) }),
  }));
  const length = runLengthFields(settings.rounds);
  const browsers = BrowserFamilySchema.options.map((family) => ({
    family,
    option: element('option', { selected: family === ownBrowser }, browserNames[family]),
  }));
  const browser = element('select', {}, ...browsers.map(({ option }) => option));
  const cost = element('p', { class: 'caption', 'aria-live': 'polite' });
  const submit = element('button', { type: 'submit', class: 'primary' }, text('popupCompare'));
  const chosen = (): Arm[] => arms.filter(({ box }) => box.checked).map(({ arm }) => arm);

  function update(): void {
    const compared = chosen().length;
    const ends = length.read(compared);
    submit.disabled = ends === null || compared === 0;
    if (ends === null || compared === 0) return;
    const { rounds, precisionPercent } = ends;
    const needed = roundsNeeded(compared);
    const warning = rounds < needed ? ` ${text('popupRoundsFew', String(needed))}` : '';
    const says = precisionPercent === null ? 'popupLoads' : 'popupLoadsMost';
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
    submit,
    cost,
  );
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const ends = length.read(chosen().length);
    if (ends === null) return;
    submit.disabled = true;
    onCompare({
      ...ends,
      arms: chosen(),
      browser: browsers.find(({ option }) => option.selected)?.family ?? ownBrowser,
    });
  });
  update();
  return form;
}
