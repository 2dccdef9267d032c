import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { networkResolvers } from './resolvers.ts';
import { runTool } from './run-tool.ts';

/** Where names are looked up inside the capsule. */
export interface NameLookup {
  /** Lines of /etc/hosts besides localhost: address, then names. */
  hosts: readonly (readonly [address: string, ...names: string[]])[];
  /** Resolvers for everything else, reached over the namespace's own network. */
  nameservers: readonly string[];
}

export interface Capsule {
  /** For profiles and other temporary files; vanishes with the capsule (for `none`, with its owner's help). */
  scratch: string;
  /** The host's resolvers that a network of its own can reach. */
  resolvers: readonly string[];
}

const runDirectory = '/run';
/** Upper bound of the memory that temporary files may take, of which only what is written is used. */
const scratchSize = '2g';

/**
 * Makes the mount namespace that the process stands in its own: /run and /dev/shm are fresh and empty, so that
 * names of network namespaces and temporary files are the capsule's own, and no resolver is reached by a socket
 * of the host. What a desktop session keeps in /run/user stays visible, for browsers that are to be seen.
 * Must be called once, before anything else, by a process started with {@link capsuleCommand}.
 *
 * @param name of the directory for temporary files: it stands on the command lines of what uses them
 */
export async function enterCapsule(name = 'towline'): Promise<Capsule> {
  const scratch = join(runDirectory, name);
  // Some of what tells them lies in /run.
  const resolvers = await networkResolvers();

  await runTool(['mount', '--make-rprivate', '/']);
  const desktop = existsSync('/run/user') ? openSync('/run/user', 'r') : null;
  await runTool(['mount', '-t', 'tmpfs', '-o', `size=${scratchSize},mode=755`, 'towline', runDirectory]);
  await runTool(['mount', '-t', 'tmpfs', '-o', `size=${scratchSize},mode=1777`, 'towline', '/dev/shm']);
  if (desktop !== null) {
    // The old directory lies below the new mount and has no path any more, but an open descriptor still leads to it.
    await mkdir('/run/user');
    await runTool(['mount', '--no-canonicalize', '--rbind', '/proc/self/fd/3', '/run/user'], {
      descriptors: [desktop],
    });
    closeSync(desktop);
  }
  await mkdir('/run/netns');
  await mkdir(scratch, { mode: 0o755 });
  // Browsers and the router leave sockets and files in the temporary directory when they are killed.
  process.env.TMPDIR = scratch;
  return { scratch, resolvers };
}

/**
 * Stands in for a capsule where there is none: on the host's own network, with its own names and files.
 * @param scratch directory for temporary files, its owner's to remove
 */
export async function stayOutside(scratch: string): Promise<Capsule> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = scratch;
  return { scratch, resolvers: await networkResolvers() };
}

/**
 * Gives the capsule its own hosts, resolv.conf and nsswitch.conf, mounted over the host's, which stay untouched.
 * Names go to files and then to DNS by packets: systemd-resolved and its like answer over a Unix socket, which
 * no network namespace holds back.
 */
export async function setNameLookup(capsule: Capsule, lookup: NameLookup): Promise<void> {
  const hosts = [['127.0.0.1', 'localhost'], ['::1', 'localhost'], ...lookup.hosts];
  const resolvers = lookup.nameservers.map((address) => `nameserver ${address}`);
  const databases = [
    'passwd: files',
    'group: files',
    'hosts: files dns',
    'services: files',
    'protocols: files',
  ];
  const lines = {
    '/etc/hosts': hosts.map((line) => line.join(' ')),
    '/etc/resolv.conf': [...resolvers, 'options timeout:3 attempts:2'],
    '/etc/nsswitch.conf': databases,
  };
  const files = Object.entries(lines);
  await Promise.all(files.map(([path, text]) => replaceFile(capsule, path, text.join('\n'))));
}

/** Mounts a file of ours over one of the host's, following the link that resolv.conf often is. */
async function replaceFile(capsule: Capsule, path: string, text: string): Promise<void> {
  const own = join(capsule.scratch, path.replaceAll('/', '_'));
  await writeFile(own, `${text}\n`, { mode: 0o644 });
  await runTool(['mount', '--bind', own, await mountTarget(path)]);
}

/** The file a path leads to. A link into the host's /run leads nowhere by now, so its end is made. */
async function mountTarget(path: string): Promise<string> {
  try {
    return realpathSync(path);
  } catch {
    const target = await runTool(['readlink', '--canonicalize-missing', path]);
    const end = target.trim();
    await mkdir(dirname(end), { recursive: true });
    await writeFile(end, '');
    return end;
  }
}
