/**
 * Every error code Towline can give, with the exit status the command line ends with.
 * Append only: a code is never renamed, reused or removed, since records and other programs keep them.
 *
 * Exit statuses: 1 measured, but something is missing; 2 wrong use; 3 the machine lacks something.
 */
export const errorCodes = {
  // Wrong use
  'bad-argument': 2,
  'bad-url': 2,
  'bad-shape': 2,
  'bad-record': 2,
  'newer-record': 2,
  'not-a-capture': 2,
  'file-not-found': 2,
  'no-page-flows': 2,
  // The machine lacks something
  'browser-missing': 3,
  'browser-failed': 3,
  'capture-missing': 3,
  'capture-failed': 3,
  'permission-denied': 3,
  'namespace-unavailable': 3,
  'shaping-unavailable': 3,
  'router-failed': 3,
  'server-missing': 3,
  'server-failed': 3,
  'path-not-as-asked': 3,
  'disk-full': 3,
  'write-failed': 3,
  'no-display': 3,
  'preference-in-the-way': 3,
  'proxy-in-the-way': 3,
  // The measurement
  'host-unreachable': 1,
  'name-not-resolved': 1,
  'certificate-invalid': 1,
  'protocol-refused': 1,
  'no-http3-origin': 1,
  'load-timeout': 1,
  'navigation-failed': 1,
  'trial-crashed': 1,
  'run-cancelled': 1,
  'run-lost': 1,
  'own-browser-lost': 1,
  // Native messaging
  'bad-message': 2,
  'message-too-large': 2,
  'version-mismatch': 2,
  'unknown-run': 2,
  'host-busy': 1,
  'host-not-installed': 3,
  // Ours
  internal: 1,
} as const satisfies Record<string, 1 | 2 | 3>;

export type ErrorCode = keyof typeof errorCodes;

export const errorCodeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];
