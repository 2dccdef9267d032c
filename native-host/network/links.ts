import { addCommand, loopbackUp, setRole, type Namespace, type Role } from './namespaces.ts';
import { runIpBatch, runTool } from './run-tool.ts';

/** One end of a link, wherever it is. */
export interface LinkAddress {
  device: string;
  mac: string;
  v4: string;
  v6: string;
  /** The run's name: what the kernel tells of the link to whoever looks (`ip link`). Without white space. */
  alias: string;
}

/** One end of a link in a namespace of ours. */
export interface LinkEnd extends LinkAddress {
  namespace: Namespace;
}

/**
 * Offloads that would make packets on a virtual link something else than packets on a wire: segmentation makes
 * one "packet" of 64 KB, which is then lost as a whole, and checksums left to a card that does not exist are wrong
 * in every capture.
 */
const offloads = ['tx', 'rx', 'tso', 'gso', 'gro', 'tx-udp-segmentation'].flatMap((name) => [name, 'off']);

/** A locally administered address (IEEE 802, second-lowest bit of the first octet) for an end of a link. */
export function linkMac(block: number, link: number, end: 'outer' | 'inner'): string {
  const octets = [0x02, 0x54, block >> 8, block & 255, link & 255, end === 'outer' ? 1 : 2];
  return octets.map((octet) => octet.toString(16).padStart(2, '0')).join(':');
}

/** What else {@link addVeth} does in the programs it starts, since what takes time is to start one. */
export interface AlongWithVeth {
  /** The inner end's namespace is made first, for this role. */
  makeInner?: Role;
  /** `ip` commands in each end's namespace, when that end is up. */
  outer?: readonly string[][];
  inner?: readonly string[][];
}

/** Joins two namespaces by a veth pair, addressed and up. */
export async function addVeth(
  outer: LinkEnd,
  inner: LinkEnd,
  mtuBytes: number,
  { makeInner, outer: moreOuter = [], inner: moreInner = [] }: AlongWithVeth = {},
): Promise<void> {
  const peer = ['peer', 'name', inner.device, 'address', inner.mac, 'netns', inner.namespace.name];
  const add = ['link', 'add', outer.device, 'address', outer.mac, 'type', 'veth', ...peer];
  await runIpBatch(outer.namespace.enter, [
    ...(makeInner === undefined ? [] : [addCommand(inner.namespace)]),
    add,
    ...bringUpCommands(outer, inner, mtuBytes),
    ...moreOuter,
  ]);
  // Nothing is sent before there is a program to send it.
  await Promise.all([
    switchOffloadsOff(outer),
    switchOffloadsOff(inner),
    makeInner === undefined ? null : setRole(inner.namespace, makeInner),
    runIpBatch(inner.namespace.enter, [
      ...(makeInner === undefined ? [] : [loopbackUp]),
      ...bringUpCommands(inner, outer, mtuBytes),
      ...moreInner,
    ]),
  ]);
}

/** Addresses one end and takes it up, with offloads off. */
export async function bringUp(end: LinkEnd, other: LinkAddress, mtuBytes: number): Promise<void> {
  await switchOffloadsOff(end);
  await runIpBatch(end.namespace.enter, bringUpCommands(end, other, mtuBytes));
}

/**
 * The `ip` commands for {@link bringUp}, also understood by the router's guest. The neighbour is entered for good:
 * a question and its answer would cross the delay line before the first packet of a trial could.
 */
export function bringUpCommands(end: LinkAddress, other: LinkAddress, mtuBytes: number): string[][] {
  const { device } = end;
  const neighbour = (address: string) => [
    ...['neigh', 'replace', address],
    ...['lladdr', other.mac, 'dev', device, 'nud', 'permanent'],
  ];
  return [
    ['link', 'set', device, 'alias', end.alias, 'mtu', String(mtuBytes), 'addrgenmode', 'none'],
    ['link', 'set', device, 'up'],
    ['address', 'add', `${end.v4}/30`, 'dev', device],
    ['address', 'add', `${end.v6}/126`, 'dev', device, 'nodad'],
    neighbour(other.v4),
    neighbour(other.v6),
  ];
}

async function switchOffloadsOff(end: LinkEnd): Promise<void> {
  await runTool([...end.namespace.enter, 'ethtool', '--features', end.device, ...offloads]);
}
