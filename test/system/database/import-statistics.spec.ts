import type { Caller } from '../../support/caller';
import { describeOnOneServer, itOnOneServer } from '../../support/citus';
import { query } from '../../support/database';
import { importLines } from '../../support/importing';
import { INSERT_DEVICES } from '../../support/large-project';
import { startService, type OwnService } from '../../support/service';
import { until } from '../../support/until';

// Imports thousands of lines, and the machine may be busy.
jest.setTimeout(180_000);

/** More than an import needs to count as large. */
const LARGE = 520;

let app: OwnService;
let admin: Caller;

async function start(): Promise<void> {
  app = await startService();
  admin = await app.project();
}

/** Continues with an empty database. */
async function restart(): Promise<void> {
  await app.stop();
  await start();
}

beforeEach(start);
afterEach(() => app.stop());

/** A thousand projects with one device each. */
const MANY_PROJECTS = `
  WITH p AS (INSERT INTO projects (name) SELECT 'small-' || i FROM generate_series(1, 1000) i RETURNING id),
    r AS (INSERT INTO regions (project_id, name) SELECT id, 'r' FROM p RETURNING project_id, id)
  INSERT INTO devices (project_id, kind, name, region_id, ip_address, device_type)
  SELECT project_id, 'host', 'h', id, '10.0.0.1', 'server' FROM r`;

const hosts = (prefix: string, count: number, own = 'first'): object[] => [
  { kind: 'region', name: 'r1' },
  ...Array.from({ length: count }, (_, i) => ({
    kind: 'host',
    name: `${prefix}${String(i)}`,
    region: 'r1',
    ip_address: '10.0.0.1',
    device_type: 'server',
    labels: ['web', `rack-${String(i % 40)}`],
    variables: { own: `${own} ${String(i)}` },
  })),
];

/** What the planner knows of a table, and how often the service updated that; autovacuum does not count. */
async function statisticsOf(
  table: string,
): Promise<{ rows: number; hasDocuments: boolean; updates: number }> {
  const [found] = await query<{ rows: number; documents: boolean; updates: string }>(
    app,
    `SELECT c.reltuples AS rows, s.analyze_count AS updates,
       EXISTS (SELECT FROM pg_stats p WHERE p.tablename = c.relname AND p.attname = 'variables') AS documents
     FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid WHERE c.oid = $1::regclass`,
    [table],
  );
  if (!found) throw new Error(`there is no table ${table}`);
  return { rows: found.rows, hasDocuments: found.documents, updates: Number(found.updates) };
}

/** A fleet with many regions, cells, labels and parents. */
const fleetOf = (count: number): object[] => {
  const numbers = (every: number) => Array.from({ length: Math.ceil(count / every) }, (_, i) => i);
  const placeOf = (i: number) => ({
    region: `r${String(i % (count / 10))}`,
    cell: `c${String(i % (count / 5))}`,
  });
  return [
    ...numbers(10).map((i) => ({ kind: 'region', name: `r${String(i)}`, labels: ['region'] })),
    ...numbers(5).map((i) => ({ kind: 'cell', name: placeOf(i).cell, region: placeOf(i).region })),
    ...numbers(1).map((i) => ({
      kind: 'host',
      name: `h${String(i)}`,
      ...placeOf(i),
      ...(i % 4 === 0 ? {} : { parent: `h${String(i - 1)}` }),
      ip_address: '10.0.0.1',
      device_type: 'server',
      labels: ['web', `l${String(i % (count / 4))}`],
      variables: { own: i },
    })),
  ];
};

describeOnOneServer('it reads the statistics of one server')('what imports read', () => {
  interface Reads {
    /** Entries of indexes. */
    readonly entries: number;
    /** Pages of tables and indexes. */
    readonly pages: number;
  }

  /** What the service reads for an import and the same one again. Its database must be new. */
  async function readsOf(lines: object[], during?: (isOver: () => boolean) => Promise<void>): Promise<Reads> {
    let isOver = false;
    const importing = importLines(admin, lines)
      .then(() => importLines(admin, lines))
      .finally(() => (isOver = true));
    await Promise.all([importing, during?.(() => isOver)]);
    // The connections of the service report what they have read when they end, at the latest, which is after the process.
    await app.exit();
    await until('the connections have ended', 60, async () => {
      const left = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster'`;
      return (await query(app, left)).length === 0;
    });
    const [read] = await query<Reads>(
      app,
      `SELECT (SELECT sum(idx_tup_read)::float8 FROM pg_stat_user_indexes) AS entries,
         sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 AS pages FROM pg_statio_user_tables`,
    );
    if (!read) throw new Error('the query returned no row');
    return read;
  }

  /** Whether a transaction has updated the statistics of a table and still has the lock for that. */
  const isAnalyzed = async (table: string): Promise<boolean> =>
    (
      await query(
        app,
        `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE d.datname = current_database()
          AND l.relation = $1::regclass AND l.mode = 'ShareUpdateExclusiveLock' AND l.granted`,
        [table],
      )
    ).length > 0;

  it('grows in proportion to the hosts with regions, cells, labels and parents, in an empty database', async () => {
    const few = await readsOf(fleetOf(600));
    await restart();
    const many = await readsOf(fleetOf(1_800));
    expect(many.entries).toBeLessThan(4 * few.entries);
    expect(many.pages).toBeLessThan(4 * few.pages);
  });

  it('does not grow faster beside many small projects, while autovacuum updates the statistics', async () => {
    await query(app, MANY_PROJECTS);
    await query(app, 'ANALYZE');
    const { entries } = await readsOf(hosts('a', 1_600), async (isOver) => {
      // Before, this ANALYZE would nearly always have the lock that the import does not wait for.
      await until(
        'the import updates the statistics',
        60,
        async () => isOver() || (await isAnalyzed('devices')),
      );
      while (!isOver()) await query(app, 'ANALYZE (SKIP_LOCKED) devices');
    });
    expect(entries).toBeLessThan(600 * 1_600);
  });
});

describeOnOneServer('it reads the statistics of one server')("the planner's statistics", () => {
  it('contain a large creation and a large import when the response arrives, small creations later, and no small import', async () => {
    const region = (await admin.post('/v1/regions', { name: 'r1' }).expect(201)).body as { id: number };
    const items = hosts('a', LARGE)
      .slice(1)
      .map((line) => ({ ...line, kind: undefined, region: undefined, region_id: region.id }));
    await admin.post('/v1/hosts', items).expect(201);
    expect(await statisticsOf('devices')).toMatchObject({ rows: LARGE, hasDocuments: true });
    const cloudsOf = (list: number) =>
      Array.from({ length: 50 }, (_, i) => ({ name: `c${String(list)}-${String(i)}` }));
    for (let list = 0; list < 10; list++) await admin.post('/v1/clouds', cloudsOf(list)).expect(201);
    await until('the statistics are updated', 60, async () => (await statisticsOf('clouds')).updates > 0);

    const other = await app.project();
    await importLines(other, hosts('a', LARGE));
    expect(await statisticsOf('devices')).toMatchObject({ rows: 2 * LARGE, hasDocuments: true });
    expect(await statisticsOf('device_labels')).toMatchObject({ rows: 4 * LARGE });
    expect(await statisticsOf('variable_correlations')).toMatchObject({ rows: 2 * LARGE });
    expect(await statisticsOf('regions')).toMatchObject({ rows: 2 });
    const { updates } = await statisticsOf('devices');
    await importLines(other, hosts('b', 20));
    await app.exit();
    expect((await statisticsOf('devices')).updates).toBe(updates);
  });
});

itOnOneServer('it reads the statistics of one server')(
  'in a large fleet, creations that are many for their project update them, and its updates do not',
  async () => {
    const fleet = await app.project();
    await query(app, INSERT_DEVICES, [fleet.projectId, 6 * LARGE]);
    await query(app, 'ANALYZE');
    const isUpdated = (times: number) => async () => (await statisticsOf('devices')).updates === times;
    await importLines(admin, hosts('a', LARGE));
    await until('the new project is known', 60, isUpdated(2));
    await importLines(admin, hosts('a', LARGE, 'second'));
    await importLines(admin, hosts('b', 20));
    await app.exit();
    expect((await statisticsOf('devices')).updates).toBe(2);
  },
);
