import type { FieldSink } from './fields/field.ts';

/** What is kept of a header block: the pseudo-header fields, RFC 9113 section 8.3, RFC 9114 section 4.3. */
export class HeadFields {
  method: string | null = null;
  scheme: string | null = null;
  authority: string | null = null;
  path: string | null = null;
  status: number | null = null;

  readonly take: FieldSink = (name, value) => {
    switch (name) {
      case ':method':
        this.method = value;
        break;
      case ':scheme':
        this.scheme = value;
        break;
      case ':authority':
        this.authority = value;
        break;
      case 'host':
        this.authority ??= value;
        break;
      case ':path':
        this.path = value;
        break;
      case ':status':
        this.status = /^\d{3}$/.test(value) ? Number(value) : null;
        break;
    }
  };
}
