import type { Path } from '../../shared/record/path.ts';

/**
 * The machine in the middle: forwards between edge and far end by its two {@link routerDevices}, and shapes.
 * Whether it is a namespace or a guest kernel is nobody else's business.
 */
export interface Router {
  readonly kind: NonNullable<Path['router']>;
  /**
   * True where the way through it and timers that fire late take time of their own, which is to be measured and counted
   * into the round-trip time asked for.
   */
  readonly takesTime: boolean;
  /** Runs `ip` or `tc` in the router, `tc` also by way of `env`. @throws TowlineError `router-failed` with the router's own words */
  run(argv: readonly string[]): Promise<string>;
  close(): Promise<void>;
}
