import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../../../../native-host/wire/capture-file/capture-reader.ts';

interface Seen {
  readonly frames: {
    text: string;
    seconds: number;
    nanoseconds: number;
    originalBytes: number;
    linkType: number;
  }[];
  readonly keyLogs: string[];
  readonly problem: string | null;
}

/** @param pieceBytes how much of the file is given at a time */
function read(file: Uint8Array, pieceBytes = file.length || 1): Seen {
  const frames: Seen['frames'] = [];
  const keyLogs: string[] = [];
  const reader = new CaptureReader({
    onFrame: (frame, seconds, nanoseconds, originalBytes, linkType) => {
      frames.push({ text: Buffer.from(frame).toString(), seconds, nanoseconds, originalBytes, linkType });
    },
    onKeyLog: (text) => keyLogs.push(text),
  });
  for (let at = 0; at < file.length; at += pieceBytes) {
    // A buffer that is used again, as a file's reader has it.
    const piece = Uint8Array.from(file.subarray(at, at + pieceBytes));
    reader.push(piece);
    piece.fill(0xee);
  }
  reader.end();
  return { frames, keyLogs, problem: reader.problem };
}

type Field = number | readonly [2 | 8, number];

/** Numbers as 32-bit fields, or of 2 or 8 bytes where told, in one byte order. */
function fields(littleEndian: boolean, ...values: Field[]): Buffer {
  return Buffer.concat(
    values.map((field) => {
      const [size, value] = typeof field === 'number' ? [4, field] : field;
      const bytes = Buffer.alloc(size);
      if (size === 8) bytes.writeBigUInt64BE(BigInt(value));
      else bytes.writeUIntBE(value, 0, size);
      return littleEndian ? bytes.reverse() : bytes;
    }),
  );
}

const frameText = 'hello, frame';

/** draft-ietf-opsawg-pcap, sections 4 and 5. */
function pcap(littleEndian: boolean, magic: number, fraction: number): Buffer {
  const number = (...values: Field[]): Buffer => fields(littleEndian, ...values);
  const header = number(magic, [2, 2], [2, 4], 0, 0, 262_144, 1);
  const frame = Buffer.concat([
    number(1_700_000_000, fraction, frameText.length, 1500),
    Buffer.from(frameText),
  ]);
  return Buffer.concat([header, frame, frame]);
}

/** draft-ietf-opsawg-pcapng, section 3.1. */
function block(littleEndian: boolean, type: number, body: Buffer): Buffer {
  const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
  const length = fields(littleEndian, 12 + padded.length);
  return Buffer.concat([fields(littleEndian, type), length, padded, length]);
}

function pcapng(littleEndian: boolean): Buffer {
  const number = (...values: Field[]): Buffer => fields(littleEndian, ...values);
  const packet = (interfaceId: number, ticks: bigint): Buffer =>
    block(
      littleEndian,
      6,
      Buffer.concat([
        number(interfaceId, Number(ticks >> 32n), Number(ticks & 0xffffffffn), frameText.length, 1500),
        Buffer.from(frameText),
      ]),
    );
  return Buffer.concat([
    block(littleEndian, 0x0a0d0d0a, number(0x1a2b3c4d, [2, 1], [2, 0], 0xffffffff, 0xffffffff)),
    // Three interfaces: microseconds by default, nanoseconds, and 2^-10 s from a second of its own.
    block(littleEndian, 1, number([2, 1], [2, 0], 0)),
    block(
      littleEndian,
      1,
      Buffer.concat([number([2, 113], [2, 0], 0, [2, 9], [2, 1]), Buffer.from([9, 0, 0, 0])]),
    ),
    block(
      littleEndian,
      1,
      Buffer.concat([
        number([2, 101], [2, 0], 0, [2, 9], [2, 1]),
        Buffer.from([0x80 | 10, 0, 0, 0]),
        number([2, 14], [2, 8], [8, 1_700_000_000], [2, 0], [2, 0]),
      ]),
    ),
    block(littleEndian, 0x0000000a, Buffer.concat([number(0x544c534b, 9), Buffer.from('KEYS HERE')])),
    block(littleEndian, 0x00000bad, Buffer.from('a custom block')),
    packet(0, 1_700_000_000_250_000n),
    packet(1, 1_700_000_000_250_000_000n),
    packet(2, 256n),
  ]);
}

describe.each([true, false])('little-endian: %s', (littleEndian) => {
  it.each([
    ['microseconds', 0xa1b2c3d4, 250_000, 250_000_000],
    ['nanoseconds', 0xa1b23c4d, 250_000_001, 250_000_001],
  ])('reads pcap with %s', (_name, magic, fraction, nanoseconds) => {
    const { frames, problem } = read(pcap(littleEndian, magic, fraction));
    const frame = { text: frameText, seconds: 1_700_000_000, nanoseconds, originalBytes: 1500, linkType: 1 };
    expect(problem).toBeNull();
    expect(frames).toEqual([frame, frame]);
  });

  it('reads pcapng with several interfaces, resolutions and embedded keys', () => {
    const { frames, keyLogs, problem } = read(pcapng(littleEndian));
    expect(problem).toBeNull();
    expect(keyLogs).toEqual(['KEYS HERE\n']);
    expect(frames.map(({ linkType }) => linkType)).toEqual([1, 113, 101]);
    for (const { text, seconds, nanoseconds } of frames) {
      expect(text).toBe(frameText);
      expect(seconds).toBe(1_700_000_000);
      expect(nanoseconds).toBe(250_000_000);
    }
  });

  it.each([1, 3, 7, 20, 61])('reads the same in pieces of %i bytes', (pieceBytes) => {
    for (const file of [pcap(littleEndian, 0xa1b2c3d4, 1), pcapng(littleEndian)]) {
      expect(read(file, pieceBytes)).toEqual(read(file));
    }
  });
});

it('says of a file cut in mid-packet that it was, and gives what came before', () => {
  const file = pcap(true, 0xa1b2c3d4, 1);
  const frameStarts = [24, 24 + 16 + frameText.length];
  for (let length = 24; length < file.length; length += 1) {
    const { frames, problem } = read(file.subarray(0, length));
    const whole = frameStarts.includes(length);
    expect(problem).toBe(whole ? null : 'The file was cut in the middle of a packet.');
    expect(frames).toHaveLength(length < 52 ? 0 : 1);
  }
});

it.each([
  ['nothing', Buffer.alloc(0), null],
  ['too little', Buffer.from('ab'), 'It is too short to be a capture file.'],
  ['text', readFileSync('package.json'), 'It is neither a pcap nor a pcapng file.'],
])('knows %s for no capture', (_name, file, problem) => {
  expect(read(file)).toEqual({ frames: [], keyLogs: [], problem });
});

it('stops at a frame that claims to be longer than any', () => {
  const file = pcap(true, 0xa1b2c3d4, 1);
  file.writeUInt32LE(0x7fffffff, 24 + 16 + frameText.length + 8);
  expect(read(file)).toMatchObject({
    frames: [{ text: frameText }],
    problem: 'A frame claims to be 2147483647 bytes long.',
  });
});
