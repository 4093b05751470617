import type { Service } from '../../support/service';
import { SecondConnection } from '../../support/second-connection';
import { aName } from '../../support/caller';
import { rowsOfProject } from '../../support/tables';
import type { Api } from './api';

/** Direct access to the database of the service. */
export class State {
  private constructor(private readonly secondConnection: SecondConnection) {}

  static async of(databaseUrl: string): Promise<State> {
    return new State(await SecondConnection.connect(databaseUrl));
  }

  close(): Promise<void> {
    return this.secondConnection.close();
  }

  /** Every row of a project, in every table. */
  rowsOf(projectId: string): Promise<Readonly<Record<string, string>>> {
    return rowsOfProject(this.secondConnection, projectId);
  }

  /**
   * Names of tables, columns, constraints and indexes that are not in the OpenAPI document. No response may contain
   * them.
   */
  async namesWithin(api: Api): Promise<ReadonlySet<string>> {
    const rows = await this.secondConnection.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION SELECT column_name FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const names = rows.map(({ name }) => name);
    return new Set(names.filter((name) => name.includes('_') && !api.text.includes(name)));
  }

  /** Deletes a project's settings directly, because no request can if no reason matches their pattern. */
  async withoutSettings(projectId: string, { root }: Service): Promise<void> {
    await this.secondConnection.rows('DELETE FROM project_settings WHERE project_id = $1', [projectId]);
    // The service drops its cached settings when a project is created.
    await root.post('/v1/projects', { name: aName('without-settings') }).expect(201);
  }

  /** Waits until no connection of the service has a statement or a transaction. */
  untilIdle(): Promise<void> {
    return this.secondConnection.untilIdle();
  }
}
