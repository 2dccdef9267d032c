/** What stands for a value that is missing; the reason is said elsewhere. */
export const missing = '–';

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Times in ms: one decimal below 100, none above, where it would only pretend to precision. */
export function formatMs(ms: number | null): string {
  return ms === null ? missing : `${bareMs(ms)} ms`;
}

/** The same without the unit, for tables that have it in their header. */
export function bareMs(ms: number | null): string {
  if (ms === null) return missing;
  return Math.abs(ms) < 100 ? oneDecimal.format(ms) : whole.format(ms);
}

/** "p10 – p90" of a summary, in ms. */
export function formatRange(low: number, high: number): string {
  return `${bareMs(low)} – ${bareMs(high)}`;
}

/** A share 0..1 as percent. What is not all never shows as 100 %. */
export function formatShare(share: number | null): string {
  if (share === null) return missing;
  const percent = share * 100;
  const shown = share < 1 && percent > 99.9 ? 99.9 : percent;
  return `${oneDecimal.format(shown)} %`;
}

/** Percent, as given. Small ones with a decimal. */
export function formatPercent(percent: number): string {
  return `${barePercent(percent)} %`;
}

export function barePercent(percent: number): string {
  const rounded = Math.abs(percent) < 10 ? oneDecimal.format(percent) : whole.format(percent);
  return rounded.replace(/^-(0([.,]0)?)$/, '$1').replace(/^-/, '−');
}

/** With its sign, for differences: "+3", "−2". */
export function signedPercent(percent: number): string {
  const text = barePercent(percent);
  return percent > 0 && !/^0([.,]0)?$/.test(text) ? `+${text}` : text;
}

/** A confidence 0..1 as percent without its sign: "95", "98.3". */
export function percentOf(confidence: number): string {
  return oneDecimal.format(confidence * 100);
}

/** A count, or a mean of counts: one decimal where it is not whole. */
export function formatCount(count: number): string {
  return oneDecimal.format(count);
}

/** Decimal units, as networks count. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return missing;
  if (bytes < 1000) return `${whole.format(bytes)} B`;
  if (bytes < 1_000_000) return `${oneDecimal.format(bytes / 1000)} kB`;
  return `${oneDecimal.format(bytes / 1_000_000)} MB`;
}

export function formatRate(bitsPerSecond: number | null): string {
  if (bitsPerSecond === null) return missing;
  if (bitsPerSecond < 1_000_000) return `${oneDecimal.format(bitsPerSecond / 1000)} kbit/s`;
  return `${oneDecimal.format(bitsPerSecond / 1_000_000)} Mbit/s`;
}

/** Day and minute, in the reader's own zone. */
export function formatDate(iso: string): string {
  return moment.format(new Date(iso));
}

/** The day alone, for axes. @param epochMs ms since 1970 */
export function formatDay(epochMs: number): string {
  return day.format(epochMs);
}

/** "4 min", "35 s": how long something still takes, never more exact than it is known. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
