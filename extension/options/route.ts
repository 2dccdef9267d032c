/** A place in the results pages, kept in the address's hash so that back and reload work from disk too. */
export type Route =
  | { page: 'overview' }
  | { page: 'settings' }
  | { page: 'recorder' }
  | { page: 'comparison'; id: string }
  | { page: 'trial'; id: string; index: number }
  | { page: 'versus'; first: string; second: string };

/** Whatever is not a known route is the overview. */
export function parseRoute(hash: string): Route {
  const [page, id, part, index] = hash.replace(/^#\/?/, '').split('/').map(decode);
  if (page === 'settings' || page === 'recorder') return { page };
  if (page === 'versus' && id && part) return { page, first: id, second: part };
  if (page !== 'comparison' || !id) return { page: 'overview' };
  if (part === 'load' && /^\d+$/.test(index ?? '')) return { page: 'trial', id, index: Number(index) };
  return { page, id };
}

export function hashOf(route: Route): string {
  switch (route.page) {
    case 'overview':
      return '#/';
    case 'settings':
      return '#/settings';
    case 'recorder':
      return '#/recorder';
    case 'comparison':
      return `#/comparison/${encodeURIComponent(route.id)}`;
    case 'trial':
      return `#/comparison/${encodeURIComponent(route.id)}/load/${route.index}`;
    case 'versus':
      return `#/versus/${encodeURIComponent(route.first)}/${encodeURIComponent(route.second)}`;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
