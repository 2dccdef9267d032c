import * as v from 'valibot';

/**
 * One way of negotiating: `h1` HTTP/1.1 over TLS, `h2`, `h3` forced from the first packet, `auto` the
 * browser's own choice.
 */
export const ArmSchema = v.picklist(['h1', 'h2', 'h3', 'auto']);
export type Arm = v.InferOutput<typeof ArmSchema>;

/** The protocol a request or flow really used. */
export const ProtocolSchema = v.picklist(['h1', 'h2', 'h3', 'other']);
export type Protocol = v.InferOutput<typeof ProtocolSchema>;
