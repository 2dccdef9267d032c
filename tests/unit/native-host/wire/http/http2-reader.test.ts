import { once } from 'node:events';
import { connect, createServer, type ClientHttp2Session, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Http2Reader } from '../../../../../native-host/wire/http/http2-reader.ts';
import { hex } from './hex.ts';
import { RecordingProxy, type Passed } from './recording-proxy.ts';
import { spanAt } from './span-at.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n').toString('hex');
const settings = '000000 04 00 00000000';
/** GET http://www.example.com/ : RFC 7541 C.4.1 in a HEADERS frame with END_STREAM and END_HEADERS. */
const get = (streamId: string) => `000011 01 05 ${streamId} 8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff`;

/** Every character that may stand in a field, each long in Huffman code made worth coding by short ones. */
const everyCharacter = Array.from({ length: 256 }, (_, octet) => octet)
  .filter((octet) => (octet > 0x20 && octet < 0x7f) || octet >= 0x80)
  .map((octet) => `aaaaaaaaaaaaaaaaaa${String.fromCharCode(octet)}`)
  .join('');

function feed(reader: Http2Reader, passed: readonly Passed[], pieceBytes = Infinity): void {
  passed.forEach(({ direction, bytes }, i) => {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      reader.onApplicationData(direction, bytes.subarray(at, at + pieceBytes), spanAt(1000 + i));
    }
  });
}

async function responseOf(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<{ status: number; bytes: number }> {
  const request = session.request(headers, { endStream: body === undefined });
  request.end(body);
  let status = 0;
  let bytes = 0;
  request.on('response', (response) => (status = response[':status'] ?? 0));
  request.on('data', (piece: Buffer) => (bytes += piece.length));
  await once(request, 'end');
  return { status, bytes };
}

describe('Http2Reader against node:http2 over a real connection', () => {
  let server: Http2Server;
  let proxy: RecordingProxy;
  let session: ClientHttp2Session;
  const seenPaths: string[] = [];

  beforeAll(async () => {
    server = createServer({ settings: { maxConcurrentStreams: 17 } }, (request, response) => {
      seenPaths.push(request.url);
      const bytes = Number(/bytes=(\d+)/.exec(request.url)?.[1] ?? 0);
      if (request.url.includes('hint')) response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
      response.writeHead(bytes === 0 ? 404 : 200, {
        'x-long': 'v'.repeat(request.url.includes('long') ? 30_000 : 9),
      });
      response.end(Buffer.alloc(bytes, 'x'));
      request.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = new RecordingProxy((server.address() as AddressInfo).port);
    session = connect(`http://127.0.0.1:${await proxy.listen()}`, { maxDeflateDynamicTableSize: 4096 });
  });

  afterAll(async () => {
    session.destroy();
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('reads the requests, statuses and sizes that client and server saw', async () => {
    const asked = [
      { path: '/one?bytes=1', body: undefined },
      { path: '/big?bytes=300000', body: undefined },
      { path: '/missing', body: undefined },
      { path: '/hint?bytes=7', body: undefined },
      { path: '/long?bytes=50', body: undefined },
      { path: '/upload?bytes=3', body: Buffer.alloc(20_000) },
      { path: `/${everyCharacter}?bytes=2`, body: undefined },
    ];
    const answers = await Promise.all(
      asked.map(({ path, body }) =>
        responseOf(
          session,
          { ':path': path, ':method': body ? 'POST' : 'GET', 'x-repeated': 'same value' },
          body,
        ),
      ),
    );
    const whole = new Http2Reader();
    feed(whole, proxy.passed);
    const { exchanges } = whole;
    expect(whole.notes).toEqual([]);
    expect(exchanges.map(({ path }) => path)).toEqual(seenPaths);
    expect(exchanges.map(({ path }) => path)).toEqual(asked.map(({ path }) => path));
    expect(exchanges.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
    expect(exchanges.map(({ method }) => method)).toEqual(asked.map(({ body }) => (body ? 'POST' : 'GET')));
    expect(exchanges.every(({ complete, reset, pushed }) => complete && !reset && !pushed)).toBe(true);
    exchanges.forEach((exchange, i) => {
      const headBytes = exchange.responseBytes - (answers[i]?.bytes ?? 0);
      expect(headBytes).toBeGreaterThan(0);
      expect(exchange.segments.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(exchange.responseBytes);
      expect(exchange.requestLastAtMs).toBeLessThan(exchange.responseFirstAtMs ?? 0);
    });
    expect(exchanges[5]?.requestBytes).toBeGreaterThan(20_000);

    const byteByByte = new Http2Reader();
    feed(byteByByte, proxy.passed, 1);
    expect(byteByByte.exchanges).toEqual(exchanges);
  });

  it('reads how many streams the server lets be open', async () => {
    await responseOf(session, { ':path': '/limit?bytes=1', ':method': 'GET' });
    const reader = new Http2Reader();
    feed(reader, proxy.passed);
    expect(reader.streamLimit).toBe(17);
  });

  it('joins late: what it saw after is read, with a note', async () => {
    const before = proxy.passed.length;
    await responseOf(session, { ':path': '/after?bytes=1234', ':method': 'GET', 'x-repeated': 'same value' });
    const reader = new Http2Reader();
    feed(reader, proxy.passed.slice(before));
    expect(reader.notes).toHaveLength(1);
    expect(reader.exchanges).toHaveLength(1);
    expect(reader.exchanges[0]).toMatchObject({
      method: 'GET',
      path: '/after?bytes=1234',
      status: 200,
      complete: true,
    });
  });
});

describe('Http2Reader', () => {
  const read = (up: string, down: string) => {
    const reader = new Http2Reader();
    reader.onApplicationData('up', hex(preface + settings + up), spanAt(1));
    reader.onApplicationData('down', hex(settings + down), spanAt(2));
    return reader;
  };

  it('takes the limit that the server set last, and none from an acknowledgement or the client', () => {
    const limit = (streams: string) => `000006 04 00 00000000 0003 ${streams}`;
    expect(read(limit('00000009'), '').streamLimit).toBeNull();
    expect(read('', `${limit('00000064')} ${limit('00000080')} 000000 04 01 00000000`).streamLimit).toBe(128);
  });

  it('leaves frame headers, padding, priority and connection frames out of the bytes', () => {
    const reader = read(
      // HEADERS with PADDED and PRIORITY: pad length 2, five bytes of priority, the block, two of padding.
      '000019 01 2d 00000001 02 00000000 10 8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff 0000',
      `000001 01 04 00000001 88
       000008 06 00 00000000 0000000000000000
       000004 08 00 00000000 00000001
       000008 00 09 00000001 03 61626364 000000`,
    );
    expect(reader.exchanges[0]).toMatchObject({
      streamId: 1,
      authority: 'www.example.com',
      scheme: 'http',
      requestBytes: 17,
      responseBytes: 5,
      complete: true,
    });
  });

  it('joins a header block over CONTINUATION frames', () => {
    const reader = read(
      '000003 01 01 00000001 828684 000001 09 00 00000001 41 00000d 09 04 00000001 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '',
    );
    expect(reader.exchanges[0]).toMatchObject({ authority: 'www.example.com', path: '/', requestBytes: 17 });
  });

  it('gives a pushed stream its promised request', () => {
    const reader = read(
      get('00000001'),
      // PUSH_PROMISE of stream 2 on stream 1, then its response.
      '000007 05 04 00000001 00000002 828684 000001 01 05 00000002 88',
    );
    expect(reader.exchanges[1]).toMatchObject({
      streamId: 2,
      pushed: true,
      method: 'GET',
      path: '/',
      status: 200,
      complete: true,
    });
  });

  it('tells a reset stream from an ended one', () => {
    const reader = read(
      get('00000001') + '000003 01 05 00000003 828684',
      '000001 01 04 00000001 88 000004 03 00 00000001 00000008 000001 01 05 00000003 88 000004 03 00 00000003 00000000',
    );
    expect(reader.exchanges[0]).toMatchObject({ complete: false, reset: true });
    expect(reader.exchanges[1]).toMatchObject({ complete: true, reset: false });
  });

  it('takes times from the packets: first byte, completing packet, and what waited behind a hole', () => {
    const reader = new Http2Reader();
    const request = hex(preface + settings + get('00000001'));
    reader.onApplicationData('up', request.subarray(0, 40), spanAt(10));
    reader.onApplicationData('up', request.subarray(40), spanAt(12));
    reader.onApplicationData('down', hex(`${settings} 000001 01 04 00000001 88`), spanAt(100));
    reader.onApplicationData('down', hex('000004 00 00 00000001 6162'), spanAt(110, 150));
    reader.onApplicationData('down', hex('6364'), spanAt(120, 150));
    reader.onApplicationData('down', hex('000000 00 01 00000001'), spanAt(160));
    reader.onApplicationData('down', hex('000008 07 00 00000000 0000000000000000'), spanAt(900));
    expect(reader.exchanges[0]).toMatchObject({
      requestFirstAtMs: 10,
      requestLastAtMs: 12,
      responseFirstAtMs: 100,
      responseLastAtMs: 160,
      segments: [
        { arrivedAtMs: 100, deliveredAtMs: 100, bytes: 1 },
        { arrivedAtMs: 110, deliveredAtMs: 150, bytes: 2 },
        { arrivedAtMs: 120, deliveredAtMs: 150, bytes: 2 },
      ],
    });
  });

  it('says so and stops where bytes are missing, or are no HTTP/2', () => {
    const reader = read(get('00000001'), '000001 01 04 00000001 88');
    reader.onApplicationGap('down');
    reader.onApplicationData('down', hex('000001 00 01 00000001 61'), spanAt(3));
    expect(reader.exchanges[0]).toMatchObject({ status: 200, complete: false, responseBytes: 1 });
    expect(reader.notes).toHaveLength(1);

    const other = new Http2Reader();
    other.onApplicationData('down', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), spanAt(1));
    expect(other.exchanges).toEqual([]);
    expect(other.notes).toHaveLength(1);
  });

  it('goes on counting when a header block cannot be decoded', () => {
    const reader = read(
      `${get('00000001')} 000001 01 05 00000003 82`,
      '000002 01 04 00000001 ffff 000003 00 01 00000001 616263',
    );
    expect(reader.exchanges[0]).toMatchObject({ status: null, responseBytes: 5, complete: true });
    expect(reader.exchanges[1]).toMatchObject({ method: 'GET' });
    expect(reader.notes).toHaveLength(1);
  });
});
