/**
 * Entry of the `towline` command: wiring only. What a command does stands in commands/, and is read from disk when it
 * is asked for: a short command need not wait for what drives browsers.
 */
import { Command, CommanderError } from 'commander';
import { TowlineError, reportOf } from '../shared/errors/towline-error.ts';
import type { AnalyzeOptions } from './commands/analyze.ts';
import type { CompareOptions } from './commands/compare-options.ts';
import type { LabOptions } from './commands/lab-options.ts';
import type { InstallCommandOptions } from './commands/install.ts';
import type { LabDownOptions } from './commands/lab-down.ts';
import type { LabServeOptions } from './commands/lab-serve.ts';
import type { LabStatusOptions } from './commands/lab-status.ts';
import type { NetworkCheckOptions } from './commands/network-check.ts';
import type { NetworkProfilesOptions } from './commands/network-profiles.ts';
import type { OpenOptions } from './commands/open.ts';
import { towlineVersion } from './commands/towline-version.ts';
import type { UninstallCommandOptions } from './commands/uninstall.ts';
import type { WindowMessage } from './runs/window-message.ts';
import { openTerminal } from './terminal/terminal.ts';

const terminal = openTerminal(process.stdout, process.stderr, process.env);

const program = new Command('towline')
  .description('Compare HTTP/1.1, HTTP/2 and HTTP/3 on your own connection, from the packet up.')
  .version(towlineVersion)
  .showHelpAfterError('Run "towline COMMAND --help" to see what it takes.')
  .exitOverride();

program
  .command('compare')
  .description('load one page over several protocols, in random order, and compare them')
  .argument('<url>', 'an http(s) address, or lab:twitter, lab:youtube, lab:imgur')
  .option('--arms <list>', 'protocols to compare: h1, h2, h3, auto', 'h1,h2,h3')
  .option('--rounds <n>', 'blocks that count: one load of each arm in each (default: "10")')
  .option('--precision <percent>', 'go on until every interval is this narrow, such as 3% for ± 3 %')
  .option('--max-rounds <n>', 'with --precision: end here in any case (default: "50")')
  .option('--seed <n>', 'decides the order of loads; random when left out')
  .option('--gap <time>', 'pause between loads', '2s')
  .option('--browser <name>', 'the managed browser: chromium or one of its family, or firefox', 'chromium')
  .option('--headed', 'show the browser', false)
  .option('--network <kind>', 'auto, rootless, root or none', 'auto')
  .option('--shape <shape>', 'rtt=150ms,down=1mbit,up=1mbit,loss=0%,queue=256 or a profile such as 3g')
  .option('--shards <n>', 'lab: spread the page over 1 to 8 servers, each with a name and address of its own')
  .option('--ip <version>', 'lab: 4 or 6')
  .option('--server <name>', 'lab: caddy, or apache for --streams (HTTP/1.1 and 2 only)')
  .option('--streams <n>', 'lab: streams that apache allows at once on an HTTP/2 connection, 1 to 100')
  .option('--initcwnd <n>', "lab: TCP's initial window in segments, one for all servers or one for each")
  .option('--congestion <name>', "lab: TCP's congestion control, such as cubic, reno, bbr")
  .option('--timeout <time>', 'give a load up after this long', '60s')
  .option('--json <file>', 'write the record here')
  .option('--har <dir>', 'keep a HAR of every load here')
  .option('--pcap <dir>', 'keep the packets of every load here')
  .option('--keylog <dir>', 'keep the TLS keys of every load here')
  .option('--run-id <id>', 'used by the native-messaging host')
  .option('--owner-pid <pid>', 'end when this process ends; used by the native-messaging host')
  .option('--own-browser <version>', 'load in the browser that asks; used by the native-messaging host')
  .action(async (url: string, options: Omit<CompareOptions, 'url'> & LabOptions) => {
    const { compare } = await import('./commands/compare.ts');
    process.exitCode = await compare({ url, ...options }, terminal);
  });

program
  .command('open')
  .description('open a page in a browser window of its own that speaks one protocol, until you close it')
  .argument('<url>', 'an http(s) address')
  .requiredOption('--arm <name>', 'h1, h2, h3 or auto')
  .option('--browser <name>', 'chromium or one of its family, or firefox', 'chromium')
  .option('--headless', 'without a window: say what the page came over, and stay until Ctrl-C', false)
  .option('--owner-pid <pid>', 'end when this process ends; used by the native-messaging host')
  .action(async (url: string, options: Omit<OpenOptions, 'url'>) => {
    const tell = (message: WindowMessage): void => {
      // Only the native-messaging host listens.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    };
    try {
      const { open } = await import('./commands/open.ts');
      process.exitCode = await open({ url, ...options }, terminal, () => {
        tell({ type: 'opened' });
      });
    } catch (error) {
      tell({ type: 'failed', error: reportOf(error, 'browser') });
      throw error;
    }
  });

program
  .command('show')
  .description('print a record that was written earlier')
  .argument('<file>', 'written by compare --json')
  .option('--json', 'print the record itself, checked and in the present version', false)
  .action(async (file: string, { json }: { json: boolean }) => {
    const { show } = await import('./commands/show.ts');
    process.exitCode = await show({ file, json }, terminal);
  });

program
  .command('analyze')
  .description('read Time on Wire from captures: pcap or pcapng, gzipped or not')
  .argument('<file...>', 'capture files; - is standard input')
  .option('--keylog <file>', 'TLS keys (SSLKEYLOGFILE format): exact figures, and every request')
  .option('--split-idle <time>', 'a pause this long ends a page load, and what follows is another')
  .option('--json', 'print the analysis as JSON', false)
  .action(async (files: string[], options: Omit<AnalyzeOptions, 'files'>) => {
    const { analyze } = await import('./commands/analyze.ts');
    process.exitCode = await analyze({ files, ...options }, terminal);
  });

program
  .command('report')
  .description('write records as a page with charts that opens from disk')
  .argument('<file...>', 'written by compare --json')
  .requiredOption('-o, --output <dir>', 'directory for the page')
  .action(async (files: string[], { output }: { output: string }) => {
    const { report } = await import('./commands/report.ts');
    process.exitCode = await report({ files, output }, terminal.print);
  });

const host = (command: Command): Command =>
  command
    .option('--browser <name>', 'this browser alone')
    .option('--user-data-dir <dir>', 'a Chromium profile directory of its own')
    .option('--json', 'print the report as JSON', false);

host(program.command('install').description('make the native-messaging host known to your browsers')).action(
  async (options: InstallCommandOptions) => {
    const { install } = await import('./commands/install.ts');
    process.exitCode = await install(options, terminal.print);
  },
);

host(program.command('uninstall').description('take away what install made')).action(
  async (options: UninstallCommandOptions) => {
    const { uninstall } = await import('./commands/uninstall.ts');
    process.exitCode = await uninstall(options, terminal.print);
  },
);

program
  .command('doctor')
  .description('say what this machine has and lacks, and what mends it')
  .option('--clean', 'remove what dead runs left', false)
  .option('--json', 'print the report as JSON', false)
  .action(async (options: { clean: boolean; json: boolean }) => {
    const { doctor } = await import('./commands/doctor.ts');
    process.exitCode = await doctor({ ...options, color: terminal.format.color }, terminal.print);
  });

const lab = program.command('lab').description("the lab's own site");

lab
  .command('serve')
  .description("serve the lab's pages on this machine over HTTP/1.1, 2 and 3, until Ctrl-C")
  .option('--port <port>', 'TCP and UDP port on the loopback')
  .option('--shards <n>', 'spread each page over 1 to 8 servers, on ports in a row')
  .option('--server <name>', 'caddy, or apache for --streams (HTTP/1.1 and 2 only)')
  .option('--streams <n>', 'streams that apache allows at once on an HTTP/2 connection, 1 to 100')
  .action(async (options: LabServeOptions) => {
    const { serveLabUntilTold } = await import('./commands/lab-serve.ts');
    process.exitCode = await serveLabUntilTold(options, terminal.print);
  });

lab
  .command('status')
  .description('say which labs of yours run, since when, and on what addresses')
  .option('--json', 'print them as JSON', false)
  .action(async (options: LabStatusOptions) => {
    const { showLabs } = await import('./commands/lab-status.ts');
    process.exitCode = await showLabs(options, terminal.print);
  });

lab
  .command('down')
  .description('end a lab of yours; a comparison keeps what it measured')
  .argument('[id]', 'as lab status says; not needed where only one runs')
  .option('--all', 'end all of yours', false)
  .option('--json', 'print what was ended as JSON', false)
  .action(async (id: string | undefined, options: LabDownOptions) => {
    const { takeLabsDown } = await import('./commands/lab-down.ts');
    process.exitCode = await takeLabsDown(id ?? null, options, terminal.print);
  });

const network = program.command('network').description('shaped networks');

network
  .command('check')
  .description('make a shaped network, measure it, and say both what was asked and what was found')
  .requiredOption('--shape <shape>', 'as for compare; docs/networks.md has all that can be asked for')
  .option('--family <family>', 'IPv4 or IPv6 alone')
  .option('--queue', 'also measure the round trip while the queue is full', false)
  .option('--json', 'print the measurement as JSON', false)
  .action(async (options: NetworkCheckOptions) => {
    const { checkNetwork } = await import('./commands/network-check.ts');
    process.exitCode = await checkNetwork(options, terminal.print);
  });

network
  .command('profiles')
  .description('list the networks that --shape knows by name')
  .option('--json', 'print the list as JSON', false)
  .action(async (options: NetworkProfilesOptions) => {
    const { listNetworkProfiles } = await import('./commands/network-profiles.ts');
    process.exitCode = listNetworkProfiles(options, terminal.print);
  });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitStatusOf(error);
}

function exitStatusOf(error: unknown): number {
  // commander has printed its own message: help and version end well, everything else is wrong use.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  terminal.error(reportOf(error, 'arguments'));
  return error instanceof TowlineError ? error.exitStatus : 1;
}
