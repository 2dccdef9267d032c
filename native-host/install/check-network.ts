import type { Checkup } from '../../shared/messages/doctor-report.ts';
import { toolPackages } from '../network/tool-packages.ts';
import { userNamespaceRemedy } from '../network/user-namespaces.ts';
import type { Machine } from './machine.ts';

const tun = '/dev/net/tun';

/** What gives each trial a network of its own, and shapes it. */
export async function checkNetwork(machine: Machine): Promise<Checkup[]> {
  const tool = (title: string, purpose: string): Checkup => checkTool(machine, 'network', title, purpose);
  return [
    await checkNamespaces(machine),
    checkTun(machine),
    tool('pasta', 'joins such a network to the outside without administrator rights'),
    tool('ip', 'makes links, addresses and routes'),
    tool('tc', 'shapes a network of one’s own'),
    tool('nft', 'joins such a network to the outside where Towline is run as root'),
    tool('ethtool', 'switches off the offloads that would merge packets'),
    ...(await checkDelay(machine)),
  ];
}

/** A program, by its name alone. */
export function checkTool(
  machine: Machine,
  section: Checkup['section'],
  program: string,
  purpose: string,
): Checkup {
  const path = machine.find(program);
  return {
    id: program.replace(/\W/g, '-'),
    section,
    title: program,
    state: path === null ? 'missing' : 'ok',
    found: path ?? 'not installed',
    purpose,
    required: false,
    remedy: path === null ? `sudo apt-get install ${toolPackages[program] ?? program}` : null,
  };
}

/** Tried, not looked up: a security module may forbid what the kernel could do. */
async function checkNamespaces(machine: Machine): Promise<Checkup> {
  const user = machine.isRoot ? [] : ['--user', '--map-root-user'];
  const tried = await machine.run(['unshare', ...user, '--net', '--mount', '--pid', '--fork', '--', 'true']);
  const works = tried?.status === 0;
  const reason = tried === null ? 'unshare is not installed' : tried.stderr.trim();
  return {
    id: 'namespaces',
    section: 'network',
    title: 'namespaces',
    state: works ? 'ok' : 'missing',
    found: works ? (machine.isRoot ? 'made by root' : 'made without rights') : reason,
    purpose: 'gives every trial a network of its own',
    required: false,
    remedy: works ? null : namespaceRemedy(machine, tried === null),
  };
}

function namespaceRemedy(machine: Machine, withoutUnshare: boolean): string {
  if (withoutUnshare) return 'sudo apt-get install util-linux';
  return (
    userNamespaceRemedy(machine.read) ??
    'In a container: start it with the right to make namespaces, or measure outside it.'
  );
}

function checkTun(machine: Machine): Checkup {
  const mode = machine.modeOf(tun);
  const usable = machine.mayUse(tun);
  const forAll = mode !== null && (mode & 0o006) === 0o006;
  return {
    id: 'tun',
    section: 'network',
    title: tun,
    state: usable ? 'ok' : 'missing',
    found:
      mode === null ? 'not there' : `mode 0${mode.toString(8)}${forAll ? '' : ', not for ordinary users'}`,
    purpose: 'is the way out of a network made without rights',
    required: false,
    remedy: usable ? null : mode === null ? 'sudo modprobe tun' : `sudo chmod 0666 ${tun}`,
  };
}

/** Delay and loss: by the kernel, or by a guest kernel that has what this one lacks. */
async function checkDelay(machine: Machine): Promise<Checkup[]> {
  const netem: Checkup = {
    id: 'netem',
    section: 'network',
    title: 'netem',
    state: 'ok',
    found: 'works in a network of one’s own',
    purpose: 'delays and loses packets for --shape',
    required: false,
    remedy: null,
  };
  if (await machine.hasNetem()) return [netem];
  const guest = checkTool(
    machine,
    'network',
    'linux.uml',
    'delays and loses packets in the place of a missing netem',
  );
  const replaced = guest.state === 'ok';
  return [
    {
      ...netem,
      state: replaced ? 'warning' : 'missing',
      found: replaced
        ? 'not in this kernel; a User-Mode Linux guest takes its place'
        : 'not in this kernel, or not allowed',
      remedy: replaced ? null : 'sudo modprobe sch_netem',
    },
    guest,
  ];
}
