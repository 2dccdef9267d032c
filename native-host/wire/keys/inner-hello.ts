import type { HandshakeFacts } from '../tls/handshake-facts.ts';
import type { KeyLog } from './key-log.ts';

/**
 * Where the server took an Encrypted ClientHello, the browser logs its keys under the random of the inner hello, which
 * nobody else sees (RFC 9849 section 6.1.5: the inner one is the handshake's). So each connection of the key log that
 * may be this one is tried on the server's first sealed message; its tag decides.
 *
 * @param opens whether the server's handshake secret opens that message
 */
export function findInnerHello(
  keyLog: KeyLog,
  facts: HandshakeFacts,
  opens: (serverHandshakeSecret: Uint8Array) => boolean,
): void {
  const { clientRandom, serverHello, encryptedClientHello, innerRandom } = facts;
  if (encryptedClientHello !== true || innerRandom !== null) return;
  if (clientRandom === null || serverHello === null || keyLog.has(clientRandom)) return;
  for (const random of keyLog.newestRandoms()) {
    const secret = keyLog.secret(random, 'SERVER_HANDSHAKE_TRAFFIC_SECRET');
    if (secret === null || !opens(secret)) continue;
    facts.innerRandom = random;
    return;
  }
}
