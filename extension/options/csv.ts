import type { ComparisonRecord } from '../../shared/record/record.ts';
import { metrics } from '../../shared/record/statistics.ts';
import { metricOf } from '../../shared/stats/counted-blocks.ts';
import { phaseOrder } from '../charts/names.ts';
import { waterfallRows } from '../charts/waterfall-rows.ts';

type Cell = string | number | boolean | null;

/** One row per trial, RFC 4180; times in ms, an unknown value empty. */
export function trialsCsv(record: ComparisonRecord): string {
  const header = ['trial', 'block', 'attempt', 'arm', 'warmup', 'started_at', 'valid', 'reasons'];
  const figures = [
    'bytes_down',
    'bytes_up',
    'packets_down',
    'packets_up',
    'request_share',
    'wire_byte_share',
  ];
  return csv([
    [...header, ...metrics.map(snakeCase), ...figures],
    ...record.trials.map((trial): Cell[] => [
      trial.index,
      trial.block,
      trial.attempt,
      trial.arm,
      trial.warmup,
      trial.startedAt,
      trial.verdict.valid,
      trial.verdict.reasons.join('; '),
      ...metrics.map((metric) => metricOf(trial, metric)),
      trial.wire?.bytesDown ?? null,
      trial.wire?.bytesUp ?? null,
      trial.wire?.packetsDown ?? null,
      trial.wire?.packetsUp ?? null,
      trial.treatment.requestShare,
      trial.treatment.wireByteShare,
    ]),
  ]);
}

/** One row per request of every trial; times in ms since the navigation started, an unknown value empty. */
export function requestsCsv(record: ComparisonRecord): string {
  const header = [
    'trial',
    'arm',
    'valid',
    'url',
    'type',
    'protocol',
    'status',
    'transfer_bytes',
    'body_bytes',
  ];
  const times = ['started_at_ms', 'ended_at_ms', ...phaseOrder.map(snakeCase)];
  const wire = ['wire_request_at_ms', 'wire_first_byte_at_ms', 'wire_last_byte_at_ms'];
  return csv([
    [...header, ...times, ...wire],
    ...record.trials.flatMap((trial) =>
      waterfallRows(trial).map(({ resource, wire: onWire }): Cell[] => [
        trial.index,
        trial.arm,
        trial.verdict.valid,
        resource.url,
        resource.type,
        resource.protocol,
        resource.status,
        resource.transferBytes,
        resource.bodyBytes,
        resource.startedAtMs,
        resource.endedAtMs,
        ...phaseOrder.map((phase) => resource.phases[phase]),
        onWire?.requestMs ?? null,
        onWire?.firstByteMs ?? null,
        onWire?.lastByteMs ?? null,
      ]),
    ),
  ]);
}

function csv(rows: readonly Cell[][]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // A leading =, +, - or @ would be run as a formula by spreadsheets: addresses come from strangers' pages.
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
