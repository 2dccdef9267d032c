import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until all are there. After `enoughMs` half of them are enough: the rest are lost, or so late that a median does not
 * see them. After `timeoutMs` nothing is waited for any more.
 */
export async function waitForAnswers(
  answers: readonly Promise<void>[],
  { enoughMs, timeoutMs }: { enoughMs: number; timeoutMs: number },
): Promise<void> {
  let arrived = 0;
  const all = Promise.all(answers.map((answer) => answer.then(() => arrived++)));
  await Promise.race([all, sleep(enoughMs)]);
  if (2 * arrived < answers.length) await Promise.race([all, sleep(Math.max(0, timeoutMs - enoughMs))]);
}
