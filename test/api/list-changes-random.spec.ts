import type { Caller, Resource } from '../support/caller';
import fc from '../support/property-testing';
import { follow, readPage } from '../support/read-pages';
import { rounds } from '../support/seeds';
import { sharedService } from '../support/service';

const app = sharedService();

const notes = fc.constantFrom(null, '', 'a', 'ä"\\\n', '漢'.repeat(300), 'c');
const addresses = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.10', '::1', '2001:db8::1');
/** A name begins with random letters, so that names that are given later are anywhere in the list. */
const prefixes = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '-', '1'), minLength: 1, maxLength: 3 });
const members = fc.record({ prefix: prefixes, note: notes, ip_address: addresses, active: fc.boolean() });

/** A change between two pages; `of` selects the host, and `end` the last one of the page, which the next link names. */
const changes = fc.record({
  kind: fc.constantFrom('create', 'update', 'delete'),
  of: fc.oneof(fc.constant('end' as const), fc.nat(30)),
  members,
});

const scenarios = fc.record({
  hosts: fc.array(members, { minLength: 8, maxLength: 12 }),
  keys: fc.constantFrom(
    'id',
    'name',
    'note',
    'ip_address',
    'updated_at',
    'active,note',
    'note,ip_address,name',
  ),
  filter: fc.constantFrom('', '&label=l', '&vars=v:1', '&descendants=true&device_type=server'),
  direction: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 4 }),
  pages: fc.array(fc.array(changes, { maxLength: 2 }), { maxLength: 8 }),
});

it('has every item that stays as it is exactly once, whatever is changed between its pages', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async ({ hosts, keys, filter, direction, limit, pages }) => {
      const admin = await app.project();
      const fleet = await Fleet.create(admin, hosts);
      const unchanged = new Set(fleet.ids);
      const path = `/v1/hosts?fields=id&sort_keys=${keys}&sort_dir=${direction}&limit=${String(limit)}${filter}`;
      const seen: number[] = [];
      let page = await readPage(admin, path);
      for (let i = 0; ; i++) {
        seen.push(...page.items.map(({ id }) => Number(id)));
        for (const { kind, of, members } of pages[i] ?? []) {
          const id = of === 'end' ? (seen.at(-1) ?? 0) : (fleet.ids[of % fleet.ids.length] ?? 0);
          if (kind === 'create') await fleet.add(members);
          else if (fleet.ids.includes(id)) {
            unchanged.delete(id);
            await (kind === 'update' ? fleet.update(id, members) : fleet.delete(id));
          }
        }
        const next = await follow(admin, page, 'next');
        if (!next) break;
        page = next;
        expect(i).toBeLessThan(100);
      }
      const times = [...unchanged].map((id) => [id, seen.filter((one) => one === id).length]);
      expect(times).toEqual([...unchanged].map((id) => [id, 1]));
    }),
    { numRuns: rounds(6, 12) },
  );
}, 240_000);

interface Members {
  readonly prefix: string;
  readonly note: string | null;
  readonly ip_address: string;
  readonly active: boolean;
}

/** The hosts of a project. */
class Fleet {
  readonly ids: number[] = [];
  private names = 0;

  private constructor(
    private readonly admin: Caller,
    private readonly regionId: number,
  ) {}

  static async create(admin: Caller, hosts: readonly Members[]): Promise<Fleet> {
    const fleet = new Fleet(admin, (await admin.region()).id);
    const bodies = hosts.map((members) => ({ ...fleet.body(members), device_type: 'server' }));
    const { body } = await admin.post('/v1/hosts', bodies).expect(201);
    fleet.ids.push(...(body as Resource[]).map(({ id }) => id));
    return fleet;
  }

  async add(members: Members): Promise<void> {
    this.ids.push((await this.admin.host(this.body(members))).id);
  }

  private body(members: Members) {
    return { ...this.named(members), region_id: this.regionId, labels: 'l', variables: { v: 1 } };
  }

  async update(id: number, members: Members): Promise<void> {
    const { body } = await this.admin.put(`/v1/hosts/${String(id)}`, this.named(members)).expect(200);
    expect((body as Resource).id).toBe(id);
  }

  async delete(id: number): Promise<void> {
    await this.admin.delete(`/v1/hosts/${String(id)}`).expect(204);
    this.ids.splice(this.ids.indexOf(id), 1);
  }

  private named({ prefix, ...members }: Members) {
    return { ...members, name: `${prefix}${String(this.names++)}` };
  }
}
