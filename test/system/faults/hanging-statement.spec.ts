import { startService, type OwnService } from '../../support/service';
import { Bystander } from '../../support/bystander';
import type { Caller } from '../../support/caller';
import { importLines } from '../../support/importing';
import { until } from '../../support/until';

jest.setTimeout(120_000);

/** So that nobody reads or writes a region. */
const theRegions = { text: 'LOCK TABLE regions IN ACCESS EXCLUSIVE MODE', values: [] };

/** So few that the first that is lost is missed. */
const POOL = 2;

describe.each([
  ['statement', { STATEMENT_SECONDS: '1' }],
  ['transaction', { TRANSACTION_SECONDS: '1' }],
])('a %s that takes longer than it may', (what, limits) => {
  let app: OwnService;
  let bystander: Bystander;
  let admin: Caller;
  beforeAll(async () => {
    app = await startService({ ...limits, DATABASE_POOL_SIZE: String(POOL) });
    bystander = await Bystander.on(app.databaseUrl);
    admin = await app.project();
  });
  afterAll(async () => {
    await bystander.close();
    await app.stop();
  });

  /** Nothing of the service is left in a transaction, or waiting. */
  const isOver = () =>
    until('nothing hangs', 30, async () => {
      const rows = await bystander.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster'
           AND state <> 'idle'`,
      );
      return rows.length === 0;
    });

  it('is ended: 503, nothing is done, and its connection is there for others', async () => {
    const region = await admin.region();
    for (let round = 0; round < 2; round++) {
      const letGo = await bystander.hold(theRegions);
      const calls = Array.from({ length: POOL }, (_, i) =>
        admin.post('/v1/regions', { name: `r${String(i)}` }),
      );
      for (const { status, body, headers } of await Promise.all(calls)) {
        expect({ status, body }).toMatchObject({
          status: 503,
          body: { code: 'unavailable', message: 'The database takes too long for this. Try again later.' },
        });
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
      // It is one of many that wait, and not the database that is away.
      await admin.get('/readyz').expect(200);
      await letGo();
      await isOver();
      expect((await admin.get('/v1/regions?fields=id').expect(200)).body).toEqual([{ id: region.id }]);
    }
    const answers = await Promise.all(
      Array.from({ length: 3 * POOL }, () => admin.put(`/v1/regions/${String(region.id)}`, { note: 'n' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('unless it is long by nature, as an import is', async () => {
    const letGo = await bystander.hold(theRegions);
    const work = importLines(admin, [{ kind: 'region', name: `imported-${what}` }]);
    await until('the import waits for longer than others may', 30, async () => {
      const rows = await bystander.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster'
           AND wait_event_type = 'Lock' AND now() - xact_start > interval '1.5 s'`,
      );
      return rows.length === 1;
    });
    await letGo();
    expect(await work).toMatchObject({ created: 1, failed: 0 });
  });
});
