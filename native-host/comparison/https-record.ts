import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { getServers } from 'node:dns';
import { decode, encode, type Answer } from 'dns-packet';

/** Resource record type HTTPS (RFC 9460), which dns-packet hands over unparsed. */
const httpsType = 65;
/** SvcParamKey `alpn` (RFC 9460, section 14.3.2). */
const alpnKey = 1;
const timeoutMs = 2_000;

/**
 * The protocols a name's HTTPS record offers, by ALPN id; empty where there is no such record or no answer.
 * Asked of the first resolver configured here, so inside a namespace over that namespace's own network.
 */
export async function httpsRecordAlpn(hostname: string): Promise<string[]> {
  const resolver = getServers()[0];
  if (resolver === undefined) return [];
  const { host, port } = splitServer(resolver);
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    const reply = await new Promise<Buffer | null>((resolve) => {
      const timer = setTimeout(() => {
        resolve(null);
      }, timeoutMs);
      const settle = (answer: Buffer | null): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      socket.once('message', settle);
      socket.once('error', () => {
        settle(null);
      });
      const question = { type: 'UNKNOWN_65' as 'A', name: hostname };
      socket.send(
        encode({ type: 'query', id: randomInt(65_536), flags: 0x0100, questions: [question] }),
        port,
        host,
      );
    });
    return reply === null ? [] : (decode(reply).answers?.flatMap(alpnOfAnswer) ?? []);
  } catch {
    // A resolver that answers nonsense offers nothing.
    return [];
  } finally {
    socket.close();
  }
}

function splitServer(server: string): { host: string; port: number } {
  const [, bracketed, port] = /^\[(.+)\]:(\d+)$/.exec(server) ?? /^([^:]+):(\d+)$/.exec(server) ?? [];
  return bracketed === undefined ? { host: server, port: 53 } : { host: bracketed, port: Number(port) };
}

function alpnOfAnswer(answer: Answer): string[] {
  if ((answer.type as string) !== `UNKNOWN_${httpsType}` || !('data' in answer)) return [];
  return alpnOfHttpsRecord(answer.data as Uint8Array);
}

/** The `alpn` parameter of an HTTPS record's data (RFC 9460, section 2.2); empty in alias mode or when damaged. */
export function alpnOfHttpsRecord(data: Uint8Array): string[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 2;
  while (at < data.length && data[at] !== 0) at += 1 + (data[at] ?? 0);
  at += 1;
  while (at + 4 <= data.length) {
    const key = view.getUint16(at);
    const end = at + 4 + view.getUint16(at + 2);
    if (end > data.length) return [];
    if (key === alpnKey) return splitAlpn(data.subarray(at + 4, end));
    at = end;
  }
  return [];
}

function splitAlpn(value: Uint8Array): string[] {
  const ids: string[] = [];
  for (let at = 0; at < value.length;) {
    const end = at + 1 + (value[at] ?? 0);
    ids.push(new TextDecoder().decode(value.subarray(at + 1, end)));
    at = end;
  }
  return ids;
}
