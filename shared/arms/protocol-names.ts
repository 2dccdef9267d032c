import type { Arm, Protocol } from '../record/arm.ts';

/** Browsers name protocols by ALPN id, with drafts and old spellings: `http/1.1`, `h2`, `h3`, `h3-29`. */
export function protocolOf(name: string | null): Protocol | null {
  if (name === null || name === '') return null;
  const lower = name.toLowerCase();
  if (lower.startsWith('http/1')) return 'h1';
  if (lower === 'h2' || lower === 'h2c') return 'h2';
  if (lower === 'h3' || lower.startsWith('h3-') || lower.includes('quic')) return 'h3';
  return 'other';
}

/** The protocol an arm must be seen to use; null for `auto`, where any will do. */
export function intendedProtocol(arm: Arm): Protocol | null {
  return arm === 'auto' ? null : arm;
}
