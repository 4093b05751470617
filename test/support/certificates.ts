import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';

/** A self-signed certificate and its key. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates a certificate for 127.0.0.1 in a folder. Needs `openssl`. */
export function makeCertificate(folder: string, name: string): TestCertificate {
  const [key, cert] = [join(folder, `${name}-key.pem`), join(folder, `${name}-cert.pem`)];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...CURVE, '-days', '2', '-keyout', key, '-out', cert, ...names], {
    stdio: 'ignore',
  });
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}
