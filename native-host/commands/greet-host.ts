import { spawn } from 'node:child_process';
import * as v from 'valibot';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import { chromeExtensionId } from '../../shared/messages/extension-ids.ts';
import { HostMessageSchema, protocolVersion, type HostRequest } from '../../shared/messages/host-protocol.ts';
import { encodeFrame, FrameReader } from '../messaging/frame-codec.ts';
import { towlineVersion } from './towline-version.ts';

/** Longest time the host may take to answer, ms: starting Node on a busy machine takes most of it. */
const timeoutMs = 15_000;

/**
 * Starts the host as a browser would, greets it, and ends it by closing the port.
 *
 * @param wrapperPath the program that a manifest names
 * @returns the host's version
 * @throws TowlineError `host-not-installed` with what went wrong
 */
export async function greetHost(wrapperPath: string): Promise<string> {
  const hello: HostRequest = {
    type: 'hello',
    requestId: 'doctor',
    protocolVersion,
    extensionVersion: towlineVersion,
  };
  const child = spawn(wrapperPath, [`chrome-extension://${chromeExtensionId}/`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve, reject) => {
    const reader = new FrameReader();
    let stderr = '';
    let answered = false;
    child.stdout.on('data', (bytes: Buffer) => {
      for (const frame of reader.push(bytes)) {
        answered = true;
        child.stdin.end();
        try {
          resolve(versionIn(frame.kind === 'message' ? frame.body.toString() : ''));
        } catch (error) {
          reject(error instanceof Error ? error : unreachable(String(error)));
        }
      }
    });
    child.stderr.on('data', (bytes: Buffer) => (stderr = (stderr + bytes.toString()).slice(-500)));
    child.stdin.on('error', () => undefined);
    child.on('error', (cause) => {
      reject(unreachable(cause.message));
    });
    child.on('close', (status, signal) => {
      if (answered) return;
      const lastWords = stderr.trim().split('\n').at(-1) ?? '';
      reject(unreachable(lastWords === '' ? `it ended with ${signal ?? `status ${status}`}` : lastWords));
    });
    child.stdin.write(encodeFrame(hello));
  });
}

function versionIn(answer: string): string {
  const message = v.parse(HostMessageSchema, JSON.parse(answer));
  if (message.type === 'hello') return message.hostVersion;
  throw unreachable(message.type === 'error' ? message.error.message : `it answered "${message.type}"`);
}

function unreachable(reason: string): TowlineError {
  return new TowlineError('host-not-installed', 'install', reason, { remedy: 'towline install' });
}
