import { committed } from '../core/write-result';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import { sql } from '../database/sql';
import { issueKey } from './api-keys';
import { insertProject } from './projects.service';
import { insertUser } from './users.service';
import { commandContext } from '../core/context/request-context';

/** The credentials of the first user. The key cannot be read again. */
export interface Credentials {
  readonly project: string;
  readonly username: string;
  readonly apiKey: string;
}

/** The names of the first project and its root user. */
export interface BootstrapNames {
  readonly project: string;
  readonly username: string;
}

/** The id of an advisory lock. Concurrent bootstraps wait for it. */
const BOOTSTRAP_LOCK = 7_780_002;

/** Creates the first project and its root user in an empty deployment. */
@Injectable()
export class BootstrapService {
  constructor(private readonly changes: ChangesService) {}

  /** @returns undefined if the deployment already has a project */
  async bootstrap(names: BootstrapNames, reason = 'bootstrap'): Promise<Credentials | undefined> {
    const alreadyDone = new Error('the deployment already has a project');
    const run = async (change: ChangeSet): Promise<Credentials> => {
      await change.tx.rows(sql`SELECT pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`);
      if ((await change.tx.rows(sql`SELECT FROM projects LIMIT 1`)).length > 0) throw alreadyDone;
      const projectId = await insertProject(change, names.project);
      const user = { username: names.username, is_admin: true, is_root: true };
      const id = await insertUser(change, projectId, user);
      const apiKey = await issueKey(change, { projectId, id });
      return { project: projectId, username: names.username, apiKey };
    };
    try {
      return committed(await this.changes.run(commandContext(reason), { run }));
    } catch (error) {
      if (error === alreadyDone) return undefined;
      throw error;
    }
  }
}
