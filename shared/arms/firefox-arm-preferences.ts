import type { Arm } from '../record/arm.ts';

/** Value of a Firefox preference. */
export type PreferenceValue = boolean | number | string;

/**
 * Firefox negotiates by preferences, which it reads for every new connection: so an arm is a set of them, laid
 * down in the profile of a managed Firefox, or set in a running one. Every arm sets every preference, so that
 * one arm can follow another in one browser. Tried on Firefox ESR 153.
 *
 * @param arm how to negotiate
 * @param http3Origins `host:port` of every origin known to speak HTTP/3; used by the h3 arm alone, which
 *   connects to them over QUIC without learning of HTTP/3 first. Firefox takes one port of each host.
 */
export function firefoxArmPreferences(
  arm: Arm,
  http3Origins: readonly string[],
): Record<string, PreferenceValue> {
  const forced = arm === 'h3';
  return {
    'network.http.http2.enabled': arm !== 'h1',
    'network.http.http3.enable': forced || arm === 'auto',
    'network.http.http3.alt-svc-mapping-for-testing': forced ? http3Origins.map(mapping).join(',') : '',
    // By itself Firefox tries TCP beside QUIC after this many ms (0: never), and the quicker one gets the request:
    // nsHttpTransaction::OnPendingQueueInserted, and for origins with an HTTPS record the fast fallback.
    'network.http.http3.backup_timer_delay': forced ? 0 : 100,
    'network.dns.httpssvc.http3_fast_fallback_timeout': forced ? 0 : 50,
    'network.http.http3.fallback_to_h2_on_error': !forced,
  };
}

/** The names of all preferences that decide an arm: what is to be put back after one was set. */
export const firefoxArmPreferenceNames: readonly string[] = Object.keys(firefoxArmPreferences('auto', []));

function mapping(origin: string): string {
  const colon = origin.lastIndexOf(':');
  return `${origin.slice(0, colon)};h3=:${origin.slice(colon + 1)}`;
}
