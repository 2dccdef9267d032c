import { cipherSuiteName } from '../keys/cipher-suite.ts';
import type { Direction, Span } from '../stream-sink.ts';
import { parseClientHello } from './client-hello.ts';
import { parseEncryptedExtensions, usualAckDelayExponent } from './encrypted-extensions.ts';
import { handshakeType } from './handshake-assembler.ts';
import { parseServerHello, type ServerHello } from './server-hello.ts';

/** Version numbers on the wire to their names. */
const versionNames = new Map([
  [0x0301, '1.0'],
  [0x0302, '1.1'],
  [0x0303, '1.2'],
  [0x0304, '1.3'],
]);

/**
 * What a TLS handshake said, over TCP or inside QUIC, filled as its messages are seen. Null is "not seen (yet)".
 * Times are arrivals of the last packet of the message, ms since 1970.
 */
export class HandshakeFacts {
  /** Lower-case hexadecimal: what a key log knows the connection by. */
  clientRandom: string | null = null;
  sni: string | null = null;
  alpnOffered: readonly string[] = [];
  /** As the server chose; TLS 1.3 says it encrypted, so only keys tell. */
  alpn: string | null = null;
  /** `1.0` to `1.3`. */
  tlsVersion: string | null = null;
  /** As IANA names it, or its code. */
  cipherSuite: string | null = null;
  resumed: boolean | null = null;
  earlyDataOffered: boolean | null = null;
  /** 0-RTT data was offered and taken; null when that cannot be known without keys. */
  earlyData: boolean | null = null;
  /** The extension was there; browsers also send it filled with random bytes, which look the same. */
  encryptedClientHello: boolean | null = null;
  /** The random of the inner hello, once the key log has told it: the server took the Encrypted ClientHello. */
  innerRandom: string | null = null;
  /** The client ended the connection since its Encrypted ClientHello was refused. Keys only. */
  encryptedClientHelloRequired = false;
  /** Application data of the client could be read. */
  clientDataRead = false;
  /** Of a QUIC server: its ACK delays are in units of 2 to the power of this, µs. */
  ackDelayExponent = usualAckDelayExponent;
  /** Of a QUIC server: how many streams of its own the client may open at first. */
  requestStreams: number | null = null;
  helloRetryRequest = false;
  clientHelloAtMs: number | null = null;
  serverHelloAtMs: number | null = null;
  serverFinishedAtMs: number | null = null;
  clientFinishedAtMs: number | null = null;

  /** The answering ServerHello, not a HelloRetryRequest. */
  serverHello: ServerHello | null = null;

  /** What the key log knows the connection by; null before the ClientHello. */
  get keyRandom(): string | null {
    return this.innerRandom ?? this.clientRandom;
  }

  /**
   * What became of an Encrypted ClientHello; null where none was seen. `offered`: without keys nobody can tell a real
   * one from random bytes (GREASE), nor whether it was taken. A client whose real one was refused has to give the
   * connection up (`refused`, RFC 9849 section 6.1.6); so if its keys are those of the hello that everybody sees, and
   * it goes on, what it sent was `grease`.
   */
  get encryptedClientHelloState(): 'offered' | 'grease' | 'refused' | 'accepted' | null {
    if (this.encryptedClientHello !== true) return null;
    if (this.innerRandom !== null) return 'accepted';
    if (this.encryptedClientHelloRequired) return 'refused';
    return this.clientDataRead ? 'grease' : 'offered';
  }

  /** Takes one handshake message. Both Finished are seen in TLS 1.3 and QUIC with keys only. */
  onMessage(direction: Direction, type: number, body: Uint8Array, span: Span): void {
    if (type === handshakeType.finished) {
      if (direction === 'up') this.clientFinishedAtMs = span.lastAtMs;
      else this.serverFinishedAtMs = span.lastAtMs;
    } else if (direction === 'up') {
      if (type === handshakeType.clientHello) this.#onClientHello(body, span);
    } else if (type === handshakeType.serverHello) {
      this.#onServerHello(body, span);
    } else if (type === handshakeType.encryptedExtensions) {
      const extensions = parseEncryptedExtensions(body);
      this.alpn = extensions.alpn;
      this.earlyData = extensions.earlyData;
      this.ackDelayExponent = extensions.ackDelayExponent;
      this.requestStreams = extensions.requestStreams;
    } else if (type === handshakeType.certificate) {
      this.resumed ??= false;
    }
  }

  #onClientHello(body: Uint8Array, span: Span): void {
    const hello = parseClientHello(body);
    if (hello === null) return;
    this.clientHelloAtMs ??= span.lastAtMs;
    this.clientRandom = hello.random;
    this.sni = hello.sni;
    this.alpnOffered = hello.alpnOffered;
    this.encryptedClientHello = hello.encryptedClientHello;
    // The second ClientHello, after a HelloRetryRequest, no longer offers it: the first one's was refused.
    this.earlyDataOffered ??= hello.offersEarlyData;
    if (!hello.offersEarlyData) this.earlyData = false;
  }

  #onServerHello(body: Uint8Array, span: Span): void {
    const hello = parseServerHello(body);
    if (hello === null) return;
    if (hello.helloRetryRequest) {
      this.helloRetryRequest = true;
      return;
    }
    this.serverHello = hello;
    this.serverHelloAtMs ??= span.lastAtMs;
    this.tlsVersion = versionNames.get(hello.version) ?? null;
    this.cipherSuite = cipherSuiteName(hello.cipherSuite);
    if (hello.alpn !== null) this.alpn = hello.alpn;
    if (hello.version === 0x0304) this.resumed = hello.preSharedKey;
    else this.earlyData = false;
  }
}
