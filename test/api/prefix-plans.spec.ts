import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import { StatementRecorder } from '../support/statement-recorder';
import type { Caller, Resource } from '../support/caller';
import { FILL } from '../support/large-project';
import { tuplesRead } from '../support/tuples-read';

const DEVICES = 20_000;
/** So many of them, the last that were made, have names that begin otherwise. */
const LATE = 2_000;
/** A look ahead over a thousand rows, another over some thousands, and the rows of a few pages. */
const A_FEW_PAGES = 6_000;

describe('the beginning of names, where names that begin alike were made together', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  beforeAll(async () => {
    recorder = await StatementRecorder.create();
    app = await startService({}, recorder.database);
  });
  let client: Client;
  let admin: Caller;
  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    admin = await app.project();
    await client.query(FILL, [admin.projectId, DEVICES]);
    await client.query(
      `UPDATE devices SET name = 'late-' || name WHERE project_id = $1
        AND id > (SELECT max(id) FROM devices WHERE project_id = $1) - $2`,
      [admin.projectId, LATE],
    );
    await client.query('VACUUM ANALYZE');
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  const prefixes = ['late', 'late-host-19', 'host', 'host-1', 'none', 'a', 'z'];
  const orders = ['', 'sort_dir=desc', 'sort_keys=name', 'sort_keys=name&sort_dir=desc'];
  const cases = prefixes.flatMap((prefix) => orders.map((order) => [prefix, order] as const));

  it.each(cases)('%s, in the order %j, reads about a page', async (prefix, order) => {
    const path = `/v1/hosts?fields=id,name&limit=20&name_prefix=${prefix}&${order}`;
    const reads: number[] = [];
    for (const statement of await recorder.during(admin.projectId, () => admin.get(path).expect(200)))
      if (/\bdevices\b/.test(statement.text)) reads.push(await tuplesRead(client, statement));
    expect(reads.length).toBeGreaterThan(0);
    expect(Math.max(...reads)).toBeLessThan(A_FEW_PAGES);
  });

  it.each(cases)('%s, in the order %j, finds what begins so', async (prefix, order) => {
    const find = async (query: string) =>
      (await admin.get(`/v1/hosts?fields=id,name&${order}&${query}`).expect(200)).body as Resource[];
    const all = (await find('limit=10000')).filter(({ name }) => name.startsWith(prefix)).slice(0, 100);
    // Of the other names only those behind ten thousand others are not among them.
    const found = await find(`limit=100&name_prefix=${prefix}`);
    expect(found.every(({ name }) => name.startsWith(prefix))).toBe(true);
    if (all.length > 0) expect(found).toEqual(all);
    const label = (await find(`limit=100&label=label-7&name_prefix=${prefix}`)).map(({ id }) => id);
    const labelled = (await find('limit=10000&label=label-7')).filter(({ name }) => name.startsWith(prefix));
    expect(label).toEqual(labelled.slice(0, 100).map(({ id }) => id));
  });
});
