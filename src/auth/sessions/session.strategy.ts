import { Inject, Injectable, Optional } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { APP_SETTINGS, type AppSettings } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { baseUrl, projectHeader } from '../../http/request';
import { isWrite } from '../../http/dry-run';
import type { Identity, OidcSession } from '../../http/request-state';
import { ProjectPolicies } from '../project-policies';
import { authenticationFailed, HeaderStrategy } from '../identity/header-strategy';
import { hasSessionCookie, isSameOrigin, sessionCookie, parseSessionToken } from './session-cookie';
import { SessionStore, type StoredSession } from './session-store';
import { sessionUserIn, type SessionUser } from './session-user';
import { OidcAccess } from '../identity/oidc/oidc-access';
import { grantedPermissions } from '../identity/oidc/oidc-claims';
import type { OidcSettings } from '../identity/oidc/oidc-settings';

/** The injection token of `SignInOptions`. */
export const SIGN_IN_OPTIONS = Symbol('sign-in options');

/** How users can sign in. */
export interface SignInOptions {
  readonly acceptsKeys: boolean;
  readonly oidc: OidcSettings | undefined;
}

/** Authenticates browsers by the cookie of their session. It ignores the cookie of a request with other credentials. */
@Injectable()
export class SessionStrategy extends PassportStrategy(HeaderStrategy, 'session') {
  constructor(
    private readonly sessions: SessionStore,
    private readonly policies: ProjectPolicies,
    @Inject(APP_SETTINGS) private readonly settings: AppSettings,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
    @Optional() private readonly oidcAccess?: OidcAccess,
  ) {
    super();
  }

  /**
   * @returns the identity, or false; the reason of a failure is only logged
   * @throws InventoryError 403 for a write that a page of another origin can have caused
   */
  async validate(request: Request): Promise<Identity | false> {
    if (hasOtherCredentials(request) || !hasSessionCookie(request)) return false;
    const base = baseUrl(request, this.settings.publicUrl);
    const id = parseSessionToken(sessionCookie(request, base) ?? '');
    const session = id && (await this.sessions.find(id));
    if (!session) return authenticationFailed(request, 'unknown session');
    const { key, failure } = session;
    if (failure) return authenticationFailed(request, failure, key?.id);
    const oidc = session.oidc && (await this.oidcAccess?.grantedNow(session.oidc));
    // The service may have been started with another IDENTITY, or another provider, since the sign-in.
    if (session.oidc ? !oidc : !this.options.acceptsKeys)
      return authenticationFailed(request, 'unknown session', key?.id);
    const user = await this.userOf(request, session, oidc);
    if (!user) return authenticationFailed(request, 'project does not match', key?.id);
    if (isWrite(request) && !isSameOrigin(request, base)) throw otherOriginError();
    return { ...user, session: { ...session, oidc }, ...(key ? { key } : {}) };
  }

  /**
   * The user in the project that the request names in X-Auth-Project: all tabs of a browser share a session, and each of
   * them names the project that it shows. If the session cannot enter it, or the request names none: in the project that the
   * session has entered, or else in its own, because the entered one may have been deleted.
   * @returns undefined if the session can enter none of them
   */
  private async userOf(
    request: Request,
    { principal, enteredProjectId }: Pick<StoredSession, 'principal' | 'enteredProjectId'>,
    oidc: OidcSession | undefined,
  ): Promise<SessionUser | undefined> {
    const { homeProjectId } = principal;
    const user = { ...principal, ...(oidc && grantedPermissions(oidc.grants, homeProjectId)) };
    const access = { policies: this.policies, oidcAccess: this.oidcAccess };
    for (const project of new Set([
      projectHeader(request) ?? enteredProjectId,
      enteredProjectId,
      homeProjectId,
    ])) {
      const result = await sessionUserIn(project, user, oidc, access);
      if ('user' in result) return result.user;
    }
    return undefined;
  }
}

/**
 * Whether a request has headers that identify its caller. They take precedence over a cookie, even if they are wrong.
 * X-Auth-Project alone identifies nobody: with a cookie, it names the project that the sender shows.
 */
const hasOtherCredentials = ({ headers }: Request): boolean =>
  ['x-auth-token', 'x-auth-user'].some((name) => name in headers) ||
  /^Bearer\b/i.test(headers.authorization ?? '');

const otherOriginError = (): InventoryError =>
  new InventoryError(
    'forbidden',
    'With the cookie of a session, a write must come from a page of this service: a browser then sends "Sec-Fetch-Site: same-origin", or the origin of the service in Origin.',
  );
