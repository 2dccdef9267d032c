/** A document's protocol in the few letters that the toolbar button holds; empty when it is unknown. */
export function protocolBadge(nextHopProtocol: string | null): string {
  if (nextHopProtocol === null) return '';
  if (nextHopProtocol.startsWith('http/1')) return 'h1';
  return nextHopProtocol.replace(/^(h[23]).*$/, '$1').slice(0, 4);
}
