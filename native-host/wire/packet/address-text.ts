/** An IPv4 address in dotted decimal from its 32 bits. */
export function ipv4Text(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`;
}

/** An IPv6 address from its four 32-bit words, in the canonical form of RFC 5952. */
export function ipv6Text(w0: number, w1: number, w2: number, w3: number): string {
  const groups = [w0, w1, w2, w3].flatMap((word) => [word >>> 16, word & 0xffff]);
  // An IPv4-mapped address is told with its dots (RFC 5952 section 5).
  if (w0 === 0 && w1 === 0 && w2 === 0xffff) return `::ffff:${ipv4Text(w3)}`;
  const run = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (run.length < 2) return hex.join(':');
  return `${hex.slice(0, run.start).join(':')}::${hex.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let i = 0; i <= groups.length; i += 1) {
    if (groups[i] === 0) continue;
    if (i - start > best.length) best = { start, length: i - start };
    start = i + 1;
  }
  return best;
}
