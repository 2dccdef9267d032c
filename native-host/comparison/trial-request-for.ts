import { join } from 'node:path';
import type { TrialNamespace } from '../network/network-path.ts';
import type { TrialPlace } from './assemble-trial.ts';
import type { EngineRequest } from './engine-protocol.ts';
import type { Setting } from './open-setting.ts';
import type { TrialRequest } from './trial-request.ts';
import { browserPrivileges } from './worker-command.ts';

interface Parts {
  request: EngineRequest;
  setting: Setting;
  http3Origins: string[];
  place: TrialPlace;
  namespace: TrialNamespace;
  scratch: string;
}

/** One trial's request, from what the comparison asks alike of all. */
export function trialRequest({
  request,
  setting,
  http3Origins,
  place,
  namespace,
  scratch,
}: Parts): TrialRequest {
  const { keep, browser, realRoot } = request;
  const { path, target } = setting;
  const name = `${String(place.index).padStart(3, '0')}-${place.arm}`;
  const fileIn = (directory: string | null, ending: string): string | null =>
    directory === null ? null : join(directory, `${name}.${ending}`);
  return {
    url: target.url,
    arm: place.arm,
    http3Origins,
    browser: {
      ...browser,
      ...browserPrivileges(realRoot, path.kind),
      trusted: setting.trusted,
    },
    scratchDirectory: scratch,
    capture: {
      interface: namespace.captureInterface,
      filter: path.kind === 'none' ? sharedInterfaceFilter(target.url) : '',
      clientAddresses: [...namespace.clientAddresses],
      exclusive: path.kind !== 'none',
      fromLoad: browser.own !== null,
    },
    harFile: fileIn(keep.har, 'har'),
    pcapFile: fileIn(keep.pcap, 'pcap'),
    keyLogFile: fileIn(keep.keyLog, 'keys'),
    loadTimeoutMs: request.loadTimeoutMs,
  };
}

/** On the person's own interface only web and DNS traffic is looked at. */
function sharedInterfaceFilter(url: string): string {
  const { port } = new URL(url);
  return ['port 443', 'port 80', 'port 53', ...(port === '' ? [] : [`port ${port}`])].join(' or ');
}
