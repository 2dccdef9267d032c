/** Times since 1970 in a double are good to a quarter of a microsecond: further digits are noise. */
export function roundedMs(valueMs: number): number {
  return Math.round(valueMs * 1e4) / 1e4;
}
