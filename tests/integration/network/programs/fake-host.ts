/**
 * Runs the given capsules on a fake host, one after another, beside a world with a web server that tells who asks,
 * and prints what each printed and what the host looked like before and after.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFakeHost, putTunDevice } from '../../../support/fake-host.ts';

/** Tells the address of whoever asks, on all addresses. */
const whoAsks = `
require('node:http').createServer((request, response) => {
  response.end(request.socket.remoteAddress.replace('::ffff:', ''));
}).listen(80, '::', () => process.stdout.write('up'));
`;

const { world } = await makeFakeHost();
await putTunDevice('0666');
const serve = [...world.enter, process.execPath, '-e', whoAsks];
const server = spawn(serve[0] ?? '', serve.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
await once(server.stdout, 'data');

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
