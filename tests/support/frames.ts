import { readFileSync } from 'node:fs';
import { CaptureReader } from '../../native-host/wire/capture-file/capture-reader.ts';

/** One captured frame, in memory of its own. */
export interface Frame {
  readonly bytes: Buffer;
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly originalBytes: number;
}

/** A small page load of tests/fixtures/wire, made by make-page-loads.ts there. */
export function fixtureFrames(arm: 'h1' | 'h2' | 'h3'): Frame[] {
  return framesOf(readFileSync(`tests/fixtures/wire/page-load-${arm}.pcap`));
}

export function fixtureKeys(arm: 'h1' | 'h2' | 'h3'): string {
  return readFileSync(`tests/fixtures/wire/page-load-${arm}.keys`, 'latin1');
}

/** The frames of a capture file. @throws when it does not read to its end */
export function framesOf(file: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  const reader = new CaptureReader({
    onFrame: (bytes, seconds, nanoseconds, originalBytes) => {
      frames.push({ bytes: Buffer.from(bytes), seconds, nanoseconds, originalBytes });
    },
    onKeyLog: () => undefined,
  });
  reader.push(file);
  reader.end();
  if (reader.problem !== null) throw new Error(reader.problem);
  return frames;
}
