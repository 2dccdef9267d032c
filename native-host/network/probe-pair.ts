import { ProbeProcess, type ProbePlace } from './probe-process.ts';

/** Starts an agent at each of two places, lets them be used, and ends them, whatever came of it. */
export async function withProbePair<T>(
  near: ProbePlace,
  far: ProbePlace,
  use: (near: ProbeProcess, far: ProbeProcess) => Promise<T>,
): Promise<T> {
  const starts = await Promise.allSettled([ProbeProcess.start(near), ProbeProcess.start(far)]);
  try {
    const [nearEnd, farEnd] = starts.map((start) => {
      if (start.status === 'rejected') throw start.reason;
      return start.value;
    }) as [ProbeProcess, ProbeProcess];
    return await use(nearEnd, farEnd);
  } finally {
    for (const start of starts) if (start.status === 'fulfilled') start.value.close();
  }
}
