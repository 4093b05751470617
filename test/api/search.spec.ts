import { Client } from 'pg';
import { aName, type Caller, type Resource } from '../support/caller';
import { type Hit, search, summaries, summary } from '../support/search';
import { sharedService, startService, type OwnService } from '../support/service';
import { createTestDatabase } from '../support/test-database';

const app = sharedService();

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
      ...{
        kind,
        id,
        name,
        region: null,
        cell: null,
        match: 'prefix',
        member: 'name',
        key: null,
        matched: null,
      },
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

  it('finds values inside of documents in any case, MAC addresses in any notation, and changes', async () => {
    const admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['hush'] }).expect(200);
    const nics = [{ name: 'eth0', mac: 'aa:bb:cc:00:00:17', mtu: 9000 }];
    const region = await admin.region({
      name: 'north',
      variables: { contact: { Team: 'Network Operations' } },
    });
    await admin.host({ name: 'web-1', region_id: region.id, variables: { nics, hush: { pass: 'rosebud' } } });
    const created = await admin.put(
      `/v1/regions/${String(region.id)}`,
      { note: 'x' },
      { 'X-Change-Reason': 'CHG-7: Moved racks' },
    );
    expect(created.status).toBe(200);
    const [change] = (await admin.get('/v1/changes?limit=1&sort_dir=desc').expect(200)).body as Resource[];
    const id = String(change?.id);
    const reader = await admin.user();
    const found = async (caller: Caller, text: string) =>
      (await search(caller, text)).hits.map((hit) => `${summary(hit)}|${hit.matched ?? ''}`);
    const isNic = 'host|web-1|substring|variables|nics|aa:bb:cc:00:00:17';
    for (const text of ['AA:BB:CC', 'aa-bb-cc', 'aabb.cc', 'AABBCC', 'aabbcc00001'])
      expect([text, await found(reader, text)]).toEqual([text, [isNic]]);
    expect(await found(admin, '9000')).toEqual(['host|web-1|value|variables|nics|9000']);
    expect(await found(reader, '9000')).toEqual(['host|web-1|substring|variables|nics|9000']);
    expect(await found(reader, 'network op')).toEqual([
      'region|north|substring|variables|contact|Network Operations',
    ]);
    expect(await found(reader, 'rosebud')).toEqual([]);
    expect(await found(admin, 'rosebud')).toEqual(['host|web-1|value|variables|hush|rosebud']);
    // Keys within documents are no values.
    expect(await found(reader, 'team')).toEqual([]);
    expect(await found(reader, 'chg-7')).toEqual(['change|CHG-7: Moved racks|substring|reason||']);
    expect(await found(reader, `#${id}`)).toEqual(['change|CHG-7: Moved racks|exact|id||']);
    const hits = (await search(reader, id)).hits.filter(({ kind }) => kind === 'change');
    expect(hits.map(({ href }) => href)).toEqual([`${app.url}/v1/changes/${id}`]);
  });

  it('does not tell which values private variables have, by what it finds besides', async () => {
    const admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret*'] }).expect(200);
    const { id: region_id } = await admin.region();
    const writer = await admin.user({ roles: ['notes'] });
    const hosts = Array.from({ length: 25 }, (_, i) => ({
      name: `sealed-${String(i)}`,
      ...{
        region_id,
        ip_address: `10.0.0.${String(i)}`,
        device_type: 'server',
        variables: { secret_db: { pw: 'hunter2' }, secret_token: 'hunter2' },
      },
    }));
    await admin.post('/v1/hosts', hosts).expect(201);
    const newest = await admin.host({ region_id, name: 'newest' });
    await writer
      .put(`/v1/hosts/${String(newest.id)}/variables`, { notes: { x: 'hunter2', y: 'rosebud' } })
      .expect(200);
    for (const text of ['hunter2', 'hunter', 'rosebud'])
      expect([text, await summaries(writer, text)]).toEqual([
        text,
        ['host|newest|substring|variables|notes'],
      ]);
  });

  it('keeps the private variables, users and secrets of others to themselves', async () => {
    const admin = await app.project();
    const settings = { private: ['hush*'], restricts_readers: true };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
    const region = await admin.region({ variables: { hush_region: 'whisper' } });
    await admin.label({ label: 'a-label', variables: { hush_label: 'whisper', open: 'whisper' } });
    const reason = 'CHG-9: Moved racks';
    await admin
      .put(`/v1/regions/${String(region.id)}`, { note: 'x' }, { 'X-Change-Reason': reason })
      .expect(200);
    const [change] = (await admin.get('/v1/changes?limit=1&sort_dir=desc').expect(200)).body as Resource[];
    await admin.host({ region_id: region.id, variables: { hush_host: 'whisper' } });
    await admin.definition({ key: 'hush_defined' });
    await admin.audit({ name: 'hush-audit', expectation: { vars: 'hush_host:"whisper"' } });
    const secret = await admin.secret({ cert: 'hush-certificate' });
    const reader = await admin.user({ username: 'hush-reader' });
    const other = await admin.user({ username: 'hush-other', roles: ['hush_host'] });
    for (const text of [`#${String(change?.id)}`, 'chg-9']) {
      expect(await summaries(reader, text)).toEqual([]);
      expect(await summaries(other, text)).toHaveLength(1);
    }
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
