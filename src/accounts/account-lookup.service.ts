import { Injectable } from '@nestjs/common';
import { visibleProjects, type ProjectScope, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseUuid } from '../core/parameters';
import { Database } from '../database/database';
import { raw, sql } from '../database/sql';
import { inScope } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';
import { apiKeyMapping, type ApiKeyView } from './api-keys';
import { projectMapping } from './project.entity';
import { userMapping } from './user.entity';

/** A project that a command refers to. */
interface FoundProject {
  readonly id: string;
  readonly name: string;
}

/** A user in the list of a command. */
export interface UserSummary {
  readonly id: number;
  readonly uuid: string;
  readonly username: string;
  readonly project_id: string;
  readonly project: string;
  readonly is_admin: boolean;
  readonly is_root: boolean;
  readonly roles: readonly string[];
  /** The number of active API keys. */
  readonly keys: number;
}

/** An API key in the list of a command. */
type ListedKey = Omit<ApiKeyView, 'id'>;

/** Finds projects, users and keys by their names. */
@Injectable()
export class AccountLookupService {
  constructor(private readonly database: Database) {}

  /** A project by its id or else its name. @throws InventoryError 404 */
  async project(ctx: RequestContext, idOrName: string): Promise<FoundProject> {
    const id = parseUuid(idOrName) ?? null;
    const [project] = await this.database.rows<FoundProject & Record<string, unknown>>(sql`
      SELECT t.id, t.name FROM projects t
      WHERE ${inScope(projectMapping, visibleProjects(ctx))} AND (t.id = ${id}::uuid OR t.name = ${idOrName})
      ORDER BY (t.id = ${id}::uuid) IS TRUE DESC LIMIT 1`);
    if (!project) throw InventoryError.notFound('project', idOrName);
    return project;
  }

  /** The id of a user of the context's project. @throws InventoryError 404 */
  async userId(ctx: RequestContext, username: string): Promise<number> {
    const [user] = await this.database.rows<{ id: number }>(
      sql`SELECT t.id FROM users t WHERE t.project_id = ${ctx.projectId} AND t.username = ${username}`,
    );
    if (!user) throw new InventoryError('not_found', `There is no user ${username} in this project.`);
    return user.id;
  }

  /** @param projectId the project; undefined for all projects that the caller can see */
  async users(ctx: RequestContext, projectId?: string): Promise<UserSummary[]> {
    const scope = projectId === undefined ? visibleProjects(ctx) : { project: projectId };
    return this.database.rows<UserSummary & Record<string, unknown>>(sql`
      SELECT t.id, t.uuid, t.username, t.project_id, p.name AS project, t.is_admin, t.is_root, t.roles,
        (SELECT count(*) FROM api_keys k WHERE k.project_id = t.project_id AND k.user_id = t.id
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS keys
      FROM users t JOIN projects p ON p.id = t.project_id
      WHERE ${inScope(userMapping, scope)} ORDER BY p.name, t.username`);
  }

  /** @returns the user's project. @throws InventoryError 404 if the caller cannot see a user with this id */
  async requireUser(ctx: RequestContext, id: number): Promise<ProjectScope> {
    const scope = await scopeOfResource(ctx, userMapping, id, this.database);
    const [user] = await this.database.rows(
      sql`SELECT FROM users t WHERE ${inScope(userMapping, scope)} AND t.id = ${id}`,
    );
    if (!user) throw InventoryError.notFound('user', id);
    return scope;
  }

  /** The keys of a user of the context's project, oldest first. */
  async keys(ctx: RequestContext, userId: number): Promise<ListedKey[]> {
    return this.database.rows<ListedKey & Record<string, unknown>>(sql`
      SELECT ${member('key_id')}, ${member('created_at')}, ${member('expires_at')}, ${member('revoked_at')},
        ${member('state')}, ${member('note')}
      FROM api_keys t WHERE t.project_id = ${ctx.projectId} AND t.user_id = ${userId} ORDER BY t.id`);
  }
}

/** A member of an API key, as in the API. */
const member = (name: keyof ListedKey) => sql`${raw(apiKeyMapping.fields[name].sql)} AS ${raw(name)}`;
