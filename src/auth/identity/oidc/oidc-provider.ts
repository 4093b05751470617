import { Inject, Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration } from 'openid-client';
import { AppMetrics } from '../../../core/app-metrics';
import { singleFlight } from '../../../core/concurrency';
import {
  CircuitBreaker,
  errorCode,
  LONG_PAUSE_MS,
  pauseAfter,
  ProviderUnavailableError,
  SHORT_PAUSE_MS,
  unavailableCause,
} from '../circuit-breaker';
import { OIDC_SETTINGS, type OidcSettings } from './oidc-settings';

/** The library, which is loaded only if it is used, because loading it takes time at the start. */
type Library = typeof import('openid-client');

/** The provider's description of itself. */
type ProviderMetadata = ReturnType<Configuration['serverMetadata']>;

/** The library with the description of the provider. */
export interface OidcClient {
  readonly library: Library;
  readonly configuration: Configuration;
}

/** What was read of the provider. */
interface Discovered {
  readonly library: Library;
  readonly metadata: ProviderMetadata;
  /** When it was read, in milliseconds since the epoch. */
  readonly readAt: number;
}

export const TIMEOUT_SECONDS = 5;

/** A provider that has responded within this time counts as available. */
const AVAILABLE_MS = 1_000;

/** A request of one of the libraries, which set their timeouts and follow no redirects. */
interface ProviderRequest {
  readonly method: string;
  readonly headers: NonNullable<RequestInit['headers']>;
  readonly redirect: 'manual';
  readonly body?: RequestInit['body'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The OpenID provider. Its description is read when it is needed first, so that the service starts without it, and at each
 * sign-in. All requests pass a circuit breaker.
 */
@Injectable()
export class OidcProvider {
  private readonly circuitBreaker: CircuitBreaker;
  private readonly discoverOnce = singleFlight(() => this.discover());
  private discovered: Discovered | undefined;

  constructor(
    @Inject(OIDC_SETTINGS) private readonly settings: OidcSettings,
    metrics: AppMetrics,
  ) {
    this.circuitBreaker = new CircuitBreaker({
      name: 'OpenID Connect',
      consequence: 'Sessions and tokens that are signed with known keys are accepted; nobody can sign in.',
      gauge: metrics.oidcUnavailable,
    });
  }

  /**
   * A client with an empty cache of keys: the library looks for an unknown key at most once a minute, but a provider can
   * sign with a new key at once.
   * @throws ProviderUnavailableError
   */
  async client(): Promise<OidcClient> {
    this.discovered ??= await this.discoverOnce();
    return this.clientOf(this.discovered);
  }

  /**
   * A client of a provider that responds now: it reads the description again, so that a browser is not sent to a provider
   * that is down. That is at most one request per second, however many users sign in.
   * @throws ProviderUnavailableError
   */
  async respondingClient(): Promise<OidcClient> {
    if (!this.discovered || Date.now() - this.discovered.readAt >= AVAILABLE_MS)
      this.discovered = await this.discoverOnce();
    return this.clientOf(this.discovered);
  }

  /** The client, if the provider was reached before. */
  get knownClient(): OidcClient | undefined {
    return this.discovered && this.clientOf(this.discovered);
  }

  /** The seconds after which a request to the provider can succeed. */
  get retryAfterSeconds(): number {
    return this.circuitBreaker.retryAfterSeconds;
  }

  /** Sends a request to the provider. @throws ProviderUnavailableError */
  readonly fetch = (url: string, options: ProviderRequest): Promise<Response> =>
    this.circuitBreaker.execute(() => send(url, options));

  private clientOf({ library, metadata }: Discovered): OidcClient {
    const { clientId, clientSecret } = this.settings;
    const authentication = clientSecret === undefined ? library.None() : withSecret(library, clientSecret);
    const configuration = new library.Configuration(metadata, clientId, undefined, authentication);
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[library.customFetch] = this.fetch;
    library.enableNonRepudiationChecks(configuration);
    return { library, configuration };
  }

  private discover(): Promise<Discovered> {
    const { issuer, clientId } = this.settings;
    return this.circuitBreaker.execute(async () => {
      const library = await import('openid-client');
      try {
        const discovered = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
          [library.customFetch]: send,
          timeout: TIMEOUT_SECONDS,
        });
        const metadata = discovered.serverMetadata();
        assertIssuer(metadata.issuer, issuer);
        return { library, metadata, readAt: Date.now() };
      } catch (error) {
        throw unavailableCause(error) ?? unusable(error);
      }
    });
  }
}

/**
 * The library accepts another issuer from Entra ID: with `common` in the URL, the issuer of each token names its tenant.
 * Then users of every tenant could sign in, with roles that the administrators of their tenants grant.
 */
function assertIssuer(actual: string, expected: string): void {
  if (new URL(actual).href !== new URL(expected).href)
    throw new Error(`it describes the issuer ${actual}, not ${expected}`);
}

/** The method that the standard prefers, unless the provider supports only the other one. */
function withSecret({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(server, ...request);
  };
}

/** The messages name what is wrong with the description, and contain nothing of a request. */
function unusable(error: unknown): ProviderUnavailableError {
  const messages = [error, error instanceof Error ? error.cause : undefined].flatMap((one) =>
    one instanceof Error ? [one.message] : [],
  );
  return new ProviderUnavailableError(
    `The description of the OpenID provider cannot be used, check OIDC_ISSUER: ${messages.join(', ')}`,
    LONG_PAUSE_MS,
    { cause: error },
  );
}

/** Sends a request and reads the response. @throws ProviderUnavailableError */
async function send(url: string, options: ProviderRequest): Promise<Response> {
  const { origin } = new URL(url);
  let response: Response;
  let body: ArrayBuffer;
  try {
    response = await fetch(url, { ...options, body: options.body ?? null, signal: options.signal ?? null });
    body = await response.arrayBuffer();
  } catch (error) {
    throw new ProviderUnavailableError(
      `The OpenID provider is not reachable at ${origin}: ${errorCode(error)}`,
      SHORT_PAUSE_MS,
      { cause: error },
    );
  }
  const { status, headers } = response;
  if (status >= 500 || status === 429)
    throw new ProviderUnavailableError(
      `The OpenID provider at ${origin} responds with status ${String(status)}`,
      pauseAfter(status),
    );
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}
