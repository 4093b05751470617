import { Injectable, Logger, Optional } from '@nestjs/common';
import { unauthenticatedError } from '../../auth/identity/header-strategy';
import { OidcAccess } from '../../auth/identity/oidc/oidc-access';
import { ProjectPolicies } from '../../auth/project-policies';
import { SessionStore, type SignIn } from '../../auth/sessions/session-store';
import { sessionUserIn, type SessionUser } from '../../auth/sessions/session-user';
import type { NewSessionToken } from '../../auth/sessions/session-cookie';
import type { CallerApiKey, RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { Database } from '../../database/database';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import type { CallerSession, OidcSession } from '../../http/request-state';
import type { SessionProjectView, SessionView } from './session.views';

/** The number of projects that a root user is shown. */
const MAX_LISTED_PROJECTS = 1_000;

/** A session, and the token for its cookie. */
export interface StartedSession {
  readonly session: SessionView;
  readonly token: string;
}

/** A sign-in, with what the provider grants. */
interface SessionSignIn extends SignIn {
  readonly oidc: OidcSession | undefined;
}

/** A user of a session, with the API key with which it was started. */
type SessionSignInUser = SessionUser & { readonly key?: CallerApiKey | undefined };

/** Starts, shows and ends the sessions of browsers. */
@Injectable()
export class SessionsService {
  private readonly log = new Logger('Sessions');

  constructor(
    private readonly store: SessionStore,
    private readonly policies: ProjectPolicies,
    private readonly database: Database,
    @Optional() private readonly oidcAccess?: OidcAccess,
  ) {}

  /**
   * Starts a session of the caller.
   * @param isSession whether the caller was authenticated by a session
   * @throws InventoryError 403 without an API key
   */
  async startWithKey(
    { principal, projectId, key }: RequestContext,
    isSession: boolean,
    replaces: string | undefined,
  ): Promise<StartedSession> {
    if (!key || isSession)
      throw new InventoryError('forbidden', 'A session is started with an API key in the headers.');
    return this.start({ principal, projectId, key, oidc: undefined }, replaces);
  }

  /**
   * Starts a session of a user of the OpenID provider, in the first project that the provider grants. The user is
   * registered in all of these projects, because only a sign-in proves that the provider still knows the user.
   * @param replaces the id of the former session of the browser, which ends
   */
  async startWithOidc(oidc: OidcSession, replaces: string | undefined): Promise<StartedSession> {
    const [first, ...others] = await this.projects(isOneOf(Object.keys(oidc.grants)));
    if (!first) throw sessionEnded();
    const access = this.requireOidcAccess();
    const principal = await access.principalIn(first.id, oidc);
    for (const { id } of others) await this.registerIn(id, oidc);
    return this.start({ principal, projectId: first.id, key: undefined, oidc }, replaces);
  }

  /** Enters another project with a new token. The former one ends. @throws InventoryError 401, 403, 404 */
  async enter(ctx: RequestContext, session: CallerSession, project: string): Promise<StartedSession> {
    const access = { policies: this.policies, oidcAccess: this.oidcAccess };
    const result = await sessionUserIn(project, ctx.principal, session.oidc, access);
    if ('reason' in result)
      throw result.reason === 'not registered'
        ? notRegistered()
        : InventoryError.notFound('project', project, 'project_id');
    const signIn: SessionSignIn = { ...result.user, key: ctx.key, oidc: session.oidc };
    const token = await this.store.replace(session, signIn);
    if (!token) throw sessionEnded();
    return this.started(signIn, token);
  }

  async end(session: CallerSession): Promise<void> {
    await this.store.end(session);
  }

  /** @throws InventoryError 404 if the project was deleted */
  async show({ principal, projectId, key }: SessionSignInUser, session: CallerSession): Promise<SessionView> {
    const { userId, username, isAdmin, isRoot, roles } = principal;
    const [project] = await this.projects(isOneOf([projectId]));
    if (!project) throw InventoryError.notFound('project', projectId);
    const enterable = session.oidc ? Object.keys(session.oidc.grants) : [principal.homeProjectId];
    return {
      user: { id: userId, username, is_admin: isAdmin, is_root: isRoot, roles },
      project,
      projects: await this.projects(isRoot ? sql`true` : isOneOf(enterable)),
      method: key ? 'api-key' : 'oidc',
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      idle_expires_at: session.idleExpiresAt,
    };
  }

  /** A project in which the names of the user are taken does not prevent the sign-in to the others. */
  private async registerIn(projectId: string, oidc: OidcSession): Promise<void> {
    try {
      await this.requireOidcAccess().principalIn(projectId, oidc);
    } catch (error) {
      if (!(error instanceof InventoryError)) throw error;
      this.log.warn(
        `A user could not be registered in the project ${projectId} at a sign-in: ${error.message}`,
      );
    }
  }

  private requireOidcAccess(): OidcAccess {
    if (!this.oidcAccess) throw new Error('OpenID Connect is not configured');
    return this.oidcAccess;
  }

  private async start(signIn: SessionSignIn, replaces: string | undefined): Promise<StartedSession> {
    const token = await this.store.start(signIn, replaces);
    if (!token) throw sessionEnded();
    return this.started(signIn, token);
  }

  private async started(signIn: SessionSignIn, newToken: NewSessionToken): Promise<StartedSession> {
    const session = await this.store.find(newToken);
    if (!session) throw sessionEnded();
    return { session: await this.show(signIn, { ...session, oidc: signIn.oidc }), token: newToken.token };
  }

  private projects(condition: Sql): Promise<(SessionProjectView & Record<string, unknown>)[]> {
    return this.database.rows(
      sql`SELECT id, name FROM projects WHERE ${condition} ORDER BY name LIMIT ${MAX_LISTED_PROJECTS}`,
    );
  }
}

const isOneOf = (projectIds: readonly string[]): Sql => sql`id = ANY(${arrayParameter(projectIds)}::uuid[])`;

/** The project was granted after the sign-in, or the user was deleted there. */
const notRegistered = (): InventoryError =>
  new InventoryError('forbidden', 'To enter this project, sign out and sign in again.');

/** The user or the project was deleted, or the session ended, while the request was processed. */
const sessionEnded = (): InventoryError => unauthenticatedError('The session has ended.');
