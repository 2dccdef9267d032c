import pico from 'picocolors';
import type { WireRequest } from '../../shared/record/wire.ts';
import { plainTable } from '../terminal/plain-table.ts';
import type { TerminalFormat } from '../terminal/terminal.ts';

/** Narrowest bar that still says something. */
const leastBarWidth = 16;
const widestPath = 32;

/** Requests drawn; a page has fewer, a capture of a whole day thousands. */
const maxRequests = 500;

/** The wire waterfall: when each request was sent (`-`), waited for (`.`) and answered (`=`), by its packets. */
export function waterfallText(all: readonly WireRequest[], { color, width }: TerminalFormat): string {
  const requests = all.slice(0, maxRequests);
  const colors = pico.createColors(color);
  const endMs = Math.max(...requests.map((r) => r.responseLastAtMs ?? r.requestLastAtMs));
  const startMs = Math.min(...requests.map((r) => r.requestFirstAtMs));
  const columns = requests.map((request) => [
    `${request.flowId}/${request.streamId}`,
    shortened(`${request.method ?? '?'} ${request.path ?? '?'}`),
    `${request.status ?? ''}`,
    `${request.responseBytes} B`,
    request.requestFirstAtMs.toFixed(1),
    request.responseLastAtMs === null ? '' : (request.responseLastAtMs - request.requestFirstAtMs).toFixed(1),
  ]);
  const head = ['Flow', 'Request', 'Status', 'Bytes', 'At ms', 'Took ms', ''];
  const used = head
    .slice(0, 6)
    .map((name, i) => Math.max(name.length, ...columns.map((c) => c[i]?.length ?? 0)));
  const barWidth = Math.max(leastBarWidth, width - used.reduce((sum, size) => sum + size + 2, 2));
  const rows = requests.map((request, i) => [
    ...(columns[i] ?? []),
    bar(request, startMs, endMs - startMs, barWidth),
  ]);
  const table = plainTable(
    ['right', 'left', 'right', 'right', 'right', 'right', 'left'],
    [head.map((cell) => colors.bold(cell)), ...rows],
    2,
  );
  const undrawn = all.length - requests.length;
  return undrawn === 0 ? table : `${table}\n... and ${undrawn} more requests`;
}

function bar(request: WireRequest, startMs: number, lengthMs: number, width: number): string {
  const place = (atMs: number): number =>
    lengthMs === 0 ? 0 : Math.min(width - 1, Math.floor(((atMs - startMs) / lengthMs) * width));
  const sent = place(request.requestFirstAtMs);
  const asked = place(request.requestLastAtMs);
  const first = place(request.responseFirstAtMs ?? request.requestLastAtMs);
  const last = place(request.responseLastAtMs ?? request.responseFirstAtMs ?? request.requestLastAtMs);
  const cells = Array.from({ length: last + 1 }, (_, i) => {
    if (i < sent) return ' ';
    if (request.responseFirstAtMs !== null && i >= first) return '=';
    return i <= asked ? '-' : '.';
  });
  return cells.join('');
}

function shortened(text: string): string {
  return text.length <= widestPath ? text : `${text.slice(0, widestPath - 1)}…`;
}
