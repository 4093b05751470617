import { Client, type QueryResultRow } from 'pg';
import { startService, type OwnService } from './service';
import { StatementRecorder } from './statement-recorder';
import { tuplesRead } from './tuples-read';

/** A service with recorded statements, for tests of how many rows a request reads. */
export class RecordedService {
  private constructor(
    readonly app: OwnService,
    readonly recorder: StatementRecorder,
    /** A connection of the database's owner. */
    readonly client: Client,
  ) {}

  static async start(): Promise<RecordedService> {
    const recorder = await StatementRecorder.create();
    let app: OwnService | undefined;
    try {
      app = await startService({}, recorder.database);
      const client = new Client({ connectionString: app.databaseUrl });
      await client.connect();
      return new RecordedService(app, recorder, client);
    } catch (error) {
      await (app?.stop() ?? recorder.database.drop());
      throw error;
    }
  }

  /** Runs a statement that adds many rows, without the checks of foreign keys: these take most of its time. */
  async fill<T extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<T[]> {
    await this.client.query('SET session_replication_role = replica');
    try {
      return (await this.client.query<T>(text, [...values])).rows;
    } finally {
      await this.client.query('RESET session_replication_role');
    }
  }

  /**
   * Expects that the service sends matching statements while `work` runs, and that each of them reads fewer than
   * `below` rows. The statements are executed a second time to count the rows.
   */
  async expectReads(matching: RegExp, below: number, work: () => Promise<unknown>): Promise<void> {
    const statements = (await this.recorder.all(work)).filter(({ text }) => matching.test(text));
    expect(statements.length).toBeGreaterThan(0);
    const excessive: { readonly text: string; readonly read: number }[] = [];
    for (const statement of statements) {
      const read = await tuplesRead(this.client, statement);
      if (read >= below) excessive.push({ text: statement.text, read });
    }
    expect(excessive).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.app.stop();
  }
}
