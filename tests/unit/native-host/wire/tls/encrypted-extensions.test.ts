import { expect, test } from 'vitest';
import { parseEncryptedExtensions } from '../../../../../native-host/wire/tls/encrypted-extensions.ts';

/** The message with one extension, quic_transport_parameters (57, RFC 9001 section 8.2). */
function withParameters(hex: string): Uint8Array {
  const parameters = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const extension = Buffer.alloc(4);
  extension.writeUInt16BE(57);
  extension.writeUInt16BE(parameters.length, 2);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(4 + parameters.length);
  return Buffer.concat([length, extension, parameters]);
}

test('a QUIC server says how many streams the client may open, and how its ACK delays are scaled', () => {
  // ack_delay_exponent (0x0a) 10; initial_max_streams_bidi (0x08) 15293, the variable-length integer 7bbd of RFC
  // 9000, appendix A.1; a reserved parameter (section 18.1).
  const body = withParameters('0a 01 0a  08 02 7bbd  1b 00');
  expect(parseEncryptedExtensions(body)).toMatchObject({ ackDelayExponent: 10, requestStreams: 15_293 });
});

test('what it leaves out has the value that RFC 9000, section 18.2, gives it', () => {
  expect(parseEncryptedExtensions(withParameters('1b 00'))).toMatchObject({
    ackDelayExponent: 3,
    requestStreams: 0,
  });
});

test('a server on TCP has no such thing', () => {
  expect(parseEncryptedExtensions(Buffer.from('0000', 'hex')).requestStreams).toBeNull();
});
