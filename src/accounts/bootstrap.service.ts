import { committed } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import { Changes } from '../changes/changes.service';
import { sql } from '../database/sql';
import { giveKey } from './api-keys';
import { commandContext } from './command-context';
import { insertProject } from './projects.service';
import { insertUser } from './users.service';

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
  constructor(private readonly changes: Changes) {}

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
        const apiKey = await giveKey(change, { projectId, id });
        return { project: projectId, username: names.username, apiKey };
      });
      return committed(result);
    } catch (error) {
      if (error === done) return undefined;
      throw error;
    }
  }
}
