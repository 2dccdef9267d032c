import { createHash, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../native-host/network/run-tool.ts';

/** A private certificate authority and the one server certificate it signed, as PEM files. */
export interface Certificates {
  caPath: string;
  certificatePath: string;
  keyPath: string;
  /**
   * SHA-256 of the server's public key (SubjectPublicKeyInfo), base64: what Chromium's
   * `--ignore-certificate-errors-spki-list` takes.
   */
  spki: string;
}

/** Long enough for a study, too short to be of use to whoever finds it. */
const validDays = 14;

const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-sha256'];

/**
 * Makes both afresh, by openssl with a configuration of its own: nothing of the machine's enters.
 * @param names host names and addresses the server goes by
 */
export async function makeCertificates(directory: string, names: readonly string[]): Promise<Certificates> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = (name: string) => join(directory, name);
  await writeFile(file('openssl.cnf'), configuration(names));
  const request = async (name: string, section: string, subject: string, signer: string[]) => {
    const output = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`), '-days', String(validDays)];
    const content = ['-config', file('openssl.cnf'), '-extensions', section, '-subj', `/CN=${subject}`];
    await runTool(['openssl', 'req', '-x509', ...algorithm, ...content, ...output, ...signer], {
      failure: { code: 'server-missing', stage: 'lab' },
    });
  };
  await request('ca', 'authority', 'Towline lab, private authority', []);
  await request('server', 'server', names[0] ?? 'lab', ['-CA', file('ca.pem'), '-CAkey', file('ca.key')]);

  const leaf = new X509Certificate(await readFile(file('server.pem')));
  const publicKey = leaf.publicKey.export({ type: 'spki', format: 'der' });
  return {
    caPath: file('ca.pem'),
    certificatePath: file('server.pem'),
    keyPath: file('server.key'),
    spki: createHash('sha256').update(publicKey).digest('base64'),
  };
}

function configuration(names: readonly string[]): string {
  const alternatives = names.map((name) => (/^[\d.]+$|:/.test(name) ? `IP:${name}` : `DNS:${name}`));
  return [
    '[req]',
    'distinguished_name = subject',
    '[subject]',
    '[authority]',
    'basicConstraints = critical, CA:TRUE, pathlen:0',
    'keyUsage = critical, keyCertSign',
    'subjectKeyIdentifier = hash',
    '[server]',
    'basicConstraints = critical, CA:FALSE',
    'keyUsage = critical, digitalSignature',
    'extendedKeyUsage = serverAuth',
    'subjectKeyIdentifier = hash',
    'authorityKeyIdentifier = keyid',
    `subjectAltName = ${alternatives.join(', ')}`,
    '',
  ].join('\n');
}
