import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Http1Reader } from '../../../../../native-host/wire/http/http1-reader.ts';
import { RecordingProxy } from './recording-proxy.ts';
import { spanAt } from './span-at.ts';

function read(up: string, down: string): Http1Reader {
  const reader = new Http1Reader('https');
  reader.onApplicationData('up', Buffer.from(up, 'latin1'), spanAt(1));
  reader.onApplicationData('down', Buffer.from(down, 'latin1'), spanAt(2));
  return reader;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`;

describe('Http1Reader against node:http over a real connection', () => {
  let server: Server;
  let proxy: RecordingProxy;
  let port: number;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        if (request.url === '/chunked') {
          response.write('x'.repeat(5000));
          response.addTrailers({ 'x-checksum': 'abc' });
          response.end('y');
          return;
        }
        if (request.url === '/empty') response.statusCode = 204;
        response.setHeader('Connection', request.url === '/last' ? 'close' : 'keep-alive');
        response.end(request.url === '/empty' ? undefined : 'z'.repeat(321));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = new RecordingProxy((server.address() as AddressInfo).port);
    port = await proxy.listen();
  });

  afterAll(async () => {
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('pairs pipelined requests with their responses, whatever delimits them', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      [
        get('/plain'),
        'HEAD /head HTTP/1.1\r\nHost: a.example\r\n\r\n',
        'POST /upload HTTP/1.1\r\nHost: a.example\r\nContent-Length: 5\r\n\r\nhello',
        'POST /upload-chunked HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
        'GET /chunked HTTP/1.1\r\nHost: a.example\r\nTE: trailers\r\n\r\n',
        get('/empty'),
        'GET https://b.example/last?x HTTP/1.1\r\nHost: b.example\r\n\r\n',
        get('/last'),
      ].join(''),
    );
    socket.resume();
    await once(socket, 'close');

    const whole = new Http1Reader('https');
    const byteByByte = new Http1Reader('https');
    proxy.passed.forEach(({ direction, bytes }, i) => {
      whole.onApplicationData(direction, bytes, spanAt(i));
      for (const byte of bytes) byteByByte.onApplicationData(direction, Uint8Array.of(byte), spanAt(i));
    });
    expect(whole.notes).toEqual([]);
    expect(whole.exchanges).toMatchObject([
      { streamId: 1, method: 'GET', authority: 'a.example', path: '/plain', scheme: 'https', status: 200 },
      { streamId: 2, method: 'HEAD', path: '/head', status: 200 },
      { streamId: 3, method: 'POST', path: '/upload', status: 200 },
      { streamId: 4, method: 'POST', path: '/upload-chunked', status: 200 },
      { streamId: 5, method: 'GET', path: '/chunked', status: 200 },
      { streamId: 6, method: 'GET', path: '/empty', status: 204 },
      { streamId: 7, method: 'GET', authority: 'b.example', path: '/last?x', status: 200 },
      { streamId: 8, method: 'GET', path: '/last', status: 200 },
    ]);
    expect(whole.exchanges.every(({ complete }) => complete)).toBe(true);
    expect(byteByByte.exchanges).toEqual(whole.exchanges);
  });
});

describe('Http1Reader', () => {
  it('counts head and body as sent, chunk sizes left out', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const reader = read(get('/'), `${head}4;ext=1\r\nabcd\r\n0a\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n`);
    expect(reader.exchanges[0]).toMatchObject({
      requestBytes: get('/').length,
      responseBytes: head.length + 14 + 'X-T: 1\r\n'.length,
      complete: true,
    });
  });

  it('takes an interim response for what it is', () => {
    const reader = read(
      get('/') + get('/b'),
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n',
    );
    expect(reader.exchanges).toMatchObject([
      { status: 200, complete: true },
      { status: 304, complete: true },
    ]);
  });

  it('ends a body that nothing delimits with the connection', () => {
    const reader = read(get('/'), 'HTTP/1.0 200 OK\r\n\r\nsome');
    reader.onApplicationData('down', Buffer.from(' more'), spanAt(7));
    expect(reader.exchanges[0]).toMatchObject({ complete: false });
    reader.onEnd('down');
    expect(reader.exchanges[0]).toMatchObject({ complete: true, responseLastAtMs: 7, responseBytes: 28 });
  });

  it('leaves a cut body incomplete', () => {
    const reader = read(get('/'), 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    reader.onEnd('down');
    expect(reader.exchanges[0]).toMatchObject({ status: 200, complete: false });
  });

  it.each([
    [
      'an upgrade',
      'GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n',
      101,
    ],
    [
      'a tunnel',
      'CONNECT b.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n',
      'HTTP/1.1 200 OK\r\n\r\n',
      200,
    ],
  ])('stops after %s', (_, up, down, status) => {
    const reader = read(`${up}\u0016\u0003\u0001 anything`, `${down}\u0081\u0002 anything`);
    expect(reader.exchanges).toHaveLength(1);
    expect(reader.exchanges[0]).toMatchObject({ status, complete: true });
    expect(reader.notes).toHaveLength(1);
  });

  it.each([
    ['bytes of another protocol', '\u0000\u0001\u0002\n\r\n'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a chunk without size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(50_000)}`],
  ])('stops with one note at %s', (_, down) => {
    const reader = read(get('/'), down);
    reader.onApplicationData('down', Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), spanAt(9));
    expect(reader.exchanges[0]).toMatchObject({ complete: false });
    expect(reader.notes).toHaveLength(1);
  });

  it('takes times from the packets', () => {
    const reader = new Http1Reader('https');
    const request = Buffer.from(get('/'));
    reader.onApplicationData('up', request.subarray(0, 9), spanAt(10));
    reader.onApplicationData('up', request.subarray(9), spanAt(12));
    reader.onApplicationData('down', Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n'), spanAt(100));
    reader.onApplicationData('down', Buffer.from('\r\nabc'), spanAt(110, 150));
    reader.onApplicationData('down', Buffer.from('def'), spanAt(120, 150));
    expect(reader.exchanges[0]).toMatchObject({
      requestFirstAtMs: 10,
      requestLastAtMs: 12,
      responseFirstAtMs: 100,
      responseLastAtMs: 120,
      segments: [
        { arrivedAtMs: 110, deliveredAtMs: 150, bytes: 41 },
        { arrivedAtMs: 120, deliveredAtMs: 150, bytes: 3 },
      ],
    });
  });
});
