import { Injectable, Inject, Logger } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { JWTVerifyGetKey } from 'jose';
import { InventoryError } from '../../../core/errors';
import { parseUuid } from '../../../core/parameters';
import type { Identity, OidcSession } from '../../../http/request-state';
import { ProjectPolicies } from '../../project-policies';
import {
  authenticationFailed,
  failWithoutCredentials,
  HeaderStrategy,
  parseCredentials,
  resolveProject,
  unauthenticatedError,
} from '../header-strategy';
import { OidcAccess } from './oidc-access';
import { grantedPermissions, type Claims } from './oidc-claims';
import { ProviderUnavailableError, unavailableCause } from '../circuit-breaker';
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
      // A token about events, such as the logout token of a provider, is signed like an access token.
      return 'events' in payload ? 'unknown token' : payload;
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

/** A JSON Web Token with a signature. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Authenticates access tokens of the OpenID provider. The header for the user is optional but must match; the one for
 * the project is optional if the user has access to one only.
 */
@Injectable()
export class OidcStrategy extends PassportStrategy(HeaderStrategy, 'oidc') {
  constructor(
    private readonly tokens: OidcTokens,
    private readonly access: OidcAccess,
    private readonly policies: ProjectPolicies,
  ) {
    super();
  }

  /**
   * @returns the identity, or false
   * @throws InventoryError 401 for a valid token that does not determine a project, 503 if the provider is unavailable
   */
  async validate(request: Request): Promise<Identity | false> {
    const credentials = parseCredentials(request);
    if (!credentials) return failWithoutCredentials(request);
    if (!TOKEN_PATTERN.test(credentials.token)) return authenticationFailed(request, 'malformed credentials');
    const claims = await this.tokens.verify(credentials.token);
    if (typeof claims === 'string') return authenticationFailed(request, claims);
    const assertion = await this.access.assertionOf(claims);
    if (!assertion) return authenticationFailed(request, 'unknown token');
    const { user, project } = credentials;
    if (user !== undefined && user !== claims['sub'] && !assertion.names.includes(user))
      return authenticationFailed(request, 'user does not match');
    const homeProjectId = homeProject(assertion, project);
    if (homeProjectId === undefined) {
      authenticationFailed(request, 'token without a project');
      throw projectRequired(assertion);
    }
    const { isRoot } = grantedPermissions(assertion.grants, homeProjectId);
    const caller = { homeProjectId, isRoot };
    const projectId = await resolveProject(project ?? homeProjectId, caller, this.policies);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match');
    // The user is registered last, so that a rejected request creates nothing.
    return { principal: await this.access.principalIn(homeProjectId, assertion), projectId };
  }
}

/** The project from which a user makes a request; undefined if the token does not determine one. */
function homeProject({ grants }: OidcSession, named: string | undefined): string | undefined {
  const granted = Object.keys(grants);
  if (named === undefined) return granted.length === 1 ? granted[0] : undefined;
  const projectId = parseUuid(named);
  // A root user can name any project, from any of their own.
  return granted.find((id) => id === projectId) ?? granted[0];
}

/** This error reveals the reason, because the client has proved to have a valid token. */
const projectRequired = ({ grants }: OidcSession): InventoryError =>
  unauthenticatedError(
    Object.keys(grants).length === 0
      ? 'The token is valid, but it gives access to no project.'
      : `The token is valid for several projects: name one in X-Auth-Project (${Object.keys(grants).join(', ')}).`,
  );
