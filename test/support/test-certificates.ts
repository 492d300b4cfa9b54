import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority of a test's own and one server certificate of it; all are files. */
export interface TestCertificates extends Disposable {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Why none can be made here, or null. */
export const missingOpenssl: string | null =
  spawnSync('openssl', ['version'], { stdio: 'ignore' }).error === undefined
    ? null
    : 'needs openssl';

if (missingOpenssl !== null) {
  if (process.env['CI'] === 'true') throw new Error(`certificates: ${missingOpenssl}`);
  console.warn(`\n*** NOT RUN: tests of TLS - ${missingOpenssl} ***\n`);
}

/** Makes certificates for a server under these names, such as `DNS:localhost` or `IP:127.0.0.1`. */
export function makeCertificates(...names: readonly string[]): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...options: readonly string[]) =>
    execFileSync('openssl', options, { stdio: 'ignore', cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test',
  );
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server');
  writeFileSync(file('names'), `subjectAltName=${names.join(',')}\n`);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-days', '2', '-out', 'server.pem');
  return {
    authority: file('ca.pem'),
    certificate: file('server.pem'),
    key: file('server.key'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
