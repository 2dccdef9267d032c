import { readdir, readFile } from 'node:fs/promises';

/** Whom chaos kills: processes of one run. `router` is a process only where a guest kernel routes. */
export type Victim = 'command' | 'engine' | 'worker' | 'browser' | 'router' | 'guardian';

const signs: Record<Exclude<Victim, 'command'>, (words: readonly string[]) => boolean> = {
  engine: ([program = '', script = '']) => program.endsWith('node') && script.endsWith('/engine.js'),
  guardian: ([program = '', script = '']) => program.endsWith('node') && script.endsWith('/guardian.js'),
  worker: ([program = '', script = '']) => program.endsWith('node') && script.endsWith('/trial-worker.js'),
  browser: ([program = '', ...args]) =>
    /\/chrom(e|ium)$/.test(program) &&
    args.some((word) => word.startsWith('--user-data-dir=')) &&
    !args.some((word) => word.startsWith('--type=')),
  router: ([program = '']) => program.endsWith('linux.uml'),
};

/** The processes of that part which run now, in this process namespace and those below it. */
export async function findVictims(victim: Exclude<Victim, 'command'>): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return signs[victim](line.split('\0')) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
