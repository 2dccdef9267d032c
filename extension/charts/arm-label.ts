import type { Arm } from '../../shared/record/arm.ts';
import { element } from './element.ts';
import { armName } from './names.ts';

/** An arm's name beside its colour and mark. */
export function armLabel(arm: Arm, name = armName(arm)): HTMLElement {
  return element('span', { class: 'arm', 'data-arm': arm }, name);
}
