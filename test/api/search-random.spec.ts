import fc from '../support/property-testing';
import type { Caller, Resource } from '../support/caller';
import { loadFleet, type Fleet, type VariablesOf } from '../support/fleet';
import { byCodePoint } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { search, summary } from '../support/search';
import { sharedService } from '../support/service';
import { rounds } from '../support/seeds';

const app = sharedService();

describe('a search of random inventories', () => {
  /** A resource that can be found. */
  interface Found {
    readonly kind: string;
    readonly id: number;
    readonly uuid: string;
    readonly name: string;
    readonly member: string;
    readonly address?: string;
    readonly variables?: VariablesOf;
  }

  interface Inventory {
    readonly fleet: Fleet;
    readonly admin: Caller;
    /** Cannot see the variable `b`. */
    readonly reader: Caller;
    readonly resources: readonly Found[];
  }

  const HIDDEN = 'b';
  const inventories: Inventory[] = [];

  const COLLECTIONS: readonly (readonly [kind: string, collection: string, member: string])[] = [
    ['region', 'regions', 'name'],
    ['cell', 'cells', 'name'],
    ['label', 'labels', 'label'],
    ['host', 'hosts', 'name'],
    ['network-device', 'network-devices', 'name'],
    ['user', 'users', 'username'],
  ];

  async function resourcesOf(admin: Caller): Promise<Found[]> {
    const found: Found[] = [];
    for (const [kind, collection, member] of COLLECTIONS) {
      const query = kind === 'user' ? '' : '?resolved-values=false';
      const { body } = await admin.get(`/v1/${collection}${query}`).expect(200);
      for (const one of body as Resource[]) {
        const address = one['ip_address'];
        found.push({
          kind,
          id: one.id,
          uuid: one.uuid,
          name: String(one[member]),
          member,
          ...(typeof address === 'string' ? { address } : {}),
          ...(kind === 'user' ? {} : { variables: one.variables }),
        });
      }
    }
    return found;
  }

  beforeAll(async () => {
    for (const fleet of fc.sample(fleets, rounds(1, 2))) {
      const admin = await app.project();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: [HIDDEN] }).expect(200);
      const addressed = fleet.hosts.map((host, i) => ({
        ...host,
        ip_address: `10.${String(i % 3)}.0.${String(i)}`,
      }));
      await loadFleet(admin, { ...fleet, hosts: addressed });
      const reader = await admin.user({ username: 'one-reader' });
      inventories.push({ fleet, admin, reader, resources: await resourcesOf(admin) });
    }
  }, 60_000);

  /** The scalars that are written like a text. */
  function scalarsOf(text: string): unknown[] {
    const isOther = /^(true|false|null|-?\d+(\.\d+)?)$/.test(text);
    return isOther ? [text, JSON.parse(text)] : [text];
  }

  /** Whether a value is one of the scalars, or contains one of them. */
  const hasScalar = (value: unknown, scalars: readonly unknown[]): boolean =>
    typeof value === 'object' && value !== null
      ? Object.values(value).some((one) => hasScalar(one, scalars))
      : scalars.includes(value);

  /** The address's network in the form of a prefix of its text. All networks here end at a dot. */
  const networkPrefix = (text: string): string | undefined => {
    if (/^(\d+\.){1,3}$|^\d+(\.\d+){1,2}$/.test(text)) return text.endsWith('.') ? text : `${text}.`;
    return /^(\d+\.\d+\.)0\.0\/16$/.exec(text)?.[1];
  };

  const isSubstring = (name: string, text: string): boolean =>
    /[a-z0-9]{3}/i.test(text) && name.toLowerCase().includes(text.toLowerCase());

  /** Whether a value is one of the scalars, or an array with one of them, or of such arrays. */
  const isScalar = (value: unknown, scalars: readonly unknown[]): boolean =>
    [value].flat(2).some((one) => scalars.includes(one));

  /** Whether a scalar at any depth of a value is one of the scalars, or contains a text, in any case. */
  const hasPart = (value: unknown, part: string): boolean => {
    if (part.length < 3) return false;
    if (typeof value === 'object' && value !== null)
      return Object.values(value).some((one) => hasPart(one, part));
    return (
      scalarsOf(part).includes(value) ||
      (typeof value === 'string' && value.toLowerCase().includes(part.toLowerCase()))
    );
  };

  /** Finds whole values of one kind of resource. Others than admins do not find them within the documents of devices. */
  const valueTest = (kind: string, text: string, seesAll: boolean): typeof hasScalar => {
    if (['region', 'cell', 'label'].includes(kind)) return text.length < 3 ? () => false : hasScalar;
    return seesAll ? hasScalar : isScalar;
  };

  /** The best match of a resource, as a summary; undefined if it does not match. */
  function matchOf(one: Found, text: string, sees: (key: string) => boolean): string | undefined {
    const { kind, name, member } = one;
    const hit = (match: string, by: string, key: string | null = null) =>
      summary({ kind, name, match, member: by, key });
    if (String(one.id) === text) return hit('exact', 'id');
    if (one.uuid === text) return hit('exact', 'uuid');
    if (name === text) return hit('exact', member);
    if (one.address === text) return hit('exact', 'ip_address');
    if (name.startsWith(text)) return hit('prefix', member);
    const network = networkPrefix(text);
    if (network !== undefined && one.address?.startsWith(network) === true)
      return hit('network', 'ip_address');
    const scalars = scalarsOf(text);
    const visible = Object.entries(one.variables ?? {}).filter(([key]) => sees(key));
    const isFound = valueTest(kind, text, sees(HIDDEN));
    // A device that is found by one variable may show the match within another.
    const [key] = visible.some(([, value]) => isFound(value, scalars))
      ? visible
          .filter(([, value]) => hasScalar(value, scalars))
          .map(([key]) => key)
          .sort(byCodePoint)
      : [];
    if (key !== undefined) return hit('value', 'variables', key);
    return isSubstring(name, text) ? hit('substring', member) : undefined;
  }

  /** The match of a part of a value. */
  function partOf({ kind, name, variables = {} }: Found, text: string, sees: (key: string) => boolean) {
    const [key] = Object.entries(variables)
      .filter(([other, value]) => sees(other) && hasPart(value, text))
      .map(([other]) => other)
      .sort(byCodePoint);
    return key === undefined ? [] : summary({ kind, name, match: 'substring', member: 'variables', key });
  }

  function expectedOf(
    { fleet, resources }: Inventory,
    text: string,
    sees: (key: string) => boolean,
  ): string[] {
    const owners = [
      ...fleet.regions,
      ...fleet.cells,
      ...fleet.labels,
      ...fleet.hosts,
      ...(fleet['network-devices'] ?? []),
    ];
    const keys = new Set(owners.flatMap(({ variables }) => Object.keys(variables)).filter(sees));
    const matchingKeys = [...keys].flatMap((name) => {
      const prefix = name === text ? 'exact' : name.startsWith(text) ? 'prefix' : undefined;
      const match = prefix ?? (isSubstring(name, text) ? 'substring' : undefined);
      return match === undefined
        ? []
        : [summary({ kind: 'variable-key', name, match, member: 'key', key: null })];
    });
    const found = [...resources.flatMap((one) => matchOf(one, text, sees) ?? []), ...matchingKeys];
    // Parts of values are searched if nothing else matches.
    return (found.length > 0 ? found : resources.flatMap((one) => partOf(one, text, sees))).sort();
  }

  const RANKS: Readonly<Record<string, number>> = { exact: 0, prefix: 1, network: 1, value: 1, substring: 2 };

  const texts = [
    ...['1', '1.0', '1.5', '2', 'one', 'true', 'null', 'x'],
    ...[
      'n',
      'north',
      'NORTH',
      'rack',
      'rack-1',
      'ack-',
      'host',
      'host-1',
      'ost-1',
      'switch-3',
      'wit',
      '%',
      'h_st',
    ],
    ...[
      'a',
      'a@',
      'role:x',
      'ROLE',
      'é',
      '\u{1f600}',
      'one-reader',
      'ADMIN',
      'x-y',
      '__proto__',
      'proto',
      'b',
      'rth-we',
      'ole:',
    ],
    ...[
      '10.',
      '10.1',
      '10.1.0.0/16',
      '10.0.0.0/16',
      '10.1.0.4',
      '10.2.0.',
      '10.0.0.1',
      '172.16.0.0/12',
      '::1',
      '10.1.0.0/40',
    ],
  ];

  it('finds what a naive search finds, for callers who see all and for others', async () => {
    const kinds = new Set<string>();
    for (const [i, inventory] of inventories.entries())
      for (const [n, text] of texts.entries())
        for (const [caller, sees] of [
          [inventory.admin, () => true],
          [inventory.reader, (key: string) => key !== HIDDEN],
        ] as const) {
          // Others search each text in one of the inventories.
          if (caller === inventory.reader && n % inventories.length !== i) continue;
          const { hits } = await search(caller, text, '&limit=100');
          // The numbers of changes depend on the tests before.
          const found = hits.filter(({ kind }) => kind !== 'change').map(summary);
          expect([text, found.sort()]).toEqual([text, expectedOf(inventory, text, sees)]);
          const ranks = hits.map(({ match }) => RANKS[match]);
          expect(ranks).toEqual([...ranks].sort());
          for (const { match } of hits) kinds.add(match);
        }
    expect([...kinds].sort()).toEqual(Object.keys(RANKS).sort());
  }, 120_000);

  it('finds IPv6 addresses by their first groups', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region({ name: 'v6' });
    for (const [name, ip_address] of [
      ['a', '2001:db8::1'],
      ['b', '2001:db8:0:7::b'],
      ['c', '2001:dead::c'],
    ] as const)
      await admin.host({ name, region_id, ip_address });
    for (const [text, names] of [
      ['2001:db8', ['a', 'b']],
      ['2001:DB8::', ['a', 'b']],
      ['2001:', ['a', 'b', 'c']],
      ['2001:db8:0:7', ['b']],
      ['2001:db8:0:7:0:0:0', ['b']],
      ['2001:d', ['a', 'b', 'c']],
      ['2001:dea', ['c']],
      ['2001:0d', []],
    ] as const) {
      const { hits } = await search(admin, text);
      // The digits may begin several networks.
      expect([text, hits.map(({ name, match }) => [name, match]).sort()]).toEqual([
        text,
        names.map((name) => [name, 'network']),
      ]);
    }
  });

  it('finds resources by id and UUID, with their place and URL', async () => {
    for (const { admin, resources } of inventories)
      for (const { kind, id, uuid } of resources.filter((_, i) => i % 7 === 0))
        for (const text of [String(id), uuid, uuid.replaceAll('-', '').toUpperCase()]) {
          const { hits } = await search(admin, text);
          const hit = hits.find((one) => one.kind === kind && one.id === id && one.match === 'exact');
          expect([text, hit?.kind]).toEqual([text, kind]);
          const path = hit?.href.slice(app.url.length) ?? '';
          const { body } = await admin.get(path).expect(200);
          const { id: shown, region_id = null, cell_id = null } = body as Resource;
          expect([shown, hit?.region?.id ?? null, hit?.cell?.id ?? null]).toEqual([id, region_id, cell_id]);
        }
  }, 60_000);

  it('returns at most limit hits, the best ones', async () => {
    for (const { admin } of inventories.slice(0, 2))
      for (const text of ['host', 'one', '1']) {
        const all = await search(admin, text, '&limit=100');
        const known = new Set(all.hits.map(summary));
        for (const limit of [1, 3, 7, 20, 21]) {
          const some = await search(admin, text, `&limit=${String(limit)}`);
          expect(some.hits).toHaveLength(Math.min(limit, all.hits.length));
          expect(some.hits.map(({ match }) => RANKS[match])).toEqual(
            all.hits.slice(0, limit).map(({ match }) => RANKS[match]),
          );
          expect(some.hits.filter((hit) => !known.has(summary(hit)))).toEqual([]);
        }
      }
  }, 60_000);
});
