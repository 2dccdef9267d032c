/**
 * Runs `towline` as an ordinary user of a fake host, once for each of the given errands, and prints what came of
 * each as JSON. Argument: `{checkout, nameServer, errands}`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumProcesses, type ChromiumProcess } from '../../../support/chromium-sandbox.ts';
import { makeFakeHost, putTunDevice } from '../../../support/fake-host.ts';
import { startFakeSite } from '../../../support/fake-site.ts';
import { makeOrdinaryUser } from '../../../support/ordinary-user.ts';
import { nameQuestions } from '../../../support/tshark.ts';

export interface Errand {
  /** Whether the machine lets ordinary users make tap devices, as ordinary distributions do. */
  tunForAll: boolean;
  /** Put between the user and the command. */
  wrapper: string[];
  /** URL stands for the page's address, HOME for the user's home directory. */
  args: string[];
}

/** What came of an errand. */
export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
  /** What was written to HOME/record.json; null where nothing was. */
  record: string | null;
  /** What each capture in HOME/pcap asked of which name server. */
  questions: string[][];
  /** Every process of Chromium that was seen, as it was seen last. */
  chromium: ChromiumProcess[];
  /** Sockets of the host's name services that a Chromium could have reached. */
  nameSockets: string[];
}

/** Where resolvers listen that answer without a packet: nscd(8), nss-resolve(8), nss-mdns, D-Bus. */
const nameSockets = [
  '/run/nscd/socket',
  '/run/systemd/resolve/io.systemd.Resolve',
  '/run/avahi-daemon/socket',
  '/run/dbus/system_bus_socket',
];

const { checkout, nameServer, errands } = JSON.parse(process.argv[2] ?? '') as {
  checkout: string;
  nameServer: string;
  errands: Errand[];
};
const { capsule, world } = await makeFakeHost();
const { url, caPath } = await startFakeSite(world, capsule.scratch, nameServer);
const user = await makeOrdinaryUser(capsule.scratch, checkout, caPath);
for (const path of nameSockets) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
}

const outcomes: Outcome[] = [];
for (const errand of errands) {
  await putTunDevice(errand.tunForAll ? '0666' : '0600');
  outcomes.push(await runErrand(errand));
}
process.stdout.write(JSON.stringify(outcomes), () => process.exit());

async function runErrand({ wrapper, args }: Errand): Promise<Outcome> {
  const named = (word: string): string => word.replaceAll('URL', url).replaceAll('HOME', user.home);
  const command = [...user.become, ...wrapper, 'towline', ...args.map(named)];
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: user.home,
    env: user.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const chromium = new Map<number, ChromiumProcess>();
  const reachable = new Set<string>();
  while (child.exitCode === null && child.signalCode === null) {
    for (const each of await chromiumProcesses()) {
      chromium.set(each.pid, each);
      // Those of trials: one that only tells its version runs outside.
      if (each.type !== 'browser' || each.profile === null) continue;
      for (const path of nameSockets) if (existsSync(`/proc/${each.pid}/root${path}`)) reachable.add(path);
    }
    await sleep(50);
  }
  const [status] = await ended;
  const [stdout, stderr] = await output;
  const recordFile = join(user.home, 'record.json');
  const pcap = join(user.home, 'pcap');
  const captures = existsSync(pcap) ? await readdir(pcap) : [];
  const outcome = {
    ...{ status, stdout, stderr },
    record: existsSync(recordFile) ? await readFile(recordFile, 'utf8') : null,
    questions: await Promise.all(captures.map((name) => nameQuestions(join(pcap, name)))),
    chromium: [...chromium.values()],
    nameSockets: [...reachable],
  };
  await rm(recordFile, { force: true });
  await rm(pcap, { recursive: true, force: true });
  return outcome;
}
