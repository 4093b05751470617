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
import { list, sql } from '../database/sql';
import { commandContext } from './bootstrap.service';
import { insertProject } from './projects.service';
import { User, userShape } from './user';

/** The name under which change records know what comes from Keystone. */
export const KEYSTONE_NAME = 'keystone';

/** Of several who meet somebody at once one makes the user; each of the others finds it at the next try. */
const MAX_TRIES = 5;

interface UserRow {
  [column: string]: unknown;
  readonly id: number;
  readonly username: string;
}

/**
 * Makes the projects and users that come from Keystone, when they come for the first time. Such a user has no key, and no
 * rights but those that each token brings: what ends in Keystone ends here.
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
        await this.requireProject(newcomer.project);
        return await this.userOf(newcomer);
      } catch (error) {
        const said = postgresError(error);
        if (!said || !isUniqueViolation(said) || attempt === MAX_TRIES) throw error;
      }
    }
  }

  private async requireProject(project: KeystoneEntity): Promise<void> {
    const found = await this.database.rows(sql`SELECT FROM projects WHERE id = ${project.id}`);
    if (found.length > 0) return;
    const ctx = commandContext('First token for this project', '', KEYSTONE_NAME);
    await this.changes.write(ctx, undefined, async (change) => {
      const taken = await change.tx.rows<{ name: string }>(
        sql`SELECT name FROM projects WHERE name = ANY(${list(candidateNames(project))}::text[])`,
      );
      await insertProject(change, freeName(project, new Set(taken.map(({ name }) => name))), project.id);
    });
  }

  private async userOf({ user, project }: KeystoneIdentity): Promise<RegisteredUser> {
    const [found] = await this.database.rows<UserRow>(sql`
      SELECT id, username FROM users WHERE project_id = ${project.id} AND keystone_id = ${user.id}`);
    if (found && candidateNames(user).includes(found.username)) return found;
    const reason = found ? 'The name in Keystone has changed' : 'First token of this user';
    const ctx = commandContext(reason, project.id, KEYSTONE_NAME);
    const result = await this.changes.write(ctx, undefined, async (change) => {
      await this.lift(change, project.id);
      const taken = await change.tx.rows<UserRow>(sql`SELECT id, username FROM users
        WHERE project_id = ${project.id} AND username = ANY(${list(candidateNames(user))}::text[])`);
      const username = freeName(user, new Set(taken.map((row) => row.username)));
      if (!found) return { id: await insertUserOf(change, project.id, user, username), username };
      await change.update(await change.lock(userShape, found.id), User, { username });
      return { id: found.id, username };
    });
    return committed(result);
  }

  /** Nobody is there who could give the reason that a project demands. */
  private async lift(change: ChangeSet, projectId: string): Promise<void> {
    const policy = await this.policies.readUncached(change.tx, projectId);
    change.usePolicy({ privateKeys: policy?.privateKeys ?? [], reason: undefined });
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

/** The first name that nobody has; the last one, if all are taken, so that the refusal says so. */
function freeName(known: KeystoneEntity, taken: ReadonlySet<string>): string {
  const names = candidateNames(known);
  return names.find((name) => !taken.has(name)) ?? names[names.length - 1] ?? known.id;
}
