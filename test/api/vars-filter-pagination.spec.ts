import { Client } from 'pg';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { fill, filters, newerHosts } from '../support/large-project';
import { readPage } from '../support/read-pages';

/** A list reads the next rows first, then a few blocks of 4,096 ids, then all rows. These ids fill 22 blocks. */
const DEVICES = 30_000;
const ID_STEP = 3;
const LIMIT = 20;

interface Host {
  readonly id: number;
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Whether a filter `path:"value"` or `path:value` of plain path steps matches, with the semantics of lax jsonpath.
 */
function matches({ variables }: Host, text: string): boolean {
  return text.split(',').every((filter) => {
    const [path = '', value = ''] = filter.split(':');
    const found = path
      .split('.')
      .reduce<unknown>(
        (parent, step) =>
          typeof parent === 'object' && parent !== null
            ? (parent as Record<string, unknown>)[step]
            : undefined,
        variables,
      );
    const expected: unknown = JSON.parse(value);
    return Array.isArray(found) ? found.includes(expected) : found === expected;
  });
}

describe('a filtered list of many hosts', () => {
  const app = sharedService();
  let caller: Caller;
  const hosts: Host[] = [];

  beforeAll(async () => {
    caller = await app.project();
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query(fill(ID_STEP), [caller.projectId, DEVICES]);
    await client.query(
      'VACUUM ANALYZE devices, device_labels, labels, cells, regions, variable_correlations',
    );
    await client.end();
    for (let marker = ''; ; marker = `&marker=${String(hosts.at(-1)?.id)}`) {
      const path = `/v1/hosts?fields=id,name,variables&limit=10000${marker}`;
      const page = (await caller.get(path).expect(200)).body as Host[];
      hosts.push(...page);
      if (page.length < 10_000) break;
    }
  }, 240_000);
  /** The ids of a page, and the markers in its links; null for the first page. */
  async function pageAt(query: string) {
    const { items, links } = await readPage(caller, `/v1/hosts?fields=id&limit=${LIMIT}&${query}`);
    const markers = Object.entries(links).map(
      ([rel, href]) => [rel, new URL(href).searchParams.get('marker')] as const,
    );
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

  it.each([...filters, ['a value of the newer hosts', newerHosts, 12_000] as const])(
    'has the same pages as a filter over the resolved hosts, by %s',
    async (_, vars) => {
      const found = hosts.filter((host) => matches(host, vars));
      const query = `vars=${encodeURIComponent(vars)}`;
      const ids = found.map(({ id }) => id);
      await expectPages(ids, query);
      await expectPages(ids.toReversed(), `${query}&sort_dir=desc`);
      const byName = found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id);
      await expectPages(byName, `${query}&sort_keys=name`);
    },
    60_000,
  );

  it.each([
    ['a label', 'label=label-7', (i: number) => i % 50 === 7 || Math.floor(i / 50) % 50 === 7],
    [
      'two labels',
      'label=label-7&label=label-8',
      (i: number) => [i % 50, Math.floor(i / 50) % 50].sort().join() === '7,8',
    ],
    ['a network', 'ip=10.0.7.0/24', (i: number) => i >> 8 === 7],
    ['a large network', 'ip=10.0.32.0/19', (i: number) => i >> 13 === 1],
    ['a label and a variable', 'label=label-7&vars=asset.order:7', (i: number) => i % 1000 === 7],
  ])(
    'has the expected pages, by %s',
    async (_, query, belongs) => {
      const found = hosts.filter((_, i) => belongs(i));
      const ids = found.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      await expectPages(ids, query);
      await expectPages(ids.toReversed(), `${query}&sort_dir=desc`);
      const byName = found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }) => id);
      await expectPages(byName, `${query}&sort_keys=name`);
    },
    60_000,
  );
});
