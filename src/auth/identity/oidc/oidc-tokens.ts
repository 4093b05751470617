import { Inject, Injectable, Logger } from '@nestjs/common';
import type { JWTVerifyGetKey } from 'jose';
import { InventoryError } from '../../../core/errors/inventory-error';
import { ProviderUnavailableError, unavailableCause } from '../circuit-breaker';
import type { Claims } from './oidc-claims';
import { OidcProvider, TIMEOUT_SECONDS } from './oidc-provider';
import { OIDC_SETTINGS, type OidcSettings } from './oidc-settings';

/** Asymmetric signatures only: with a symmetric one, a public key could be used as the secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** In seconds, because clocks differ. */
const CLOCK_TOLERANCE = 5;

/** Unknown keys are looked for at most this often, so that forged tokens cause few requests. */
const KEY_COOLDOWN_MS = 5_000;

/** Errors of the library that are caused by the token. All others are caused by the provider. */
const TOKEN_ERRORS = new Set([
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_INVALID',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
]);

/** Checks the access tokens of the OpenID provider. */
@Injectable()
export class OidcTokens {
  private readonly log = new Logger('OpenID Connect');
  private keys: { readonly find: JWTVerifyGetKey; readonly issuer: string } | undefined;

  constructor(
    private readonly provider: OidcProvider,
    @Inject(OIDC_SETTINGS) private readonly settings: OidcSettings,
  ) {}

  /**
   * Checks the signature, the issuer, the audience and the expiry of a token.
   * @returns the claims, or why the token is not valid
   * @throws InventoryError 503 if it cannot be checked now
   */
  async verify(token: string): Promise<Claims | 'unknown token' | 'expired token'> {
    const { errors, jwtVerify } = await import('jose');
    try {
      this.keys ??= await this.loadKeys();
      const { find, issuer } = this.keys;
      const { payload } = await jwtVerify(token, find, {
        issuer,
        audience: this.settings.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE,
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired token';
      if (error instanceof errors.JOSEError && TOKEN_ERRORS.has(error.code)) return 'unknown token';
      if (error instanceof errors.JOSEError || unavailableCause(error)) throw this.unavailable();
      throw error;
    }
  }

  /** The provider's keys, which are fetched again after ten minutes, and for a token with an unknown one. */
  private async loadKeys(): Promise<{ find: JWTVerifyGetKey; issuer: string }> {
    const { createLocalJWKSet, createRemoteJWKSet, customFetch } = await import('jose');
    const { configuration } = await this.provider.client();
    const { issuer, jwks_uri } = configuration.serverMetadata();
    if (jwks_uri === undefined)
      throw new ProviderUnavailableError('The description of the OpenID provider has no jwks_uri', undefined);
    const remote = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      cooldownDuration: KEY_COOLDOWN_MS,
      [customFetch]: this.provider.fetch,
    });
    let reloadedAt = -Infinity;
    const reload = (): void => {
      if (Date.now() - reloadedAt < KEY_COOLDOWN_MS) return;
      reloadedAt = Date.now();
      remote.reload().catch((error: unknown) => {
        // The circuit breaker has logged an outage.
        if (!unavailableCause(error))
          this.log.warn({ err: error }, 'The keys of the provider cannot be read.');
      });
    };
    const find: JWTVerifyGetKey = async (header, input) => {
      const known = remote.jwks();
      if (known && !remote.fresh) {
        // Known keys are used meanwhile, so that no token waits for a provider that does not respond.
        reload();
        const key = await createLocalJWKSet(known)(header, input).catch(() => undefined);
        if (key) return key;
      }
      return remote(header, input);
    };
    return { find, issuer };
  }

  private unavailable(): InventoryError {
    return new InventoryError(
      'unavailable',
      'The token cannot be checked, because the OpenID provider is unavailable. Retry later.',
      [],
      { 'retry-after': String(this.provider.retryAfterSeconds) },
    );
  }
}
