import type { ToolResult } from '../network/run-tool.ts';

/** The machine as the doctor sees it: everything it asks is asked through this. */
export interface Machine {
  isRoot: boolean;
  /** As `process.versions.node`. */
  nodeVersion: string;
  /** Absolute path of a program, or null. */
  find: (program: string) => string | null;
  /** Runs a program to its end; null where it cannot be started. */
  run: (argv: readonly string[]) => Promise<ToolResult | null>;
  /** A text file, such as a setting of the kernel; null where there is none. */
  read: (path: string) => string | null;
  /** Permission bits of a file; null where there is none. */
  modeOf: (path: string) => number | null;
  /** Whether this user may read and write a file. */
  mayUse: (path: string) => boolean;
  /** Loads the capture addon. @returns why that failed, null when it did not */
  loadCaptureAddon: () => Promise<string | null>;
  /** Whether the kernel delays packets, really tried. */
  hasNetem: () => Promise<boolean>;
}
