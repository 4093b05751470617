import { spawn } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, randomUUID, sign, type JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificates';
import { Program } from './program';
import { freePort } from './free-port';

/** The claims of a user, by subject. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The audience of access tokens for the command line. */
export const AUDIENCE = 'urn:muster';

/** A signing key of the provider. */
export function makeSigningKey(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/** A signed JSON Web Token. @param header overrides members of the header */
export function makeToken(key: JsonWebKey, claims: object, header: object = {}): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encoded({ alg: 'RS256', kid: key['kid'], typ: 'at+jwt', ...header })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(text), createPrivateKey({ key, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
}

interface Options {
  readonly deviceFlow?: boolean;
}

/** A real OpenID provider in a process of its own, with TLS. ID tokens of subjects that begin with `thin` have no claims. */
export class OpenIdProvider {
  private program: Program | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'muster-oidc-'));
  private readonly accounts = join(this.folder, 'accounts.json');
  private readonly certificate = makeCertificate(this.folder, 'provider');
  /** The keys that it publishes. It signs with the first one. */
  keys: readonly JsonWebKey[] = [makeSigningKey()];

  private constructor(
    private readonly port: number,
    private options: Options,
  ) {
    this.setAccounts({});
  }

  static async start(options: Options = {}): Promise<OpenIdProvider> {
    const provider = new OpenIdProvider(await freePort(), options);
    await provider.start();
    return provider;
  }

  get issuer(): string {
    return `https://127.0.0.1:${String(this.port)}`;
  }

  /** The certificate in PEM form. */
  get ca(): string {
    return this.certificate.cert;
  }

  /** The settings of a service that uses it. */
  get settings(): Record<string, string> {
    return {
      IDENTITY: 'local,oidc',
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: 'muster',
      OIDC_CLIENT_SECRET: 'a secret: with / special % characters',
      OIDC_CLI_CLIENT_ID: 'muster-cli',
      OIDC_AUDIENCE: AUDIENCE,
      NODE_EXTRA_CA_CERTS: join(this.folder, 'provider-cert.pem'),
    };
  }

  /** Sets the claims of its users. They apply to new sign-ins and tokens. */
  setAccounts(accounts: Accounts): void {
    writeFileSync(this.accounts, JSON.stringify(accounts));
  }

  /** Starts it, unless it runs, on the same port as before. Its sessions are lost. */
  async start(): Promise<void> {
    if (this.program?.running === true) return;
    const configuration = {
      port: this.port,
      ...this.certificate,
      jwks: { keys: this.keys },
      accounts: this.accounts,
      audience: AUDIENCE,
      deviceFlow: this.options.deviceFlow === true,
    };
    const child = spawn(process.execPath, [join(__dirname, 'oidc-server.cjs')], {
      env: { PATH: process.env.PATH, PROVIDER: JSON.stringify(configuration) },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.program = new Program(child);
    await this.program.line((line) => /^port: (\d+)$/.exec(line)?.[1], 'the port');
  }

  /** Starts it with other options, on the same port. Its sessions are lost. */
  async restart(options: Options): Promise<void> {
    await this.stop();
    this.options = options;
    await this.start();
  }

  /** Stops it, so that connections are refused. */
  async stop(): Promise<void> {
    this.program?.kill('SIGKILL');
    await this.program?.ended;
  }

  /** Suspends the process without closing its connections, so that requests get no response. */
  suspend(): void {
    this.program?.kill('SIGSTOP');
  }

  resume(): void {
    this.program?.kill('SIGCONT');
  }

  /** Stops it and deletes its files. */
  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}
