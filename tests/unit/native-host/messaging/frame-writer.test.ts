import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { FrameReader } from '../../../../native-host/messaging/frame-codec.ts';
import { FrameWriter } from '../../../../native-host/messaging/frame-writer.ts';

test('messages come whole and in order from a slow reader', async () => {
  const reader = new FrameReader();
  const ids: string[] = [];
  const slow = new Writable({
    highWaterMark: 16,
    write(bytes: Buffer, _encoding, done) {
      for (const frame of reader.push(bytes)) {
        if (frame.kind === 'message')
          ids.push((JSON.parse(frame.body.toString()) as { requestId: string }).requestId);
      }
      setImmediate(done);
    },
  });
  const writer = new FrameWriter(slow);
  await Promise.all(['a', 'b', 'c'].map((requestId) => writer.send({ type: 'done', requestId })));
  expect(ids).toEqual(['a', 'b', 'c']);
});

test('a message that is too large is refused, and the next one goes', async () => {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(bytes: Buffer, _encoding, done) {
      chunks.push(bytes);
      done();
    },
  });
  const writer = new FrameWriter(output);
  const text = 'x'.repeat(2 ** 20);
  await expect(
    writer.send({ type: 'record-chunk', requestId: 'a', runId: 'r', index: 0, total: 1, text }),
  ).rejects.toMatchObject({ code: 'message-too-large' });
  await writer.send({ type: 'done', requestId: 'b' });
  expect(Buffer.concat(chunks).subarray(4).toString()).toBe('{"type":"done","requestId":"b"}');
});
