import { describe, expect, it } from 'vitest';
import { KeyLog } from '../../../../../native-host/wire/keys/key-log.ts';

const random = 'ab'.repeat(32);
const secret = '0123456789abcdef'.repeat(4);

describe('KeyLog', () => {
  it('reads lines that come in pieces of any size', () => {
    const text = `# made by a browser\r\nCLIENT_TRAFFIC_SECRET_0 ${random} ${secret}\r\n\nSERVER_TRAFFIC_SECRET_0 ${random.toUpperCase()} ${secret}\n`;
    for (const size of [1, 7, 64, text.length]) {
      const log = new KeyLog();
      for (let at = 0; at < text.length; at += size) log.add(text.slice(at, at + size));
      expect(Buffer.from(log.secret(random, 'CLIENT_TRAFFIC_SECRET_0') ?? []).toString('hex')).toBe(secret);
      expect(log.secret(random, 'SERVER_TRAFFIC_SECRET_0')).toHaveLength(32);
      expect(log.connections).toBe(1);
      expect(log.badLines).toBe(0);
      expect(log.revision).toBe(2);
    }
  });

  it('takes a last line without a newline when it ends, and not before', () => {
    const log = new KeyLog();
    log.add(`CLIENT_RANDOM ${random} ${secret}${secret.slice(0, 32)}`);
    expect(log.has(random)).toBe(false);
    log.end();
    expect(log.secret(random, 'CLIENT_RANDOM')).toHaveLength(48);
    expect(log.complete).toBe(true);
  });

  it('knows the old QUIC names, and passes over secrets that open no packet', () => {
    const log = new KeyLog();
    log.add(
      `QUIC_SERVER_HANDSHAKE_TRAFFIC_SECRET ${random} ${secret}\nEXPORTER_SECRET ${random} ${secret}\n`,
    );
    log.add(`ECH_CONFIG ${random} ${secret.repeat(9)}\n`);
    log.add(`RSA ${'0'.repeat(16)} ${'1'.repeat(96)}\n`);
    expect(log.secret(random, 'SERVER_HANDSHAKE_TRAFFIC_SECRET')).not.toBeNull();
    expect(log.badLines).toBe(0);
  });

  it('counts what is no secret, and reads on', () => {
    const log = new KeyLog();
    log.add('GET / HTTP/1.1\n');
    log.add(`CLIENT_RANDOM ${random} 0123\n`);
    log.add(`CLIENT_RANDOM ${random.slice(2)} ${secret}\n`);
    log.add(`TEA_SECRET ${random} ${secret}\n`);
    log.add('x'.repeat(1_000_000));
    log.add('\n');
    log.add(`CLIENT_RANDOM ${random} ${secret}${secret.slice(0, 32)}\n`);
    expect(log.badLines).toBe(5);
    expect(log.secret(random, 'CLIENT_RANDOM')).toHaveLength(48);
  });
});
