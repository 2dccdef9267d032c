import type { Path } from '../../shared/record/path.ts';

/**
 * The machine in the middle: forwards between edge and far end by its two {@link routerDevices}, and shapes.
 * Whether it is a namespace or a guest kernel is nobody else's business.
 */
export interface Router {
  readonly kind: NonNullable<Path['router']>;
  /** What a round trip through it takes without a delay line, ms: part of the round-trip time asked for. */
  readonly ownRttMs: number;
  /** Runs `ip` or `tc` in the router. @throws TowlineError `router-failed` with the router's own words */
  run(argv: readonly string[]): Promise<string>;
  close(): Promise<void>;
}
