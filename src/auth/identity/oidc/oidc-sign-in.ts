import { Inject, Injectable, Logger } from '@nestjs/common';
import type { IDToken } from 'openid-client';
import type { Request } from 'express';
import { ConcurrencyLimiter } from '../../../core/concurrency';
import type { OidcSession } from '../../../http/request-state';
import { ProviderUnavailableError, unavailableCause } from '../circuit-breaker';
import { OidcAccess } from './oidc-access';
import { hasRoles, type Claims } from './oidc-claims';
import { OidcProvider, TIMEOUT_SECONDS, type OidcClient } from './oidc-provider';
import { OIDC_SETTINGS, type OidcSettings } from './oidc-settings';
import { InventoryError, type ErrorCode } from '../../../core/errors';
import { packSealed, unpackSealed, type SecretBox } from '../../../core/secret-box';
import { readCookie, setCookie } from '../../sessions/session-cookie';

/** Why a sign-in at the provider failed, as sign-in pages get it in `error`. */
export const SIGN_IN_ERRORS = {
  provider_unavailable: [
    'unavailable',
    'Nobody can sign in now, because the OpenID provider is unavailable. Retry later.',
  ],
  access_denied: ['forbidden', 'The sign-in was cancelled or denied at the OpenID provider.'],
  no_access: ['forbidden', 'The user of the OpenID provider has access to no project.'],
  expired: [
    'unauthenticated',
    'The sign-in took more than ten minutes, or was started in another browser. Sign in again.',
  ],
  invalid_response: [
    'unauthenticated',
    'The response of the OpenID provider is not valid for this sign-in. Sign in again.',
  ],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, string]>>;

export type SignInFailure = keyof typeof SIGN_IN_ERRORS;

/** A sign-in at the provider failed. */
export class SignInError extends InventoryError {
  constructor(
    readonly failure: SignInFailure,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const [code, message] = SIGN_IN_ERRORS[failure];
    super(code, message, [], {
      ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="muster"' } : {}),
      ...headers,
    });
  }
}

/** More sign-ins wait in a queue, so that a client cannot keep the provider busy. */
const MAX_CONCURRENT = 8;
const MAX_QUEUED = 100;

/** Signs users in at the OpenID provider: the authorization code flow with PKCE. */
@Injectable()
export class OidcSignIn {
  private readonly log = new Logger('OpenID Connect');
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: MAX_CONCURRENT,
    queue: { maxLength: MAX_QUEUED, timeoutMs: TIMEOUT_SECONDS * 1000 },
    message: 'Too many users are signing in. Retry later.',
    retryAfterSeconds: TIMEOUT_SECONDS,
  });

  constructor(
    private readonly provider: OidcProvider,
    private readonly access: OidcAccess,
    @Inject(OIDC_SETTINGS) private readonly settings: OidcSettings,
  ) {}

  /** Reads the provider's description, so that a wrong setting is logged at the start. */
  async checkProvider(): Promise<void> {
    try {
      await this.provider.client();
    } catch (error) {
      // The circuit breaker has logged the error.
      if (!(error instanceof ProviderUnavailableError)) throw error;
    }
  }

  /**
   * Begins a sign-in. @param redirectUri where the provider sends the browser back
   * @param replaces the address of the session that the browser has now
   * @returns the provider's URL, and what the browser has to keep
   * @throws SignInError
   */
  async begin(
    redirectUri: string,
    returnTo: string,
    replaces: string | undefined,
  ): Promise<{ url: URL; state: SignInState }> {
    const { library, configuration } = await this.orUnavailable(() => this.provider.respondingClient());
    const state: SignInState = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      codeVerifier: library.randomPKCECodeVerifier(),
      returnTo,
      ...(replaces === undefined ? {} : { replaces }),
      expiresAt: Date.now() + SIGN_IN_SECONDS * 1000,
    };
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.settings.scopes,
      state: state.state,
      nonce: state.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(state.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, state };
  }

  /**
   * Completes a sign-in. @param url the URL to which the provider has sent the browser back
   * @throws SignInError
   */
  async complete(url: URL, state: SignInState): Promise<OidcSession> {
    const client = await this.orUnavailable(() => this.provider.client());
    try {
      const claims = await this.limiter.run(() => readClaims(client, url, state, this.settings));
      const assertion = await this.access.assertionOf(claims);
      if (!assertion) throw new SignInError('invalid_response');
      if (Object.keys(assertion.grants).length === 0) throw new SignInError('no_access');
      return assertion;
    } catch (error) {
      throw this.failureOf(client, error);
    }
  }

  /** Where the user signs out at the provider, if it offers that and is known. */
  signOutUrl(returnTo: string): string | undefined {
    const client = this.provider.knownClient;
    if (client?.configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return client.library.buildEndSessionUrl(client.configuration, { post_logout_redirect_uri: returnTo })
      .href;
  }

  private async orUnavailable(read: () => Promise<OidcClient>): Promise<OidcClient> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof ProviderUnavailableError) throw this.unavailable();
      throw error;
    }
  }

  private unavailable(): SignInError {
    return new SignInError('provider_unavailable', {
      'retry-after': String(this.provider.retryAfterSeconds),
    });
  }

  /** The error for the client. The log gets the codes of the library and of the provider, which are not secret. */
  private failureOf({ library }: OidcClient, error: unknown): unknown {
    if (unavailableCause(error)) return this.unavailable();
    if (error instanceof library.AuthorizationResponseError && error.error === 'access_denied')
      return new SignInError('access_denied');
    const isInvalid =
      error instanceof library.AuthorizationResponseError ||
      error instanceof library.ResponseBodyError ||
      error instanceof library.ClientError;
    if (!isInvalid) return error;
    const { code } = error;
    this.log.warn({ code, error: 'error' in error ? error.error : undefined }, 'A sign-in failed.');
    return new SignInError('invalid_response');
  }
}

/** The claims of the ID token, completed by the user info if they lack the roles. */
async function readClaims(
  { library, configuration }: OidcClient,
  url: URL,
  { state, nonce, codeVerifier }: SignInState,
  settings: OidcSettings,
): Promise<Claims> {
  const tokens = await library.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims: IDToken | undefined = tokens.claims();
  if (!claims) throw new SignInError('invalid_response');
  if (hasRoles(claims, settings) || configuration.serverMetadata().userinfo_endpoint === undefined)
    return claims;
  return { ...(await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
}

/** What the service has to know when the provider sends the browser back. */
interface SignInState {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE. */
  readonly codeVerifier: string;
  /** Where the browser goes afterwards. */
  readonly returnTo: string;
  /** The session that the sign-in replaces. The browser does not send its cookie when another site sends it back. */
  readonly replaces?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The time to sign in at the provider. */
const SIGN_IN_SECONDS = 600;

/** The owner of the encrypted text. */
const OWNER = 'sign-in with OpenID Connect';

const cookieName = (base: string): string => `${base.startsWith('https:') ? '__Host-' : ''}muster-sign-in`;

/**
 * The `Set-Cookie` header that keeps the state in the browser until the provider sends it back. It is encrypted, and
 * valid for every process, because all of them have the same key. It is `Lax`, because the provider is another site.
 */
export const signInCookie = (base: string, state: SignInState, box: SecretBox): string =>
  setCookie(cookieName(base), packSealed(box.seal(JSON.stringify(state), OWNER)).toString('base64url'), {
    base,
    maxAgeSeconds: SIGN_IN_SECONDS,
    sameSite: 'Lax',
  });

/** The `Set-Cookie` header that removes the state. */
export const endSignInCookie = (base: string): string =>
  setCookie(cookieName(base), '', { base, maxAgeSeconds: 0, sameSite: 'Lax' });

/** @returns undefined if the browser sends no state, a forged one, or one that has expired */
export function readSignInState(request: Request, base: string, box: SecretBox): SignInState | undefined {
  const sealed = unpackSealed(
    Buffer.from(readCookie(request.headers.cookie, cookieName(base)) ?? '', 'base64url'),
  );
  if (!box.canOpen(sealed)) return undefined;
  let text: string;
  try {
    text = box.open(sealed, OWNER);
  } catch {
    // Authenticated decryption fails for everything that was not encrypted with this key.
    return undefined;
  }
  const state = JSON.parse(text) as SignInState;
  return Date.now() < state.expiresAt ? state : undefined;
}
