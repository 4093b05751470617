import { Client } from 'pg';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { combinedFilters, fill, filters, newerHosts } from '../support/large-project';
import { itemOfMarker, readPage } from '../support/read-pages';

/** A list reads the next rows first, then a few blocks of 4,096 ids, then all rows. These ids fill 22 blocks. */
const DEVICES = 8_800;
const ID_STEP = 10;
const LIMIT = 20;
/** Which part of the numbers of matching hosts in `filters`, which are those of more hosts, is found at least. */
const SHARE = 1 / 4;

interface HostRange {
  readonly from: number;
  readonly to: number;
  readonly gap?: number;
  readonly step?: number;
  readonly cell?: string;
  readonly variables: string;
}

interface Host {
  readonly id: number;
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Whether a filter `path:"value"` or `path:value` of keys and wildcards matches, with the semantics of lax jsonpath.
 */
function matches({ variables }: Host, text: string): boolean {
  return text.split(',').every((filter) => {
    const [path = '', value = ''] = filter.split(':');
    const found = path.split('.').reduce<unknown[]>(
      (parents, step) =>
        parents.flatMap((parent) => {
          if (typeof parent !== 'object' || parent === null) return [];
          return step === '*' ? Object.values(parent) : [(parent as Record<string, unknown>)[step]];
        }),
      [variables],
    );
    const expected: unknown = JSON.parse(value);
    return found.flat().includes(expected);
  });
}

describe('a filtered list of many hosts', () => {
  const app = sharedService();
  let caller: Caller;
  let hosts: readonly Host[];

  beforeAll(async () => {
    caller = await app.project();
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    // Other tests' rows are analyzed meanwhile. With the statistics of a few rows in a large table, PostgreSQL would read all
    // devices of the project for each check of a foreign key.
    await client.query('SET session_replication_role = replica');
    await client.query(fill(ID_STEP), [caller.projectId, DEVICES]);
    await client.query(
      'VACUUM ANALYZE devices, device_labels, labels, cells, regions, variable_correlations',
    );
    await client.end();
    const path = '/v1/hosts?fields=id,name,variables&limit=10000';
    hosts = (await caller.get(path).expect(200)).body as Host[];
  }, 240_000);
  /** The ids of a page, and the items of the markers in its links; null for the first page. */
  async function pageAt(query: string) {
    const { items, links } = await readPage(caller, `/v1/hosts?fields=id&limit=${LIMIT}&${query}`);
    const markers = Object.entries(links).map(([rel, href]) => {
      const marker = new URL(href).searchParams.get('marker');
      return [rel, marker && itemOfMarker(marker)] as const;
    });
    return { ids: items.map(({ id }) => Number(id)), markers: new Map(markers) };
  }

  const text = (id: number | undefined) => (id === undefined ? undefined : String(id));

  async function expectPages(found: readonly number[], query: string): Promise<void> {
    for (const index of [undefined, 0, Math.floor(found.length / 2), found.length - 2]) {
      const marker = index === undefined ? undefined : found[index];
      if (index !== undefined && marker === undefined) continue;
      const start = index === undefined ? 0 : index + 1;
      const { ids, markers } = await pageAt(
        marker === undefined ? query : `${query}&marker=${String(marker)}`,
      );
      const more = start + LIMIT < found.length;
      expect(ids).toEqual(found.slice(start, start + LIMIT));
      expect(markers.get('next')).toBe(more ? text(found[start + LIMIT - 1]) : undefined);
      expect(markers.get('last')).toBe(more ? 'last' : undefined);
      if (index !== undefined) expect(markers.get('prev')).toBe(text(found[index - LIMIT]) ?? null);
    }
    const { ids, markers } = await pageAt(`${query}&marker=last`);
    expect(ids).toEqual(found.slice(-LIMIT));
    const isOnlyPage = found.length <= LIMIT;
    expect([...markers.keys()].sort()).toEqual(isOnlyPage ? ['self'] : ['first', 'prev', 'self']);
    if (!isOnlyPage) expect(markers.get('prev')).toBe(text(found.at(-2 * LIMIT - 1)) ?? null);
  }

  /**
   * Expects the pages in the order of ids, or also in one of two other orders: filters take turns, because the order is planned
   * and written to the statement without regard to the filter (unit/lists/list-plan.spec.ts, keyset.spec.ts).
   */
  async function expectPagesInTurn(found: readonly Host[], query: string, turn: number): Promise<void> {
    const ids = found.map(({ id }) => id);
    await expectPages(ids, query);
    if (turn % 4 === 0) await expectPages(ids.toReversed(), `${query}&sort_dir=desc`);
    if (turn % 4 === 2) {
      const byName = found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id);
      await expectPages(byName, `${query}&sort_keys=name`);
    }
  }

  it.each(
    [
      ...filters,
      ...combinedFilters,
      ['a value of the newer hosts', newerHosts, 8_000] as const,
      ['a frequent value, and one of any member', 'os:"common",asset.*:77', 6] as const,
    ].map(([name, vars, minMatches], turn) => [name, vars, Math.ceil(minMatches * SHARE), turn] as const),
  )(
    'has the same pages as a filter over the resolved hosts, by %s',
    async (_, vars, minMatches, turn) => {
      const found = hosts.filter((host) => matches(host, vars));
      expect(found.length).toBeGreaterThanOrEqual(minMatches);
      await expectPagesInTurn(found, `vars=${encodeURIComponent(vars)}`, turn);
    },
    60_000,
  );

  it.each<[string, string, number, (i: number) => boolean]>([
    ['a label', 'label=label-7', 0, (i) => i % 50 === 7 || Math.floor(i / 50) % 50 === 7],
    [
      'two labels',
      'label=label-7&label=label-8',
      2,
      (i) => [i % 50, Math.floor(i / 50) % 50].sort().join() === '7,8',
    ],
    ['a network', 'ip=10.0.7.0/24', 0, (i) => i >> 8 === 7],
    ['a large network', 'ip=10.0.32.0/19', 2, (i) => i >> 13 === 1],
    ['a label and a variable', 'label=label-7&vars=asset.order:7', 0, (i) => i % 1000 === 7],
  ])(
    'has the expected pages, by %s',
    async (_, query, turn, belongs) => {
      const found = hosts.filter((_, i) => belongs(i));
      expect(found.length).toBeGreaterThan(0);
      await expectPagesInTurn(found, query, turn);
    },
    60_000,
  );
});

/** Values of `role`, and a filter by a wildcard that finds each. */
const DOCUMENTS = [
  ['{"a": null}', '*:null'],
  ['{"a": false}', '*:false'],
  ['{"a": 16.0}', '*:16'],
  ['{"a": "text"}', '*:"text"'],
  ['{"a": ["element"]}', '*:"element"'],
  ['[{"a": "of an element"}]', '*:"of an element"'],
  ['{"a": {"b": {"c": [[2]]}}}', '*.*.c[*]:2'],
  ['{"a": "scalar", "b": {"c": "other"}}', '*.c:"other"'],
] as const;

describe('a filter that matches many hosts late', () => {
  const app = sharedService();
  let client: Client;

  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    // Without the checks of foreign keys.
    await client.query('SET session_replication_role = replica');
  });
  afterAll(() => client.end());

  /**
   * Adds hosts with consecutive numbers.
   * @param gap the number of ids that are skipped before them
   * @param step the distance from one host's id to the next
   * @param cell their cell, and `variables` their variables, as SQL over a number `i`
   */
  async function addHosts(
    caller: Caller,
    regionId: number,
    { from, to, gap = 0, step = 1, cell = 'NULL', variables }: HostRange,
  ): Promise<void> {
    await client.query(
      `WITH reserved AS MATERIALIZED (
         SELECT setval(s, nextval(s) + $3 + $4) - $4 AS start FROM pg_get_serial_sequence('devices', 'id') s
       ), d AS (
         INSERT INTO devices (id, project_id, kind, name, region_id, cell_id, ip_address, device_type, variables)
         OVERRIDING SYSTEM VALUE
         SELECT start + (i - $5) * $7::integer, $1, 'host', 'host-' || i, $2, ${cell}, '10.0.0.0'::inet + i, 'server', ${variables}
         FROM reserved, generate_series($5::integer, $6::integer) i ORDER BY i RETURNING id
       ) INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
       SELECT $1, 'host', id, 'role', (SELECT max(id) FROM changes WHERE project_id = $1), 0 FROM d`,
      [caller.projectId, regionId, gap, (to - from + 1) * step, from, to, step],
    );
  }

  async function names(caller: Caller, vars = 'role:"x"'): Promise<unknown[]> {
    const { items } = await readPage(caller, `/v1/hosts?fields=name&limit=${LIMIT}&vars=${vars}`);
    return items.map(({ name }) => name);
  }

  const expected = (from: number, step: number) =>
    Array.from({ length: LIMIT }, (_, i) => `host-${String(from + step * i)}`);

  /** Projects of one test each. They are filled together, because VACUUM reads the devices of all projects. */
  let inOrder: Caller;
  let afterGap: Caller;
  let ofEveryType: Caller;
  let underOtherKeys: Caller;
  beforeAll(async () => {
    inOrder = await filled(async (caller, region) => {
      const cell = await caller.cell({ region_id: region, variables: { role: 'x' } });
      // From 6,000 on, every tenth host is in the cell. From 9,000 on, all others set the value themselves. More match than are
      // read and sorted at once.
      await addHosts(caller, region, {
        from: 0,
        to: 13_999,
        step: 4,
        cell: `CASE WHEN i >= 6000 AND i % 10 = 0 THEN ${String(cell.id)}::bigint END`,
        variables: `CASE WHEN i >= 9000 AND i % 10 <> 0 THEN '{"role": "x"}' ELSE '{}' END::jsonb`,
      });
      // New versions of rows are at the end of the table.
      await client.query(
        `UPDATE devices SET variables = '{"role": "x"}' WHERE project_id = $1 AND name ~ '^host-6..5$'`,
        [caller.projectId],
      );
    });
    afterGap = await filled(async (caller, region) => {
      await addHosts(caller, region, { from: 0, to: 999, variables: `'{}'` });
      const more = { from: 1000, to: 5499, gap: 10_000_000, variables: `'{"role": "x"}'` };
      await addHosts(caller, region, more);
    });
    ofEveryType = await filled(async (caller, region) => {
      // More than the first rows that are read one by one.
      await addHosts(caller, region, { from: 0, to: 1999, variables: `'{"role": {"a": 1}}'` });
      for (const [i, [document]] of DOCUMENTS.entries())
        await addHosts(caller, region, {
          from: 2000 + i,
          to: 2000 + i,
          variables: `'{"role": ${document}, "same": "scalar", "text": "text"}'`,
        });
    });
    underOtherKeys = await filled(async (caller, region) => {
      const others = `'{"role": {"a": 1}, "other": {"b": 2}}'`;
      await addHosts(caller, region, { from: 0, to: 5_999, variables: others });
      // Beyond the blocks that are searched first.
      const found = { from: 6_000, to: 6_009, gap: 200_000, variables: `'{"role": {"a": 2}}'` };
      await addHosts(caller, region, found);
      await addHosts(caller, region, { from: 6_010, to: 6_099, variables: others });
      await addHosts(caller, region, { from: 6_100, to: 6_119, variables: `'{"role": {"a": [2]}}'` });
    });
    await client.query('VACUUM ANALYZE devices, cells, variable_correlations');
  }, 240_000);

  /** A new project with one region. */
  async function filled(fill: (caller: Caller, regionId: number) => Promise<void>): Promise<Caller> {
    const caller = await app.project();
    const { id } = await caller.region();
    await fill(caller, id);
    return caller;
  }

  it('finds them in the order of ids, even if a cell would fill the page', async () => {
    expect(await names(inOrder)).toEqual(expected(6_000, 5));
  });

  it('finds them after millions of ids of other projects', async () => {
    expect(await names(afterGap)).toEqual(expected(1_000, 1));
  });

  it('finds scalars of every type and at any depth by a wildcard', async () => {
    for (const [i, [, filter]] of DOCUMENTS.entries())
      expect([filter, await names(ofEveryType, `role.${filter}`)]).toEqual([
        filter,
        [`host-${String(2000 + i)}`],
      ]);
    expect(await names(ofEveryType, 'role.*:"scalar"')).toEqual(['host-2007']);
    expect(await names(ofEveryType, 'role.*:"other"')).toEqual([]);
  });

  it('finds a value by a wildcard if many hosts have it under another key', async () => {
    const expected = [...Array(10).keys()].flatMap((i) => [6_000 + i, 6_100 + i]).sort((a, b) => a - b);
    expect(await names(underOtherKeys, 'role.*:2')).toEqual(expected.map((i) => `host-${String(i)}`));
    const path = '/v1/hosts?fields=name&limit=25&sort_dir=desc&vars=role.*:2';
    const { items } = await readPage(underOtherKeys, path);
    expect(items.map(({ name }) => name)).toEqual(
      [...Array(25).keys()].map((i) => `host-${String(i < 20 ? 6_119 - i : 6_029 - i)}`),
    );
  });
});
