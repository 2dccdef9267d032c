/**
 * A host that a test can do with as it likes, in a capsule of kind `lab`: an interface `wan`, addresses of the
 * blocks for documentation, and behind them a world with a web server that tells who asks. Runs the given capsules
 * in it, one after another, and prints what each printed and what the host looked like before and after.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { enterCapsule, setNameLookup } from '../../../../native-host/network/enter-capsule.ts';
import { addVeth, linkMac } from '../../../../native-host/network/links.ts';
import { addNamespace, nameMainNamespace } from '../../../../native-host/network/namespaces.ts';
import { runIpBatch, runTool } from '../../../../native-host/network/run-tool.ts';

/** Tells the address of whoever asks, on all addresses. */
const whoAsks = `
require('node:http').createServer((request, response) => {
  response.end(request.socket.remoteAddress.replace('::ffff:', ''));
}).listen(80, '::', () => process.stdout.write('up'));
`;

const capsule = await enterCapsule();
const main = await nameMainNamespace();
const world = await addNamespace('world', 'host');
await addVeth(
  { namespace: world, device: 'host', mac: linkMac(0, 1, 'outer'), v4: '203.0.113.1', v6: '2001:db8::1' },
  { namespace: main, device: 'wan', mac: linkMac(0, 1, 'inner'), v4: '203.0.113.2', v6: '2001:db8::2' },
  1400,
);
await runIpBatch(
  [],
  [
    ['link', 'set', 'lo', 'up'],
    // As every real interface has one; pasta leaves IPv6 out without it.
    ['address', 'add', 'fe80::2/64', 'dev', 'wan', 'nodad'],
    ['route', 'add', '0.0.0.0/0', 'via', '203.0.113.1'],
    ['route', 'add', '::/0', 'via', '2001:db8::1'],
  ],
);
await setNameLookup(capsule, { hosts: [], nameservers: ['203.0.113.1'] });
const serve = [...world.enter, process.execPath, '-e', whoAsks];
const server = spawn(serve[0] ?? '', serve.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
await once(server.stdout, 'data');

// What the host's own directory for dead runs would hold, and a tun device as ordinary distributions have it.
await runTool(['mount', '-t', 'tmpfs', 'tmpfs', '/var/lib']);
await mkdir('/run/device');
await runTool(['mount', '-t', 'tmpfs', '-o', 'mode=755,dev', 'tmpfs', '/run/device']);
await runTool(['mknod', '-m', '0666', '/run/device/tun', 'c', '10', '200']);
await runTool(['mount', '--bind', '/run/device/tun', '/dev/net/tun']);

const look = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' });
const routes = () => look('ip', 'route', 'show', 'table', 'all') + look('ip', '-br', 'link');
const settings = () =>
  look('sysctl', 'net.ipv4.conf.wan.forwarding', 'net.ipv4.ip_forward', 'net.ipv6.conf.all.forwarding') +
  look('sysctl', '-a', '--pattern', 'ipv6.conf.wan.force_forwarding');
const rules = () => look('nft', 'list', 'ruleset');
const state = () => ({ routes: routes(), settings: settings(), rules: rules() });

const before = state();
const runs: { output: string; left: ReturnType<typeof state> }[] = [];
for (const command of JSON.parse(process.argv[2] ?? '') as string[][]) {
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  await once(child, 'close');
  // The kernel takes namespaces down in its own time.
  const deadline = Date.now() + 10_000;
  while (routes() + rules() !== before.routes + before.rules && Date.now() < deadline) await sleep(50);
  runs.push({ output, left: state() });
}
process.stdout.write(JSON.stringify({ before, runs }), () => process.exit());
