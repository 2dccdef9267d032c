import { readdir, readFile } from 'node:fs/promises';

/** A process that runs now. */
export interface RunningProcess {
  pid: number;
  /** Its command line. */
  words: readonly string[];
}

/** Those in whose environment a text stands, such as a directory that one test alone uses. */
export async function processesOf(text: string): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (!(await read(pid, 'environ')).includes(text)) return [];
      const words = (await read(pid, 'cmdline')).split('\0');
      // One that has ended and is only waiting to be reaped has no words.
      return words.length > 1 ? [{ pid: Number(pid), words }] : [];
    }),
  );
  return found.flat();
}

/** The native-messaging host, as a browser has started it. */
export const isHost = ({ words: [program = '', script = ''] }: RunningProcess): boolean =>
  program.endsWith('node') && script.endsWith('/native-host/main.js');
