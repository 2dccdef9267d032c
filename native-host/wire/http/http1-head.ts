import type { Http1Fields } from './http1-framing.ts';

/** RFC 9112 section 3. */
export function parseRequestLine(line: string): { method: string; target: string } | null {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.\d$/.exec(line);
  return match ? { method: match[1]!, target: match[2]! } : null;
}

/** @returns the status code; RFC 9112 section 4 */
export function parseStatusLine(line: string): number | null {
  const match = /^HTTP\/1\.\d (\d{3})(?: |$)/.exec(line);
  return match ? Number(match[1]) : null;
}

/** The fields after a start line. Lines that are no field are passed over. */
export function parseFields(lines: readonly string[]): Http1Fields {
  const fields = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return fields;
}

/** Where a request goes: RFC 9112 section 3.2. */
export function resolveTarget(
  method: string,
  target: string,
  host: string | null,
): { authority: string | null; path: string | null } {
  if (method === 'CONNECT') return { authority: target, path: null };
  // The absolute form, as sent to a proxy.
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (!absolute) return { authority: host, path: target };
  return { authority: absolute[1]!, path: absolute[2] === '' ? '/' : absolute[2]! };
}
