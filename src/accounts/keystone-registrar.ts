import { committed } from '../core/change-preview';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { KeystoneEntity } from '../auth/identity/keystone/keystone-token';
import {
  KeystoneUsers,
  candidateNames,
  type KeystoneIdentity,
  type RegisteredUser,
  type KeystoneUserRegistrar,
} from '../auth/identity/keystone/keystone-users';
import { ProjectPolicies } from '../auth/project-policies';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import { isUniqueViolation, postgresError } from '../database/errors/postgres-error';
import { Database } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { commandContext } from './bootstrap.service';
import { insertProject } from './projects.service';
import { User, userShape } from './user';

/** The author of changes that Keystone causes, in change records. */
export const KEYSTONE_NAME = 'keystone';

/** Concurrent requests can register the same user. One succeeds, and the others find the user when they retry. */
const MAX_TRIES = 5;

interface UserRow {
  [column: string]: unknown;
  readonly id: number;
  readonly username: string;
}

/**
 * Creates the projects and users of Keystone with their first token. Such a user has no API key, and only the roles of
 * each token, so access that is revoked in Keystone is revoked in Muster.
 */
@Injectable()
export class KeystoneRegistrar implements KeystoneUserRegistrar, OnModuleInit {
  constructor(
    private readonly users: KeystoneUsers,
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly policies: ProjectPolicies,
  ) {}

  onModuleInit(): void {
    this.users.setRegistrar(this);
  }

  async register(newcomer: KeystoneIdentity): Promise<RegisteredUser> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.ensureProject(newcomer.project);
        return await this.findOrCreateUser(newcomer);
      } catch (error) {
        const dbError = postgresError(error);
        if (!dbError || !isUniqueViolation(dbError) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async ensureProject(project: KeystoneEntity): Promise<void> {
    const found = await this.database.rows(sql`SELECT FROM projects WHERE id = ${project.id}`);
    if (found.length > 0) return;
    const ctx = commandContext('First token for this project', '', KEYSTONE_NAME);
    await this.changes.write(ctx, undefined, async (change) => {
      const taken = await change.tx.rows<{ name: string }>(
        sql`SELECT name FROM projects WHERE name = ANY(${arrayParameter(candidateNames(project))}::text[])`,
      );
      await insertProject(change, freeName(project, new Set(taken.map(({ name }) => name))), project.id);
    });
  }

  private async findOrCreateUser({ user, project }: KeystoneIdentity): Promise<RegisteredUser> {
    const [found] = await this.database.rows<UserRow>(sql`
      SELECT id, username FROM users WHERE project_id = ${project.id} AND keystone_id = ${user.id}`);
    if (found && candidateNames(user).includes(found.username)) return found;
    const reason = found ? 'The name in Keystone has changed' : 'First token of this user';
    const ctx = commandContext(reason, project.id, KEYSTONE_NAME);
    const result = await this.changes.write(ctx, undefined, async (change) => {
      await this.waiveReason(change, project.id);
      const taken = await change.tx.rows<UserRow>(sql`SELECT id, username FROM users
        WHERE project_id = ${project.id} AND username = ANY(${arrayParameter(candidateNames(user))}::text[])`);
      const username = freeName(user, new Set(taken.map((row) => row.username)));
      if (!found) return { id: await insertUserOf(change, project.id, user, username), username };
      await change.update(await change.lock(userShape, found.id), User, { username });
      return { id: found.id, username };
    });
    return committed(result);
  }

  /** No user is present who could give the reason that the project requires. */
  private async waiveReason(change: ChangeSet, projectId: string): Promise<void> {
    const policy = await this.policies.readUncached(change.tx, projectId);
    change.usePolicy(policy && { ...policy, reason: undefined });
  }
}

const insertUserOf = (
  change: ChangeSet,
  projectId: string,
  user: KeystoneEntity,
  username: string,
): Promise<number> =>
  change.insert(userShape, User, {
    project_id: projectId,
    username,
    is_admin: false,
    is_root: false,
    roles: [],
    keystone_id: user.id,
  });

/** The first free name. If all are taken, the last one, so that the insert fails with a conflict. */
function freeName(known: KeystoneEntity, taken: ReadonlySet<string>): string {
  const names = candidateNames(known);
  return names.find((name) => !taken.has(name)) ?? names[names.length - 1] ?? known.id;
}
