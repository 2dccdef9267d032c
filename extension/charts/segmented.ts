import { button, element } from './element.ts';

/** Buttons of which one is pressed; calls `show` with `first` at once, and with every choice after it. */
export function segmented<Value>(
  label: string,
  choices: readonly { value: Value; label: string }[],
  first: Value,
  show: (value: Value) => void,
): HTMLElement {
  const buttons = choices.map(({ value, label: words }) => ({
    value,
    button: button(words, () => {
      choose(value);
    }),
  }));
  const group = element(
    'div',
    { class: 'segmented', role: 'group', 'aria-label': label },
    element('span', { class: 'label' }, label),
    ...buttons.map((each) => each.button),
  );

  function choose(chosen: Value): void {
    const focused = document.activeElement;
    for (const each of buttons) each.button.setAttribute('aria-pressed', String(each.value === chosen));
    show(chosen);
    // Whatever is shown anew may hold these buttons: moved, they lose the focus.
    if (focused instanceof HTMLElement && group.contains(focused)) focused.focus();
  }

  choose(first);
  return group;
}
