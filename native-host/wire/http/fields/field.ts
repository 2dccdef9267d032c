/** A header field; octets as Latin-1 characters. An empty name stands for a field that could not be known. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** Takes the fields of a header block in their order. */
export type FieldSink = (name: string, value: string) => void;

/** What stands where a reference leads to an entry that was made before the capture began. */
export const unknownField: Field = { name: '', value: '' };
