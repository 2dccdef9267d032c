import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { AddressPlan } from './address-plan.ts';
import { requireTools, toolPath } from './find-tool.ts';

/** Rules that are in force as long as they are held. */
export interface HeldRules {
  release(): Promise<void>;
}

const answerTimeoutMs = 10_000;

/**
 * The commands by which what comes from a block's trials leaves under the host's own address, in a table that
 * belongs to whoever gives them: the kernel removes it with that process, however it ends (nft(8), `flags owner`).
 * Nobody else's rules are touched. The answers need no rule: they belong to a known connection.
 */
export function masqueradeCommands(plan: AddressPlan, device: string): string[] {
  const table = `inet towline-${plan.block}`;
  return [
    `add table ${table} { flags owner; }`,
    `add chain ${table} leaving { type nat hook postrouting priority srcnat; policy accept; }`,
    `add rule ${table} leaving ip saddr ${plan.trials4} oifname "${device}" masquerade`,
    `add rule ${table} leaving ip6 saddr ${plan.trials6} oifname "${device}" masquerade`,
  ];
}

/**
 * More of them, for a namespace that nobody else uses: packets that belong to no connection are dropped. pasta sends
 * window updates without the ACK flag, which are not translated back, and the namespace would answer them with a
 * reset that ends the connection. Seen with passt 2023-03.
 */
export function dropStraysCommands(plan: AddressPlan): string[] {
  const table = `inet towline-${plan.block}`;
  return [
    `add chain ${table} strays { type filter hook input priority filter; policy accept; }`,
    `add rule ${table} strays ct state invalid drop`,
  ];
}

/**
 * Puts the rules in force in the namespace of the caller, by an nft that stays.
 * @throws TowlineError `namespace-unavailable` with nft's own words
 */
export async function holdMasquerade(
  plan: AddressPlan,
  device: string,
  more: readonly string[] = [],
): Promise<HeldRules> {
  requireTools(['nft'], "let trials out under the host's address");
  const child = spawn('nft', ['--interactive'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: toolPath(), LC_ALL: 'C' },
  });
  child.stdin.on('error', () => undefined);
  const commands = [...masqueradeCommands(plan, device), ...more, `list table inet towline-${plan.block}`];
  child.stdin.write(`${commands.join('\n')}\n`);

  let answer = '';
  const accepted = new Promise<boolean>((resolve) => {
    const read = (data: Buffer) => {
      answer += data.toString();
      // The table is listed with both rules in it, or there is an error before it.
      if (answer.includes('Error')) resolve(false);
      else if (answer.split('masquerade').length > 2) resolve(true);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', () => {
      resolve(false);
    });
    child.once('close', () => {
      resolve(false);
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), answerTimeoutMs);
  const inForce = await accepted;
  clearTimeout(timer);
  if (inForce) return { release: () => end(child) };
  await end(child);
  throw new TowlineError('namespace-unavailable', 'network', `nft did not masquerade: ${answer.trim()}`, {
    remedy: 'sudo modprobe nft_masq nft_chain_nat',
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
