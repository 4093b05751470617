import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { FEED_TIMEOUT, FeedReader } from '../support/feed-reader';
import { impactOf, readState, type ExpectedImpact } from '../support/impact-oracle';
import { importLines } from '../support/importing';
import { canonical } from '../support/naive-resolver';
import { RandomInventory } from '../support/random-inventory';
import { lastChange, type ImpactPage } from '../support/reverts';
import { until } from '../support/until';
import { rounds } from '../support/seeds';

jest.setTimeout(240_000);

/** All pages of the impact of a change on devices. */
async function wholeImpact(caller: Caller, id: number, limit: number): Promise<ExpectedImpact['items']> {
  const items: ExpectedImpact['items'][number][] = [];
  let path: string | undefined = `/v1/changes/${String(id)}/impact?limit=${String(limit)}`;
  while (path !== undefined) {
    const page = (await caller.get(path).expect(200)).body as ImpactPage;
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    path = page.links.find(({ rel }) => rel === 'next')?.href.replace(caller.url, '');
  }
  return items;
}

describe('the impact of a change on resolved variables', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  it('is reported for every change, immediately and later', async () => {
    const inventory = new RandomInventory(admin);
    await inventory.grow();
    const expected = new Map<number, { what: string; items: ExpectedImpact['items'] }>();
    let before = await readState(admin);
    for (let round = 0; round < rounds(10, 16); round++) {
      const previous = await lastChange(admin);
      const change = await inventory.change();
      const after = await readState(admin);
      const { id } = await lastChange(admin);
      // A change that alters nothing has no record.
      if (id === previous.id) continue;
      const what = `seed ${String(inventory.seed)}, round ${String(round)}: ${change}`;
      const { items } = impactOf(before, after);
      expected.set(id, { what, items });
      expect([what, canonical(await wholeImpact(admin, id, 100))]).toEqual([what, canonical(items)]);
      before = after;
    }
    expect([...expected.values()].filter(({ items }) => items.length > 0).length).toBeGreaterThan(
      rounds(3, 5),
    );
    const reader = new FeedReader(admin, undefined, '&resolved=true');
    await until('all is read', FEED_TIMEOUT, async () => {
      await reader.on(40);
      return [...expected.keys()].every((id) => reader.ids.includes(id));
    });
    const changes = new Map(reader.read.map((change) => [change.id, change]));
    for (const [id, { what, items }] of expected) {
      expect([what, canonical(changes.get(id)?.resolved)]).toEqual([what, canonical({ items, links: [] })]);
      if (items.length > 2) expect(canonical(await wholeImpact(admin, id, 2))).toEqual(canonical(items));
    }
  });

  it('contains no private variables', async () => {
    const region = await admin.region();
    const host = await admin.host({ region_id: region.id });
    const path = `/v1/regions/${String(region.id)}/variables`;
    await admin.put(path, { secret: 'sesame', open: 1 }).expect(200);
    const both = await lastChange(admin);
    await admin.put(path, { secret: 'simsim' }).expect(200);
    const hidden = await lastChange(admin);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret'] }).expect(200);
    const user = await admin.user();
    const device = { kind: 'host', id: host.id, name: host.name };
    expect(await wholeImpact(user, both.id, 10)).toEqual([{ ...device, changes: { open: { after: 1 } } }]);
    expect(await wholeImpact(user, hidden.id, 10)).toEqual([]);
    expect(await wholeImpact(admin, hidden.id, 10)).toHaveLength(1);
    const reader = new FeedReader(user, undefined, '&resolved=true');
    await until('all is read', FEED_TIMEOUT, async () => {
      await reader.on();
      return reader.ids.includes(hidden.id);
    });
    expect(JSON.stringify(reader.read)).not.toMatch(/sesame|simsim/);
  });

  it('is truncated in the feed, with a link to the rest', async () => {
    const region = await admin.region();
    const count = 120;
    await importLines(
      admin,
      Array.from({ length: count }, (_, i) => ({
        kind: 'host',
        name: `host-${String(i)}`,
        region: region.name,
        ip_address: '10.0.0.1',
        device_type: 'server',
      })),
    );
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { a: 1 }).expect(200);
    const { id } = await lastChange(admin);
    const reader = new FeedReader(admin, undefined, '&resolved=true');
    await until('all is read', FEED_TIMEOUT, async () => {
      await reader.on();
      return reader.ids.includes(id);
    });
    const resolved = reader.read.find((change) => change.id === id)!.resolved!;
    expect(resolved.items).toHaveLength(100);
    const [next] = resolved.links;
    const rest = (await admin.get(next!.href.replace(app.url, '')).expect(200)).body as ImpactPage;
    expect(rest.items).toHaveLength(count - 100);
    expect(rest.links).toEqual([]);
  });

  it('is not readable for changes that the caller cannot see', async () => {
    const stranger = await app.project();
    await stranger.region();
    const { id } = await lastChange(stranger);
    await admin.get(`/v1/changes/${String(id)}/impact`).expect(404);
    await admin.get('/v1/changes/987654321/impact').expect(404);
    await app.root.get(`/v1/changes/${String(id)}/impact`).expect(200);
    for (const query of [
      'limit=0',
      'limit=1001',
      'marker=x',
      'marker=0',
      `marker=${String(id)}0000`,
      'unknown=1',
      'limit=1&limit=2',
    ])
      await stranger.get(`/v1/changes/${String(id)}/impact?${query}`).expect(400);
  });
});
