import { randomUUID } from 'node:crypto';
import { defaultLabPort, serveLab, type ServedLab } from '../../lab/serve.ts';
import { pageNames } from '../../lab/pages/page-models.ts';
import { TowlineError } from '../../shared/errors/towline-error.ts';
import type { LabSetup } from '../../shared/record/lab-setup.ts';
import { registerLab } from '../runs/lab-registry.ts';
import { parseLabSetup, type LabOptions } from './lab-options.ts';

/** As on the command line. */
export interface LabServeOptions extends Pick<LabOptions, 'shards' | 'server' | 'streams'> {
  port?: string;
}

/**
 * Serves the lab's pages on the loopback until it is told to end.
 * @param untilTold settles when the person has had enough (Ctrl-C)
 * @returns the exit status
 * @throws TowlineError
 */
export async function serveLabUntilTold(
  options: LabServeOptions,
  print: (line: string) => void,
  untilTold: Promise<unknown> = untilSignal(),
): Promise<number> {
  const port = parsePort(options.port ?? String(defaultLabPort));
  const setup = parseLabSetup(options, []);
  const lab = await serveLab({ port, setup });
  let forget: (() => Promise<void>) | null = null;
  try {
    forget = await registerLab({
      ...{ id: randomUUID().slice(0, 8), kind: 'served', url: lab.url },
      servers: lab.ports.map((each) => ({ name: lab.name, port: each, addresses: lab.addresses })),
    });
    for (const line of introduction(lab, setup)) print(line);
    const words = await Promise.race([untilTold.then(() => null), lab.ended]);
    if (words === null) return 0;
    throw new TowlineError('server-failed', 'lab', `The server has ended by itself: ${words}.`);
  } finally {
    await lab.close();
    await forget?.();
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new TowlineError('bad-argument', 'arguments', `--port "${text}" is no port.`, {
    remedy: 'Use a number from 1 to 65535, or 0 for any that is free.',
  });
}

function introduction(
  { url, server, name, ports, caPath, spki }: ServedLab,
  { server: kind }: Pick<LabSetup, 'server'>,
): string[] {
  const example = `${url}${pageNames[1] ?? ''}/`;
  const origins = ports.map((port) => `${name}:${port}`);
  const http3 = kind === 'caddy';
  return [
    `${server} serves the lab over ${http3 ? 'HTTP/1.1, HTTP/2 and HTTP/3' : 'HTTP/1.1 and HTTP/2'}:`,
    ...pageNames.map((page) => `  ${url}${page}/`),
    ...(origins.length > 1 ? [`Each page is spread over ${origins.join(', ')}.`] : []),
    '',
    'Its certificate is from an authority made for this run, which is trusted by nobody yet:',
    `  curl --cacert ${caPath} ${example}`,
    `  chromium --user-data-dir=$(mktemp -d) --ignore-certificate-errors-spki-list=${spki} \\`,
    `    ${http3 ? `--origin-to-force-quic-on=${origins.join(',')} ` : ''}${example}`,
    ...(http3 ? ['The last flag forces HTTP/3; without it Chromium takes HTTP/2.'] : []),
    'For Firefox, add the authority in its settings.',
    '',
    'Ctrl-C ends it.',
  ];
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const told = () => {
      process.off('SIGINT', told);
      process.off('SIGTERM', told);
      resolve();
    };
    process.on('SIGINT', told);
    process.on('SIGTERM', told);
  });
}
