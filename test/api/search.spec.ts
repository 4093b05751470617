import fc from '../support/property-testing';
import { Client } from 'pg';
import { aName, type Caller, type Resource } from '../support/caller';
import { loadFleet, type Fleet, type VariablesOf } from '../support/fleet';
import { byCodePoint } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { sharedService, startService, type OwnService } from '../support/service';
import { createTestDatabase } from '../support/test-database';

interface Place {
  readonly id: number;
  readonly name: string;
}

interface Hit {
  readonly kind: string;
  readonly id: number | string | null;
  readonly name: string;
  readonly region: Place | null;
  readonly cell: Place | null;
  readonly match: string;
  readonly member: string;
  readonly key: string | null;
  readonly href: string;
}

interface Result {
  readonly hits: readonly Hit[];
  readonly substrings: boolean;
}

const search = async (caller: Caller, text: string, query = ''): Promise<Result> =>
  (await caller.get(`/v1/search?q=${encodeURIComponent(text)}${query}`).expect(200)).body as Result;

/** What is compared of a hit. */
const summary = ({ kind, name, match, member, key }: Omit<Hit, 'id' | 'region' | 'cell' | 'href'>): string =>
  [kind, name, match, member, key ?? ''].join('|');

const summaries = async (caller: Caller, text: string, query = ''): Promise<string[]> =>
  (await search(caller, text, query)).hits.map(summary);

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
    for (const fleet of fc.sample(fleets, 3)) {
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

  /** Whether a value is one of the scalars, or an array that contains one of them. */
  const hasScalar = (value: unknown, scalars: readonly unknown[]): boolean =>
    [value].flat(2).some((one) => scalars.includes(one));

  /** The address's network in the form of a prefix of its text. All networks here end at a dot. */
  const networkPrefix = (text: string): string | undefined => {
    if (/^(\d+\.){1,3}$|^\d+(\.\d+){1,2}$/.test(text)) return text.endsWith('.') ? text : `${text}.`;
    return /^(\d+\.\d+\.)0\.0\/16$/.exec(text)?.[1];
  };

  const isSubstring = (name: string, text: string): boolean =>
    /[a-z0-9]{3}/i.test(text) && name.toLowerCase().includes(text.toLowerCase());

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
    const [key] = Object.entries(one.variables ?? {})
      .filter(([key, value]) => sees(key) && hasScalar(value, scalars))
      .map(([key]) => key)
      .sort(byCodePoint);
    if (key !== undefined) return hit('value', 'variables', key);
    return isSubstring(name, text) ? hit('substring', member) : undefined;
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
    return [...resources.flatMap((one) => matchOf(one, text, sees) ?? []), ...matchingKeys].sort();
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
          expect([text, hits.map(summary).sort()]).toEqual([text, expectedOf(inventory, text, sees)]);
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
      ['2001:d', []],
    ] as const) {
      const { hits } = await search(admin, text);
      expect([text, hits.map(({ name, match }) => [name, match])]).toEqual([
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

describe('a search', () => {
  it('shows every kind, with its place', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'mix-region' });
    const cell = await admin.cell({ name: 'mix-cell', region_id: region.id });
    const label = await admin.label({ label: 'mix-label' });
    const host = await admin.host({ name: 'mix-host', region_id: region.id, cell_id: cell.id });
    const device = await admin.networkDevice({ name: 'mix-switch', region_id: region.id });
    const cloud = await admin.cloud({ name: 'mix-cloud' });
    const audit = await admin.audit({ name: 'mix-audit' });
    const definition = await admin.definition({ key: 'mix_key' });
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { mix_key: 1, role: 'mix-role' }).expect(200);
    await admin.user({ username: 'mix-user' });
    const { hits, substrings } = await search(admin, 'mix');
    expect(substrings).toBe(true);
    const place = { id: region.id, name: 'mix-region' };
    const hit = (kind: string, { id, name }: Pick<Resource, 'id' | 'name'>, more: Partial<Hit> = {}) => ({
      ...{ kind, id, name, region: null, cell: null, match: 'prefix', member: 'name', key: null },
      ...{ href: `${app.url}/v1/${kind}s/${String(id)}`, ...more },
    });
    const keys = `${app.url}/v1/variable-keys?key=mix_key&project_id=${admin.projectId}`;
    // The first ones of all kinds, then the second device.
    expect(hits.filter(({ kind }) => kind !== 'user')).toEqual([
      hit('region', region),
      hit('cell', cell, { region: place }),
      hit('label', { ...label, name: 'mix-label' }, { member: 'label' }),
      hit('host', host, { region: place, cell: { id: cell.id, name: 'mix-cell' } }),
      hit('cloud', cloud),
      hit('audit', audit),
      hit('variable-definition', { ...definition, name: 'mix_key' }, { member: 'key' }),
      { ...hit('variable-key', host), id: null, name: 'mix_key', member: 'key', href: keys },
      hit('network-device', device, { region: place }),
    ]);
    const { body } = await admin.get(keys.slice(app.url.length)).expect(200);
    expect(body).toMatchObject([{ key: 'mix_key', hosts: 1 }]);
    expect(await summaries(admin, 'mix-role')).toEqual(['host|mix-host|value|variables|role']);
  });

  it('does not let frequent matches of one kind hide those of other kinds', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'web', variables: { tier: 'frontend' } });
    const members = { region_id: region.id, variables: { tier: 'frontend' } };
    for (let i = 0; i < 25; i++) await admin.host({ ...members, name: `web-${String(i).padStart(2, '0')}` });
    await admin.label({ label: 'web-servers' });
    await admin.label({ label: 'old-web' });
    const frontends = await summaries(admin, 'frontend', '&limit=5');
    expect(frontends).toHaveLength(5);
    expect(frontends[0]).toBe('region|web|value|variables|tier');
    const found = await summaries(admin, 'web', '&limit=4');
    expect(found).toEqual([
      'region|web|exact|name|',
      'label|web-servers|prefix|label|',
      'host|web-00|prefix|name|',
      'host|web-01|prefix|name|',
    ]);
    const all = await summaries(admin, 'web', '&limit=100');
    expect(all).toHaveLength(28);
    expect(all.at(-1)).toBe('label|old-web|substring|label|');
  });

  it('finds names by a part with words and numbers, among few and among many with these numbers', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const hosts = Array.from({ length: 30 }, (_, i) => ({
      name: `rack-0042-${i % 2 === 0 ? 'host' : 'node'}-${String(i).padStart(4, '0')}`,
      region_id: region.id,
    }));
    for (const host of hosts) await admin.host(host);
    const found = async (text: string) => (await search(admin, text)).hits.map(({ name }) => name).sort();
    expect(await found('ACK-0042-HOST-0010')).toEqual(['rack-0042-host-0010']);
    expect(await found('0042-host')).toEqual(
      hosts.flatMap(({ name }) => (name.includes('host') ? [name] : [])).sort(),
    );
    expect(await found('0042-node-0010')).toEqual([]);
    expect(await found('ck-0042-no')).toHaveLength(15);
  });

  it('ignores the case of letters of all scripts', async () => {
    const admin = await app.project();
    await admin.region({ name: 'le-café-nord' });
    await admin.host({ name: 'au-café-sud', region_id: (await admin.region()).id });
    expect(await summaries(admin, 'CAFÉ')).toEqual([
      'region|le-café-nord|substring|name|',
      'host|au-café-sud|substring|name|',
    ]);
    expect(await summaries(admin, 'CAFÈ')).toEqual([]);
    expect(await summaries(admin, 'caf%')).toEqual([]);
  });

  it('finds keys by a part of them', async () => {
    const admin = await app.project();
    await admin.region({ variables: { ntp_servers: ['10.0.0.1'] } });
    expect(await summaries(admin, 'SERVER')).toEqual(['variable-key|ntp_servers|substring|key|']);
  });

  it('keeps the private variables, users and secrets of others to themselves', async () => {
    const admin = await app.project();
    const settings = { private: ['hush*'], restricts_readers: true };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
    const region = await admin.region({ variables: { hush_region: 'whisper' } });
    await admin.label({ label: 'a-label', variables: { hush_label: 'whisper', open: 'whisper' } });
    await admin.host({ region_id: region.id, variables: { hush_host: 'whisper' } });
    await admin.definition({ key: 'hush_defined' });
    await admin.audit({ name: 'hush-audit', expectation: { vars: 'hush_host:"whisper"' } });
    const secret = await admin.secret({ cert: 'hush-certificate' });
    const reader = await admin.user({ username: 'hush-reader' });
    const other = await admin.user({ username: 'hush-other', roles: ['hush_host'] });
    expect(await summaries(reader, 'whisper')).toEqual(['label|a-label|value|variables|open']);
    expect(await summaries(reader, 'hush')).toEqual(['user|hush-reader|prefix|username|']);
    expect(await summaries(other, 'hush')).toEqual([
      'user|hush-other|prefix|username|',
      'audit|hush-audit|prefix|name|',
      'variable-key|hush_host|prefix|key|',
      'user|hush-reader|prefix|username|',
    ]);
    expect(await summaries(other, 'whisper')).toHaveLength(2);
    expect(await summaries(admin, 'whisper')).toHaveLength(3);
    for (const caller of [reader, other]) expect((await search(caller, secret.uuid)).hits).toEqual([]);
    expect((await search(admin, secret.uuid)).hits).toMatchObject([
      { kind: 'access-secret', id: secret.id, name: String(secret.id), match: 'exact', member: 'uuid' },
    ]);
    expect((await search(admin, 'hush-certificate')).hits).toEqual([]);
  });

  it('concerns one project, which root can choose', async () => {
    const [one, other] = [await app.project(), await app.project()];
    const name = aName('lonely');
    await one.region({ name, variables: { lonely: name } });
    expect((await search(other, name)).hits).toEqual([]);
    expect((await search(app.root, name)).hits).toEqual([]);
    expect((await search(app.root.in(one.projectId), name)).hits).toMatchObject([
      { kind: 'region', match: 'exact' },
    ]);
    expect((await search(app.root, name, `&project_id=${one.projectId}`)).hits).toHaveLength(1);
    expect((await search(one, name, `&project_id=${one.projectId}`)).hits).toHaveLength(1);
    await other.get(`/v1/search?q=a&project_id=${one.projectId}`).expect(404);
    await app.root.get(`/v1/search?q=a&project_id=00000000-0000-4000-8000-000000000000`).expect(404);
  });

  it('finds projects for root, and for nobody else', async () => {
    const name = aName('findable');
    const admin = await app.project(name);
    const expected = { kind: 'project', id: admin.projectId, name, region: null, cell: null };
    // No integer is the id of a project.
    for (const text of ['1', '9007199254740991']) await search(app.root, text);
    for (const text of [name, admin.projectId])
      expect((await search(app.root, text)).hits).toMatchObject([{ ...expected, match: 'exact' }]);
    expect((await search(admin, name)).hits).toEqual([]);
  });

  it('finds the rest of a value that was changed', async () => {
    const admin = await app.project();
    const host = await admin.host({ variables: { owner: 'team-1' } });
    const path = `/v1/hosts/${String(host.id)}/variables`;
    await admin.put(path, { owner: 'team-2' }).expect(200);
    expect((await search(admin, 'team-1')).hits).toEqual([]);
    expect((await search(admin, 'team-2')).hits).toHaveLength(1);
    await admin.delete(path, ['owner']).expect(204);
    for (const text of ['team-2', 'owner']) expect((await search(admin, text)).hits).toEqual([]);
  });

  it('takes texts of all characters', async () => {
    const admin = await app.project();
    for (const text of [
      `'"\\`,
      '$.*',
      '") || true',
      '\\u0000',
      '\u{1f600}',
      '%%%',
      '___',
      'a'.repeat(255),
      '-',
      '1e5',
      '1'.repeat(255),
    ])
      expect((await search(admin, text)).hits).toEqual([]);
    const name = `"quoted" \\ $.x 50%_é`;
    await admin.region({ name, variables: { text: name } });
    expect((await search(admin, name)).hits).toMatchObject([{ match: 'exact' }]);
    expect((await search(admin, ` ${name} `)).hits).toHaveLength(1);
    expect((await search(admin, 'quoted" \\')).hits).toMatchObject([{ match: 'substring' }]);
  });

  it.each([
    ['', 'q'],
    ['?q=', 'q'],
    ['?q=%20', 'q'],
    [`?q=${'a'.repeat(256)}`, 'q'],
    ['?q=a%00', 'q'],
    ['?q=a&q=b', 'q'],
    ['?q=a&limit=0', 'limit'],
    ['?q=a&limit=101', 'limit'],
    ['?q=a&project_id=1', 'project_id'],
    ['?q=a&marker=1', 'marker'],
  ])('refuses the query %j', async (query, field) => {
    const { body } = await (await app.project()).get(`/v1/search${query}`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ field }] });
  });
});

describe('without an index of trigrams, a search', () => {
  let own: OwnService;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    // Citus drops one at a time.
    for (const index of ['devices_by_trigrams', 'devices_by_block'])
      await client.query(`DROP INDEX ${index}`);
    await client.end();
    own = await startService({}, database);
  });
  afterAll(() => own.stop());

  it('finds beginnings of names and values, and says so', async () => {
    const admin = await own.project();
    await admin.host({ name: 'web-1', variables: { role: 'proxy' } });
    expect(await search(admin, 'web')).toMatchObject({ hits: [{ name: 'web-1' }], substrings: false });
    expect(await search(admin, 'eb-1')).toEqual({ hits: [], substrings: false });
    expect(await search(admin, 'proxy')).toMatchObject({ hits: [{ match: 'value', key: 'role' }] });
  });
});
