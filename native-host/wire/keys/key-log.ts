/** What the secrets of a TLS key log are called (SSLKEYLOGFILE; QUIC_* are names older QUIC stacks wrote). */
export type SecretLabel =
  | 'CLIENT_RANDOM'
  | 'CLIENT_EARLY_TRAFFIC_SECRET'
  | 'CLIENT_HANDSHAKE_TRAFFIC_SECRET'
  | 'SERVER_HANDSHAKE_TRAFFIC_SECRET'
  | 'CLIENT_TRAFFIC_SECRET_0'
  | 'SERVER_TRAFFIC_SECRET_0';

/** Every label that may stand at the head of a line; null where its secret opens no packet. */
const labels = new Map<string, SecretLabel | null>([
  ['CLIENT_RANDOM', 'CLIENT_RANDOM'],
  ['CLIENT_EARLY_TRAFFIC_SECRET', 'CLIENT_EARLY_TRAFFIC_SECRET'],
  ['CLIENT_HANDSHAKE_TRAFFIC_SECRET', 'CLIENT_HANDSHAKE_TRAFFIC_SECRET'],
  ['SERVER_HANDSHAKE_TRAFFIC_SECRET', 'SERVER_HANDSHAKE_TRAFFIC_SECRET'],
  ['CLIENT_TRAFFIC_SECRET_0', 'CLIENT_TRAFFIC_SECRET_0'],
  ['SERVER_TRAFFIC_SECRET_0', 'SERVER_TRAFFIC_SECRET_0'],
  ['QUIC_CLIENT_EARLY_TRAFFIC_SECRET', 'CLIENT_EARLY_TRAFFIC_SECRET'],
  ['QUIC_CLIENT_HANDSHAKE_TRAFFIC_SECRET', 'CLIENT_HANDSHAKE_TRAFFIC_SECRET'],
  ['QUIC_SERVER_HANDSHAKE_TRAFFIC_SECRET', 'SERVER_HANDSHAKE_TRAFFIC_SECRET'],
  ['QUIC_CLIENT_TRAFFIC_SECRET_0', 'CLIENT_TRAFFIC_SECRET_0'],
  ['QUIC_SERVER_TRAFFIC_SECRET_0', 'SERVER_TRAFFIC_SECRET_0'],
  ['EXPORTER_SECRET', null],
  ['EARLY_EXPORTER_SECRET', null],
  ['ECH_SECRET', null],
  ['ECH_CONFIG', null],
]);

/** Longest line kept while its end has not come; the longest there is holds a label and 80 bytes in hex. */
const maxLineChars = 4096;

/** Connections remembered; a day of browsing has fewer. */
const maxConnections = 1_000_000;

/** Of {@link KeyLog.newestRandoms}. */
const maxTried = 256;

/** Label, client random, secret. */
const secretLine = /^([A-Z0-9_]+) ([0-9a-fA-F]{64}) ((?:[0-9a-fA-F]{2})+)$/;

/** Bytes of a secret: of a SHA-256 or a SHA-384 suite, or the master secret of TLS 1.2. */
const secretBytes: readonly number[] = [32, 48];

/**
 * A TLS key log in the SSLKEYLOGFILE format, read in pieces as the browser writes it.
 * Source: draft-ietf-tls-keylogfile. Never throws: what is no key log is counted in {@link badLines}.
 */
export class KeyLog {
  /** Grows whenever a secret was learnt, so that a waiting connection knows when to look again. */
  revision = 0;
  /** Lines that are neither empty, nor a comment, nor a secret. */
  badLines = 0;
  /** True once {@link end} was called: keys that are not here will not come, and nobody need wait. */
  complete = false;

  readonly #secrets = new Map<string, Map<SecretLabel, Uint8Array>>();
  #rest = '';

  /** How many connections have secrets here. */
  get connections(): number {
    return this.#secrets.size;
  }

  /** @param text whole lines or any piece of them, in the order of the file */
  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#addLine(line);
    if (this.#rest.length > maxLineChars) {
      this.badLines += 1;
      this.#rest = '';
    }
  }

  /** The log is whole: its last line counts though no newline ended it. */
  end(): void {
    this.#addLine(this.#rest);
    this.#rest = '';
    this.complete = true;
  }

  /** @param clientRandom the ClientHello's, in lower-case hexadecimal */
  secret(clientRandom: string, label: SecretLabel): Uint8Array | null {
    return this.#secrets.get(clientRandom)?.get(label) ?? null;
  }

  /** Client randoms, the newest first: at most 256, for tries with each. */
  newestRandoms(): readonly string[] {
    return [...this.#secrets.keys()].slice(-maxTried).reverse();
  }

  /** Whether any secret of this connection is known. */
  has(clientRandom: string): boolean {
    return this.#secrets.has(clientRandom);
  }

  #addLine(raw: string): void {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const [, name = '', random = '', hex = ''] = secretLine.exec(line) ?? [];
    const label = labels.get(name);
    if (label === undefined) {
      // The old RSA form has 16 hexadecimal digits where others have the client random.
      if (!/^RSA [0-9a-fA-F]{16} [0-9a-fA-F]{96}$/.test(line)) this.badLines += 1;
      return;
    }
    if (label === null) return;
    if (!secretBytes.includes(hex.length / 2)) {
      this.badLines += 1;
      return;
    }
    const key = random.toLowerCase();
    let secrets = this.#secrets.get(key);
    if (secrets === undefined) {
      if (this.#secrets.size >= maxConnections) return;
      secrets = new Map<SecretLabel, Uint8Array>();
      this.#secrets.set(key, secrets);
    }
    secrets.set(label, Buffer.from(hex, 'hex'));
    this.revision += 1;
  }
}
