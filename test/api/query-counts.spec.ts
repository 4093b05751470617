import type { Caller, Resource } from '../support/caller';
import { INSERT_DEVICES, filters } from '../support/large-project';
import { byCodePoint } from '../support/naive-resolver';
import { RecordedService } from '../support/recorded-service';

const DEVICES = 20_000;
const SMALL = 400;
/** The number of devices, the last of the large project, whose names begin with `late-`. */
const LATE = 2_000;
/** A look ahead over a thousand rows, the rows of a few pages, and what is looked up for each. */
const A_FEW_PAGES = 6_000;
/** One row, and what is looked up for it. */
const A_FEW_LEVELS = 200;

/** A test checks that a filter matches this many hosts, if it matches more: a page must be a small part of them. */
const MAX_CHECKED = 1_000;

let service: RecordedService;
let large: Caller;
let small: Caller;
/** The id of the large project's last device. */
let last: number;

beforeAll(async () => {
  service = await RecordedService.start();
  const { app, client } = service;
  large = await app.project();
  small = await app.project();
  await client.query(INSERT_DEVICES, [large.projectId, DEVICES]);
  await client.query(INSERT_DEVICES, [small.projectId, SMALL]);
  const { rows } = await client.query<{ id: string }>(
    'SELECT max(id) AS id FROM devices WHERE project_id = $1',
    [large.projectId],
  );
  last = Number(rows[0]?.id);
  await client.query("UPDATE devices SET name = 'late-' || name WHERE project_id = $1 AND id > $2", [
    large.projectId,
    last - LATE,
  ]);
  // As autovacuum would, which also empties the GIN index's list of what is not yet in order.
  await client.query('VACUUM ANALYZE');
}, 120_000);
afterAll(() => service.stop());

/** Expects that each statement of a request reads fewer rows. */
const expectToRead = (below: number, caller: Caller, path: string): Promise<void> =>
  service.expectReads(/\bdevices\b|variable_correlations/, below, () => caller.get(path).expect(200));

const expectPage = (caller: Caller, query: string, below = A_FEW_PAGES): Promise<void> =>
  expectToRead(below, caller, `/v1/hosts?fields=id,name&limit=20&${query}`);

describe('a filter reads about a page, not every device', () => {
  const vars = (text: string) => `vars=${encodeURIComponent(text)}`;

  const find = async (query: string, limit: number) =>
    (await large.get(`/v1/hosts?fields=id&limit=${String(limit)}&${query}`).expect(200)).body as Resource[];

  it.each(filters)('by %s', async (_, text, least) => {
    // What is sought is there: or else reading nothing would be easy.
    const sought = Math.min(least, MAX_CHECKED);
    if (sought > 0) expect(await find(vars(text), sought)).toHaveLength(sought);
    await expectPage(large, vars(text));
  });

  it('by what is frequent at first only: looking further was in vain, but not for long', async () => {
    expect(await find(vars('asset.batch:7'), 100)).toHaveLength(10);
    await expectPage(large, vars('asset.batch:7'), 2 * A_FEW_PAGES);
  });

  it.each(filters)('on a late page, by %s', async (_, text) => {
    await expectPage(large, `${vars(text)}&marker=${String(last - DEVICES / 100)}`);
  });

  it.each(filters)('for root, who sees every project, by %s', async (_, text) => {
    await expectPage(service.app.root, vars(text));
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
    for (const caller of [large, service.app.root]) await expectToRead(A_FEW_PAGES, caller, `/v1/${list}`);
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
    const [{ id: cell } = { id: 0 }] = (await large.get('/v1/cells?limit=1').expect(200)).body as Resource[];
    const asked = query
      .replace('late', `marker=${String(last - DEVICES / 100)}`)
      .replace('the+first', String(cell));
    await expectPage(large, asked);
  });

  it('that is a UUID, whoever asks', async () => {
    const [{ uuid }] = (await large.get('/v1/hosts?limit=1&sort_dir=desc').expect(200)).body as [Resource];
    const filter = `/v1/hosts?uuid=${uuid}`;
    for (const caller of [large, service.app.root]) {
      expect((await caller.get(`${filter}&fields=id`).expect(200)).body).toEqual([{ id: last }]);
      for (const query of ['', '&fields=id', '&sort_dir=desc', '&descendants=true'])
        await expectToRead(A_FEW_LEVELS, caller, filter + query);
      // Here the next rows are looked at first.
      for (const query of ['&sort_keys=name', `&${vars('late:true')}`])
        await expectToRead(A_FEW_PAGES, caller, filter + query);
    }
  });

  it('finds what is below a device once, for the page and all its links, by a few searches', async () => {
    const [{ id: top }] = (await find('', 1)) as [Resource];
    await service.client.query(
      'UPDATE devices SET parent_id = $2 + (id - $2 - 1) / 10 WHERE project_id = $1 AND id BETWEEN $2 + 1 AND $2 + 2000',
      [large.projectId, top],
    );
    await service.client.query('VACUUM ANALYZE devices');
    const path = `/v1/devices?id=${String(top)}&descendants=true&limit=20&marker=${String(top + 1000)}`;
    const found = (await service.recorder.all(() => large.get(path).expect(200))).filter(({ text }) =>
      /RECURSIVE/.test(text),
    );
    expect(found).toHaveLength(1);
    await expectToRead(2_500, large, path);
  });

  it.each(['', '&kind=host', '&key=serial', '&sort_dir=desc', '&key=serial&kind=host&sort_dir=desc'])(
    'of what is set where, from the middle of a key on%s',
    async (query) => {
      const marker = `serial/host/${String(last - DEVICES / 2)}`;
      for (const caller of [large, service.app.root])
        await expectToRead(A_FEW_PAGES, caller, `/v1/variables?limit=20&marker=${marker}${query}`);
    },
  );

  it.each([...filters, ['any key of an object', 'asset.*:7', 10] as const])(
    'of a small project beside a large one, by %s',
    async (_, text) => {
      await expectPage(small, vars(text), 8 * SMALL);
    },
  );
});

describe('the beginning of names, where names that begin alike were made together', () => {
  interface Named {
    readonly id: number;
    readonly name: string;
    readonly labelled: boolean;
  }
  /** All hosts of the large project, in the order of their ids. */
  let hosts: Named[];
  beforeAll(async () => {
    const { rows } = await service.client.query<Named>(
      `SELECT d.id::integer, d.name, EXISTS (
         SELECT FROM device_labels a JOIN labels l ON l.id = a.label_id WHERE a.device_id = d.id AND l.label = 'label-7'
       ) AS labelled FROM devices d WHERE d.project_id = $1 ORDER BY d.id`,
      [large.projectId],
    );
    hosts = rows;
  });

  const prefixes = ['late', 'late-host-19', 'host', 'host-1', 'h', 'none', 'a', 'z'];
  const orders = ['', 'sort_dir=desc', 'sort_keys=name', 'sort_keys=name&sort_dir=desc'];
  const cases = prefixes.flatMap((prefix) => orders.map((order) => [prefix, order] as const));

  it.each(cases)(
    '%s, in the order %j, reads about a page, and finds what begins so',
    async (prefix, order) => {
      const query = `name_prefix=${prefix}&${order}`;
      await expectPage(large, query);
      const expected = hosts.filter(({ name }) => name.startsWith(prefix));
      if (order.includes('name')) expected.sort((a, b) => byCodePoint(a.name, b.name));
      if (order.includes('desc')) expected.reverse();
      const find = async (more: string) =>
        (await large.get(`/v1/hosts?fields=id,name&limit=100&${query}${more}`).expect(200))
          .body as Resource[];
      const first = (found: readonly Named[]) => found.slice(0, 100).map(({ id, name }) => ({ id, name }));
      expect(await find('')).toEqual(first(expected));
      expect(await find('&label=label-7')).toEqual(first(expected.filter(({ labelled }) => labelled)));
    },
  );

  it.each(orders)('of one name, in the order %j', async (order) => {
    const [{ id, name }] = hosts.slice(-1) as [Named];
    const query = `name_prefix=${name}&${order}`;
    await expectPage(large, query);
    const { body } = await large.get(`/v1/hosts?fields=id,name&limit=100&${query}`).expect(200);
    expect(body).toEqual([{ id, name }]);
  });
});

describe('the number of statements', () => {
  let admin: Caller;
  beforeEach(async () => {
    admin = await service.app.project();
  });
  const during = (work: () => Promise<unknown>) => service.recorder.during(admin.projectId, work);
  const statementsOf = async (path: string) => (await during(() => admin.get(path).expect(200))).length;

  it('does not depend on the number of keys of variables, which are not counted unless it is asked for', async () => {
    await admin.region({ variables: { a: 1 } });
    await statementsOf('/v1/variable-keys');
    const ofOne = await statementsOf('/v1/variable-keys');
    const variables = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${String(i)}`, i]));
    await admin.region({ variables });
    expect(await statementsOf('/v1/variable-keys')).toBe(ofOne);
    const statements = await during(() => admin.get('/v1/variable-keys?fields=key').expect(200));
    expect(statements.filter(({ text }) => /count\(|devices/.test(text))).toEqual([]);
  });

  it('does not depend on the number of places of variables', async () => {
    const region = await admin.region({ variables: { ntp_region: 1 } });
    await admin.host({ region_id: region.id, variables: { all: 'host', ntp: null } });
    const ofPlaces = async (path: string) => {
      const statements = await during(() => admin.get(path).expect(200));
      return statements.filter(({ text }) => text.includes('variable_correlations')).length;
    };
    await admin.get('/v1/variables').expect(200);
    expect(await ofPlaces('/v1/variables?key=ntp')).toBe(1);
    expect(await ofPlaces('/v1/variables')).toBe(1);
    expect(await ofPlaces('/v1/variables?limit=1')).toBe(2);
  });

  it('grows by two for the impact of a change, unless the change itself tells it', async () => {
    const region = await admin.region({ variables: { inherited: 1 } });
    const host = await admin.host({ region_id: region.id, variables: { own: 1 } });
    const put = async (body: Readonly<Record<string, unknown>>) =>
      (await during(() => admin.put(`/v1/hosts/${String(host.id)}/variables`, body).expect(200))).length;
    await put({ own: 2 });
    const decided = await put({ own: 3 });
    expect(await put({ own: 4, fresh: 1 })).toBe(decided);
    // One statement takes the lock that orders records; the other one reads the levels.
    expect(await put({ inherited: 1 })).toBe(decided + 2);
    const { body } = await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
    expect(body).toMatchObject([{ impact: { devices: 0 } }]);
  });
});
