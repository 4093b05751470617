import { committed } from '../core/write-result';
import { Injectable } from '@nestjs/common';
import {
  EXTERNAL_PROVIDERS,
  findExternalUser,
  hasCurrentName,
  type ExternalUser,
  type ExternalUserRegistrar,
  type RegisteredUser,
} from '../auth/identity/external-users';
import { ProjectPolicies } from '../auth/project-policies';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import { isUniqueViolation, postgresError } from '../database/errors/postgres-error';
import { Database } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { commandContext } from '../core/context/request-context';
import { insertProject } from './projects.service';
import { User, userMapping } from './user.entity';

/** Concurrent requests can register the same user. One succeeds, and the others find the user when they retry. */
const MAX_TRIES = 5;

/**
 * Creates the users of identity providers, and the projects of Keystone, when they are first seen. Such a user has no
 * API key, and only the roles that the provider asserts, so access that is revoked there is revoked in Muster.
 */
@Injectable()
export class ExternalRegistrar implements ExternalUserRegistrar {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly policies: ProjectPolicies,
  ) {}

  async register(newcomer: ExternalUser): Promise<RegisteredUser> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.ensureProject(newcomer);
        return await this.findOrCreateUser(newcomer);
      } catch (error) {
        const dbError = postgresError(error);
        if (!dbError || !isUniqueViolation(dbError) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async ensureProject({ provider, project: { id, names } }: ExternalUser): Promise<void> {
    if (!names) return;
    const found = await this.database.rows(sql`SELECT FROM projects WHERE id = ${id}`);
    if (found.length > 0) return;
    const ctx = commandContext('First token for this project', '', EXTERNAL_PROVIDERS[provider].author);
    const run = async (change: ChangeSet) => {
      const taken = await change.tx.rows<{ name: string }>(
        sql`SELECT name FROM projects WHERE name = ANY(${arrayParameter(names)}::text[])`,
      );
      await insertProject(change, freeName(names, new Set(taken.map(({ name }) => name))), id);
    };
    await this.changes.run(ctx, { run });
  }

  private async findOrCreateUser(newcomer: ExternalUser): Promise<RegisteredUser> {
    const { provider, project } = newcomer;
    const { author, title } = EXTERNAL_PROVIDERS[provider];
    const found = await findExternalUser(this.database, newcomer);
    if (found && hasCurrentName(found, newcomer)) return found;
    const names = newcomer.names.length === 0 ? [newcomer.defaultName] : newcomer.names;
    const reason = found ? `The name at ${title} has changed` : 'First token of this user';
    const ctx = commandContext(reason, project.id, author);
    const run = async (change: ChangeSet): Promise<RegisteredUser> => {
      await this.waiveReason(change, project.id);
      const taken = await change.tx.rows<{ username: string }>(sql`SELECT username FROM users
        WHERE project_id = ${project.id} AND username = ANY(${arrayParameter(names)}::text[])`);
      const username = freeName(names, new Set(taken.map((row) => row.username)));
      if (!found) return { id: await insertExternalUser(change, newcomer, username), username };
      await change.update(await change.lock(userMapping, found.id), User, { username });
      return { id: found.id, username };
    };
    return committed(await this.changes.run(ctx, { run }));
  }

  /** No user is present who could give the reason that the project requires. */
  private async waiveReason(change: ChangeSet, projectId: string): Promise<void> {
    const policy = await this.policies.readUncached(change.tx, projectId);
    change.usePolicy(policy && { ...policy, reason: undefined });
  }
}

const insertExternalUser = (
  change: ChangeSet,
  { provider, id, project }: ExternalUser,
  username: string,
): Promise<number> =>
  change.insert(userMapping, User, {
    project_id: project.id,
    username,
    is_admin: false,
    is_root: false,
    roles: [],
    [EXTERNAL_PROVIDERS[provider].column]: id,
  });

/** The first free name. If all are taken, the last one, so that the insert fails with a conflict. */
const freeName = (names: readonly string[], taken: ReadonlySet<string>): string =>
  names.find((name) => !taken.has(name)) ?? names.at(-1) ?? '';
