import { readFile } from 'node:fs/promises';
import { openPacketSource } from '../../native-host/capture/open-packet-source.ts';
import type { OnPacket } from '../../native-host/capture/packet-source.ts';
import { WireAnalyzer } from '../../native-host/wire/analyzer.ts';
import type { Wire } from '../../shared/record/wire.ts';

interface Watched {
  /** Of the server, on the loopback. */
  port: number;
  /** The browser's, which grows. */
  keyLogFile: string;
  /** Of the page. */
  url: string;
}

/** What the packets on the loopback say of all that passed to and from a port while something was done. */
export async function packetsDuring<Result>(
  { port, keyLogFile, url }: Watched,
  during: () => Promise<Result>,
): Promise<{ result: Result; wire: Wire }> {
  let onPacket: OnPacket = () => undefined;
  const source = await openPacketSource({
    interface: 'lo',
    filter: `port ${port}`,
    snapLength: 262_144,
    onPacket: (...packet) => {
      onPacket(...packet);
    },
  });
  const analyzer = new WireAnalyzer({
    linkType: source.linkType,
    clientAddresses: ['127.0.0.1', '::1'],
  });
  onPacket = (...packet) => {
    analyzer.push(...packet);
  };
  source.start();
  let result: Result;
  try {
    result = await during();
  } finally {
    await source.stop();
  }
  analyzer.addKeyLog(await readFile(keyLogFile, 'utf8'));
  return { result, wire: analyzer.finish({ requests: null, hosts: [new URL(url).hostname] }) };
}
