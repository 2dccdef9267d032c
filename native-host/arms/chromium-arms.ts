import type { Arm } from '../../shared/record/arm.ts';

/**
 * Chromium has no switch for the protocol once it runs, so each arm is a set of process-start flags.
 *
 * @param arm how to negotiate
 * @param http3Origins `host:port` of every origin known to speak HTTP/3; used by the h3 arm alone, which
 *   sends its first packet to them over QUIC, without learning of HTTP/3 first
 */
export function chromiumArmFlags(arm: Arm, http3Origins: readonly string[]): string[] {
  switch (arm) {
    case 'h1':
      return ['--disable-http2', '--disable-quic'];
    case 'h2':
      return ['--disable-quic'];
    case 'h3':
      return ['--enable-quic', `--origin-to-force-quic-on=${http3Origins.join(',')}`];
    case 'auto':
      return ['--enable-quic'];
  }
}
