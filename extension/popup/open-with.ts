import { ArmSchema, type Arm } from '../../shared/record/arm.ts';
import { armLabel } from '../charts/arm-label.ts';
import { element } from '../charts/element.ts';
import { text } from '../charts/text.ts';

/** The buttons that open the page in front in a window of its own, each with one protocol. */
export function openWith(onOpen: (arm: Arm) => void): HTMLElement {
  const note = element('p', { class: 'caption', 'aria-live': 'polite' }, text('popupOpenHint'));
  const buttons = ArmSchema.options
    .filter((arm) => arm !== 'auto')
    .map((arm) => {
      const made = element('button', { type: 'button' }, armLabel(arm));
      made.addEventListener('click', () => {
        // The window takes a moment, and is not wanted twice; a refusal draws the buttons anew.
        made.disabled = true;
        note.textContent = text('popupOpening');
        onOpen(arm);
      });
      return made;
    });
  return element(
    'fieldset',
    { class: 'open-with' },
    element('legend', {}, text('popupOpenWith')),
    element('div', { class: 'actions' }, ...buttons),
    note,
  );
}
