import { TowlineError } from '../../shared/errors/towline-error.ts';

/**
 * Addresses of Towline's own networks. They come from the blocks set aside for benchmarking, 198.18.0.0/15
 * (RFC 2544, section C.2.2) and 2001:2::/48 (RFC 5180, section 8): no real network uses them, and unlike private
 * and unique-local ones a browser prefers them just as it prefers the host's own addresses (RFC 6724, label 1).
 */
export interface AddressPlan {
  /** Number of the block, 0..511: one per run, so that two runs on one host never meet. */
  readonly block: number;
  /** The whole block, IPv4. */
  readonly block4: string;
  /** All trials of the run, as a route. */
  readonly trials4: string;
  readonly trials6: string;
}

export interface LinkAddresses {
  /** Outer end: nearer to the servers. */
  outer4: string;
  outer6: string;
  /** Inner end: nearer to the browser. */
  inner4: string;
  inner6: string;
}

/** Blocks are numbered from 0. */
export const blockCount = 512;

/** How many trial networks fit into a block. */
export const trialSlots = 32;

const firstLink = 32;

function block4(block: number): string {
  return `198.${18 + (block >> 8)}.${block & 255}`;
}

function block6(block: number): string {
  return `2001:2:0:${block.toString(16)}:`;
}

export function addressPlan(block: number): AddressPlan {
  if (!Number.isInteger(block) || block < 0 || block >= blockCount) {
    throw new TowlineError(
      'internal',
      'network',
      `There is no address block ${block}: they go from 0 to ${blockCount - 1}.`,
    );
  }
  // Slots 0..31 are the trials' /30s and /126s: the lower 128 addresses of the block.
  return {
    block,
    block4: `${block4(block)}.0/24`,
    trials4: `${block4(block)}.0/25`,
    trials6: `${block6(block)}:/121`,
  };
}

/** The /30 and /126 of one link of the block; `slot` 0..63. */
function slotAddresses(block: number, slot: number): LinkAddresses {
  const base = slot * 4;
  return {
    outer4: `${block4(block)}.${base + 1}`,
    outer6: `${block6(block)}:${(base + 1).toString(16)}`,
    inner4: `${block4(block)}.${base + 2}`,
    inner6: `${block6(block)}:${(base + 2).toString(16)}`,
  };
}

/** Link between a trial and the edge. Slots are used in turn. */
export function trialAddresses(plan: AddressPlan, trial: number): LinkAddresses {
  return slotAddresses(plan.block, trial % trialSlots);
}

/** Link between edge and router, or, without a router, between edge and far end. */
export function edgeLink(plan: AddressPlan): LinkAddresses {
  return slotAddresses(plan.block, firstLink);
}

/** Link between router and far end. */
export function farLink(plan: AddressPlan): LinkAddresses {
  return slotAddresses(plan.block, firstLink + 1);
}

/** Link between the last namespace of ours and the one that has the way out. */
export function exitLink(plan: AddressPlan): LinkAddresses {
  return slotAddresses(plan.block, firstLink + 2);
}

/** Addresses of a lab's server, 0..7: in the highest eight of the block. */
export function serverAddresses(plan: AddressPlan, server: number): { v4: string; v6: string } {
  const host = 248 + server;
  return { v4: `${block4(plan.block)}.${host}`, v6: `${block6(plan.block)}:1:${host.toString(16)}` };
}
