import { Injectable } from '@nestjs/common';
import { resolveProject, unauthenticatedError } from '../auth/identity/header-strategy';
import { ProjectPolicies } from '../auth/project-policies';
import { SessionStore, type SignIn } from '../auth/sessions/session-store';
import type { NewSessionToken } from '../auth/sessions/session-token';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { Database } from '../database/database';
import { arrayParameter, sql, type Sql } from '../database/sql';
import type { CallerSession } from '../http/request-state';
import type { SessionProjectView, SessionView } from './session.views';

/** The number of projects that a root user is shown. */
const MAX_LISTED_PROJECTS = 1_000;

/** A session, and the token for its cookie. */
export interface StartedSession {
  readonly session: SessionView;
  readonly token: string;
}

/** Starts, shows and ends the sessions of browsers. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionStore,
    private readonly policies: ProjectPolicies,
    private readonly database: Database,
  ) {}

  /** Starts a session of the caller. @throws InventoryError 403 without an API key */
  async start({ principal, projectId, key }: RequestContext, isSession: boolean): Promise<StartedSession> {
    if (!key || isSession)
      throw new InventoryError('forbidden', 'A session is started with an API key in the headers.');
    const signIn: SignIn = { principal, projectId, key, grants: undefined };
    return this.started(signIn, await this.store.start(signIn));
  }

  /** Enters another project with a new token. The former one ends. @throws InventoryError 401, 404 */
  async enter(ctx: RequestContext, session: CallerSession, project: string): Promise<StartedSession> {
    const projectId = await resolveProject(project, ctx.principal, this.policies);
    if (projectId === undefined) throw InventoryError.notFound('project', project, 'project_id');
    const signIn: SignIn = { ...ctx, projectId, key: ctx.key, grants: session.grants };
    const token = await this.store.replace(session, signIn);
    if (!token) throw sessionEnded();
    return this.started(signIn, token);
  }

  async end(session: CallerSession): Promise<void> {
    await this.store.end(session);
  }

  /** @throws InventoryError 404 if the project was deleted */
  async show({ principal, projectId, key }: SignInOf, session: CallerSession): Promise<SessionView> {
    const { userId, username, isAdmin, isRoot, roles } = principal;
    const [project] = await this.projects(sql`id = ${projectId}`);
    if (!project) throw InventoryError.notFound('project', projectId);
    const enterable = Object.keys(session.grants ?? { [principal.homeProjectId]: [] });
    return {
      user: { id: userId, username, is_admin: isAdmin, is_root: isRoot, roles },
      project,
      projects: await this.projects(isRoot ? sql`true` : sql`id = ANY(${arrayParameter(enterable)}::uuid[])`),
      method: key ? 'api-key' : 'oidc',
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      idle_expires_at: session.idleExpiresAt,
    };
  }

  private async started(signIn: SignIn, address: NewSessionToken): Promise<StartedSession> {
    const session = await this.store.find(address);
    if (!session) throw sessionEnded();
    return { session: await this.show(signIn, session), token: address.token };
  }

  private projects(condition: Sql): Promise<(SessionProjectView & Record<string, unknown>)[]> {
    return this.database.rows(
      sql`SELECT id, name FROM projects WHERE ${condition} ORDER BY name LIMIT ${MAX_LISTED_PROJECTS}`,
    );
  }
}

type SignInOf = Pick<SignIn, 'principal' | 'projectId'> & { readonly key?: SignIn['key'] };

/** The user was deleted, or the session ended, while the request was processed. */
const sessionEnded = (): InventoryError => unauthenticatedError('The session has ended.');
