import { Inject, Injectable, Optional } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { APP_SETTINGS, type AppSettings, type Principal } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { parseUuid } from '../../core/parameters';
import { baseUrl, projectHeader } from '../../http/request';
import { isWrite } from '../../http/dry-run';
import type { Identity, OidcSession } from '../../http/request-state';
import { ProjectPolicies } from '../project-policies';
import { authenticationFailed, HeaderStrategy, resolveProject } from '../identity/header-strategy';
import { hasSessionCookie, isSameOrigin, sessionCookie, parseSessionToken } from './session-cookie';
import { SessionStore } from './session-store';
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
    const { enteredProjectId, key, failure } = session;
    if (failure) return authenticationFailed(request, failure, key?.id);
    const oidc = session.oidc && (await this.oidcAccess?.grantedNow(session.oidc));
    // The service may have been started with another IDENTITY, or another provider, since the sign-in.
    if (session.oidc ? !oidc : !this.options.acceptsKeys)
      return authenticationFailed(request, 'unknown session', key?.id);
    const { homeProjectId } = session.principal;
    const permissions = oidc && grantedPermissions(oidc.grants, homeProjectId);
    // OIDC_ROLES may have changed since the sign-in.
    if (oidc && permissions?.isRoot !== true && !(homeProjectId in oidc.grants))
      return authenticationFailed(request, 'project does not match');
    const principal = { ...session.principal, ...permissions };
    const projectId = await resolveProject(enteredProjectId, principal, this.policies);
    if (projectId === undefined) return authenticationFailed(request, 'project does not match', key?.id);
    if (isWrite(request) && !isSameOrigin(request, base)) throw otherOriginError();
    const user = (await this.userInNamedProject(request, projectId, principal, oidc)) ?? {
      principal,
      projectId,
    };
    return { ...user, session: { ...session, oidc }, ...(key ? { key } : {}) };
  }

  /**
   * The user in the project that the request names in X-Auth-Project: all tabs of a browser share a session, and each of
   * them names the project that it shows.
   * @returns undefined if the request names no other project than the entered one, or one that the session cannot enter
   */
  private async userInNamedProject(
    request: Request,
    entered: string,
    principal: Principal,
    oidc: OidcSession | undefined,
  ): Promise<SessionUser | undefined> {
    const named = parseUuid(projectHeader(request) ?? '');
    if (named === undefined || named === entered) return undefined;
    const access = { policies: this.policies, oidcAccess: this.oidcAccess };
    const result = await sessionUserIn(named, principal, oidc, access);
    return 'user' in result ? result.user : undefined;
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
