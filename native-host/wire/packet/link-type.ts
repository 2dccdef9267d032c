/** Link types read here, by their LINKTYPE_ numbers (https://www.tcpdump.org/linktypes.html). */
export const linkType = {
  null: 0,
  ethernet: 1,
  raw: 101,
  loop: 108,
  linuxCooked: 113,
  ipv4: 228,
  ipv6: 229,
  linuxCooked2: 276,
} as const;

/** DLT_RAW is 12 or 14, by system, where a live capture tells a DLT_ instead of a LINKTYPE_. */
export const rawDltNumbers: readonly number[] = [12, 14];

const names = new Map<number, string>(Object.entries(linkType).map(([name, number]) => [number, name]));

/** Whether frames of this link type can be read. */
export function isKnownLinkType(number: number): boolean {
  return names.has(number) || rawDltNumbers.includes(number);
}
