import { addedHeaders, droppedHeaders, type Site } from './site.ts';

/**
 * Caddy's configuration: HTTP/1.1, 2 and 3 on one port of each server, files as they are. No compression, so that
 * sizes are exact; no caching, so that every load is one; nothing that asks the network for anything.
 * @param storage directory for Caddy's own state
 */
export function caddyfile(site: Site, storage: string): string {
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
${site.servers.map((server) => block(site, server)).join('')}`;
}

function block(site: Site, { name, port, addresses }: Site['servers'][number]): string {
  const { certificates, root } = site;
  const headers = [
    ...Object.entries(addedHeaders(site)).map(([header, value]) => `${header} ${value}`),
    ...['Server', ...droppedHeaders].map((header) => `-${header}`),
  ];
  return `https://${name}:${port} {
	bind ${addresses.join(' ')}
	tls ${quote(certificates.certificatePath)} ${quote(certificates.keyPath)}
	root * ${quote(root)}
	header {
		${headers.join('\n\t\t')}
	}
	file_server
}
`;
}

function quote(path: string): string {
  return `"${path.replaceAll('"', '\\"')}"`;
}
