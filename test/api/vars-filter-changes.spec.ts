import { Client } from 'pg';
import { describeOnOneServer } from '../support/citus';
import type { Resource } from '../support/caller';
import { SecondConnection } from '../support/second-connection';
import { startService, type OwnService } from '../support/service';

/** Its own process, because the lock of a table blocks the requests of other tests. */
describeOnOneServer('the lock of a table is on one server')('the first array of a key', () => {
  let app: OwnService;
  let client: Client;
  let watcher: SecondConnection;
  beforeAll(async () => {
    app = await startService();
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    watcher = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await watcher.close();
    await client.end();
    await app.stop();
  });

  it.each([
    ['the only page', '/v1/hosts?limit=3&vars=dns:"a"', ['a', 'b', 'c']],
    ['the last page', '/v1/hosts?limit=2&marker=last&vars=dns:"a"', ['b', 'c']],
  ])(
    'has its elements found, even if it is set after the levels were read: on %s',
    async (_, path, expected) => {
      const admin = await app.project();
      const region_id = (await admin.region()).id;
      const hosts: Resource[] = [];
      for (const name of expected.includes('a') ? expected : ['a', ...expected])
        hosts.push(await admin.host({ name, region_id, variables: { dns: 'a' } }));
      await admin.get(path).expect(200);
      const [pid] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
      // The levels are in other tables.
      await client.query('BEGIN');
      await client.query('LOCK TABLE devices IN ACCESS EXCLUSIVE MODE');
      const page = admin.get(path).expect(200);
      const found = page.then(({ body }) => (body as Resource[]).map(({ name }) => name));
      await watcher.waitingFor(Number(pid?.pid), 1);
      const last = [admin.projectId, hosts.at(-1)?.id];
      await client.query('UPDATE devices SET variables = $3 WHERE project_id = $1 AND id = $2', [
        ...last,
        { dns: ['a', 'b'] },
      ]);
      await client.query(
        "UPDATE variable_correlations SET value_hash = 0 WHERE project_id = $1 AND object_id = $2 AND key = 'dns'",
        last,
      );
      await client.query('COMMIT');
      expect(await found).toEqual(expected);
    },
  );
});
