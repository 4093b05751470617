import type { Caller } from '../support/caller';
import { itOnOneServer } from '../support/citus';
import { query } from '../support/database';
import { importLines } from '../support/importing';
import { INSERT_DEVICES } from '../support/large-project';
import { startService, type OwnService } from '../support/service';
import { until } from '../support/until';

/** More than an import needs to count as large. */
const LARGE = 600;

let app: OwnService;
let admin: Caller;

beforeEach(async () => {
  app = await startService();
  admin = await app.project();
});
afterEach(() => app.stop());

const hosts = (prefix: string, count: number, own = 'first'): object[] => [
  { kind: 'region', name: 'r1' },
  ...Array.from({ length: count }, (_, i) => ({
    kind: 'host',
    name: `${prefix}${String(i)}`,
    region: 'r1',
    ip_address: '10.0.0.1',
    device_type: 'server',
    labels: ['web'],
    variables: { own: `${own} ${String(i)}` },
  })),
];

/** The number of rows that the planner assumes, and how often the service updated that; autovacuum does not count. */
async function statisticsOf(table: string): Promise<{ rows: number; updates: number }> {
  const [found] = await query<{ rows: number; updates: string }>(
    app,
    `SELECT c.reltuples AS rows, s.analyze_count AS updates
     FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid WHERE c.oid = $1::regclass`,
    [table],
  );
  if (!found) throw new Error(`there is no table ${table}`);
  return { rows: found.rows, updates: Number(found.updates) };
}

itOnOneServer('it reads the statistics of one server')(
  "large imports update the planner's statistics of the tables that they fill, small ones do not",
  async () => {
    await importLines(admin, hosts('a', LARGE));
    await importLines(admin, hosts('b', 20));
    await importLines(admin, hosts('c', LARGE), '?dry_run=true');
    await importLines(admin, hosts('d', LARGE));
    for (const table of ['devices', 'device_labels', 'variable_correlations', 'regions'])
      await until(`the statistics of ${table} are updated`, 60, async () => {
        const { rows, updates } = await statisticsOf(table);
        return updates === 2 && rows === (table === 'regions' ? 1 : 2 * LARGE + 20);
      });
    await importLines(admin, hosts('d', LARGE, 'second'));
    // Exactly three times, also if something is late.
    await app.exit();
    expect(await statisticsOf('devices')).toEqual({ rows: 2 * LARGE + 20, updates: 3 });
  },
);

itOnOneServer('it reads the statistics of one server')(
  'in a large fleet, creations that are many for their project update them, and its updates do not',
  async () => {
    const fleet = await app.project();
    await query(app, INSERT_DEVICES, [fleet.projectId, 12 * LARGE]);
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
