import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../../../native-host/wire/stream-sink.ts';
import { Http3Reader } from '../../../../../native-host/wire/http/http3-reader.ts';
import { hex } from './hex.ts';
import { spanAt } from './span-at.ts';

/** Feeds streams as a QUIC connection would: in order of each stream. */
class Feeder {
  readonly reader = new Http3Reader();
  readonly #offsets = new Map<string, number>();

  send(direction: Direction, streamId: number, digits: string, atMs: number, fin = false): this {
    const bytes = hex(digits);
    const key = `${direction} ${streamId}`;
    const offset = this.#offsets.get(key) ?? 0;
    this.reader.onStreamData(direction, streamId, offset, bytes, fin, spanAt(atMs));
    this.#offsets.set(key, offset + bytes.length);
    return this;
  }
}

// RFC 9204 appendix A: GET, https, path /; :status 200; :status 103.
const getRoot = '01 05 0000 d1 d7 c1';
const ok = '01 03 0000 d9';
const earlyHints = '01 03 0000 d8';
/** Control stream of an endpoint that allows a dynamic table of 220 bytes. */
const control = '00 04 03 01 40dc';
/** RFC 9204 B.2, as HTTP/3 carries it. */
const encoderB2 = '02 3fbd01 c00f 7777 772e 6578 616d 706c 652e 636f 6d c10c 2f73 616d 706c 652f 7061 7468';
const sectionB2 = '01 04 0381 10 11';

describe('Http3Reader', () => {
  it('reads a request and its response, and counts nothing else', () => {
    const { reader } = new Feeder()
      .send('up', 2, control, 1)
      .send('down', 3, '00 04 00 07 01 00', 1)
      // A reserved stream type and, on the request stream, a reserved frame: RFC 9114 sections 6.2.3 and 7.2.8.
      .send('up', 6, '40 21 aaaa', 2)
      .send('up', 0, getRoot, 10, true)
      .send('down', 0, '21 03 616263', 90)
      .send('down', 0, earlyHints, 100)
      .send('down', 0, `${ok} 00 04 6162`, 110)
      .send('down', 0, '6364', 120)
      .send('down', 0, '00 01 65', 130, true)
      .send('down', 3, '07 01 04', 999);
    expect(reader.exchanges).toHaveLength(1);
    expect(reader.exchanges[0]).toMatchObject({
      streamId: 0,
      method: 'GET',
      scheme: 'https',
      path: '/',
      status: 200,
      requestFirstAtMs: 10,
      requestLastAtMs: 10,
      responseFirstAtMs: 100,
      responseLastAtMs: 130,
      requestBytes: 5,
      responseBytes: 3 + 3 + 5,
      complete: true,
      segments: [
        { arrivedAtMs: 100, bytes: 3 },
        { arrivedAtMs: 110, bytes: 5 },
        { arrivedAtMs: 120, bytes: 2 },
        { arrivedAtMs: 130, bytes: 1 },
      ],
    });
    expect(reader.notes).toEqual([]);
  });

  it('lets a blocked request wait for its encoder instructions, its times those of its packets', () => {
    const feeder = new Feeder().send('down', 3, control, 1).send('up', 4, sectionB2, 10, true);
    expect(feeder.reader.exchanges[0]).toMatchObject({ authority: null, requestLastAtMs: 10 });
    feeder.send('up', 2, encoderB2, 50);
    expect(feeder.reader.exchanges[0]).toMatchObject({
      authority: 'www.example.com',
      path: '/sample/path',
      requestFirstAtMs: 10,
      requestLastAtMs: 10,
    });
  });

  it('waits for the settings too', () => {
    const { reader } = new Feeder()
      .send('up', 2, encoderB2, 1)
      .send('up', 4, sectionB2, 2, true)
      .send('down', 3, control, 3);
    expect(reader.exchanges[0]).toMatchObject({ path: '/sample/path' });
  });

  it('keeps the final status when the interim response is decoded after it', () => {
    const { reader } = new Feeder()
      .send('up', 3, control, 1)
      .send('up', 2, control, 1)
      .send('up', 0, getRoot, 1, true)
      // The interim response needs dynamic entry 0 (:status 103), not there yet.
      .send('down', 0, '01 03 0280 10', 2)
      .send('down', 0, ok, 3, true)
      // Capacity 220, then :status (static name 24) with the value 103.
      .send('down', 7, '02 3fbd01 d8 03 313033', 4);
    expect(reader.exchanges[0]).toMatchObject({ status: 200, responseFirstAtMs: 2, complete: true });
    expect(reader.notes).toEqual([]);
  });

  it('reads the same byte by byte', () => {
    const whole = new Feeder();
    const byteByByte = new Feeder();
    const sent: [Direction, number, string][] = [
      ['down', 3, control],
      ['up', 2, encoderB2],
      ['up', 4, sectionB2],
      ['down', 4, `${earlyHints} ${ok} 00 03 616263`],
    ];
    for (const [direction, streamId, digits] of sent) {
      whole.send(direction, streamId, digits, 5).send(direction, streamId, '', 6, true);
      for (const octet of digits.match(/[0-9a-f]{2}/g) ?? []) byteByByte.send(direction, streamId, octet, 5);
      byteByByte.send(direction, streamId, '', 6, true);
    }
    expect(byteByByte.reader.exchanges).toEqual(whole.reader.exchanges);
    expect(whole.reader.exchanges[0]).toMatchObject({ status: 200, complete: true, responseLastAtMs: 6 });
  });

  it('joins a push promise with its push stream, whichever comes first', () => {
    const promise = '05 06 00 0000 d1 d7 c1';
    const pushStream = `01 00 ${ok} 00 01 61`;
    const promiseFirst = new Feeder().send('down', 0, promise, 1).send('down', 15, pushStream, 2, true);
    const streamFirst = new Feeder().send('down', 15, pushStream, 2, true).send('down', 0, promise, 1);
    for (const { reader } of [promiseFirst, streamFirst]) {
      expect(reader.exchanges.find(({ pushed }) => pushed)).toMatchObject({
        streamId: 15,
        method: 'GET',
        path: '/',
        status: 200,
        requestFirstAtMs: 1,
        responseBytes: 4,
        complete: true,
      });
    }
  });

  it('tells a reset stream, and one that ends within a frame, from an ended one', () => {
    const feeder = new Feeder()
      .send('up', 0, getRoot, 1, true)
      .send('down', 0, ok, 2)
      .send('up', 4, getRoot, 1, true)
      .send('down', 4, `${ok} 00 09 61`, 2, true);
    feeder.reader.onStreamReset('down', 0);
    expect(feeder.reader.exchanges).toMatchObject([
      { complete: false, reset: true },
      { complete: false, reset: false },
    ]);
  });

  it('stops reading a stream that has a hole, with a note', () => {
    const { reader } = new Feeder().send('up', 0, getRoot, 1, true);
    reader.onStreamData('down', 0, 100, hex(ok), false, spanAt(2));
    expect(reader.exchanges[0]).toMatchObject({ status: null, responseBytes: 0 });
    expect(reader.notes).toHaveLength(1);
  });
});
