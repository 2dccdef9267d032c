import { getDotPath, safeParse } from 'valibot';
import { CaptureReader } from '../../../native-host/wire/capture-file/capture-reader.ts';
import { WireAnalyzer } from '../../../native-host/wire/analyzer.ts';
import { WireSchema } from '../../../shared/record/wire.ts';
import { seededGenerator, type Random } from '../../../shared/stats/seeded-generator.ts';
import type { Frame } from '../frames.ts';
import { below, spoilt } from './spoilt.ts';

/** What is spoilt: frames of real page loads, with the keys that open them. */
export interface FuzzSource {
  readonly frames: readonly Frame[];
  readonly keys: string;
  /** The same as a file. */
  readonly file: Uint8Array;
}

export interface FuzzOutcome {
  /** Frames and files given to the analyzer, spoilt or not. */
  readonly inputs: number;
  /** Of these, how many were spoilt. */
  readonly spoilt: number;
}

/** Of the frames of a load, how many are spoilt: enough for damage, not so many that nothing is left to read. */
const spoiltRatio = 0.15;

/**
 * Gives the analyzer page loads with spoilt frames, and their files with spoilt bytes.
 *
 * @param inputs how many frames, at least
 * @throws what the analyzer throws, which it never should, and when its result is no valid record
 */
export function fuzzWire(sources: readonly FuzzSource[], inputs: number, seed: number): FuzzOutcome {
  const random = seededGenerator(seed);
  const outcome = { inputs: 0, spoilt: 0 };
  while (outcome.inputs < inputs) {
    const source = sources[below(random, sources.length)];
    if (source === undefined) break;
    if (random() < 0.8) fuzzFrames(source, random, outcome);
    else fuzzFile(source, random, outcome);
  }
  return outcome;
}

function fuzzFrames({ frames, keys }: FuzzSource, random: Random, outcome: Outcome): void {
  const analyzer = new WireAnalyzer({ linkType: 1, splitIdleMs: random() < 0.3 ? 20 : null });
  const keysAt = below(random, frames.length);
  for (const [i, frame] of frames.entries()) {
    if (i === keysAt) analyzer.addKeyLog(random() < 0.8 ? keys : spoiltText(keys, random));
    // Lost by the capture, or seen twice.
    const times = random() < 0.03 ? 0 : random() < 0.03 ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const isSpoilt = random() < spoiltRatio;
      const bytes = isSpoilt ? spoilt(frame.bytes, random) : frame.bytes;
      const originalBytes = isSpoilt && random() < 0.2 ? below(random, 2 ** 32) : frame.originalBytes;
      analyzer.push(bytes, frame.seconds, frame.nanoseconds, originalBytes);
      outcome.inputs += 1;
      if (isSpoilt) outcome.spoilt += 1;
    }
  }
  finish(analyzer);
}

function fuzzFile({ file, keys }: FuzzSource, random: Random, outcome: Outcome): void {
  const analyzer = new WireAnalyzer({ linkType: 1 });
  analyzer.addKeyLog(keys);
  const reader = new CaptureReader({
    onFrame: (...frame) => {
      analyzer.push(...frame);
      outcome.inputs += 1;
    },
    onKeyLog: (text) => {
      analyzer.addKeyLog(text);
    },
  });
  const bytes = spoilt(file, random);
  const pieceBytes = 1 + below(random, 20_000);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  reader.end();
  outcome.inputs += 1;
  outcome.spoilt += 1;
  finish(analyzer);
}

function finish(analyzer: WireAnalyzer): void {
  for (const wire of analyzer.finishLoads({ requests: null, hosts: null })) {
    const { issues } = safeParse(WireSchema, wire);
    if (issues !== undefined)
      throw new Error(`The result is no valid record: ${getDotPath(issues[0]) ?? ''} ${issues[0].message}`);
  }
}

interface Outcome {
  inputs: number;
  spoilt: number;
}

function spoiltText(text: string, random: Random): string {
  return Buffer.from(spoilt(Buffer.from(text, 'latin1'), random)).toString('latin1');
}
