import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A screen that nobody sees, for windows that tests open. */
export interface TestScreen {
  /** What DISPLAY is to be. */
  display: string;
  close(): Promise<void>;
}

/** Starts an X server on the first number that is free; it tells which over the descriptor 3. Xserver(1), -displayfd. */
export async function openTestScreen(): Promise<TestScreen> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  const number = await new Promise<string>((resolve, reject) => {
    let said = '';
    server.stdio[3]?.on('data', (data: Buffer) => {
      said += data.toString();
      if (said.endsWith('\n')) resolve(said.trim());
    });
    ended.then(() => {
      reject(new Error('Xvfb ended at once.'));
    }, reject);
  });
  return {
    display: `:${number}`,
    close: async () => {
      server.kill();
      await ended;
    },
  };
}
