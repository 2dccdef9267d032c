/** What may stand inside an element. `null` is left out. */
export type Child = Node | string | null;

type Attributes = Record<string, string | number | boolean | null>;

/**
 * Makes an element. Text becomes text nodes, never markup, so no string of a page or record can be read as
 * HTML. `true` sets an empty attribute; `false` and `null` leave it out.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button that does something on this page. */
export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}
