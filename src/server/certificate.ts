import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import { isNativeError } from 'node:util/types';
import type { Environment } from '../config/environment';
import { StartupError } from '../core/errors';

/** How often (ms) the two files are read. */
const CHECK_INTERVAL = 5_000;
/** How long (ms) a client may take for the TLS handshake. */
const HANDSHAKE_TIMEOUT = 10_000;

type CertificateSettings = Pick<Environment, 'TLS_CERT_FILE' | 'TLS_KEY_FILE'>;

/** The TLS options of an HTTPS server. */
export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.2';
  readonly handshakeTimeout: number;
}

/**
 * Reads the certificate with its chain, and its key; undefined if the service uses plain HTTP.
 * @throws StartupError if they are invalid
 */
export function tlsOptions({ TLS_CERT_FILE, TLS_KEY_FILE }: CertificateSettings): TlsOptions | undefined {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
  const options = optionsOf(
    read('TLS_CERT_FILE', TLS_CERT_FILE, readFileSync),
    read('TLS_KEY_FILE', TLS_KEY_FILE, readFileSync),
  );
  const problem = problemOf(options);
  if (problem !== undefined)
    throw new StartupError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${problem}.`);
  return options;
}

// `minVersion` is explicit because Node's command-line options can change its default.
const optionsOf = (cert: string, key: string): TlsOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
  handshakeTimeout: HANDSHAKE_TIMEOUT,
});

function read(name: string, file: string, readText: (file: string, encoding: 'utf8') => string): string {
  try {
    return readText(file, 'utf8');
  } catch (error) {
    const reason = isNativeError(error) && 'code' in error ? String(error.code) : String(error);
    throw new StartupError(`${name} cannot be read from ${file} (${reason}).`, { cause: error });
  }
}

/** Matches keys that OpenSSL encrypted with a passphrase, in PKCS #8 and in the older format. */
const HAS_PASSPHRASE = /^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m;

/** Why the certificate and the key cannot be used; undefined if they can. */
function problemOf({ cert, key }: TlsOptions): string | undefined {
  let certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return 'TLS_CERT_FILE does not begin with a certificate in PEM format';
  }
  if (HAS_PASSPHRASE.test(key)) return 'the key has a passphrase; store it without one';
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    // OpenSSL's messages contain no secrets.
    const message = isNativeError(error) ? error.message : String(error);
    return /key values mismatch/.test(message)
      ? 'the key does not match the certificate'
      : `the key or one of the certificates is invalid (${message})`;
  }
  return Date.parse(certificate.validTo) > Date.now()
    ? undefined
    : `the certificate expired at ${certificate.validTo}`;
}

/** Logs what happens to a certificate. */
export interface CertificateLog {
  /** A new certificate was loaded. */
  readonly renewed: (sentence: string) => void;
  /** A new certificate is invalid. The previous one stays in use. */
  readonly rejected: (sentence: string) => void;
}

/** The certificate of a server. It is reloaded when its files change. */
export class Certificate {
  private current: TlsOptions;
  private lastRead: string;
  /** Why the files that were read last cannot be used, until it is logged. */
  private problem: string | undefined;

  private constructor(
    private readonly server: TlsServer,
    private readonly settings: { readonly certFile: string; readonly keyFile: string },
    private readonly log: CertificateLog,
    initial: TlsOptions,
  ) {
    this.current = initial;
    this.lastRead = initial.cert + initial.key;
  }

  /**
   * Reloads the certificate of a server when its files change, until the server is closed.
   * @returns undefined for a server of plain HTTP
   */
  static follow(server: Server, settings: CertificateSettings, log: CertificateLog): Certificate | undefined {
    const options = tlsOptions(settings);
    const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings;
    if (!(server instanceof TlsServer) || !options || certFile === undefined || keyFile === undefined)
      return undefined;
    const certificate = new Certificate(server, { certFile, keyFile }, log, options);
    const timer = setInterval(() => void certificate.reload(), CHECK_INTERVAL).unref();
    server.once('close', () => {
      clearInterval(timer);
    });
    return certificate;
  }

  /** When it expires, in seconds since the epoch. */
  get endsAt(): number {
    return Date.parse(new X509Certificate(this.current.cert).validTo) / 1000;
  }

  private async reload(): Promise<void> {
    const { certFile, keyFile } = this.settings;
    const [cert, key] = await Promise.all([contentOf(certFile), contentOf(keyFile)]);
    const content = cert + key;
    if (content === this.lastRead) {
      // Not logged at the first read, because only one of the two files may have been replaced by then.
      if (this.problem !== undefined) this.log.rejected(`The certificate was not renewed: ${this.problem}.`);
      this.problem = undefined;
      return;
    }
    this.lastRead = content;
    const options = optionsOf(cert, key);
    this.problem = problemOf(options);
    if (this.problem !== undefined) return;
    this.server.setSecureContext(options);
    this.current = options;
    this.log.renewed(
      `The certificate was renewed. It expires at ${new Date(this.endsAt * 1000).toISOString()}.`,
    );
  }
}

/** The content of a file; empty if it cannot be read. */
async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // The file is being replaced, or is missing. The current certificate stays in use.
    return '';
  }
}
