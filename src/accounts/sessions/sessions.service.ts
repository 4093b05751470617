import { Injectable, Optional } from '@nestjs/common';
import { resolveProject, unauthenticatedError } from '../../auth/identity/header-strategy';
import { OidcAccess } from '../../auth/identity/oidc/oidc-access';
import { ProjectPolicies } from '../../auth/project-policies';
import { SessionStore, type SignIn } from '../../auth/sessions/session-store';
import type { NewSessionToken } from '../../auth/sessions/session-cookie';
import type { CallerApiKey, Principal, RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { parseUuid } from '../../core/parameters';
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

/** The user of a session, in a project. */
interface SessionUser {
  readonly principal: Principal;
  readonly projectId: string;
  readonly key?: CallerApiKey | undefined;
}

/** Starts, shows and ends the sessions of browsers. */
@Injectable()
export class SessionsService {
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
  ): Promise<StartedSession> {
    if (!key || isSession)
      throw new InventoryError('forbidden', 'A session is started with an API key in the headers.');
    return this.start({ principal, projectId, key, oidc: undefined });
  }

  /** Starts a session of a user of the OpenID provider, in the first project that the provider grants. */
  async startWithOidc(oidc: OidcSession): Promise<StartedSession> {
    const [project] = await this.projects(isOneOf(Object.keys(oidc.grants)));
    if (!project) throw sessionEnded();
    const principal = await this.principalIn(project.id, oidc);
    return this.start({ principal, projectId: project.id, key: undefined, oidc });
  }

  /** Enters another project with a new token. The former one ends. @throws InventoryError 401, 404 */
  async enter(ctx: RequestContext, session: CallerSession, project: string): Promise<StartedSession> {
    const user = await this.userIn(project, ctx, session.oidc);
    if (!user) throw InventoryError.notFound('project', project, 'project_id');
    const signIn: SignIn = { ...user, key: ctx.key, oidc: session.oidc };
    const token = await this.store.replace(session, signIn);
    if (!token) throw sessionEnded();
    return this.started(signIn, token);
  }

  async end(session: CallerSession): Promise<void> {
    await this.store.end(session);
  }

  /** @throws InventoryError 404 if the project was deleted */
  async show({ principal, projectId, key }: SessionUser, session: CallerSession): Promise<SessionView> {
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

  /** The user in another project; undefined if they cannot enter it. */
  private async userIn(
    project: string,
    { principal }: RequestContext,
    oidc: OidcSession | undefined,
  ): Promise<SessionUser | undefined> {
    const granted = parseUuid(project);
    if (oidc && granted !== undefined && granted in oidc.grants)
      return { principal: await this.principalIn(granted, oidc), projectId: granted };
    const projectId = await resolveProject(project, principal, this.policies);
    return projectId === undefined ? undefined : { principal, projectId };
  }

  private principalIn(projectId: string, oidc: OidcSession): Promise<Principal> {
    if (!this.oidcAccess) throw new Error('OpenID Connect is not configured');
    return this.oidcAccess.principalIn(projectId, oidc);
  }

  private async start(signIn: SignIn): Promise<StartedSession> {
    return this.started(signIn, await this.store.start(signIn));
  }

  private async started(user: SessionUser, address: NewSessionToken): Promise<StartedSession> {
    const session = await this.store.find(address);
    if (!session) throw sessionEnded();
    return { session: await this.show(user, session), token: address.token };
  }

  private projects(condition: Sql): Promise<(SessionProjectView & Record<string, unknown>)[]> {
    return this.database.rows(
      sql`SELECT id, name FROM projects WHERE ${condition} ORDER BY name LIMIT ${MAX_LISTED_PROJECTS}`,
    );
  }
}

const isOneOf = (projectIds: readonly string[]): Sql => sql`id = ANY(${arrayParameter(projectIds)}::uuid[])`;

/** The user or the project was deleted, or the session ended, while the request was processed. */
const sessionEnded = (): InventoryError => unauthenticatedError('The session has ended.');
