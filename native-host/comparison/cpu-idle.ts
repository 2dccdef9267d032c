import { readFile } from 'node:fs/promises';

/** The kernel's counters of processor time, in ticks, all cores together. */
export interface CpuTicks {
  idle: number;
  total: number;
}

/** Reads /proc/stat; null where there is none. */
export async function readCpuTicks(): Promise<CpuTicks | null> {
  try {
    return parseCpuTicks(await readFile('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

/** `cpu  user nice system idle iowait irq softirq steal guest guest_nice`, from proc(5). */
export function parseCpuTicks(stat: string): CpuTicks | null {
  const fields = /^cpu +(.+)$/m.exec(stat)?.[1]?.split(' ').map(Number);
  if (!fields) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = fields;
  return { idle: idle + iowait, total: user + nice + system + idle + iowait + irq + softirq + steal };
}

/** Share of processor time that was idle between two readings, 0..1; null when unknown or no tick has passed. */
export function cpuIdleRatio(before: CpuTicks | null, after: CpuTicks | null): number | null {
  if (!before || !after || after.total <= before.total) return null;
  return (after.idle - before.idle) / (after.total - before.total);
}
