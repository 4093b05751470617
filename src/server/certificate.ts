import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:net';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import { isNativeError } from 'node:util/types';
import type { Environment } from '../config/environment';
import { StartupError } from '../core/errors/startup-error';

/** In milliseconds. Two small files are read. */
const LOOK_EVERY = 5_000;
/** In milliseconds: who has connected and does not go on to speak TLS is left. */
const HANDSHAKE_PATIENCE = 10_000;

type Settings = Pick<Environment, 'TLS_CERT_FILE' | 'TLS_KEY_FILE'>;

/** What an HTTPS server is made with. */
export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.2';
  readonly handshakeTimeout: number;
}

/**
 * The certificate with those that lead to its authority, and its key; undefined where the service speaks plain HTTP.
 * @throws StartupError if they cannot be used
 */
export function tlsOptions({ TLS_CERT_FILE, TLS_KEY_FILE }: Settings): TlsOptions | undefined {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
  const options = optionsOf(
    read('TLS_CERT_FILE', TLS_CERT_FILE, readFileSync),
    read('TLS_KEY_FILE', TLS_KEY_FILE, readFileSync),
  );
  const fault = faultOf(options);
  if (fault !== undefined) throw new StartupError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${fault}.`);
  return options;
}

// Whatever the options that Node was started with say.
const optionsOf = (cert: string, key: string): TlsOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
  handshakeTimeout: HANDSHAKE_PATIENCE,
});

function read(name: string, file: string, reading: (file: string, encoding: 'utf8') => string): string {
  try {
    return reading(file, 'utf8');
  } catch (error) {
    const why = isNativeError(error) && 'code' in error ? String(error.code) : String(error);
    throw new StartupError(`${name} cannot be read from ${file} (${why}).`, { cause: error });
  }
}

/** As OpenSSL writes keys that only a passphrase opens: in PKCS #8, and in the older form. */
const HAS_PASSPHRASE = /^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m;

/** Why they cannot be used, in a few words; undefined if they can. */
function faultOf({ cert, key }: TlsOptions): string | undefined {
  let certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return 'the first does not begin with a certificate in PEM form';
  }
  if (HAS_PASSPHRASE.test(key))
    return 'the key has a passphrase, and nobody is there to be asked for it; it has to be stored without one';
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    // What OpenSSL says names no secret.
    const said = isNativeError(error) ? error.message : String(error);
    return /key values mismatch/.test(said)
      ? 'the key is not that of the certificate'
      : `the key, or one of the certificates, is not usable (${said})`;
  }
  return Date.parse(certificate.validTo) > Date.now()
    ? undefined
    : `the certificate has ended (${certificate.validTo})`;
}

/** What is logged about a certificate. */
export interface CertificateLog {
  /** Another was taken over. */
  readonly renewed: (sentence: string) => void;
  /** Another cannot be: the one that there was is kept. */
  readonly refused: (sentence: string) => void;
}

/** The certificate of a server, which follows its files. */
export class Certificate {
  private used: TlsOptions;
  private seen: string;
  /** What is wrong with what was seen, as long as it is not told. */
  private fault: string | undefined;

  private constructor(
    private readonly server: TlsServer,
    private readonly settings: { readonly certFile: string; readonly keyFile: string },
    private readonly notes: CertificateLog,
    begun: TlsOptions,
  ) {
    this.used = begun;
    this.seen = begun.cert + begun.key;
  }

  /**
   * Has a server follow its files for as long as it listens: whoever renews them has nobody else to tell.
   * @returns undefined for a server of plain HTTP
   */
  static follow(server: Server, settings: Settings, notes: CertificateLog): Certificate | undefined {
    const options = tlsOptions(settings);
    const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings;
    if (!(server instanceof TlsServer) || !options || certFile === undefined || keyFile === undefined)
      return undefined;
    const certificate = new Certificate(server, { certFile, keyFile }, notes, options);
    const timer = setInterval(() => void certificate.look(), LOOK_EVERY).unref();
    server.once('close', () => {
      clearInterval(timer);
    });
    return certificate;
  }

  /** When it ends, in seconds since the epoch. */
  get endsAt(): number {
    return Date.parse(new X509Certificate(this.used.cert).validTo) / 1000;
  }

  private async look(): Promise<void> {
    const { certFile, keyFile } = this.settings;
    const [cert, key] = await Promise.all([content(certFile), content(keyFile)]);
    const seen = cert + key;
    if (seen === this.seen) {
      // Not at the first look, when perhaps only one of the two files was the new one by then.
      if (this.fault !== undefined) this.notes.refused(`The certificate is not renewed: ${this.fault}.`);
      this.fault = undefined;
      return;
    }
    this.seen = seen;
    const options = optionsOf(cert, key);
    this.fault = faultOf(options);
    if (this.fault !== undefined) return;
    this.server.setSecureContext(options);
    this.used = options;
    this.notes.renewed(
      `The certificate was renewed. It ends at ${new Date(this.endsAt * 1000).toISOString()}.`,
    );
  }
}

/** What a file holds; nothing, if it cannot be read. */
async function content(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // It is being replaced, or was lost: what is used then stays.
    return '';
  }
}
