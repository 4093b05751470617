import { Client } from 'pg';
import { admin as musterAdmin, printed } from '../../support/admin';
import { withBuiltModules } from '../../support/built-modules';
import { query } from '../../support/database';
import { importLines } from '../../support/importing';
import { lastChange, revert } from '../../support/reverts';
import { sharedService, startService, type OwnService } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import type { Caller } from '../../support/caller';

/** A row of the table; the columns of a value that has none are null. */
interface Value {
  readonly key: string;
  readonly number: string | null;
  readonly text: string | null;
  readonly folded: string | null;
  readonly is_long: boolean;
}

describe('the table of values', () => {
  let app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  const values = () =>
    query<Value>(
      app,
      `SELECT key, number::text, text, folded, is_long FROM variable_values WHERE project_id = $1
       ORDER BY key, number, text COLLATE "C", value_hash`,
      [admin.projectId],
    );
  /** The values as texts, `key=value`. */
  const texts = async () => (await values()).map((v) => `${v.key}=${v.number ?? v.text ?? '?'}`);

  /** The scalars that are set without a row of their hash and value, or with several. */
  const faults = () =>
    query(
      app,
      `SELECT v.object_type, v.object_id, v.key, count(x) FROM variable_correlations v
         LEFT JOIN variable_values x ON x.project_id = v.project_id AND x.key = v.key AND x.value_hash = v.value_hash
       WHERE v.project_id = $1 AND v.value_hash <> 0 GROUP BY 1, 2, 3 HAVING count(x) <> 1`,
      [admin.projectId],
    );

  it('has each scalar once, with its text or number', async () => {
    await admin.host({ variables: { a: 'Große ΟΔΟΣ', b: 1, c: true, d: null, e: [1, 'x'], f: { g: 1 } } });
    const host = await admin.host({ variables: { a: 'Große ΟΔΟΣ', c: false } });
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, '{"b": 1.0, "h": 12345678901234567890.5}');
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { b: 2, c: true });
    const none = { number: null, text: null, folded: null, is_long: false };
    expect(await values()).toEqual([
      { ...none, key: 'a', text: 'Große ΟΔΟΣ', folded: 'grosse οδοσ' },
      { ...none, key: 'b', number: '1' },
      { ...none, key: 'b', number: '2' },
      { ...none, key: 'c' },
      { ...none, key: 'c' },
      { ...none, key: 'd' },
      { ...none, key: 'h', number: '12345678901234567890.5' },
    ]);
    expect(await faults()).toEqual([]);
  });

  it('marks texts and numbers of more than 256 characters', async () => {
    const [short, long] = ['é'.repeat(256), 'é'.repeat(257)];
    const key = 'k'.repeat(255);
    // Three letters in lower case, of two bytes each: the largest entry of an index.
    const largest = 'ΐ'.repeat(256);
    await admin.host({ variables: { a: short, b: long, [key]: largest } });
    await admin.host({ variables: { b: long, [key]: `${largest}ΐ` } });
    const host = await admin.host();
    await admin
      .put(`/v1/hosts/${String(host.id)}/variables`, `{"c": 1${'0'.repeat(255)}, "d": 1e256, "e": 1e-300}`)
      .expect(200);
    expect((await values()).map((v) => [v.key, v.text ?? v.number, v.is_long])).toEqual([
      ['a', short, false],
      ['b', null, true],
      ['c', `1${'0'.repeat(255)}`, false],
      ['d', null, true],
      ['e', null, true],
      [key, largest, false],
      [key, null, true],
    ]);
  });

  it('has the values of all resources, whatever writes them', async () => {
    const { id: regionId } = await admin.region({ name: 'r', variables: { a: 'region' } });
    await admin.cell({ region_id: regionId, variables: { a: 'cell' } });
    await admin.label({ variables: { a: 'label' } });
    const host = await admin.host({ region_id: regionId, variables: { a: 'created' } });
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(path, { variables: { a: 'updated' } }).expect(200);
    await admin.put(`${path}/variables`, { a: 'merged' }).expect(200);
    await admin.put(`${path}/variables/a`, { value: 'single' }).expect(200);
    await admin.put(`/v1/hosts/variables?name=${host.name}`, { variables: { a: 'bulk' } }).expect(200);
    const device = { region_id: regionId, ip_address: '10.0.0.1', device_type: 'server' };
    await admin
      .post('/v1/hosts', [
        { ...device, name: 'one', variables: { a: 'many', b: 'many' } },
        { ...device, name: 'two', variables: { a: 'many' } },
      ])
      .expect(201);
    const imported = { kind: 'host', region: 'r', ip_address: '10.0.0.1', device_type: 'server' };
    await importLines(
      admin,
      ['three', 'four', 'two'].map((name) => ({
        ...imported,
        ...{ name, variables: { a: name === 'two' ? 'reimported' : 'imported', b: name } },
      })),
    );
    const expected = [
      'bulk',
      'cell',
      'created',
      'imported',
      'label',
      'many',
      'merged',
      'region',
      'reimported',
      'single',
      'updated',
    ];
    const other = ['four', 'many', 'three', 'two'];
    expect(await texts()).toEqual([...expected.map((a) => `a=${a}`), ...other.map((b) => `b=${b}`)]);
    // A value of the past, which has a row.
    await admin.delete(`${path}/variables`, ['a']).expect(204);
    await revert(admin, (await lastChange(admin)).id);
    expect(await faults()).toEqual([]);
    expect(await texts()).toHaveLength(expected.length + other.length);
  });

  it('has no value of a dry run or of a change that fails', async () => {
    await admin.region({ name: 'taken' });
    await admin.post('/v1/regions?dry_run=true', { name: 'r', variables: { a: 1 } }).expect(200);
    await admin.post('/v1/regions', { name: 'taken', variables: { a: 1 } }).expect(409);
    expect(await values()).toEqual([]);
  });

  it('has both of two values with the same hash', async () => {
    await admin.host({ variables: { a: 'one' } });
    await query(app, `UPDATE variable_values SET text = 'two' WHERE project_id = $1`, [admin.projectId]);
    await admin.host({ variables: { a: 'one' } });
    expect(await texts()).toEqual(['a=one', 'a=two']);
  });

  it('does not let two changes wait for each other that write the same value', async () => {
    const host = await admin.host({ variables: { a: 'old' } });
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      const insert = `INSERT INTO variable_values (project_id, value_hash, key, is_long, text)
        SELECT $1, jsonb_hash_extended($2::jsonb, hashtextextended('a', 0)), 'a', false, $2::jsonb #>> '{}'`;
      await client.query(insert, [admin.projectId, '"new"']);
      // The other transaction is still open.
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, { a: 'new' }).expect(200);
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
    expect(await texts()).toEqual(['a=new', 'a=new', 'a=old']);
  });

  it('loses the values of a project that is deleted', async () => {
    const { body } = await app.root.post('/v1/projects', { name: `values-${admin.projectId}` }).expect(201);
    const { id } = body as { id: unknown };
    const label = await app.root.in(String(id)).label({ variables: { a: 1 } });
    await app.root
      .in(String(id))
      .delete(`/v1/labels/${String(label.id)}`)
      .expect(204);
    const count = () =>
      query(app, 'SELECT count(*)::integer AS count FROM variable_values WHERE project_id = $1', [id]);
    expect(await count()).toEqual([{ count: 1 }]);
    await app.root.delete(`/v1/projects/${String(id)}`).expect(204);
    expect(await count()).toEqual([{ count: 0 }]);
  });

  describe('pruned', () => {
    const shared = app;
    let own: OwnService;
    let database: TestDatabase;
    beforeAll(async () => {
      // Others would wait for its locks, too.
      database = await createTestDatabase();
      own = await startService({}, database);
      app = own;
    });
    afterAll(async () => {
      await own.exit();
      await database.drop();
      app = shared;
    });

    const prune = (...args: string[]) => musterAdmin(['prune', ...args], { DATABASE_URL: app.databaseUrl });
    /** Whether some statement waits for a lock of the table. */
    const isWaiting = async (mode: string) => {
      const waiting = await query(
        app,
        `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
         WHERE NOT l.granted AND l.relation = 'variable_values'::regclass AND l.mode = $1`,
        [mode],
      );
      return waiting.length > 0;
    };
    const where = async (condition: string) =>
      (await admin.get(`/v1/hosts?fields=name&where=${encodeURIComponent(condition)}`).expect(200))
        .body as unknown[];

    async function inTransaction(work: (client: Client) => Promise<void>): Promise<void> {
      const client = new Client({ connectionString: app.databaseUrl });
      await client.connect();
      try {
        await client.query('BEGIN');
        await work(client);
      } finally {
        await client.end();
      }
    }

    it('has the values that some resource has, whatever its kind', async () => {
      const region = await admin.region({ variables: { a: 'region', b: 'x'.repeat(257), n: null } });
      const host = await admin.host({
        region_id: region.id,
        variables: { a: 'past', b: 'past', f: 1.5, t: true },
      });
      await admin.networkDevice({ variables: { a: 'device' } });
      await admin.cell({ variables: { a: 'cell' } });
      await admin.label({ variables: { a: 'label' } });
      const path = `/v1/hosts/${String(host.id)}/variables`;
      await admin.put(path, { a: 'device', b: 'now', f: 2 }).expect(200);
      const other = await app.project();
      await other.host({ variables: { a: 'past' } });
      const before = await texts();
      expect(before).toEqual(expect.arrayContaining(['a=past', 'b=past', 'f=1.5']));
      expect(JSON.parse(await printed(prune('--json')))).toEqual({ removed_values: 3 });
      expect(await texts()).toEqual(before.filter((value) => !['a=past', 'b=past', 'f=1.5'].includes(value)));
      expect(await faults()).toEqual([]);
      // The value of another project stays, and a deleted one can be set again.
      expect((await other.get('/v1/hosts?where=a%20%5E%3D%20"pas"').expect(200)).body).toHaveLength(1);
      await admin.put(path, { a: 'past' }).expect(200);
      expect(await where('a ^= "pas"')).toHaveLength(1);
      expect(await printed(prune())).toBe('Removed 0 values that no resource has.\n');
      expect(await texts()).toContain('a=past');
    });

    it('keeps a value that an open transaction has found', async () => {
      const host = await admin.host({ variables: { a: 'back' } });
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, { a: 'now' }).expect(200);
      let pruning: ReturnType<typeof prune> | undefined;
      await inTransaction(async (client) => {
        // As a change does: it finds the value, and inserts none.
        const hash = `jsonb_hash_extended('"back"'::jsonb, hashtextextended('a', 0))`;
        const inserted = await client.query(
          `INSERT INTO variable_values (project_id, value_hash, key, is_long, text)
           SELECT $1, ${hash}, 'a', false, 'back' WHERE NOT EXISTS (SELECT FROM variable_values v
             WHERE v.project_id = $1 AND v.key = 'a' AND v.value_hash = ${hash})`,
          [admin.projectId],
        );
        expect(inserted.rowCount).toBe(0);
        pruning = prune();
        await until('the command waits', 30, () => isWaiting('ShareRowExclusiveLock'));
        await client.query(
          `UPDATE variable_correlations SET value_hash = ${hash} WHERE project_id = $1 AND object_id = $2 AND key = 'a'`,
          [admin.projectId, host.id],
        );
        await client.query('COMMIT');
      });
      expect((await pruning!).code).toBe(0);
      // The other value had a device when the command looked at it.
      expect(await texts()).toEqual(['a=back', 'a=now']);
    });

    it('gets a value again that comes back while it is removed', async () => {
      const host = await admin.host({ variables: { a: 'back' } });
      const path = `/v1/hosts/${String(host.id)}/variables`;
      await admin.put(path, { a: 'now' }).expect(200);
      const statements = await withBuiltModules<{ text: string; values: unknown[] }[]>(
        `return load('src/database/variable-values').deleteUnusedValues(['host'], input).map(({ text, values }) => ({ text, values }));`,
        await query(
          app,
          `SELECT project_id, key, value_hash::text FROM variable_values WHERE project_id = $1`,
          [admin.projectId],
        ),
      );
      let change: Promise<unknown> | undefined;
      await inTransaction(async (client) => {
        for (const { text, values: parameters } of statements) await client.query(text, parameters);
        change = admin
          .put(path, { a: 'back' })
          .expect(200)
          .then((response) => response);
        await until('the change waits', 30, () => isWaiting('RowExclusiveLock'));
        await client.query('COMMIT');
      });
      await change;
      expect(await texts()).toEqual(['a=back', 'a=now']);
      expect(await where('a ^= "bac"')).toHaveLength(1);
      expect(await faults()).toEqual([]);
    });
  });
});
