import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildHost } from './build-host.ts';
import { hello, HostProcess } from './host-process.ts';

let scratch: string;
let mainFile: string;
/** Sends back what it is sent. */
let echo: Server;
let host: HostProcess;
let entrance: { port: number; secret: string };
const sockets: Socket[] = [];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'towline-relay-'));
  mainFile = await buildHost(scratch);
  echo = createServer((socket) => {
    socket.on('error', () => undefined).pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
});
afterAll(async () => {
  echo.close();
  await rm(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  host = new HostProcess(mainFile, await mkdtemp(join(scratch, 'state-')));
  await host.ask(hello);
  entrance = await startRelay(portOf(echo));
});
afterEach(async () => {
  await host.kill();
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function startRelay(port: number): Promise<{ port: number; secret: string }> {
  const answer = await host.ask({ type: 'start-relay', requestId: 'r', host: '127.0.0.1', port });
  if (answer.type !== 'relay') throw new Error(JSON.stringify(answer));
  return answer;
}

/** Opens a connection to the relay, and sends a request. */
function request(line: string, secret: string | null, port = entrance.port): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  // It may well be cut off: what is asked is what came before.
  socket.on('error', () => undefined);
  const credentials = Buffer.from(`towline:${secret ?? ''}`).toString('base64');
  const authorization = secret === null ? '' : `Proxy-Authorization: Basic ${credentials}\r\n`;
  socket.write(`${line} HTTP/1.1\r\nHost: relay.test\r\n${authorization}\r\n`);
  return socket;
}

const asEcho = (): string => `CONNECT 127.0.0.1:${portOf(echo)}`;

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
    socket.resume();
  });

/** Opens a tunnel. @returns it, its 200 read */
async function tunnel(): Promise<Socket> {
  const socket = request(asEcho(), entrance.secret);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200 [^\r]*\r\n\r\n$/);
  return socket;
}

test('carries bytes both ways to the one place asked for, a megabyte as it was sent', async () => {
  const socket = await tunnel();
  const sent = Buffer.alloc(1_000_000, 'A Towline relay. ');
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  socket.end(sent);
  await closed(socket);
  expect(Buffer.concat(received).equals(sent)).toBe(true);
});

test('refuses everybody without the secret, every other place, and everything but CONNECT', async () => {
  const { secret } = entrance;
  const answerTo = async (line: string, given: string | null): Promise<string> =>
    (await text(request(line, given))).split('\r\n', 1)[0] ?? '';
  const without = await text(request(asEcho(), null));
  expect(without).toMatch(/^HTTP\/1\.1 407 /);
  expect(without).toMatch(/^proxy-authenticate: basic realm=/im);
  for (const wrong of ['', secret.slice(1), `${secret}x`, secret.toUpperCase().replace(/^./, '_')]) {
    expect(await answerTo(asEcho(), wrong)).toMatch(/ 407 /);
  }
  for (const other of ['127.0.0.1:22', `localhost:${portOf(echo)}`, `127.0.0.1:${portOf(echo)}0`, '*']) {
    expect(await answerTo(`CONNECT ${other}`, secret)).toMatch(/ 403 | 400 /);
  }
  expect(await answerTo(`GET http://127.0.0.1:${portOf(echo)}/`, secret)).toMatch(/ 405 /);
  expect(await answerTo('GET /', null)).toMatch(/ 405 /);
});

test('says that a place cannot be reached', async () => {
  const nobody = createServer().listen(0, '127.0.0.1');
  await once(nobody, 'listening');
  const port = portOf(nobody);
  nobody.close();
  await once(nobody, 'close');
  const { port: relay, secret } = await startRelay(port);
  expect(await text(request(`CONNECT 127.0.0.1:${port}`, secret, relay))).toMatch(/^HTTP\/1\.1 502 /);
});

test('listens on 127.0.0.1 alone, under another secret each time, and no longer than the next one or the host', async () => {
  // proc_net(5): the local address in hexadecimal, its bytes in the machine's order; 0A is "listening".
  const listening = ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${hex(entrance.port)}`) === true)
      .map(([, local]) => local?.split(':')[0]),
  );
  expect(listening).toEqual(['0100007F']);

  const first = await tunnel();
  const ended = closed(first);
  const before = entrance;
  entrance = await startRelay(portOf(echo));
  await ended;
  expect(entrance.secret).not.toBe(before.secret);
  await expect(once(connect(before.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');

  const second = await tunnel();
  const over = closed(second);
  expect(await host.close()).toBe(0);
  await over;
  await expect(once(connect(entrance.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
});

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
