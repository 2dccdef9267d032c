import pico from 'picocolors';
import type { AnalyzedFile } from '../../shared/record/analysis.ts';
import type { Figure, Wire, WireFlow } from '../../shared/record/wire.ts';
import { fold } from '../terminal/fold.ts';
import { plainTable } from '../terminal/plain-table.ts';
import type { TerminalFormat } from '../terminal/terminal.ts';
import { waterfallText } from './waterfall-text.ts';

/** Flows listed one by one; a capture of a whole day has thousands. */
const maxFlows = 40;

/** One capture file for the terminal: each page load with its figures, flows and, keyed, its waterfall. */
export function analysisText({ file, loads }: AnalyzedFile, format: TerminalFormat): string {
  const colors = pico.createColors(format.color);
  return loads
    .map((load, i) => {
      const title = loads.length === 1 ? file : `${file}, load ${i + 1} of ${loads.length}`;
      return [colors.bold(title), ...loadSections(load, format)].join('\n\n');
    })
    .join('\n\n\n');
}

function loadSections(load: Wire, format: TerminalFormat): string[] {
  const colors = pico.createColors(format.color);
  const sections = load.epochMs === null ? ['No page load.'] : [figures(load)];
  if (load.flows.length > 0) sections.push(flows(load.flows, colors));
  const pageRequests = load.requests.filter((request) => request.page);
  if (pageRequests.length > 0) sections.push(waterfallText(pageRequests, format));
  const others = Object.entries(load.otherPackets).map(([name, count]) => `${name} ${count}`);
  if (others.length > 0) {
    sections.push(colors.dim(fold(`Packets besides the page's: ${others.join(', ')}.`, format.width)));
  }
  for (const note of load.notes) sections.push(fold(`- ${note}`, format.width, '  '));
  return sections;
}

function figures(load: Wire): string {
  const { firstRequestAtMs, lastResponseAtMs } = load;
  const from = firstRequestAtMs.value === null ? '' : `first request at ${milliseconds(firstRequestAtMs)}`;
  const to = lastResponseAtMs.value === null ? '' : `last response at ${milliseconds(lastResponseAtMs)}`;
  const rows = [
    ['Time on Wire', milliseconds(load.timeOnWireMs), [from, to].filter((part) => part !== '').join(', ')],
    ['Setup', milliseconds(load.setupMs), 'first packet to first request'],
    ['Total', milliseconds(load.wireTotalMs), 'first packet to last response'],
    [
      'Read',
      load.method,
      load.method === 'keyed' ? 'exactly, with its keys' : 'from lengths and times alone',
    ],
    [
      'Bytes',
      `${bytes(load.bytesDown)} down, ${bytes(load.bytesUp)} up`,
      `${load.retransmissionsDown} resent`,
    ],
  ];
  return plainTable(['left', 'left', 'left'], rows);
}

function milliseconds({ value, errorBoundMs, missing }: Figure): string {
  if (value === null) return missing ?? 'unknown';
  const bound = errorBoundMs === null || errorBoundMs === 0 ? '' : ` (± ${errorBoundMs.toFixed(1)})`;
  return `${value.toFixed(1)} ms${bound}`;
}

function flows(all: readonly WireFlow[], colors: ReturnType<typeof pico.createColors>): string {
  // The page's flows first; the rest is context.
  const listed = all.toSorted((a, b) => Number(b.page) - Number(a.page)).slice(0, maxFlows);
  const head = ['Flow', '', 'Server', 'RTT', 'Handshake', 'Down', 'Up', 'Resent', 'IW', 'Limit', 'Requests'];
  const rows = listed.map((flow) => {
    const cells = [
      `${flow.id}`,
      flow.protocol ?? flow.transport,
      flow.sni ?? `${flow.serverAddress} ${flow.serverPort}`,
      duration(flow.handshakeRttMs),
      duration(flow.handshakeMs),
      bytes(flow.bytesDown),
      bytes(flow.bytesUp),
      `${flow.retransmissionsDown ?? ''}`,
      `${flow.initialWindowPackets ?? ''}`,
      `${flow.streamLimit ?? ''}`,
      `${flow.requests ?? ''}`,
    ];
    return flow.page ? cells : cells.map((cell) => colors.dim(cell));
  });
  const unlisted = all.length - listed.length;
  const pageFlows = all.filter((flow) => flow.page).length;
  const table = plainTable(
    ['right', 'left', 'left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
    [head.map((cell) => colors.bold(cell)), ...rows],
    2,
  );
  if (unlisted === 0) return table;
  const ofPage = Math.max(0, pageFlows - listed.length);
  return `${table}\n... and ${unlisted} more flows, ${ofPage === 0 ? 'none' : ofPage} of them the page's`;
}

function duration(ms: number | null): string {
  return ms === null ? '' : `${ms.toFixed(1)} ms`;
}

function bytes(count: number): string {
  if (count < 10_000) return `${count} B`;
  return count < 10_000_000 ? `${Math.round(count / 1000)} kB` : `${Math.round(count / 1e6)} MB`;
}
