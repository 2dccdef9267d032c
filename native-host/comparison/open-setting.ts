import { openLab } from '../../lab/open-lab.ts';
import type { Http3Discovery, Target } from '../../shared/record/record.ts';
import type { TrustedAuthority } from '../browser/managed-browser.ts';
import type { NetworkPath } from '../network/network-path.ts';
import type { Capsule } from '../network/enter-capsule.ts';
import { openUplinkPath } from '../network/open-uplink-path.ts';
import type { EngineRequest } from './engine-protocol.ts';

/** The page of a comparison and the network it is reached by. */
export interface Setting {
  path: NetworkPath;
  target: Target;
  /** See {@link ComparedPage}. */
  shards: string[];
  /** The lab's servers are known to speak HTTP/3; a live site's origins are to be discovered. */
  knownHttp3: Http3Discovery | null;
  /** The lab's own authority; null on a live site, whose certificate is anybody's to check. */
  trusted: TrustedAuthority | null;
  close(): Promise<void>;
}

/** Opens the lab or the way to the live site, as the request asks. */
export async function openSetting(request: EngineRequest, capsule: Capsule): Promise<Setting> {
  const { target, shape } = request;
  if (target.kind === 'lab') {
    const { page, setup } = target;
    const lab = await openLab({ page, setup, shape, capsule });
    const { server, servers, resources, bytes } = lab;
    return {
      path: lab.path,
      target: {
        asked: `lab:${page}`,
        url: lab.url,
        lab: { page, server, resources, bytes, setup, servers: [...servers] },
      },
      shards: servers.slice(1).map(({ name }) => `https://${name}`),
      knownHttp3: {
        origins: servers.map(({ name }) => ({ origin: `${name}:443`, found: 'lab' })),
        detail: 'The lab servers speak HTTP/3: nothing had to be discovered.',
      },
      trusted: { keyHash: lab.spki, certificateFile: lab.caPath },
      close: () => lab.close(),
    };
  }
  const { url } = target;
  const path = await openUplinkPath({
    runId: request.runId,
    kind: request.network.kind === 'lab' ? 'none' : request.network.kind,
    targetHost: new URL(url).hostname,
    shape,
    capsule,
  });
  return {
    path,
    target: { asked: url, url, lab: null },
    shards: [],
    knownHttp3: null,
    trusted: null,
    close: () => path.close(),
  };
}
