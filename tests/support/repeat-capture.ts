import { open, readFile } from 'node:fs/promises';
import { pcapFileHeaderBytes } from '../../native-host/wire/capture-file/pcap-format.ts';

const frameHeaderBytes = 16;
const ethernetBytes = 14;
/** Of tcpdump's page loads and iperf3's transfers; the other port of a packet is the client's. */
const serverPorts: readonly number[] = [443, 5201];

/**
 * Writes a little-endian pcap file of Ethernet frames so many times in a row into another, each time later, and from
 * the next client port: the connections of each time are new ones.
 */
export async function repeatCapture(from: string, to: string, times: number): Promise<void> {
  const bytes = await readFile(from);
  const file = await open(to, 'w');
  try {
    await file.write(bytes.subarray(0, pcapFileHeaderBytes));
    const frames = bytes.subarray(pcapFileHeaderBytes);
    const first = frames.readUInt32LE(0);
    let last = first;
    eachFrame(frames, (header) => (last = Math.max(last, frames.readUInt32LE(header))));
    for (let time = 0; time < times; time += 1) {
      for (let at = 0; at < frames.length;) at += (await file.write(frames, at)).bytesWritten;
      eachFrame(frames, (header, frame) => {
        frames.writeUInt32LE(frames.readUInt32LE(header) + last - first + 1, header);
        nextClientPort(frame);
      });
    }
  } finally {
    await file.close();
  }
}

/** @param visit gets where the frame's header stands, and the frame */
function eachFrame(frames: Buffer, visit: (header: number, frame: Buffer) => void): void {
  for (let at = 0; at + frameHeaderBytes <= frames.length;) {
    const end = at + frameHeaderBytes + frames.readUInt32LE(at + 8);
    visit(at, frames.subarray(at + frameHeaderBytes, end));
    at = end;
  }
}

/** Of an IPv4 or IPv6 packet with TCP or UDP behind its header. */
function nextClientPort(frame: Buffer): void {
  if (frame.length < ethernetBytes + 60) return;
  const isIpv4 = frame.readUInt16BE(12) === 0x0800;
  const protocol = frame[ethernetBytes + (isIpv4 ? 9 : 6)];
  if (protocol !== 6 && protocol !== 17) return;
  const portsAt = ethernetBytes + (isIpv4 ? ((frame[ethernetBytes] ?? 0) & 0x0f) * 4 : 40);
  const clientAt = serverPorts.includes(frame.readUInt16BE(portsAt)) ? portsAt + 2 : portsAt;
  frame.writeUInt16BE((frame.readUInt16BE(clientAt) + 1) & 0xffff, clientAt);
}
