import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tlsOptions } from '../../../src/server/certificate';
import { makeCertificate } from '../../support/certificates';
import { describeWithPeers } from '../../support/external-programs';
import { temporaryFolder } from '../../support/shell';

describeWithPeers('the certificate and key at startup', ['openssl'], () => {
  let certFile: string;
  let keyFile: string;
  let lockedKeyFile: string;
  beforeAll(() => {
    const folder = temporaryFolder();
    [certFile, keyFile, lockedKeyFile] = ['cert.pem', 'key.pem', 'locked-key.pem'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const { cert, key } = makeCertificate(folder, 'certificate');
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    writeFileSync(lockedKeyFile, locked);
  });

  it('are read from their files', () => {
    expect(tlsOptions({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile })).toMatchObject({
      cert: readFileSync(certFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
    });
  });

  it.each([
    [
      'the certificate does not exist',
      () => ['/nowhere/cert.pem', keyFile],
      /^TLS_CERT_FILE cannot be read from \/nowhere\/cert.pem \(ENOENT\)\.$/,
    ],
    [
      'the file is not a certificate',
      () => [__filename, keyFile],
      /TLS_CERT_FILE does not begin with a certificate/,
    ],
    ['the key has a passphrase', () => [certFile, lockedKeyFile], /the key has a passphrase/],
  ])('are refused if %s', (_, files, message) => {
    const [cert, key] = files() as [string, string];
    expect(readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
    expect(() => tlsOptions({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key })).toThrow(message);
  });
});
