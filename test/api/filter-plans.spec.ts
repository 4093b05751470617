import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import { StatementRecorder } from '../support/statement-recorder';
import type { Caller, Resource } from '../support/caller';
import { FILL, filters } from '../support/large-project';
import { tuplesRead } from '../support/tuples-read';

const DEVICES = 20_000;
const SMALL = 400;
/** A look ahead over a thousand rows, the rows of a few pages, and what is looked up for each. */
const A_FEW_PAGES = 6_000;
/** One row, and what is looked up for it. */
const A_FEW_LEVELS = 200;

describe('a filter reads about a page, not every device', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  beforeAll(async () => {
    recorder = await StatementRecorder.create();
    app = await startService({}, recorder.database);
  });
  let client: Client;
  let large: Caller;
  let small: Caller;

  beforeAll(async () => {
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
    await app.stop();
  });

  /** The largest number of rows that one of the request's statements reads. */
  const read = (caller: Caller, query: string): Promise<number> =>
    readBy(caller, `/v1/hosts?fields=id,name&limit=20&${query}`);

  async function readBy(caller: Caller, path: string): Promise<number> {
    const reads: number[] = [];
    for (const statement of await recorder.all(() => caller.get(path).expect(200)))
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

  it.each([
    ['a label', 'label=label-7'],
    ['a label, on a late page', 'label=label-7&late'],
    ['a label that there is, and one that there is not', 'label=label-7&label=label-107'],
    ['two labels', 'label=label-7&label=label-8'],
    ['a network', 'ip=10.0.7.0/24'],
    ['a cell, in the order of names', 'sort_keys=name&cell_id=the+first'],
    ['a label and a variable', `label=label-7&${vars('os:"common"')}`],
  ])('that is no filter of variables, by %s', async (_, query) => {
    const [last] = await ids(large, 'sort_dir=desc');
    const [{ id: cell } = { id: 0 }] = (await large.get('/v1/cells?limit=1').expect(200)).body as Resource[];
    const asked = query
      .replace('late', `marker=${String((last ?? 0) - DEVICES / 100)}`)
      .replace('the+first', String(cell));
    expect(await read(large, asked)).toBeLessThan(A_FEW_PAGES);
  });

  it('that is a UUID, whoever asks', async () => {
    const [last] = (await large.get('/v1/hosts?limit=1&sort_dir=desc').expect(200)).body as Resource[];
    const filter = `/v1/hosts?uuid=${String(last?.['uuid'])}`;
    for (const caller of [large, app.root]) {
      expect((await caller.get(`${filter}&fields=id`).expect(200)).body).toEqual([{ id: last?.id }]);
      for (const query of ['', '&fields=id', '&sort_dir=desc', '&descendants=true'])
        expect(await readBy(caller, filter + query)).toBeLessThan(A_FEW_LEVELS);
      // Here the next rows are looked at first.
      for (const query of ['&sort_keys=name', `&${vars('late:true')}`])
        expect(await readBy(caller, filter + query)).toBeLessThan(A_FEW_PAGES);
    }
  });

  it('that is the beginning of a name, in the order of names', async () => {
    const [last] = (await large.get('/v1/hosts?limit=1&sort_dir=desc').expect(200)).body as Resource[];
    for (const length of [1, 4, String(last?.name).length]) {
      const prefix = String(last?.name).slice(0, length);
      const filter = `/v1/hosts?fields=name&limit=100&sort_keys=name&name_prefix=${prefix}`;
      const names = (await large.get(filter).expect(200)).body as Resource[];
      expect(names.every(({ name }) => name.startsWith(prefix))).toBe(true);
      for (const direction of ['asc', 'desc'])
        expect(await readBy(large, `${filter}&sort_dir=${direction}`)).toBeLessThan(A_FEW_PAGES);
    }
  });

  it('finds what is below a device once, for the page and all its links, by a few searches', async () => {
    const all = await ids(large, 'sort_dir=asc');
    const [top] = all;
    await client.query(
      'UPDATE devices SET parent_id = $2 + (id - $2 - 1) / 10 WHERE project_id = $1 AND id BETWEEN $2 + 1 AND $2 + 2000',
      [large.projectId, top],
    );
    await client.query('VACUUM ANALYZE devices');
    const path = `/v1/devices?id=${String(top)}&descendants=true&limit=20&marker=${String((top ?? 0) + 1000)}`;
    const found = (await recorder.all(() => large.get(path).expect(200))).filter(({ text }) =>
      /RECURSIVE/.test(text),
    );
    expect(found).toHaveLength(1);
    expect(await readBy(large, path)).toBeLessThan(2_500);
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
