import { addedHeaders, droppedHeaders, type Site } from './site.ts';

/** Where Debian's apache2-bin keeps its modules. */
const serverRoot = '/usr/lib/apache2';

const modules = ['mpm_event', 'authz_core', 'dir', 'headers', 'http2', 'mime', 'ssl'];

/** Connections served at once: eight servers with six HTTP/1.1 connections each, and as many spare ones. */
const connections = 128;

/**
 * Apache httpd's configuration: HTTP/1.1 and 2 on one port of each server, files as they are, with what
 * {@link caddyfile} says of the same things; no pushes. The log goes to standard output, by cat: httpd opens its log
 * by name, and a socket has none.
 *
 * @param directory for httpd's own state
 * @param maxStreams SETTINGS_MAX_CONCURRENT_STREAMS of each HTTP/2 connection; null leaves httpd's own, 100
 */
export function apacheConfig(site: Site, directory: string, maxStreams: number | null): string {
  return [
    `ServerRoot ${serverRoot}`,
    ...modules.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
    `DefaultRuntimeDir ${quote(directory)}`,
    `PidFile ${quote(`${directory}/pid`)}`,
    'ErrorLog "||/bin/cat"',
    'LogLevel notice',
    'Mutex pthread',
    'ServerLimit 1',
    'StartServers 1',
    `ThreadLimit ${connections}`,
    `ThreadsPerChild ${connections}`,
    `MaxRequestWorkers ${connections}`,
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    'KeepAliveTimeout 120',
    'Timeout 300',
    'ServerTokens Prod',
    'FileETag None',
    'DirectoryIndex index.html',
    'TypesConfig /dev/null',
    'AddType text/html .html',
    'AddType text/css .css',
    'AddType text/javascript .js',
    'AddType image/png .png',
    ...Object.entries(addedHeaders(site)).map(([name, value]) => `Header set ${name} ${value}`),
    ...droppedHeaders.map((name) => `Header unset ${name}`),
    'Protocols h2 http/1.1',
    'H2Push off',
    ...(maxStreams === null ? [] : [`H2MaxSessionStreams ${maxStreams}`]),
    ...site.servers.flatMap((server) => virtualHost(site, server)),
    '',
  ].join('\n');
}

function virtualHost(
  { certificates, root }: Site,
  { name, port, addresses }: Site['servers'][number],
): string[] {
  const places = addresses.map((address) => `${address.includes(':') ? `[${address}]` : address}:${port}`);
  return [
    ...places.map((place) => `Listen ${place} https`),
    `<VirtualHost ${places.join(' ')}>`,
    `ServerName ${name}`,
    `DocumentRoot ${quote(root)}`,
    'SSLEngine on',
    `SSLCertificateFile ${quote(certificates.certificatePath)}`,
    `SSLCertificateKeyFile ${quote(certificates.keyPath)}`,
    '</VirtualHost>',
  ];
}

function quote(path: string): string {
  return `"${path.replaceAll('"', '\\"')}"`;
}
