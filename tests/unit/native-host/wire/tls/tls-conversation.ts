import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duplexPair, Transform, type Duplex } from 'node:stream';
import { connect, createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';
import { promisify } from 'node:util';
import type { Direction } from '../../../../../native-host/wire/stream-sink.ts';

/** What went over the line in one conversation of node's own TLS with itself. */
export interface TlsConversation {
  readonly chunks: readonly { direction: Direction; bytes: Buffer; atMs?: number }[];
  /** In SSLKEYLOGFILE format. */
  readonly keyLog: string;
  /** To resume from. */
  readonly session: Buffer | null;
}

export interface ConversationOptions {
  readonly suite: string;
  readonly version: 'TLSv1.2' | 'TLSv1.3';
  readonly up: Buffer;
  readonly down: Buffer;
  readonly identity: Identity;
  readonly session?: Buffer;
  /** SSL_OP_* of OpenSSL. */
  readonly secureOptions?: number;
}

/** A certificate that nobody trusts, with its key, and what seals the server's tickets. */
export interface Identity {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly ticketKeys: Buffer;
}

export async function makeIdentity(): Promise<Identity> {
  const directory = await mkdtemp(join(tmpdir(), 'tls-'));
  try {
    const key = join(directory, 'key.pem');
    const cert = join(directory, 'cert.pem');
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=site.test', '-keyout', key, '-out', cert],
    ]);
    return { key: await readFile(key), cert: await readFile(cert), ticketKeys: Buffer.alloc(48, 7) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The client sends `up`, the server answers with `down` and closes. No socket is involved. */
export async function converse(options: ConversationOptions): Promise<TlsConversation> {
  const chunks: { direction: Direction; bytes: Buffer }[] = [];
  const [clientEnd, serverEnd] = line(chunks);
  const { suite, version, identity } = options;
  const shared: SecureContextOptions = {
    minVersion: version,
    maxVersion: version,
    ciphers: suite,
    secureOptions: options.secureOptions,
  };
  const secureContext = createSecureContext({ ...shared, ...identity });
  const server = new TLSSocket(serverEnd, {
    isServer: true,
    secureContext,
    ALPNProtocols: ['h2'],
  });
  const client = connect({
    ...shared,
    socket: clientEnd,
    servername: 'site.test',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    ...(options.session && { session: options.session }),
  });
  let keyLog = '';
  let session: Buffer | null = null;
  client.on('keylog', (lineOfLog: Buffer) => (keyLog += lineOfLog.toString()));
  client.on('session', (ticket) => (session = ticket));

  let askedBytes = 0;
  server.on('data', (bytes: Buffer) => {
    askedBytes += bytes.length;
    if (askedBytes === options.up.length) server.end(options.down);
  });
  client.resume();
  client.write(options.up);
  await Promise.all([once(client, 'end'), once(server, 'finish')]);
  client.end();
  await once(server, 'end');
  return { chunks, keyLog, session };
}

/** Two ends of a line that remembers what goes over it. */
function line(chunks: { direction: Direction; bytes: Buffer }[]): [Duplex, Duplex] {
  const [client, clientSide] = duplexPair();
  const [server, serverSide] = duplexPair();
  const remember = (direction: Direction): Transform =>
    new Transform({
      transform(bytes: Buffer, _encoding, done) {
        chunks.push({ direction, bytes: Buffer.from(bytes) });
        done(null, bytes);
      },
    });
  clientSide.pipe(remember('up')).pipe(serverSide);
  serverSide.pipe(remember('down')).pipe(clientSide);
  return [client, server];
}
