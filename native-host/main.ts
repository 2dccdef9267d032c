/** Entry of the native-messaging host, started by the browser: wiring only. See messaging/PROTOCOL.md. */
import { join } from 'node:path';
import { openPacketSource } from './capture/open-packet-source.ts';
import { towlineVersion } from './commands/towline-version.ts';
import { FrameReader } from './messaging/frame-codec.ts';
import { FrameWriter } from './messaging/frame-writer.ts';
import { HostLog } from './messaging/host-log.ts';
import { HostPort } from './messaging/host-port.ts';
import { ConnectRelay } from './relay/connect-relay.ts';
import { clientName } from './runs/client-name.ts';
import { RunKeeper } from './runs/run-keeper.ts';
import { stateDirectory } from './runs/state-directory.ts';
import { WindowOpener } from './runs/window-opener.ts';
import { webInterface } from './watching/web-interface.ts';
import { WireWatch } from './watching/wire-watch.ts';

const hostLog = new HostLog(join(stateDirectory(), 'host.log'));
const log = (line: string): void => {
  hostLog.write(line);
};
const browser = new FrameWriter(process.stdout);

const command = [process.execPath, join(import.meta.dirname, 'cli.js')] as const;
const runs = new RunKeeper({
  command,
  client: await clientName(process.argv.slice(2), process.ppid),
  browserPid: process.ppid,
  onStatus: (run) => {
    browser.send({ type: 'run', run }).catch(closed);
  },
  onOwnCall: (runId, callId, call) => {
    browser.send({ type: 'own-call', runId, callId, call }).catch(closed);
  },
  onOwnStop: (runId) => {
    browser.send({ type: 'own-stop', runId }).catch(closed);
  },
  log,
});
const relay = new ConnectRelay({
  onTunnel: () => {
    log('relay: a tunnel');
  },
});
// The variable is for labs, whose pages come by another interface than the web's.
const { TOWLINE_WATCH_INTERFACE: labInterface } = process.env;
const watch = new WireWatch({
  findInterface: () => (labInterface ? Promise.resolve(labInterface) : webInterface()),
  openSource: openPacketSource,
});
const port = new HostPort({
  runs,
  windows: new WindowOpener({ command, browserPid: process.ppid }),
  relay,
  watch,
  hostVersion: towlineVersion,
  send: (message) => browser.send(message),
  log,
});

process.stdout.on('error', closed);
const frames = new FrameReader();
for await (const bytes of process.stdin) {
  for (const frame of frames.push(bytes as Buffer)) await port.receive(frame);
}
runs.close();
await relay.stop();
await watch.stop();

/** The browser has closed its end: nobody is left to answer. The runs go on. */
function closed(error: unknown): void {
  log(`closed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit();
}
