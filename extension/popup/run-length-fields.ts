import { element } from '../charts/element.ts';
import { barePercent } from '../charts/format.ts';
import { text } from '../charts/text.ts';

/** How long a comparison goes on, as `--rounds`, or `--precision` with `--max-rounds`, on the command line. */
export interface RunLength {
  /** Blocks that count; the most there can be where a precision is asked for. */
  rounds: number;
  /** Percentage points on either side; null where the number of rounds alone decides. */
  precisionPercent: number | null;
}

const precisionsPercent = [10, 5, 3, 2, 1];

/** Where a run with a precision ends at last, unless told otherwise: as on the command line. */
const mostRounds = 50;

/** The field for the rounds, and the one for what ends the run. */
export function runLengthFields(usualRounds: number): {
  rounds: HTMLElement;
  until: HTMLElement;
  /** What is chosen; null while the number of rounds is none. @param arms how many are compared */
  read(arms: number): RunLength | null;
} {
  const number = element('input', {
    ...{ type: 'number', min: 1, max: 200, step: 1, required: true },
    value: usualRounds,
  });
  const name = element('span', {}, text('popupRounds'));
  const options = [null, ...precisionsPercent].map((percent) => ({
    percent,
    option: element(
      'option',
      {},
      percent === null ? text('popupUntilRounds') : text('popupUntilPrecise', barePercent(percent)),
    ),
  }));
  const until = element('select', {}, ...options.map(({ option }) => option));
  const chosen = (): number | null => options.find(({ option }) => option.selected)?.percent ?? null;

  until.addEventListener('input', () => {
    const precise = chosen() !== null;
    name.textContent = text(precise ? 'popupMost' : 'popupRounds');
    // A number that the person has typed stays.
    if (precise && number.valueAsNumber === usualRounds) number.valueAsNumber = mostRounds;
    else if (!precise && number.valueAsNumber === mostRounds) number.valueAsNumber = usualRounds;
  });

  return {
    rounds: element('label', { class: 'rounds' }, name, number),
    until: element('label', { class: 'rounds wide' }, element('span', {}, text('popupUntil')), until),
    read(arms) {
      // One protocol alone has no gain to be known.
      until.disabled = arms < 2;
      if (!number.validity.valid) return null;
      return { rounds: number.valueAsNumber, precisionPercent: arms < 2 ? null : chosen() };
    },
  };
}
