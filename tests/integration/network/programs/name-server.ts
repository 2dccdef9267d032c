/**
 * A name server that knows one name. Arguments: the addresses to listen on, comma-separated; the name; its IPv4 and
 * its IPv6 address. Says `up` on standard output. Any other name does not exist.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer } from 'dns-packet';

const [listen = '', name = '', v4 = '', v6 = ''] = process.argv.slice(2);
/** Response codes of RFC 1035, section 4.1.1. */
const noError = 0;
const noSuchName = 3;

for (const address of listen.split(',')) {
  const socket = createSocket(isIPv6(address) ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
  socket.on('message', (message, from) => {
    const { id, questions = [] } = decode(message);
    const known = questions.every((question) => question.name.toLowerCase() === name);
    const answers: Answer[] = questions.flatMap(({ type }) => {
      if (!known || (type !== 'A' && type !== 'AAAA')) return [];
      return [{ type, name, ttl: 60, data: type === 'A' ? v4 : v6 }];
    });
    const code = known ? noError : noSuchName;
    const flags = AUTHORITATIVE_ANSWER | code;
    socket.send(
      encode({ type: 'response', id: id ?? 0, flags, questions, answers }),
      from.port,
      from.address,
    );
  });
  socket.bind(53, address);
  await once(socket, 'listening');
}
process.stdout.write('up');
