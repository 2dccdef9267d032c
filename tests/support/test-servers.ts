import { execFile } from 'node:child_process';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Small servers on loopback, each with one fault or limit that a comparison must meet well. */
export interface TestServers {
  /** HTTPS, HTTP/1.1 only, by a certificate that nobody trusts. */
  http1Url: string;
  /** A page with a picture that never arrives. */
  neverLoadsUrl: string;
  /** A port on which nobody listens. */
  unusedPort: number;
  /** In this environment a browser trusts the certificate of `http1Url`. */
  trustingEnvironment: Record<string, string>;
  close(): Promise<void>;
}

export async function startTestServers(): Promise<TestServers> {
  const directory = await mkdtemp(join(tmpdir(), 'servers-'));
  const { key, cert, home } = await makeTrust(directory);
  const http1 = createHttpsServer({ key, cert, ALPNProtocols: ['http/1.1'] }, (_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>one protocol</title><link rel="icon" href="data:,"><p>HTTP/1.1 only');
  });
  const neverLoads = createHttpServer((request, response) => {
    if (request.url !== '/') return;
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><img src="/never.png">');
  });
  const unused = createHttpServer();
  const [http1Port, neverPort, unusedPort] = await Promise.all([http1, neverLoads, unused].map(listen));
  await close(unused);
  return {
    http1Url: `https://localhost:${http1Port}/`,
    neverLoadsUrl: `http://localhost:${neverPort}/`,
    unusedPort: unusedPort ?? 0,
    trustingEnvironment: { HOME: home },
    close: async () => {
      await Promise.all([close(http1), close(neverLoads)]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A self-signed certificate for localhost, and a home directory whose browsers trust it. */
export async function makeTrust(directory: string): Promise<{ key: Buffer; cert: Buffer; home: string }> {
  const keyFile = join(directory, 'key.pem');
  const certFile = join(directory, 'cert.pem');
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...[
      '-keyout',
      keyFile,
      '-out',
      certFile,
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ],
  ]);
  const home = join(directory, 'home');
  await trustInHome(home, certFile);
  return { key: await readFile(keyFile), cert: await readFile(certFile), home };
}

/** Makes a home directory in whose NSS database, which Chromium on Linux reads, an authority is trusted. */
export async function trustInHome(home: string, certFile: string): Promise<void> {
  const database = join(home, '.pki/nssdb');
  await mkdir(database, { recursive: true });
  await run('certutil', ['-N', '-d', `sql:${database}`, '--empty-password']);
  await run('certutil', ['-A', '-d', `sql:${database}`, '-t', 'C,,', '-n', 'towline-test', '-i', certFile]);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => {
      resolve();
    });
  });
}
