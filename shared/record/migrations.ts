/**
 * What turns a record of one version into the next, by the version it starts from: as deep as needed, nothing
 * validated yet. Empty while there is one version. Append only: old files stay readable for ever.
 */
export const migrations: ReadonlyMap<number, (record: object) => object> = new Map();
