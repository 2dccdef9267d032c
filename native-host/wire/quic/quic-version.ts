/** What differs between the QUIC versions that can be read. */
export interface QuicVersion {
  readonly name: 'v1' | 'v2';
  /** As on the wire. */
  readonly number: number;
  readonly initialSalt: Uint8Array;
  /** Before `key`, `iv`, `hp` and `ku` in the labels of packet protection. */
  readonly labelPrefix: string;
  /** What the two type bits of a long header mean, by their value. */
  readonly longTypes: readonly LongType[];
  readonly retryKey: Uint8Array;
  readonly retryNonce: Uint8Array;
}

export type LongType = 'initial' | '0-rtt' | 'handshake' | 'retry';

function hex(digits: string): Uint8Array {
  return Buffer.from(digits, 'hex');
}

/** RFC 9000 section 17.2; RFC 9001 sections 5.1, 5.2 and 5.8. */
export const quicV1: QuicVersion = {
  name: 'v1',
  number: 0x00000001,
  initialSalt: hex('38762cf7f55934b34d179ae6a4c80cadccbb7f0a'),
  labelPrefix: 'quic ',
  longTypes: ['initial', '0-rtt', 'handshake', 'retry'],
  retryKey: hex('be0c690b9f66575a1d766b54e368c84e'),
  retryNonce: hex('461599d35d632bf2239825bb'),
};

/** RFC 9369 section 3. */
export const quicV2: QuicVersion = {
  name: 'v2',
  number: 0x6b3343cf,
  initialSalt: hex('0dede3def700a6db819381be6e269dcbf9bd2ed9'),
  labelPrefix: 'quicv2 ',
  longTypes: ['retry', 'initial', '0-rtt', 'handshake'],
  retryKey: hex('8fb4b01b56ac48e260fbcbcead7ccc92'),
  retryNonce: hex('d86969bc2d7c6d9990efb04a'),
};

const known = new Map([quicV1, quicV2].map((version) => [version.number, version]));

/** The version by its number; undefined for those that cannot be read. */
export function quicVersionOf(number: number): QuicVersion | undefined {
  return known.get(number);
}

/** `v1`, `v2`, or the number in hexadecimal. */
export function quicVersionName(number: number): string {
  return known.get(number)?.name ?? `0x${number.toString(16).padStart(8, '0')}`;
}
