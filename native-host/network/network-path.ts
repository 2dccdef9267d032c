import type { Path, PathMeasurement } from '../../shared/record/path.ts';

/** A network namespace made for one trial, on a {@link NetworkPath}. */
export interface TrialNamespace {
  /** Run a program inside by putting this in front of its argument array; empty on the host's own network. */
  readonly enter: readonly string[];
  /** The interface inside to capture on. */
  readonly captureInterface: string;
  /** The namespace's own addresses, IPv4 and IPv6: what is sent from them is "up". */
  readonly clientAddresses: readonly string[];
  /** Takes the namespace down. Never throws for what is already gone. */
  close(): Promise<void>;
}

/**
 * The network between the trials of one comparison and their servers. It lives inside a capsule (see
 * capsule.ts), so that the kernel takes it down with the process that owns it, however that process ends.
 */
export interface NetworkPath {
  readonly kind: Path['kind'];
  readonly router: Path['router'];
  /** Plain sentences for the record: why this path, what cannot be seen on it. */
  readonly notes: readonly string[];
  /** A fresh namespace; several may be open at once, so that the next is ready while one ends. */
  openTrial(): Promise<TrialNamespace>;
  /** The host's own probe across the path; null where there is no far end of ours to answer it. */
  measure(options?: { afterLoads: boolean }): Promise<PathMeasurement | null>;
  close(): Promise<void>;
}
