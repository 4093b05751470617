import { startService } from '../../support/service';
import { SecondConnection } from '../../support/second-connection';
import type { Caller } from '../../support/caller';
import { importLines } from '../../support/importing';
import { until } from '../../support/until';

jest.setTimeout(120_000);

/** A lock that blocks all reads and writes of regions. */
const theRegions = { text: 'LOCK TABLE regions IN ACCESS EXCLUSIVE MODE', values: [] };

/** A pool so small that one lost connection has an effect. */
const POOL = 2;

it.concurrent.each([
  ['statement', { STATEMENT_SECONDS: '1' }],
  ['transaction', { TRANSACTION_SECONDS: '1' }],
])('a %s that exceeds its timeout is cancelled, except in an import', async (what, limits) => {
  const app = await startService({ ...limits, DATABASE_POOL_SIZE: String(POOL) });
  const secondConnection = await SecondConnection.connect(app.databaseUrl);
  try {
    const admin = await app.project();
    await expectTimeouts(admin, secondConnection);
    await expectLongImport(admin, secondConnection, `imported-${what}`);
  } finally {
    await secondConnection.close();
    await app.stop();
  }
});

/** Requests that wait for a lock are answered with 503, change nothing, and release their connections. */
async function expectTimeouts(admin: Caller, secondConnection: SecondConnection): Promise<void> {
  const region = await admin.region();
  for (let round = 0; round < 2; round++) {
    const release = await secondConnection.acquire(theRegions);
    const calls = Array.from({ length: POOL }, (_, i) =>
      admin.post('/v1/regions', { name: `r${String(i)}` }),
    );
    for (const { status, body, headers } of await Promise.all(calls)) {
      expect({ status, body }).toMatchObject({
        status: 503,
        body: {
          code: 'unavailable',
          message: 'The request exceeded a timeout of the database. Retry later.',
        },
      });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    // Single statements time out; the database itself is available.
    await admin.get('/readyz').expect(200);
    await release();
    await until('no transaction of the service is left', 30, async () => {
      const rows = await secondConnection.rows(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster'
           AND state <> 'idle'`,
      );
      return rows.length === 0;
    });
    expect((await admin.get('/v1/regions?fields=id').expect(200)).body).toEqual([{ id: region.id }]);
  }
  const responses = await Promise.all(
    Array.from({ length: 3 * POOL }, () => admin.put(`/v1/regions/${String(region.id)}`, { note: 'n' })),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
}

/** An import may take longer than other requests. */
async function expectLongImport(
  admin: Caller,
  secondConnection: SecondConnection,
  name: string,
): Promise<void> {
  const release = await secondConnection.acquire(theRegions);
  const work = importLines(admin, [{ kind: 'region', name }]);
  await until('the import waits for longer than other requests may', 30, async () => {
    const rows = await secondConnection.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'muster'
         AND wait_event_type = 'Lock' AND now() - xact_start > interval '1.5 s'`,
    );
    return rows.length === 1;
  });
  await release();
  expect(await work).toMatchObject({ created: 1, failed: 0 });
}
