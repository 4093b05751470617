import { rejectedByRule, setRules } from '../support/approvals';
import type { Test } from 'supertest';
import { aName, type Caller } from '../support/caller';
import { sharedService } from '../support/service';

interface Detail {
  readonly field: string;
  readonly code: string;
  readonly role?: string;
}

const detailsOf = async (test: Test, status: number): Promise<string[]> => {
  const { details } = (await test.expect(status)).body as { details: readonly Detail[] };
  return details.map(({ field, code }) => `${field}: ${code}`);
};

describe('the codes of details', () => {
  const app = sharedService();
  let admin: Caller;
  let region: string;
  let host: string;
  const seen = new Set<string>();

  beforeAll(async () => {
    admin = await app.project();
    const { id } = await admin.region({ name: 'north', variables: { a: 1 } });
    region = `/v1/regions/${String(id)}`;
    host = `/v1/hosts/${String((await admin.host({ region_id: id, name: 'h1' })).id)}`;
    await admin.post('/v1/variable-definitions', { key: 'ports', schema: { type: 'integer' } }).expect(201);
  });

  const aHost = (members: object) => ({
    name: aName('host'),
    region_id: Number(region.split('/').at(-1)),
    ip_address: '10.0.0.1',
    device_type: 'server',
    ...members,
  });

  type Case = readonly [what: string, status: number, send: () => Test, ...details: string[]];
  const cases: readonly Case[] = [
    [
      'missing members',
      400,
      () => admin.post('/v1/hosts', { name: 'x' }),
      ...['region_id', 'ip_address', 'device_type'].map((name) => `${name}: required`),
    ],
    ['no body', 400, () => admin.post('/v1/regions'), 'body: required'],
    ['a body of another type', 400, () => admin.post('/v1/regions', '"x"'), 'body: invalid_type'],
    ['no JSON', 400, () => admin.post('/v1/regions', '{'), 'body: invalid_format'],
    ['a nested body', 400, () => admin.post('/v1/regions', '['.repeat(200)), 'body: too_deep'],
    ['an empty array', 400, () => admin.post('/v1/hosts', []), 'body: too_short'],
    ['an item', 400, () => admin.post('/v1/hosts', [aHost({}), 7]), '[1]: invalid_type'],
    [
      'a member of an item',
      400,
      () => admin.post('/v1/hosts', [aHost({ name: 7 })]),
      '[0].name: invalid_type',
    ],
    ['an unknown member', 400, () => admin.put(region, { colour: 1 }), 'colour: unknown_member'],
    ['a read-only member', 400, () => admin.put(region, { id: 1 }), 'id: unknown_member'],
    ['an unknown parameter', 400, () => admin.get('/v1/hosts?colour=1'), 'colour: unknown_parameter'],
    ['a parameter of a write', 400, () => admin.put(`${region}?a=1`, {}), 'a: unknown_parameter'],
    ['a repeated parameter', 400, () => admin.get('/v1/hosts?limit=1&limit=2'), 'limit: repeated'],
    ['a flag', 400, () => admin.put(host, { active: 'yes' }), 'active: invalid_type'],
    ['an address', 400, () => admin.put(host, { ip_address: '10.0.0' }), 'ip_address: invalid_format'],
    ['an address of another type', 400, () => admin.put(host, { ip_address: 1 }), 'ip_address: invalid_type'],
    ['an empty name', 400, () => admin.put(host, { name: '' }), 'name: too_short'],
    ['a long name', 400, () => admin.put(host, { name: 'x'.repeat(256) }), 'name: too_long'],
    ['a name of two lines', 400, () => admin.put(host, { name: 'a\nb' }), 'name: invalid_format'],
    ['variables of another type', 400, () => admin.put(host, { variables: [] }), 'variables: invalid_type'],
    ['an invalid key', 400, () => admin.put(`${host}/variables`, { '1x': 1 }), 'variables: invalid_format'],
    ['a limit', 400, () => admin.get('/v1/hosts?limit=0'), 'limit: out_of_range'],
    ['a word', 400, () => admin.get('/v1/hosts?sort_dir=up'), 'sort_dir: invalid_value'],
    ['a filter', 400, () => admin.get('/v1/hosts?vars=a'), 'vars: invalid_format'],
    ['an id', 400, () => admin.get('/v1/hosts/x'), 'id: invalid_format'],
    ['a marker', 400, () => admin.get('/v1/hosts?marker=999999999'), 'marker: not_found'],
    ['parameters of no dry run', 400, () => admin.put(`${region}?marker=1`, {}), 'marker: inconsistent'],
    [
      'a header that is not supported',
      400,
      () => admin.post('/v1/regions', { name: 'x' }, { 'If-Match': '"1"' }),
      'If-Match: unsupported',
    ],
    [
      'a value that violates a definition',
      400,
      () => admin.put(`${host}/variables`, { ports: 'all' }),
      'variables.ports: schema_violation',
    ],
    ['a resource', 404, () => admin.get('/v1/hosts/999999999'), 'id: not_found'],
    ['a filter by a resource', 404, () => admin.get('/v1/hosts?region_id=999999999'), 'region_id: not_found'],
    ['a reference', 405, () => admin.put(host, { cell_id: 999_999_999 }), 'cell_id: not_found'],
    [
      'a parent loop',
      405,
      () => admin.put(host, { parent_id: Number(host.split('/').at(-1)) }),
      'parent_id: inconsistent',
    ],
    ['a duplicate', 409, () => admin.post('/v1/regions', { name: 'north' }), 'name: duplicate'],
    ['a region in use', 409, () => admin.delete(region), 'id: in_use'],
    ['an old version', 412, () => admin.put(host, {}, { 'If-Match': '"99"' }), 'If-Match: version_mismatch'],
    [
      'an impact',
      409,
      () =>
        admin
          .send('post', '/v1/import?max_affected_devices=0', undefined, {
            'Content-Type': 'application/x-ndjson',
          })
          .send('{"kind":"region","name":"north","variables":{"a":2}}\n'),
      'max_affected_devices: limit_exceeded',
    ],
    [
      'a line of an import',
      400,
      () =>
        admin
          .send('post', '/v1/import', undefined, { 'Content-Type': 'application/x-ndjson' })
          .send('{"kind":"region","name":7}\n'),
      'line 1: invalid_type',
    ],
  ];

  it.each(cases.map(([what, status, send, ...expected]) => [what, status, send, expected] as const))(
    '%s: %i',
    async (_, status, send, expected) => {
      const found = await detailsOf(send(), status);
      expect(found.sort()).toEqual([...expected].sort());
      for (const detail of found) seen.add(detail.split(': ')[1] ?? '');
    },
  );

  it('tells a later change from other reasons why a change cannot be reverted', async () => {
    const put = await admin.put(host, { device_type: 'one' }).expect(200);
    expect(put.body.version).toBe(2);
    const [{ id }] = (await admin.get(`${host}/changes?limit=1`).expect(200)).body as [{ id: number }];
    await admin.put(host, { device_type: 'two' }).expect(200);
    expect(await detailsOf(admin.post(`/v1/changes/${String(id)}/revert`), 409)).toEqual([
      'device_type: changed_later',
    ]);
    seen.add('changed_later');
  });

  it('name the rule that requires approvals', async () => {
    const project = await app.project();
    await setRules(project, [{ collections: ['regions'], approvals: 1 }]).expect(200);
    expect(rejectedByRule(await project.post('/v1/regions', { name: 'x' }))).toEqual(['approvals[0]']);
    seen.add('approval_required');
  });

  describe('of a missing role', () => {
    const rolesOf = async (test: Test): Promise<unknown[]> => {
      const { details } = (await test.expect(403)).body as { details: readonly Detail[] };
      for (const { field, code } of details)
        expect(`${field}: ${code}`).toMatch(/^(\[\d+\]\.)?roles: missing_role$/);
      return details.map(({ role }) => role);
    };

    it('name the role of the collection', async () => {
      const reader = await admin.user();
      expect(await rolesOf(reader.put(region, { name: 'x' }))).toEqual(['regions:write']);
      expect(await rolesOf(reader.post('/v1/hosts', aHost({})))).toEqual(['hosts:write']);
      expect(await rolesOf(reader.delete(host))).toEqual(['hosts:write']);
      seen.add('missing_role');
    });

    it('name the role of the collection and that of the variable', async () => {
      const operator = await admin.user({ roles: ['dns_*'] });
      expect(await rolesOf(operator.put(`${host}/variables`, { dns_a: 1, ntp: 1 }))).toEqual([
        'hosts:write',
        'ntp',
      ]);
      expect(await rolesOf(operator.put(host, { device_type: 'x' }))).toEqual(['hosts:write']);
    });

    it('name admin and root, which are no roles', async () => {
      const writer = await admin.user({ roles: ['*:write'] });
      expect(await rolesOf(writer.post('/v1/users', { username: 'x' }))).toEqual(['admin']);
      expect(await rolesOf(writer.post('/v1/projects', { name: 'x' }))).toEqual(['root']);
      expect(await rolesOf(admin.post('/v1/users', { username: 'x', is_root: true }))).toEqual(['root']);
    });

    it('name the variable of the request that is private', async () => {
      const project = await app.project();
      await project.put(`/v1/projects/${project.projectId}/settings`, { private: ['secret_*'] }).expect(200);
      const writer = await project.user({ roles: ['*:write'] });
      const { id } = await project.region({ variables: { a: 1 } });
      const path = `/v1/regions/${String(id)}`;
      expect(await rolesOf(writer.put(`${path}/variables`, { secret_a: 1 }))).toEqual(['secret_a']);
    });
  });

  it('are those of the description', async () => {
    const api = (await admin.get('/openapi.json').expect(200)).body as {
      components: { schemas: Record<string, { enum?: string[] }> };
    };
    const described = api.components.schemas['ErrorDetailCode']?.enum ?? [];
    expect(described).toEqual(expect.arrayContaining([...seen]));
    // A user of an identity provider is needed for this one: see the tests of Keystone.
    expect(described.filter((code) => !seen.has(code))).toEqual(['read_only']);
  });
});
