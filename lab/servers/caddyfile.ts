import type { Certificates } from './certificates.ts';

export interface SiteOptions {
  /** Host names in the certificate, as the browser will ask for them. */
  names: readonly string[];
  port: number;
  /** Every address to listen on, each by itself: a QUIC server bound to all answers from the wrong one. */
  addresses: readonly string[];
  certificates: Pick<Certificates, 'certificatePath' | 'keyPath'>;
  /** Directory of the files to serve. */
  root: string;
  /** Directory for the server's own state. */
  storage: string;
}

/**
 * Caddy's configuration: HTTP/1.1, 2 and 3 on one port, files as they are. No compression, so that sizes are
 * exact; no caching, so that every load is one, and no headers that only caches need, which HTTP/1.1 would send in
 * full each time; nothing that asks the network for anything.
 */
export function caddyfile({ names, port, addresses, certificates, root, storage }: SiteOptions): string {
  const sites = names.map((name) => `https://${name}:${port}`).join(', ');
  return `{
	admin off
	auto_https off
	skip_install_trust
	ocsp_stapling off
	storage file_system ${quote(storage)}
	servers {
		protocols h1 h2 h3
	}
}
${sites} {
	bind ${addresses.join(' ')}
	tls ${quote(certificates.certificatePath)} ${quote(certificates.keyPath)}
	root * ${quote(root)}
	header {
		Cache-Control no-store
		-Server
		-Etag
		-Last-Modified
		-Accept-Ranges
	}
	file_server
}
`;
}

function quote(path: string): string {
  return `"${path.replaceAll('"', '\\"')}"`;
}
