import type { BurstLoss, Shape } from '../../shared/record/path.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { meanLossRatio } from './burst-loss.ts';
import { networkProfiles } from './network-profiles.ts';
import { loss, packets, rate, readQuantity, share, shortTime, time } from './shape-quantities.ts';

const unshaped: Shape = {
  rttMs: 0,
  downBitsPerSecond: null,
  upBitsPerSecond: null,
  lossDownRatio: 0,
  lossUpRatio: 0,
  queuePackets: 256,
};

/** How late a packet comes that is to be overtaken, when it is not said. */
const usualReorderDelayMs = 10;

/** What a part of the text sets, by its name; `text` is the whole part, for messages. */
const parts: Readonly<Record<string, (value: string, text: string) => Partial<Shape>>> = {
  rtt: (value, text) => ({ rttMs: readQuantity(value, time, text) }),
  jitter: (value, text) => ({ jitterMs: readQuantity(value, shortTime, text) }),
  down: (value, text) => ({ downBitsPerSecond: readQuantity(value, rate, text) }),
  up: (value, text) => ({ upBitsPerSecond: readQuantity(value, rate, text) }),
  loss: (value, text) => ({ ...readLoss('Down', value, text), ...readLoss('Up', value, text) }),
  'loss-down': (value, text) => readLoss('Down', value, text),
  'loss-up': (value, text) => readLoss('Up', value, text),
  queue: (value, text) => ({ queuePackets: readQuantity(value, packets, text) }),
  reorder: readReorder,
};

const example = 'rtt=150ms,down=1mbit,up=1mbit,loss=0%,queue=256';

/**
 * Reads a network as it is written on the command line: `name=value` parts with commas between, a profile's name
 * in place of a part, or both (`3g,loss=1%`); later parts overrule earlier ones. What is not said is not limited,
 * not lost, not delayed, and queues 256 packets.
 * @throws TowlineError `bad-shape` that names the part, and what would be right
 */
export function parseShape(text: string): Shape {
  let shape = unshaped;
  for (const part of text.split(',').map((each) => each.trim().toLowerCase())) {
    shape = withoutAbsent({ ...shape, ...readPart(part) });
  }
  const { rttMs, jitterMs = 0 } = shape;
  if (jitterMs <= rttMs / 2) return shape;
  throw new TowlineError(
    'bad-shape',
    'arguments',
    `A jitter of ${jitterMs} ms on a round-trip time of ${rttMs} ms would need packets that arrive before they are sent.`,
    { remedy: 'Jitter is what each way varies by, so at most half of the round-trip time.' },
  );
}

function readPart(part: string): Partial<Shape> {
  const profile = networkProfiles.find(({ name }) => name === part);
  if (profile !== undefined) return { ...noExtras, ...profile.shape };
  const [name = '', value] = part.split(/=(.*)/s);
  const known = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (known === undefined || value === undefined) {
    const names = networkProfiles.map((each) => each.name).join(', ');
    throw badPart(
      `"${part}" is no part of a network`,
      `The parts are ${Object.keys(parts).join(', ')}, as in ${example}, or a profile: ${names}.`,
    );
  }
  return known(value, part);
}

/** So that what a part leaves out overrules what an earlier one set. */
const noExtras = {
  burstLossDown: undefined,
  burstLossUp: undefined,
  jitterMs: undefined,
  reorderRatio: undefined,
  reorderDelayMs: undefined,
};

/** What was not asked for is absent, and so is a jitter or reordering of nothing. */
function withoutAbsent(shape: Shape): Shape {
  const { burstLossDown, burstLossUp, jitterMs, reorderRatio, reorderDelayMs, ...always } = shape;
  return {
    ...always,
    ...(burstLossDown && { burstLossDown }),
    ...(burstLossUp && { burstLossUp }),
    ...(jitterMs !== undefined && jitterMs > 0 && { jitterMs }),
    ...(reorderRatio !== undefined && reorderRatio > 0 && { reorderRatio, reorderDelayMs }),
  };
}

/** `1%`, each packet by itself; `gemodel:p/r`, `gemodel:p/r/1-h`, `gemodel:p/r/1-h/1-k`, in bursts, as tc(8) has it. */
function readLoss(direction: 'Down' | 'Up', value: string, text: string): Partial<Shape> {
  const model = value.startsWith('gemodel:')
    ? readBurstLoss(value.slice('gemodel:'.length), text)
    : undefined;
  const ratio = model === undefined ? readQuantity(value, loss, text) : meanLossRatio(model);
  if (ratio > loss.most) {
    throw badPart(
      `"${text}" loses ${(ratio * 100).toFixed(1)} % of all packets`,
      `It goes from ${loss.range}.`,
    );
  }
  return direction === 'Down'
    ? { lossDownRatio: ratio, burstLossDown: model }
    : { lossUpRatio: ratio, burstLossUp: model };
}

function readBurstLoss(value: string, text: string): BurstLoss {
  const shares = value.split('/').map((each) => readQuantity(each, share, text));
  const [toBadRatio, toGoodRatio, lossInBadRatio = 1, lossInGoodRatio = 0] = shares;
  if (toBadRatio === undefined || toGoodRatio === undefined || shares.length > 4 || toGoodRatio === 0) {
    throw badPart(
      `"${text}" is no Gilbert-Elliott loss`,
      'It is gemodel:p/r, as in gemodel:1%/25%: the chance to enter a burst of loss, then the chance to leave it, more than 0; after more slashes the loss in a burst (100%) and outside (0%).',
    );
  }
  return { toBadRatio, toGoodRatio, lossInBadRatio, lossInGoodRatio };
}

/** `1%`, or `1%/10ms` with how late. */
function readReorder(value: string, text: string): Partial<Shape> {
  const [ratio = '', late, ...rest] = value.split('/');
  if (rest.length > 0)
    throw badPart(`"${text}" has too many parts`, 'It is a share and how late, as in 1%/10ms.');
  const reorderDelayMs = late === undefined ? usualReorderDelayMs : readQuantity(late, shortTime, text);
  return { reorderRatio: readQuantity(ratio, loss, text), reorderDelayMs };
}

function badPart(message: string, remedy: string): TowlineError {
  return new TowlineError('bad-shape', 'arguments', `${message}.`, { remedy });
}
