import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Arm } from '../../shared/record/arm.ts';

const run = promisify(execFile);

/** Times of one load by tshark's own dissectors, ms since 1970. */
export interface TsharkTimes {
  firstRequestAtMs: number;
  lastResponseAtMs: number;
  /** What servers said of how many requests may be open at once, each once. */
  streamLimits: Set<number>;
}

/** Says of packets, in their order, whether they complete a request (from the client) or bring response payload. */
interface Question {
  fields: readonly string[];
  request: (values: readonly string[]) => boolean;
  response: (values: readonly string[]) => boolean;
}

const questions: Record<Exclude<Arm, 'auto'>, () => Question> = {
  // A reassembled message is shown at the packet that completes it.
  h1: () => ({
    fields: ['http.request.method', 'http.response.code'],
    request: ([method = '']) => method !== '',
    response: ([, code = '']) => code !== '',
  }),
  // HTTP/2 frame types: 0 DATA, 1 HEADERS (RFC 9113, section 6).
  h2: () => ({
    fields: ['http2.type'],
    request: ([types = '']) => types.split(',').includes('1'),
    response: ([types = '']) => types.split(',').some((type) => type === '0' || type === '1'),
  }),
  h3: () => {
    const [requests, responses] = [new StreamsSeen(), new StreamsSeen()];
    return {
      fields: streamFields,
      request: (values) => requests.bringsNew(values),
      response: (values) => responses.bringsNew(values),
    };
  },
};

const limitFields = ['http2.settings.max_concurrent_streams', 'tls.quic.parameter.initial_max_streams_bidi'];

const streamFields = [
  ...['quic.connection.number', 'quic.stream.stream_id', 'quic.stream_data'],
  ...['quic.stream.off', 'quic.stream.offset', 'quic.stream.len', 'quic.stream.length', 'quic.stream.fin'],
];

/**
 * The request streams of one direction as far as they came. tshark shows every STREAM frame, also those that a
 * server sends again though the first have arrived (its probe, when acknowledgements are late, RFC 9002 section
 * 6.2.4); they bring nothing.
 */
class StreamsSeen {
  readonly #streams = new Map<string, { bytes: Uint8Array; ended: boolean }>();

  /** @param values of `streamFields`, of one packet */
  bringsNew(values: readonly string[]): boolean {
    const [
      connections = '',
      ids = [],
      data = [],
      offs = [],
      offsets = [],
      lens = [],
      lengths = [],
      fins = [],
    ] = [values[0], ...values.slice(1).map((value) => (value === '' ? [] : value.split(',')))];
    const [nextOffset, nextLength] = [offsets.values(), lengths.values()];
    let isNew = false;
    for (const [index, id] of ids.entries()) {
      const offset = offs[index] === '1' ? Number(nextOffset.next().value) : 0;
      // A frame without a length is the packet's last, and its data all the rest (RFC 9000, section 19.8).
      const length = lens[index] === '1' ? Number(nextLength.next().value) : (data.at(-1)?.length ?? 0) / 2;
      // Streams 0, 4, 8, ... are the client's bidirectional ones: requests (RFC 9114, section 6.1).
      if (Number(id) % 4 !== 0) continue;
      isNew = this.#add(`${connections}/${id}`, offset, offset + length, fins[index] === '1') || isNew;
    }
    return isNew;
  }

  #add(key: string, from: number, to: number, fin: boolean): boolean {
    const stream = this.#streams.get(key) ?? { bytes: new Uint8Array(0), ended: false };
    this.#streams.set(key, stream);
    if (to > stream.bytes.length) {
      const longer = new Uint8Array(2 * to);
      longer.set(stream.bytes);
      stream.bytes = longer;
    }
    const isNew = stream.bytes.subarray(from, to).includes(0) || (fin && !stream.ended);
    stream.bytes.fill(1, from, to);
    stream.ended ||= fin;
    return isNew;
  }
}

/** Reads a capture with its key log by tshark. @throws when tshark finds no request or no response */
export async function tsharkTimes(
  pcapFile: string,
  keyLogFile: string,
  arm: Exclude<Arm, 'auto'>,
  serverPort = 443,
): Promise<TsharkTimes> {
  const { fields, request, response } = questions[arm]();
  const shown = ['frame.time_epoch', 'tcp.srcport', 'udp.srcport', ...limitFields, ...fields].flatMap(
    (field) => ['-e', field],
  );
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
  let firstRequestAtMs: number | null = null;
  let lastResponseAtMs: number | null = null;
  const streamLimits = new Set<number>();
  for (const line of stdout.trimEnd().split('\n')) {
    const [epoch = '', tcpPort = '', udpPort = '', byHttp2 = '', byQuic = '', ...values] = line.split('|');
    const atMs = Number(epoch) * 1000;
    if (Number(tcpPort || udpPort) === serverPort) {
      if (response(values)) lastResponseAtMs = atMs;
      const limits = `${byHttp2},${byQuic}`.split(',').filter((limit) => limit !== '');
      for (const limit of limits) streamLimits.add(Number(limit));
    } else if (request(values)) firstRequestAtMs ??= atMs;
  }
  if (firstRequestAtMs === null || lastResponseAtMs === null) {
    throw new Error(`tshark found no ${arm} load in ${pcapFile}`);
  }
  return { firstRequestAtMs, lastResponseAtMs, streamLimits };
}

/** The questions asked of name servers in a capture, each as "server name", in order. */
export async function nameQuestions(pcapFile: string): Promise<string[]> {
  const shown = ['ip.dst', 'ipv6.dst', 'dns.qry.name'].flatMap((field) => ['-e', field]);
  const { stdout } = await run('tshark', [
    ...['-r', pcapFile, '-Y', 'dns.flags.response == 0'],
    ...['-T', 'fields', '-E', 'separator=|', ...shown],
  ]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [v4 = '', v6 = '', name = ''] = line.split('|');
    return `${v4 || v6} ${name}`;
  });
}
