import { readdir, readFile, readlink } from 'node:fs/promises';

/** What the kernel says of one process of Chromium: proc(5). */
export interface ChromiumProcess {
  pid: number;
  parent: number;
  /** `browser`, or what `--type=` names. */
  type: string;
  arguments: string[];
  /** Its user data directory; null for a child, and for one that only tells its version. */
  profile: string | null;
  /** 0 none, 2 filtered by a program of its own: seccomp(2). */
  seccomp: number;
  /** Real user, seen from outside all namespaces of the run. */
  uid: number;
  /** Effective capabilities, as the hexadecimal mask. */
  capabilities: string;
  /** How many process namespaces it is in, the outermost that is seen included. */
  pidDepth: number;
  userNamespace: string;
  networkNamespace: string;
}

/** All processes of Chromium there are now; those that end while they are looked at are left out. */
export async function chromiumProcesses(): Promise<ChromiumProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map((pid) => chromiumProcess(pid).catch(() => null)));
  return all.filter((each) => each !== null);
}

async function chromiumProcess(pid: number): Promise<ChromiumProcess | null> {
  const line = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  // Chromium rewrites the command lines of its children with blanks between the arguments.
  const words = line.length > 2 ? line : (line[0] ?? '').split(' ');
  if (!/\/chrom(e|ium)$/.test(words[0] ?? '')) return null;
  const [status, userNamespace, networkNamespace] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readlink(`/proc/${pid}/ns/user`),
    readlink(`/proc/${pid}/ns/net`),
  ]);
  const field = (name: string): string[] =>
    (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '').split(/\s+/);
  const argument = (name: string): string | null =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
  return {
    pid,
    parent: Number(field('PPid')[0]),
    type: argument('type') ?? 'browser',
    arguments: words,
    profile: argument('type') === null ? argument('user-data-dir') : null,
    seccomp: Number(field('Seccomp')[0]),
    uid: Number(field('Uid')[0]),
    capabilities: field('CapEff')[0] ?? '',
    pidDepth: field('NSpid').length,
    userNamespace,
    networkNamespace,
  };
}
