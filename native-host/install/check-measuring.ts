import type { Checkup } from '../../shared/messages/doctor-report.ts';
import type { Machine } from './machine.ts';

/** The oldest Node that runs Towline: `engines` of package.json. */
const oldestNode = [20, 19] as const;

/** Node, and what packets are captured with: without either, `compare` has nothing to say. */
export async function checkMeasuring(machine: Machine): Promise<Checkup[]> {
  const tcpdump = machine.find('tcpdump');
  return [
    checkNode(machine.nodeVersion),
    await checkLibpcap(machine, tcpdump !== null),
    {
      id: 'capture-tcpdump',
      section: 'measuring',
      title: 'tcpdump',
      state: tcpdump === null ? 'missing' : 'ok',
      found: tcpdump ?? 'not installed',
      purpose: 'captures packets where the libpcap addon cannot',
      required: false,
      remedy: tcpdump === null ? 'sudo apt-get install tcpdump' : null,
    },
  ];
}

function checkNode(version: string): Checkup {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  const fresh = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return {
    id: 'node',
    section: 'measuring',
    title: 'Node',
    state: fresh ? 'ok' : 'missing',
    found: version,
    purpose: `runs Towline, from ${oldestNode.join('.')} on`,
    required: true,
    remedy: fresh ? null : `Install Node ${oldestNode.join('.')} or later: https://nodejs.org/en/download`,
  };
}

async function checkLibpcap(machine: Machine, hasTcpdump: boolean): Promise<Checkup> {
  const fault = await machine.loadCaptureAddon();
  const loaded = fault === null;
  return {
    id: 'capture-libpcap',
    section: 'measuring',
    title: 'libpcap',
    state: loaded ? 'ok' : hasTcpdump ? 'warning' : 'missing',
    found: loaded ? 'the addon loads' : `the addon does not load: ${fault}`,
    purpose: 'captures the packets that Time on Wire is read from',
    required: !hasTcpdump,
    remedy: loaded ? null : 'sudo apt-get install libpcap-dev g++ make python3 && npm rebuild pcap',
  };
}
