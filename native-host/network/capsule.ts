/**
 * What a capsule holds. `lab`: a network of its own, cut off from the world. `rootless`: a network of its own
 * that pasta joins to the host's, without any rights. `root`: the host's network, private names and processes.
 * `none`: nothing; the program itself has to end, and to clear up, when its owner's end of standard input closes.
 */
export type CapsuleKind = 'lab' | 'rootless' | 'root' | 'none';

/** The kernel ends the program when the thread that started it ends, however that happens. prctl(2). */
const diesWithOwner = ['setpriv', '--pdeathsig', 'KILL', '--'];

/**
 * Process 1 of the namespace: a shell that waits, because process 1 must reap the orphans of all others, and
 * Node does not. The script is constant; the program and its arguments are its parameters. A session of its own
 * keeps Ctrl-C on the terminal from reaching the servers and the router before their owner has decided.
 */
const reaper = ['setsid', '--wait', 'sh', '-c', '"$@"; exit $?', 'sh'];

const ownMountsAndProcesses = ['--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc'];

/**
 * pasta mirrors the host's addresses and routes on a tap of the new namespace and relays what is sent there.
 * Nothing that listens on the host is reachable by way of the gateway's address (`--no-map-gw`), and no port of
 * the namespace or the host is opened to the other (`none`). Source: passt(1).
 */
function pasta(mtuBytes: number): string[] {
  const noPorts = ['-t', 'none', '-u', 'none', '-T', 'none', '-U', 'none'];
  return ['pasta', '--config-net', '--no-map-gw', '--mtu', String(mtuBytes), '--quiet', ...noPorts, '--'];
}

/**
 * The argument array that runs a program in a capsule: mount, process, and but for `root` network namespaces
 * that nothing outside holds. When the owner dies, by whatever signal, the kernel kills `unshare`, with it
 * process 1, with that every process inside, and then frees every link, qdisc, tap, name and temporary file.
 * Standard input, output and error pass through.
 *
 * @param asRoot whether the caller is root; an ordinary user gets a user namespace in which it is
 * @param mtuBytes of the interface that pasta makes; the others have none
 */
export function capsuleCommand(
  kind: CapsuleKind,
  asRoot: boolean,
  command: readonly string[],
  mtuBytes = 1500,
): string[] {
  if (kind === 'none') return [...command];
  const inside = [...reaper, ...command];
  if (kind === 'rootless') {
    // pasta starts the command in a user and network namespace it has made; what is inside must end with it.
    const bound = [...diesWithOwner, 'unshare', ...ownMountsAndProcesses, '--', ...inside];
    return [...diesWithOwner, ...pasta(mtuBytes), ...bound];
  }
  const user = asRoot ? [] : ['--user', '--map-root-user'];
  const network = kind === 'lab' ? ['--net'] : [];
  return [...diesWithOwner, 'unshare', ...user, ...network, ...ownMountsAndProcesses, '--', ...inside];
}
