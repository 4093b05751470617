import { Client } from 'pg';
import { startApp, type TestApp } from '../support/app';
import type { Caller, Resource } from '../support/caller';
import { statementsOf, tuplesRead } from '../support/tuples-read';

const DEVICES = 20_000;
const SMALL = 400;
/** A look ahead over a thousand rows, the rows of a few pages, and what is looked up for each. */
const A_FEW_PAGES = 6_000;

/** Fills a project: 20 regions, 200 cells, 50 labels, two labels and six variables a device. */
const FILL = `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    VALUES ($1, now(), 'loader', 'loading') RETURNING id
  ), r AS (
    INSERT INTO regions (project_id, name, variables)
    SELECT $1, 'region-' || i, jsonb_build_object('ntp', 'ntp-' || i % 4, 'dns', 'dns-' || i, 'site', 'everywhere')
    FROM generate_series(0, 19) i RETURNING id
  ), region AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM r
  ), c AS (
    INSERT INTO cells (project_id, region_id, name, variables)
    SELECT $1, region.id, 'cell-' || i, jsonb_build_object('gateway', 'gw-' || i % 40)
      || CASE WHEN i % 10 = 0 THEN '{"ntp": "of the cell"}' ELSE '{}' END::jsonb
    FROM generate_series(0, 199) i JOIN region ON region.n = i % 20 RETURNING id, region_id
  ), cell AS (SELECT id, region_id, row_number() OVER (ORDER BY id) - 1 AS n FROM c
  ), l AS (
    INSERT INTO labels (project_id, label, variables)
    SELECT $1, 'label-' || i, CASE WHEN i % 5 = 0 THEN jsonb_build_object('tier', i % 10) ELSE '{}' END
    FROM generate_series(0, 49) i RETURNING id
  ), label AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM l
  ), d AS (
    INSERT INTO devices (project_id, kind, name, region_id, cell_id, ip_address, device_type, variables)
    SELECT $1, 'host', 'host-' || i, cell.region_id, cell.id, '10.0.0.0'::inet + i, 'server',
      jsonb_build_object('serial', 'S' || i, 'os', CASE WHEN i % 10 < 6 THEN 'common' ELSE 'other' END,
        'late', i >= $2::integer * 49 / 50, 'tags', jsonb_build_array('t' || i % 100),
        'asset', jsonb_build_object('order', i % 1000, 'batch', i / 10))
      || CASE WHEN i % 20 = 1 THEN '{}' ELSE '{"dns": "mine"}' END::jsonb
    FROM generate_series(0, $2::integer - 1) i JOIN cell ON cell.n = i % 200 ORDER BY i
    RETURNING id, variables
  ), device AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM d
  ), assigned AS (
    INSERT INTO device_labels (project_id, device_id, label_id)
    SELECT $1, device.id, label.id FROM device JOIN label ON label.n IN (device.n % 50, device.n / 50 % 50)
  ), owner AS (
    SELECT 'host' AS kind, id, variables FROM d
    UNION ALL SELECT 'region', r.id, '{"ntp": 0, "dns": 0, "site": 0}' FROM r
    UNION ALL SELECT 'cell', cell.id,
      CASE WHEN cell.n % 10 = 0 THEN '{"gateway": 0, "ntp": 0}' ELSE '{"gateway": 0}' END::jsonb FROM cell
    UNION ALL SELECT 'label', label.id, CASE WHEN label.n % 5 = 0 THEN '{"tier": 0}' ELSE '{}' END::jsonb FROM label
  )
  INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id)
  SELECT $1, kind, owner.id, key, change.id FROM owner, change, jsonb_object_keys(variables) key`;

/** A filter, and how many hosts of the large project it finds at least. */
const filters: readonly (readonly [string, string, number])[] = [
  ['a value of one host', 'serial:"S777"', 1],
  ['a value of most hosts', 'os:"common"', 10_000],
  ['a value of the last hosts alone', 'late:true', 400],
  ['a value in an array', 'tags:"t7"', 200],
  ['a nested value', 'asset.order:77', 10],
  ['a value of no host', 'os:"nobody\'s"', 0],
  ['a region’s value', 'ntp:"ntp-1"', 1_000],
  ['a region’s value that nearly every host overrides', 'dns:"dns-1"', 10],
  ['the value that they override it with', 'dns:"mine"', 10_000],
  ['a value of every region', 'site:"everywhere"', 20_000],
  ['a value of some cells', 'ntp:"of the cell"', 1_000],
  ['a value that only cells set', 'gateway:"gw-7"', 100],
  ['a label’s value', 'tier:5', 1_000],
  ['an unknown variable', 'unknown:1', 0],
  ['two values, one of them rare', 'site:"everywhere",serial:"S777"', 1],
  ['two values that are frequent', 'os:"common",ntp:"ntp-1"', 1_000],
];

describe('a filter reads about a page, not every device', () => {
  let app: TestApp;
  let client: Client;
  let large: Caller;
  let small: Caller;

  beforeAll(async () => {
    app = await startApp();
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    large = await app.project();
    small = await app.project();
    await client.query(FILL, [large.projectId, DEVICES]);
    await client.query(FILL, [small.projectId, SMALL]);
    // As autovacuum would, which also empties the GIN index's list of what is not yet in order.
    await client.query('VACUUM ANALYZE');
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await app.close();
  });

  /** The largest number of rows that one of the request's statements reads. */
  const read = (caller: Caller, query: string): Promise<number> =>
    readBy(caller, `/v1/hosts?fields=id,name&limit=20&${query}`);

  async function readBy(caller: Caller, path: string): Promise<number> {
    const reads: number[] = [];
    for (const statement of await statementsOf(() => caller.get(path).expect(200)))
      if (/\bdevices\b|variable_correlations/.test(statement.text))
        reads.push(await tuplesRead(client, statement));
    expect(reads.length).toBeGreaterThan(0);
    return Math.max(...reads);
  }

  const vars = (text: string) => `vars=${encodeURIComponent(text)}`;

  const ids = async (caller: Caller, query: string) =>
    ((await caller.get(`/v1/hosts?fields=id&limit=10000&${query}`).expect(200)).body as Resource[]).map(
      ({ id }) => id,
    );

  it.each(filters)('by %s', async (_, text, least) => {
    // What is sought is there: or else reading nothing would be easy.
    expect((await ids(large, vars(text))).length).toBeGreaterThanOrEqual(Math.min(least, 10_000));
    expect(await read(large, vars(text))).toBeLessThan(A_FEW_PAGES);
  });

  it('by what is frequent at first only: looking further was in vain, but not for long', async () => {
    expect(await ids(large, vars('asset.batch:7'))).toHaveLength(10);
    expect(await read(large, vars('asset.batch:7'))).toBeLessThan(2 * A_FEW_PAGES);
  });

  it.each(filters)('on a late page, by %s', async (_, text) => {
    const [last] = await ids(large, 'sort_dir=desc');
    const marker = (last ?? 0) - DEVICES / 100;
    expect(await read(large, `${vars(text)}&marker=${String(marker)}`)).toBeLessThan(A_FEW_PAGES);
  });

  it.each(filters)('for root, who sees every project, by %s', async (_, text) => {
    expect(await read(app.root, vars(text))).toBeLessThan(A_FEW_PAGES);
  });

  it.each([
    ['all places', 'variables?limit=20'],
    ['the last places', 'variables?limit=20&sort_dir=desc'],
    ['the places of a key', 'variables?limit=20&key=serial'],
    ['the places of a key that is rare', 'variables?limit=20&key=tier'],
    ['the places of a prefix', 'variables?limit=20&key=se*&sort_dir=desc'],
    ['the places at regions', 'variables?limit=20&kind=region'],
    ['the places at labels, backwards', 'variables?limit=20&kind=label&sort_dir=desc'],
    ['the keys', 'variable-keys?fields=key'],
    ['the keys from the end', 'variable-keys?fields=key&limit=2&sort_dir=desc'],
  ])('of what is set where, for %s', async (_, list) => {
    for (const caller of [large, app.root])
      expect(await readBy(caller, `/v1/${list}`)).toBeLessThan(A_FEW_PAGES);
  });

  it.each(['', '&kind=host', '&key=serial', '&sort_dir=desc', '&key=serial&kind=host&sort_dir=desc'])(
    'of what is set where, from the middle of a key on%s',
    async (query) => {
      const [last] = await ids(large, 'sort_dir=desc');
      const marker = `serial/host/${String((last ?? 0) - DEVICES / 2)}`;
      for (const caller of [large, app.root])
        expect(await readBy(caller, `/v1/variables?limit=20&marker=${marker}${query}`)).toBeLessThan(
          A_FEW_PAGES,
        );
    },
  );

  it.each([...filters, ['any key of an object', 'asset.*:7', 10] as const])(
    'of a small project beside a large one, by %s',
    async (_, text) => {
      expect(await read(small, vars(text))).toBeLessThan(8 * SMALL);
    },
  );
});
