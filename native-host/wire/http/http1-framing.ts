/** How the body after a head is delimited: RFC 9112 section 6.3. */
export type Http1Framing =
  /** Body bytes are counted: 0 where there is none. */
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }
  /** The message ends here, and what follows is another protocol: 101, CONNECT. */
  | { readonly kind: 'tunnel'; readonly why: string }
  /** Where the body ends cannot be told. */
  | { readonly kind: 'unreadable'; readonly why: string };

const noBody: Http1Framing = { kind: 'length', bytes: 0 };

/** Header fields by lower-case name; values of repeated ones joined with commas. */
export type Http1Fields = ReadonlyMap<string, string>;

export function requestFraming(method: string, fields: Http1Fields): Http1Framing {
  if (method === 'CONNECT') return { kind: 'tunnel', why: 'A connection became a tunnel (CONNECT).' };
  return declaredFraming(fields) ?? noBody;
}

/** @param method of the request it answers; null when that was not seen, then taken for one with a body */
export function responseFraming(method: string | null, status: number, fields: Http1Fields): Http1Framing {
  if (status === 101) return { kind: 'tunnel', why: 'A connection changed to another protocol (101).' };
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return noBody;
  if (method === 'CONNECT' && status < 300) {
    return { kind: 'tunnel', why: 'A connection became a tunnel (CONNECT).' };
  }
  return declaredFraming(fields) ?? { kind: 'until-close' };
}

function declaredFraming(fields: Http1Fields): Http1Framing | null {
  const coding = fields.get('transfer-encoding');
  if (coding !== undefined) {
    // Chunked is always the last coding; a response in another one ends with the connection.
    return /(^|,)\s*chunked\s*$/i.test(coding) ? { kind: 'chunked' } : { kind: 'until-close' };
  }
  const length = fields.get('content-length');
  if (length === undefined) return null;
  // A list of equal values is how a repeated field looks: RFC 9110 section 8.6.
  const values = new Set(length.split(',').map((value) => value.trim()));
  const [only] = values;
  if (values.size !== 1 || only === undefined || !/^\d{1,15}$/.test(only)) {
    return { kind: 'unreadable', why: 'An HTTP/1.1 message has a Content-Length that is no length.' };
  }
  return { kind: 'length', bytes: Number(only) };
}
