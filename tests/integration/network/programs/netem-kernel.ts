/**
 * Opens the network of a comparison on a kernel that has netem, by the very code that does so on the user's machine:
 * a User-Mode Linux guest is that kernel. Programs of these names, first on the PATH, hand what they are told to the
 * guest, which sees the same files and runs the real ones. Prints what the guest's kernel says of the network.
 * Argument: `{shape}`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { enterCapsule } from '../../../../native-host/network/enter-capsule.ts';
import { addNamespace } from '../../../../native-host/network/namespaces.ts';
import { toolPath } from '../../../../native-host/network/find-tool.ts';
import { openTrialNetwork } from '../../../../native-host/network/trial-network.ts';
import { UmlGuest } from '../../../../native-host/network/uml-guest.ts';
import type { Shape } from '../../../../shared/record/path.ts';

const { shape } = JSON.parse(process.argv[2] ?? '') as { shape: Shape };
/** The guest's first program sets no PATH for what it starts, and nsenter looks for its command there. */
const withPath = ['env', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'];
let batches = 0;
let last: Promise<unknown> = Promise.resolve();
const { scratch } = await enterCapsule();
const guest = await UmlGuest.boot(scratch, [], []);
const modules = (await guest.run(['uname', '-r'])).trim();
await guest.run(['insmod', `/usr/lib/uml/modules/${modules}/kernel/drivers/net/veth.ko`]);
await sendToolsToGuest();

const [edge, far] = [await addNamespace('edge', 'router'), await addNamespace('far', 'host')];
const network = await openTrialNetwork({
  ...{ block: 0, edge, far, shape, mtuBytes: 1500, ipv6: true, scratch },
});
const trial = await network.openTrial();
const router = [...withPath, 'nsenter', '--net=/run/netns/router', '--'];
const told = {
  router: network.router?.kind,
  qdiscs: JSON.parse(await guest.run([...router, 'tc', '-json', 'qdisc', 'show'])) as unknown,
  classes: await guest.run([...router, 'tc', 'class', 'show', 'dev', 'to-browser']),
  routes: await guest.run([...withPath, ...trial.enter, 'ip', 'route']),
  refusedAfterMs: await refusalTimes(network.farAddresses[0] ?? ''),
};
await trial.close();
await network.close();
await guest.close();
process.stdout.write(JSON.stringify(told), () => process.exit());

/** How long connections take to be refused, which is one round trip each, ms. In the trial's namespace. */
async function refusalTimes(address: string): Promise<number[]> {
  const script = join(scratch, 'refusals');
  const lines = [
    'for attempt in 1 2 3 4 5; do',
    '  begin=$EPOCHREALTIME',
    `  : 2>/dev/null </dev/tcp/${address}/9`,
    '  end=$EPOCHREALTIME',
    '  echo $((${end/./} - ${begin/./}))',
    'done 2>/dev/null',
  ];
  await writeFile(script, lines.join('\n'));
  const output = await guest.run([...trial.enter, 'bash', script]);
  return output.split('\n').map((micros) => Number(micros) / 1000);
}

/**
 * Hands its name, its arguments and its standard input to a socket, and ends as it is told there. In Perl, since it is
 * run often, and starts in a tenth of the time that Node takes.
 */
function forwarder(socket: string): string {
  return `#!/usr/bin/perl
use IO::Socket::UNIX;
my $guest = IO::Socket::UNIX->new(Peer => '${socket}') or die;
my ($name) = $0 =~ m{([^/]+)$};
print $guest join(' ', $name, @ARGV), "\\n", <STDIN>;
$guest->shutdown(1);
my ($status, @output) = <$guest> or die;
print { $status == 0 ? STDOUT : STDERR } @output;
exit $status;
`;
}

async function sendToolsToGuest(): Promise<void> {
  const directory = join(scratch, 'tools');
  const socket = join(scratch, 'guest.socket');
  await mkdir(directory);
  for (const name of ['ip', 'tc', 'nsenter', 'unshare', 'sysctl', 'ethtool']) {
    await writeFile(join(directory, name), forwarder(socket), { mode: 0o755 });
  }
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    let told = '';
    connection.on('data', (data: Buffer) => (told += data.toString()));
    connection.once('end', () => {
      const [command = '', ...input] = told.split('\n');
      void inGuest(command.split(' '), input.join('\n')).then((answer) => connection.end(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  server.unref();
  process.env.PATH = `${directory}:${toolPath()}`;
}

/** @returns exit status and output, each beginning a line */
async function inGuest(argv: readonly string[], input: string): Promise<string> {
  let command = argv;
  if (input !== '') {
    // The guest's commands have no standard input, but they see this file.
    const batch = join(scratch, `batch-${++batches}`);
    await writeFile(batch, input);
    command = argv.map((word) => (word === '-' ? batch : word));
  }
  // One after the other: what the guest says of several at once cannot be told apart.
  const answer = last.then(() => guest.run([...withPath, ...command]));
  last = answer.catch(() => undefined);
  try {
    return `0\n${await answer}`;
  } catch (error) {
    return `1\n${String(error)}`;
  }
}
