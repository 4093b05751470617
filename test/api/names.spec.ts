import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller } from '../support/caller';
import { asLines, sendImport } from '../support/importing';

const app = sharedService();
let admin: Caller;
beforeEach(async () => {
  admin = await app.project();
});

const NAMES = ['a\u200bb', '\ufeffa', 'a\u202e', '\u00a0', ' a', 'a '];

describe('names with invisible characters or outer white space', () => {
  it('are rejected for every kind of resource, in creations, updates and imports', async () => {
    const region = await admin.region();
    const device = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    const creations = [
      ['regions', 'name', {}],
      ['cells', 'name', { region_id: region.id }],
      ['hosts', 'name', device],
      ['network-devices', 'name', device],
      ['clouds', 'name', {}],
      ['users', 'username', {}],
    ] as const;
    for (const name of NAMES) {
      for (const [collection, member, others] of creations) {
        const { status, body } = await admin.post(`/v1/${collection}`, { ...others, [member]: name });
        expect({ collection, name, status, body }).toMatchObject({
          status: 400,
          body: { details: [{ field: member }] },
        });
      }
      expect((await app.root.post('/v1/projects', { name })).status).toBe(400);
      await admin.put(`/v1/regions/${String(region.id)}`, { name }).expect(400);
      const imported = await sendImport(
        admin,
        asLines([
          { kind: 'region', name },
          { kind: 'label', label: name },
        ]),
      );
      expect([imported.status, (imported.body as { failed: number }).failed]).toEqual([400, 2]);
    }
  });
});

describe('the names of labels', () => {
  it('lose outer white space in every form, and cannot contain invisible characters', async () => {
    const { id, labels } = await admin.host({ labels: ' a, b ,c\u00a0' });
    expect(labels).toBe('a,b,c');
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(path, { labels: [' d', 'e '] }).expect(200);
    await admin.put(`${path}/labels`, { labels: [' f '] }).expect(200);
    await admin.delete(`${path}/labels`, { labels: [' e'] }).expect(204);
    expect((await admin.get(path).expect(200)).body).toMatchObject({ labels: 'd,f' });
    const line = {
      kind: 'host',
      name: 'imported',
      region: 'r',
      ip_address: '10.0.0.9',
      device_type: 'server',
    };
    await sendImport(
      admin,
      asLines([
        { kind: 'region', name: 'r' },
        { ...line, labels: 'g, h' },
      ]),
    ).expect(200);
    expect((await admin.get('/v1/hosts?name=imported').expect(200)).body).toMatchObject([{ labels: 'g,h' }]);
    const name = aName('label');
    expect((await admin.post('/v1/labels', { label: ` ${name} ` }).expect(201)).body).toMatchObject({
      label: name,
    });
    for (const label of ['a\u200b', 'a\u202eb', '\u00a0'])
      for (const body of [{ labels: [label] }, { labels: `x,${label}` }])
        await admin.put(path, body).expect(400);
  });
});

describe('names that people take for each other', () => {
  const warningOf = ({ headers }: Response): string | undefined =>
    headers['warning'] === undefined
      ? undefined
      : Buffer.from(headers['warning'], 'latin1')
          .toString('utf8')
          .replace(/^299 - "(.*)"$/, '$1');

  /** An existing name, another one, and why people take them for each other. */
  const PAIRS: readonly (readonly [existing: string, other: string, why: string])[] = [
    ['web-1', 'wEb-1', 'mixed case'],
    ['Db-1', 'DB-1', 'case'],
    [
      '\u0441\u0435\u0440\u0432\u0435\u0440',
      '\u0421\u0415\u0420\u0412\u0415\u0420',
      'case of Cyrillic letters',
    ],
    ['\u03bd\u03b1\u03cc\u03c2', '\u039d\u0391\u038c\u03a3', 'case of Greek letters'],
    ['stra\u00dfe', 'STRASSE', 'a letter that is two in upper case'],
    ['istanbul', '\u0130STANBUL', 'a letter with another lower case'],
    ['caf\u00e9', 'cafe\u0301', 'decomposed accents'],
    ['\u03b0', '\u03ab\u0301', 'case and accents'],
    ['full-2', '\uff46ull-2', 'full width'],
    ['file', '\ufb01le', 'a ligature'],
    ['db-2', 'd\u0412-2', 'a Cyrillic capital letter'],
    ['node-2', 'n\u043ede-2', 'a Cyrillic letter'],
    ['\u0441\u043e\u0440\u0443', 'Copy', 'Latin letters beside Cyrillic ones'],
    ['server', 'ser\u03bder', 'a Greek letter'],
    ['\u0391\u0392\u0395', 'abe', 'Latin letters beside Greek ones'],
    ['\u0435-\u03bf', '\u03b5-\u043e', 'letters of two other scripts'],
    ['host-10', 'host-lO', 'digits'],
    ['a-b', 'A\u2011B', 'a hyphen'],
    ["o'neill", 'O\u2019Neill', 'an apostrophe'],
  ];
  /** Names that are near to those, and to each other. */
  const DISTINCT = ['web-2', 'web-i', 'cafe', 'seruer', 'strase', 'node_2', '\u0441\u043e\u0440\u0438', 'ab'];
  const isMistaken = (other: string, existing: string, kind = 'host') =>
    `${kind} ${other} is easily mistaken for host ${existing}`;
  let addresses = 0;
  const hostIn = (region: { id: number }, name: string) => ({
    name,
    region_id: region.id,
    ip_address: `10.0.${String(++addresses >> 8)}.${String(addresses & 255)}`,
    device_type: 'server',
  });

  it('get a warning when a resource is created, alone or with others', async () => {
    const region = await admin.region();
    const createAll = async (names: readonly string[], collection = 'hosts') =>
      warningOf(
        await admin
          .post(
            `/v1/${collection}`,
            names.map((name) => hostIn(region, name)),
          )
          .expect(201),
      );
    expect(await createAll([...PAIRS.map(([existing]) => existing), ...DISTINCT])).toBeUndefined();
    // In one request, its own names are compared, too. A response has five warnings.
    for (let i = 0; i < PAIRS.length; i += 5) {
      const pairs = PAIRS.slice(i, i + 5);
      const all = (await createAll(pairs.map(([, other]) => other))) ?? '';
      const missed = pairs.filter(([existing, other]) => !all.includes(isMistaken(other, existing)));
      expect({ missed, all }).toEqual({ missed: [], all });
    }

    const alone = await app.project();
    const [place, missed] = [await alone.region(), [] as string[]];
    for (const [existing, other, why] of PAIRS) {
      expect(warningOf(await alone.post('/v1/hosts', hostIn(place, existing)).expect(201))).toBeUndefined();
      const warning = warningOf(await alone.post('/v1/network-devices', hostIn(place, other)).expect(201));
      if (warning !== isMistaken(other, existing, 'network-device'))
        missed.push(`${why}: ${String(warning)}`);
    }
    expect(missed).toEqual([]);
  });

  it('get a warning when a resource is renamed, in every collection', async () => {
    const region = await admin.region({ name: 'north' });
    await admin.host({ name: 'caf\u00e9', ip_address: '10.0.1.2' });
    const { id } = await admin.host({ name: 'other', ip_address: '10.0.1.1' });
    const rename = (query: string) =>
      admin.put(`/v1/hosts/${String(id)}${query}`, { name: 'CAF\u00c9' }).expect(200);
    expect(warningOf(await rename('?dry_run=true'))).toContain(
      'host CAF\u00c9 is easily mistaken for host caf\u00e9',
    );
    expect(warningOf(await rename(''))).toContain('host CAF\u00c9 is easily mistaken for host caf\u00e9');
    expect(warningOf(await admin.put(`/v1/hosts/${String(id)}`, { note: 'x' }).expect(200))).toBeUndefined();

    expect(warningOf(await admin.post('/v1/regions', { name: 'North' }).expect(201))).toBe(
      'region North is easily mistaken for region north',
    );
    await admin.put(`/v1/hosts/${String(id)}`, { labels: ['compute'] }).expect(200);
    expect(warningOf(await admin.put(`/v1/hosts/${String(id)}`, { labels: ['Compute'] }).expect(200))).toBe(
      'label Compute is easily mistaken for label compute',
    );
    // The names of cells are unique in their region.
    await admin.cell({ region_id: region.id, name: 'rack-1' });
    const other = await admin.region();
    const cell = async (region_id: number) =>
      warningOf(await admin.post('/v1/cells', { region_id, name: 'RACK-1' }).expect(201));
    expect(await cell(other.id)).toBeUndefined();
    expect(await cell(region.id)).toBe('cell RACK-1 is easily mistaken for cell rack-1');
  });

  it('are warned of together with the same address', async () => {
    const { region_id } = await admin.host({ name: 'web-1', ip_address: '10.0.0.1' });
    const twin = { name: 'Web-1', region_id, ip_address: '10.0.0.1', device_type: 'server' };
    expect((await admin.post('/v1/hosts', twin).expect(201)).headers['warning']).toBe(
      '299 - "10.0.0.1 is also the address of host web-1", 299 - "host Web-1 is easily mistaken for host web-1"',
    );
  });

  it('get a warning in an import, also with names of the same import', async () => {
    const lines = (names: readonly string[]) =>
      asLines([
        { kind: 'region', name: 'r' },
        ...names.map((name) => ({
          kind: 'host',
          region: 'r',
          ip_address: '10.0.0.9',
          device_type: 'server',
          name,
        })),
      ]);
    // Both names of a pair within the import are reported, and a response has five warnings.
    for (let i = 0; i < PAIRS.length; i += 4) {
      const project = await app.project();
      const pairs = PAIRS.slice(i, i + 4);
      const [first, ...others] = pairs.map(([existing]) => existing);
      expect(
        warningOf(await sendImport(project, lines([...others, ...DISTINCT])).expect(200)),
      ).toBeUndefined();
      const body = lines([first ?? '', ...pairs.map(([, other]) => other)]);
      for (const query of ['?dry_run=true', '']) {
        const all = warningOf(await sendImport(project, body, query).expect(200)) ?? '';
        const missed = pairs.filter(
          ([existing, other]) =>
            !all.includes(isMistaken(other, existing)) && !all.includes(isMistaken(existing, other)),
        );
        expect({ query, missed }).toEqual({ query, missed: [] });
      }
      expect(warningOf(await sendImport(project, body).expect(200))).toBeUndefined();
    }
  });
});
