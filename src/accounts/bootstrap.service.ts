import { committed } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import { ChangesService } from '../changes/changes.service';
import { sql } from '../database/sql';
import { issueKey } from './api-keys';
import { insertProject } from './projects.service';
import { insertUser } from './users.service';
import { randomUUID } from 'node:crypto';
import { Visibility } from '../core/context/visibility';
import type { RequestContext } from '../core/context/request-context';

/** The name under which change records know what the deployment's own commands did. */
export const COMMAND_NAME = 'muster-admin';

/**
 * Who a command of the deployment's own acts as: somebody who may do everything and is no user.
 * @param projectId where it creates; what spans projects has none
 * @param username under which records know it
 */
export function commandContext(
  reason: string | undefined,
  projectId = '',
  username = COMMAND_NAME,
): RequestContext {
  return {
    principal: {
      userId: 0,
      username,
      homeProjectId: '',
      isAdmin: false,
      isRoot: true,
      roles: [],
    },
    projectId,
    requestId: randomUUID(),
    reason,
    base: '',
    visibility: Visibility.WHOLE,
  };
}

/** What the first user needs; the key can never be seen again. */
export interface Credentials {
  readonly project: string;
  readonly username: string;
  readonly apiKey: string;
}

/** How the first project and its root user are called. */
export interface BootstrapNames {
  readonly project: string;
  readonly username: string;
}

/** Any number will do: of two that bootstrap at once, one waits and finds it done. */
const BOOTSTRAP_LOCK = 7_780_002;

/** Makes the first project and its root user in an empty deployment. */
@Injectable()
export class BootstrapService {
  constructor(private readonly changes: ChangesService) {}

  /** @returns undefined if the deployment has a project already */
  async bootstrap(names: BootstrapNames, reason = 'bootstrap'): Promise<Credentials | undefined> {
    const done = new Error('bootstrapped already');
    try {
      const result = await this.changes.write(commandContext(reason), undefined, async (change) => {
        await change.tx.rows(sql`SELECT pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`);
        if ((await change.tx.rows(sql`SELECT FROM projects LIMIT 1`)).length > 0) throw done;
        const projectId = await insertProject(change, names.project);
        const user = { username: names.username, is_admin: true, is_root: true };
        const id = await insertUser(change, projectId, user);
        const apiKey = await issueKey(change, { projectId, id });
        return { project: projectId, username: names.username, apiKey };
      });
      return committed(result);
    } catch (error) {
      if (error === done) return undefined;
      throw error;
    }
  }
}
