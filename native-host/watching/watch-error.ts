import { TowlineError, reportOf } from '../../shared/errors/towline-error.ts';
import { findTool } from '../network/find-tool.ts';

/**
 * Why nobody may watch, with the command that mends it. An ordinary user's way is tcpdump with the one right it
 * needs: Node itself would give it to every script.
 */
export function watchError(thrown: unknown): TowlineError {
  const { code, message, remedy } = reportOf(thrown, 'capture');
  if (code !== 'permission-denied' && code !== 'capture-missing') {
    return new TowlineError(code, 'capture', message, { ...(remedy !== null && { remedy }), cause: thrown });
  }
  const tcpdump = findTool('tcpdump');
  const install = tcpdump === null ? 'sudo apt-get install tcpdump && ' : '';
  return new TowlineError(code, 'capture', message, {
    remedy: `${install}sudo setcap cap_net_raw+ep ${tcpdump ?? '/usr/bin/tcpdump'}`,
    cause: thrown,
  });
}

export function notWatching(): TowlineError {
  return new TowlineError('capture-failed', 'capture', 'Packets are not watched.', {
    remedy: "Switch Time on Wire off and on again in the recorder's settings.",
  });
}
