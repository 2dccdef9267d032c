import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Arm } from '../../shared/record/arm.ts';

const run = promisify(execFile);

/** Times of one load by tshark's own dissectors, ms since 1970. */
export interface TsharkTimes {
  firstRequestAtMs: number;
  lastResponseAtMs: number;
}

/** Fields that say of a packet whether it completes a request or carries response payload, per protocol. */
const questions: Record<
  Exclude<Arm, 'auto'>,
  { fields: string[]; request: (v: string[]) => boolean; response: (v: string[]) => boolean }
> = {
  // A reassembled message is shown at the packet that completes it.
  h1: {
    fields: ['http.request.method', 'http.response.code'],
    request: ([method = '']) => method !== '',
    response: ([, code = '']) => code !== '',
  },
  // HTTP/2 frame types: 0 DATA, 1 HEADERS (RFC 9113, section 6).
  h2: {
    fields: ['http2.type'],
    request: ([types = '']) => types.split(',').includes('1'),
    response: ([types = '']) => types.split(',').some((type) => type === '0' || type === '1'),
  },
  // Streams 0, 4, 8, ... are the client's bidirectional ones: requests (RFC 9114, section 6.1).
  h3: {
    fields: ['quic.stream.stream_id'],
    request: ([ids = '']) => ids.split(',').some((id) => id !== '' && Number(id) % 4 === 0),
    response: ([ids = '']) => ids.split(',').some((id) => id !== '' && Number(id) % 4 === 0),
  },
};

/** Reads a capture with its key log by tshark. @throws when tshark finds no request or no response */
export async function tsharkTimes(
  pcapFile: string,
  keyLogFile: string,
  arm: Exclude<Arm, 'auto'>,
  serverPort = 443,
): Promise<TsharkTimes> {
  const { fields, request, response } = questions[arm];
  const shown = ['frame.time_epoch', 'tcp.srcport', 'udp.srcport', ...fields].flatMap((field) => [
    '-e',
    field,
  ]);
  const { stdout } = await run(
    'tshark',
    [
      ...['-r', pcapFile, '-o', `tls.keylog_file:${keyLogFile}`],
      // Without it, tshark loses a TLS connection at the first packet that was lost on the way.
      ...['-o', 'tcp.reassemble_out_of_order:TRUE'],
      ...['-T', 'fields', '-E', 'separator=|', ...shown],
    ],
    { maxBuffer: 256 * 1024 * 1024 },
  );
  const packets = stdout.split('\n').map((line) => {
    const [epoch = '', tcpPort = '', udpPort = '', ...values] = line.split('|');
    return { atMs: Number(epoch) * 1000, fromServer: Number(tcpPort || udpPort) === serverPort, values };
  });
  const first = packets.find(({ fromServer, values }) => !fromServer && request(values));
  const last = packets.findLast(({ fromServer, values }) => fromServer && response(values));
  if (!first || !last) throw new Error(`tshark found no ${arm} load in ${pcapFile}`);
  return { firstRequestAtMs: first.atMs, lastResponseAtMs: last.atMs };
}
