import { withAdvisoryLock } from '../../../src/database/connection/owner-connection';
import { signal } from '../../support/system-processes';
import { SecondConnection } from '../../support/second-connection';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database';

/** An arbitrary advisory lock key. */
const LOCK = 7_780_002;

describe('work with an advisory lock', () => {
  let database: TestDatabase;
  let secondConnection: SecondConnection;
  let pids: number[] = [];

  beforeEach(async () => {
    database = await createEmptyDatabase();
    secondConnection = await SecondConnection.connect(database.url);
  });

  afterEach(async () => {
    signal(pids, 'SIGCONT');
    await secondConnection.close();
    await database.drop();
  });

  const holders = async (): Promise<number[]> => {
    const rows = await secondConnection.rows<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCK],
    );
    return rows.map(({ pid }) => pid);
  };

  it('releases the lock before it ends', async () => {
    const held = await withAdvisoryLock({ url: database.url }, LOCK, 'locked', holders);
    expect(held).toHaveLength(1);
    expect(await holders()).toEqual([]);
  });

  it('fails at once if the server stops responding', async () => {
    const work = async () => {
      pids = await holders();
      expect(pids).toHaveLength(1);
      signal(pids, 'SIGSTOP');
      throw new Error('the work failed');
    };
    await expect(withAdvisoryLock({ url: database.url }, LOCK, 'locked', work)).rejects.toThrow(
      'the work failed',
    );
  });
});
