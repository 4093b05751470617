import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv from 'ajv';
import fc from '../support/property-testing';
import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { conditions, FilterOracle, written, type Resolved } from '../support/filter-oracle';
import { loadFleet } from '../support/fleet';
import { resolve } from '../support/naive-resolver';
import { fleets } from '../support/random-fleet';
import { rounds } from '../support/seeds';

interface Failure {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly value?: unknown;
  readonly path?: string;
  readonly message: string;
}

interface Result {
  readonly audit: { readonly id: number; readonly name: string };
  readonly devices: number;
  readonly passed: number;
  readonly failed: number;
  readonly items: readonly Failure[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const PATH = '/v1/audits';
const at = ({ id }: { readonly id: unknown }, action = '') => `${PATH}/${String(id)}${action}`;

describe('audits', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const audit = async (members: Readonly<Record<string, unknown>>, by = admin) =>
    (await by.post(PATH, { name: aName('audit'), ...members }).expect(201)).body as Resource;
  const run = async (one: Resource, by = admin, query = '') =>
    (await by.post(`${at(one, '/run')}${query}`).expect(200)).body as Result;
  const fieldsOf = ({ body }: Response) =>
    (body as { details: { field: string }[] }).details.map(({ field }) => field);

  it('are created, listed, shown, changed and deleted', async () => {
    const members = {
      name: 'two-clocks',
      description: 'Every compute host has two clocks.',
      kind: 'host',
      vars: 'role:"compute"',
      expectation: {
        key: 'ntp_servers',
        schema: { type: 'array', minItems: 2 },
        value: ['10.0.0.1', '10.0.0.2'],
      },
    };
    const response = await admin.post(PATH, members).expect(201);
    const made = response.body as Resource;
    expect(made).toMatchObject({ ...members, keys: ['ntp_servers', 'role'], version: 1 });
    expect(response.headers).toMatchObject({ location: `${app.url}${at(made)}`, etag: '"1"' });
    expect((await admin.get(`${PATH}?name=two-clocks&kind=host`).expect(200)).body).toEqual([made]);
    await admin.post(PATH, members).expect(409);
    await admin.put(at(made), { vars: null }, { 'If-Match': '"7"' }).expect(412);
    const changed = await admin.put(at(made), { vars: null }, { 'If-Match': '"1"' }).expect(200);
    expect(changed.body).toMatchObject({ vars: null, keys: ['ntp_servers'], version: 2 });
    const other = await admin.put(at(made), { expectation: { vars: 'kernel:"6.8"' } }).expect(200);
    expect(other.body).toMatchObject({ expectation: { vars: 'kernel:"6.8"' }, keys: ['kernel'] });
    await admin.delete(at(made)).expect(204);
    await admin.get(at(made)).expect(404);
    expect((await admin.get(at(made, '/changes')).expect(200)).body).toHaveLength(4);
  });

  it('keep every digit of their expectation', async () => {
    const expectation = '{"key":"serial","schema":{"const":9007199254740993},"value":9007199254740993}';
    const { text } = await admin.post(PATH, `{"name":"a","expectation":${expectation}}`).expect(201);
    expect(text.match(/9007199254740993/g)).toHaveLength(2);
  });

  it('are rejected with invalid members', async () => {
    const cases: [string, object, string][] = [
      ['without a name', { expectation: { vars: 'a:1' } }, 'name'],
      ['without an expectation', { name: 'a' }, 'expectation'],
      ['with an empty expectation', { name: 'a', expectation: {} }, 'expectation'],
      [
        'with two expectations',
        { name: 'a', expectation: { vars: 'a:1', key: 'a', schema: {} } },
        'expectation',
      ],
      ['with only a key', { name: 'a', expectation: { key: 'a' } }, 'expectation'],
      [
        'with an invalid schema',
        { name: 'a', expectation: { key: 'a', schema: { type: 7 } } },
        'expectation',
      ],
      ['with an invalid key', { name: 'a', expectation: { key: '9', schema: {} } }, 'expectation'],
      ['with an invalid filter', { name: 'a', expectation: { vars: 'a=1' } }, 'expectation'],
      ['with an unknown member', { name: 'a', expectation: { vars: 'a:1', mood: 1 } }, 'expectation'],
      ['with an invalid population filter', { name: 'a', vars: 'a', expectation: { vars: 'a:1' } }, 'vars'],
      ['with an unknown kind', { name: 'a', kind: 'region', expectation: { vars: 'a:1' } }, 'kind'],
      ['with the computed member "keys"', { name: 'a', keys: [], expectation: { vars: 'a:1' } }, 'keys'],
    ];
    for (const [what, body, field] of cases)
      expect([what, fieldsOf(await admin.post(PATH, body).expect(400))]).toEqual([what, [field]]);
  });

  it('are written by users with the role, and run by every user of the project', async () => {
    const author = await admin.user({ roles: ['audits:write'] });
    const reader = await admin.user();
    const one = await audit({ expectation: { vars: 'a:1' } }, author);
    await reader.post(PATH, { name: 'b', expectation: { vars: 'a:1' } }).expect(403);
    await reader.put(at(one), { name: 'b' }).expect(403);
    await reader.delete(at(one)).expect(403);
    expect(await run(one, reader)).toMatchObject({ devices: 0, passed: 0, failed: 0, items: [] });
    const stranger = await app.project();
    await stranger.post(at(one, '/run')).expect(404);
    expect((await run(one, app.root)).audit).toEqual({ id: one.id, name: one.name });
  });

  describe('when run', () => {
    let region: Resource;
    let hosts: Resource[];
    beforeEach(async () => {
      region = await admin.region({ variables: { kernel: '6.8', ntp_servers: ['10.0.0.1'] } });
      await admin.label({ label: 'two', variables: { ntp_servers: ['10.0.0.1', '10.0.0.2'] } });
      hosts = [
        await admin.host({ region_id: region.id }),
        await admin.host({ region_id: region.id, variables: { kernel: '6.9' }, labels: 'two' }),
        await admin.host({ region_id: region.id, variables: { kernel: null, ntp_servers: 'none' } }),
      ];
      await admin.networkDevice({ variables: { kernel: '4.1' } });
    });

    it('evaluate filters on the resolved value, and report the actual value', async () => {
      const one = await audit({ kind: 'host', expectation: { vars: 'kernel:"6.8",ntp_servers:"10.0.0.1"' } });
      const { items, links, ...counts } = await run(one);
      expect(counts).toEqual({
        ...{ audit: { id: one.id, name: one.name }, devices: 3, passed: 1, failed: 2 },
        locations: [{ region_id: region.id, cell_id: null, devices: 3, failed: 2 }],
        locations_total: 1,
        remediation: null,
      });
      expect(items).toEqual([
        {
          kind: 'host',
          id: hosts[1]?.id,
          name: hosts[1]?.name,
          key: 'kernel',
          value: '6.9',
          source: { kind: 'host', id: hosts[1]?.id, name: hosts[1]?.name },
          message: 'does not meet kernel = "6.8"',
        },
        {
          kind: 'host',
          id: hosts[2]?.id,
          name: hosts[2]?.name,
          key: 'kernel',
          value: null,
          source: { kind: 'host', id: hosts[2]?.id, name: hosts[2]?.name },
          message: 'does not meet kernel = "6.8"',
        },
      ]);
      expect(links).toEqual([{ rel: 'self', href: `${app.url}${at(one, '/run')}` }]);
    });

    it('evaluate a schema, and report the path of the fault', async () => {
      const one = await audit({
        expectation: {
          key: 'ntp_servers',
          schema: { type: 'array', minItems: 2, items: { const: '10.0.0.1' } },
        },
      });
      const { items, ...counts } = await run(one);
      expect(counts).toMatchObject({ devices: 4, passed: 0, failed: 4 });
      expect(items.map(({ kind, value, path, message }) => [kind, value, path, message])).toEqual([
        ['host', ['10.0.0.1'], '', 'must NOT have fewer than 2 items'],
        ['host', ['10.0.0.1', '10.0.0.2'], '/1', 'must be equal to constant: "10.0.0.1"'],
        ['host', 'none', '', 'must be array'],
        ['network-device', undefined, undefined, 'is not set'],
      ]);
      expect(items[3]).not.toHaveProperty('value');
    });

    it('cover only their population', async () => {
      const expectation = { key: 'ntp_servers', schema: { type: 'array' } };
      const counts = async (members: object) => {
        const { devices, passed } = await run(await audit({ expectation, ...members }));
        return [devices, passed];
      };
      expect(await counts({})).toEqual([4, 2]);
      expect(await counts({ kind: 'network-device' })).toEqual([1, 0]);
      expect(await counts({ vars: 'kernel:"6.8"' })).toEqual([1, 1]);
      expect(await counts({ kind: 'host', vars: 'kernel:"absent"' })).toEqual([0, 0]);
      expect(
        await counts({ kind: 'host', vars: 'kernel:null', expectation: { vars: 'ntp_servers:"none"' } }),
      ).toEqual([1, 1]);
    });

    it('report every digit of the actual value', async () => {
      await admin
        .put(`/v1/hosts/${String(hosts[0]?.id)}/variables`, '{"serial":9007199254740993}')
        .expect(200);
      const one = await audit({
        kind: 'host',
        vars: 'kernel:"6.8"',
        expectation: { vars: 'serial:9007199254740992' },
      });
      expect((await admin.post(at(one, '/run')).expect(200)).text).toContain('"value":9007199254740993');
    });

    it.each([
      ['a filter', { vars: 'n:1' }],
      ['a schema', { key: 'n', schema: { const: 1 } }],
    ])('return pages, by %s', async (_, expectation) => {
      const bodies = Array.from({ length: 30 }, (_, i) => ({
        name: `many-${String(i)}`,
        region_id: region.id,
        ip_address: '10.0.0.1',
        device_type: 'server',
        variables: { n: i % 5, many: true },
      }));
      await admin.post('/v1/hosts', bodies).expect(201);
      const one = await audit({ kind: 'host', vars: 'many:true', expectation });
      const pages = [await run(one, admin, '?limit=7')];
      for (;;) {
        const next = pages.at(-1)?.links.find(({ rel }) => rel === 'next');
        if (!next) break;
        const { pathname, search } = new URL(next.href);
        pages.push((await admin.post(pathname + search).expect(200)).body as Result);
      }
      expect(pages.map(({ items }) => items.length)).toEqual([7, 7, 7, 3]);
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      for (const page of pages) expect(page).toMatchObject({ devices: 30, passed: 6, failed: 24 });
    });

    it('reject other queries', async () => {
      const audits = [
        await audit({ expectation: { vars: 'n:1' } }),
        await audit({ expectation: { key: 'n', schema: {} } }),
      ];
      for (const query of [
        '?limit=0',
        '?limit=1001',
        '?marker=x',
        '?marker=987654321',
        '?dry_run=true',
        '?fields=id',
        '?limit=1&limit=2',
      ])
        for (const one of audits) {
          const { status } = await admin.post(at(one, `/run${query}`));
          expect([query, status]).toEqual([query, 400]);
        }
    });

    it('accept no body or an empty one', async () => {
      const one = await audit({ expectation: { vars: 'n:1' } });
      await admin.post(at(one, '/run'), {}).expect(200);
      await admin.post(at(one, '/run'), { limit: 1 }).expect(400);
    });

    it('reject a schema whose validation takes too long', async () => {
      const twice = (i: number) => [1, 2].map(() => ({ $ref: `#/$defs/d${String(i + 1)}` }));
      const steps = Array.from({ length: 40 }, (_, i) => [`d${String(i)}`, { allOf: twice(i) }]);
      const $defs = { ...Object.fromEntries(steps), d40: { type: 'string' } };
      const schema = { if: { type: 'string', minLength: 1 }, then: { $ref: '#/$defs/d0' }, $defs };
      const one = await audit({ expectation: { key: 'kernel', schema } });
      const { body } = await admin.post(at(one, '/run')).expect(405);
      expect(body.message).toContain('cannot be validated');
    });
  });

  it('agree with a naive implementation on random inventories', async () => {
    const oracle = await FilterOracle.on(app.databaseUrl);
    try {
      for (const fleet of fc.sample(fleets, rounds(1, 2))) {
        const project = await app.project();
        await loadFleet(project, fleet);
        const resolved: Resolved[] = [...fleet.hosts, ...(fleet['network-devices'] ?? [])].map((device) => [
          device.name,
          resolve(fleet, device),
        ]);
        for (const [population, expected] of fc.sample(
          fc.tuple(conditions, fc.array(conditions, { minLength: 1, maxLength: 2 })),
          8,
        )) {
          const matchingNames = await oracle.matching(resolved, [population]);
          const members = resolved.filter(([name]) => matchingNames.includes(name));
          const passing = await oracle.matching(members, expected);
          const vars = written(population);
          const one = await audit({ vars, expectation: { vars: expected.map(written).join(',') } }, project);
          const result = await run(one, project, '?limit=1000');
          expect([vars, result.devices, result.passed]).toEqual([vars, matchingNames.length, passing.length]);
          const failing = matchingNames.filter((name) => !passing.includes(name));
          expect(result.items.map(({ name }) => name).sort()).toEqual(failing);
          const { key } = expected[0]!;
          const schema = { type: ['number', 'null'] };
          const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
          const schemaResult = await run(
            await audit({ vars, expectation: { key, schema } }, project),
            project,
            '?limit=1000',
          );
          const validMembers = members.filter(([, own]) => Object.hasOwn(own, key) && validate(own[key]));
          expect([schemaResult.devices, schemaResult.passed]).toEqual([
            matchingNames.length,
            validMembers.length,
          ]);
        }
      }
    } finally {
      await oracle.close();
    }
  }, 60_000);

  describe('when remediated', () => {
    let region: Resource;
    let host: Resource;
    beforeEach(async () => {
      region = await admin.region();
      host = await admin.host({ region_id: region.id, variables: { other: 1 } });
    });

    const remediate = (one: Resource, body: object, by = admin, query = '') =>
      by.post(`${at(one, '/remediate')}${query}`, body);

    it('set the value at the given level, and then pass', async () => {
      const one = await audit({ expectation: { vars: 'kernel:"6.8"' } });
      const cell = await admin.cell({ region_id: region.id });
      const label = await admin.label();
      const device = await admin.networkDevice({ region_id: region.id });
      expect(await run(one)).toMatchObject({ devices: 2, passed: 0 });
      const levels = [
        ['region', region],
        ['cell', cell],
        ['label', label],
        ['host', host],
        ['network-device', device],
      ] as const;
      for (const [kind, { id }] of levels) {
        const response = await remediate(one, { level: { kind, id } }).expect(200);
        expect(response.body.variables).toMatchObject({ kernel: '6.8' });
        expect(response.headers['etag']).toBe('"2"');
      }
      expect(await run(one)).toMatchObject({ devices: 2, passed: 2, items: [] });
    });

    it('use the value of the body, else of the audit, else one derived from the expectation', async () => {
      const level = { kind: 'host', id: host.id };
      const set = async (expectation: object, value?: unknown) => {
        const one = await audit({ expectation });
        const body = value === undefined ? { level } : { level, value };
        return ((await remediate(one, body).expect(200)).body as Resource).variables['k'];
      };
      expect(await set({ vars: 'k:1' })).toBe(1);
      expect(await set({ vars: 'k:1', value: [1] })).toEqual([1]);
      expect(await set({ vars: 'k:1', value: [1] }, 1)).toBe(1);
      expect(await set({ vars: 'k.a:1', value: { a: 1 } })).toEqual({ a: 1 });
      expect(await set({ key: 'k', schema: { const: null } })).toBeNull();
      expect(await set({ key: 'k', schema: { type: 'array', default: [] } })).toEqual([]);
      expect(await set({ key: 'k', schema: { default: 1 }, value: 2 })).toBe(2);
      expect(await set({ key: 'k', schema: { default: 1 }, value: 2 }, null)).toBeNull();
    });

    it('keep every digit', async () => {
      const level = `{"kind":"host","id":${String(host.id)}}`;
      for (const expectation of [
        '{"vars":"k:9007199254740993"}',
        '{"key":"k","schema":{"default":9007199254740993}}',
        '{"key":"k","schema":{},"value":9007199254740993}',
      ]) {
        const { body } = await admin
          .post(PATH, `{"name":"${aName('a')}","expectation":${expectation}}`)
          .expect(201);
        const response = await admin
          .post(at(body as Resource, '/remediate'), `{"level":${level}}`)
          .expect(200);
        expect(response.text).toContain('9007199254740993');
        await admin.delete(`/v1/hosts/${String(host.id)}/variables`, ['k']).expect(204);
      }
    });

    it('return 400 if no value can be derived', async () => {
      const level = { kind: 'host', id: host.id };
      for (const expectation of [
        { key: 'k', schema: { type: 'array' } },
        { vars: 'k.a:1' },
        { vars: 'k[0]:1' },
      ])
        expect(fieldsOf(await remediate(await audit({ expectation }), { level }).expect(400))).toEqual([
          'value',
        ]);
      const several = await audit({ expectation: { vars: 'a:1,b:2' } });
      await remediate(several, { level, value: 1 }).expect(400);
    });

    it('reject a value that violates the schema of the audit or of a variable definition', async () => {
      const level = { kind: 'host', id: host.id };
      const one = await audit({
        expectation: { key: 'k', schema: { type: 'array', items: { type: 'number' } } },
      });
      expect(fieldsOf(await remediate(one, { level, value: [1, 'a'] }).expect(400))).toEqual(['value/1']);
      await admin.post('/v1/variable-definitions', { key: 'k', schema: { maxItems: 1 } }).expect(201);
      expect(fieldsOf(await remediate(one, { level, value: [1, 2] }).expect(400))).toEqual(['variables.k']);
      await remediate(one, { level, value: [1] }).expect(200);
    });

    it('support dry runs, reasons, If-Match and Idempotency-Key', async () => {
      const one = await audit({ expectation: { vars: 'kernel:"6.8"' } });
      const body = { level: { kind: 'region', id: region.id }, note: 'CHG-7: one kernel' };
      const preview = await remediate(one, body, admin, '?dry_run=true').expect(200);
      expect(preview.body).toMatchObject({
        dry_run: true,
        change: {
          reason: 'CHG-7: one kernel',
          objects: [{ kind: 'region', variables: { kernel: { after: '6.8' } } }],
        },
        impact: { devices: 1 },
      });
      expect(await run(one)).toMatchObject({ passed: 0 });
      await admin.post(at(one, '/remediate'), body, { 'If-Match': '"7"' }).expect(412);
      const key = { 'Idempotency-Key': aName('key'), 'If-Match': '"1"' };
      const first = await admin.post(at(one, '/remediate'), body, key).expect(200);
      const again = await admin.post(at(one, '/remediate'), body, key).expect(200);
      expect(again.text).toBe(first.text);
      const records = (await admin.get(`/v1/regions/${String(region.id)}/changes`).expect(200))
        .body as Resource[];
      expect(records.map(({ reason }) => reason)).toEqual([null, 'CHG-7: one kernel']);
    });

    it('require write access to the variable at that level', async () => {
      const one = await audit({ expectation: { vars: 'kernel:"6.8"' } });
      const level = { kind: 'host', id: host.id };
      for (const roles of [[], ['regions:write'], ['other'], ['audits:write']])
        await remediate(one, { level }, await admin.user({ roles })).expect(403);
      for (const roles of [['hosts:write'], ['kernel'], ['ker*'], ['*:write']])
        await remediate(one, { level }, await admin.user({ roles })).expect(200);
    });

    it('reject a level that does not exist', async () => {
      const one = await audit({ expectation: { vars: 'kernel:"6.8"' } });
      const stranger = await app.project();
      const theirs = await stranger.host();
      for (const id of [theirs.id, 987654321, -1])
        for (const by of [admin, app.root])
          expect(fieldsOf(await remediate(one, { level: { kind: 'host', id } }, by).expect(405))).toEqual([
            'level',
          ]);
      for (const level of [
        undefined,
        1,
        {},
        { kind: 'cloud', id: 1 },
        { kind: 'host', id: 'a' },
        { kind: 'host', id: 1, x: 1 },
      ])
        expect(fieldsOf(await remediate(one, { level }).expect(400))).toEqual(['level']);
      await remediate(one, { level: { kind: 'host', id: host.id } }, stranger).expect(404);
    });
  });

  it('of private variables are invisible to users who cannot see these variables', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_password'] }).expect(200);
    const host = await admin.host({ variables: { db_password: 'hunter2', db_name: 'a' } });
    const made = [
      await audit({ expectation: { vars: 'db_password:"hunter2"' } }),
      await audit({ expectation: { key: 'db_password', schema: { const: 'hunter2' } } }),
      await audit({ vars: 'db_password:"hunter2"', expectation: { vars: 'db_name:"a"' } }),
    ];
    const user = await admin.user({ roles: ['*:write'] });
    const permitted = await admin.user({ roles: ['db_password'] });
    expect((await user.get(PATH).expect(200)).body).toEqual([]);
    expect((await permitted.get(PATH).expect(200)).body).toHaveLength(3);
    for (const one of made) {
      const level = { kind: 'host', id: host.id };
      await user.get(at(one)).expect(404);
      await user.post(at(one, '/run')).expect(404);
      await user.post(at(one, '/remediate'), { level, value: 'a' }).expect(404);
      await user.put(at(one), { name: 'mine' }).expect(404);
      await user.delete(at(one)).expect(404);
      await user.get(at(one, '/changes')).expect(404);
      const [creation] = (await admin.get(at(one, '/changes')).expect(200)).body as Resource[];
      await user.post(`/v1/changes/${String(creation?.id)}/revert`, {}).expect(403);
      expect(await run(one, permitted)).toMatchObject({ devices: 1, passed: 1 });
    }
    const { body: records } = await user.get('/v1/changes').expect(200);
    const changedObjects = (records as { objects: { kind: string }[] }[]).flatMap(({ objects }) => objects);
    expect(changedObjects.filter(({ kind }) => kind === 'audit')).toEqual([]);
    expect(JSON.stringify(changedObjects.filter(({ kind }) => kind !== 'user'))).not.toMatch(
      /hunter|db_password/,
    );
    const expectation = { vars: 'db_password:"a"' };
    await user.post(PATH, { name: 'guess', expectation }).expect(403);
    await user
      .post(PATH, { name: 'guess', vars: 'db_password:"a"', expectation: { vars: 'a:1' } })
      .expect(403);
    const open = await audit({ expectation: { vars: 'a:1' } }, user);
    await user.put(at(open), { expectation }).expect(403);
  });

  it('of private variables still reserve their names with a 409, as documented', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_password'] }).expect(200);
    await audit({ name: 'hidden', expectation: { vars: 'db_password:"hunter2"' } });
    await audit({ name: 'seen', expectation: { vars: 'b:1' } });
    const user = await admin.user({ roles: ['audits:write'] });
    const own = await audit({ expectation: { vars: 'a:1' } }, user);
    const taken = async (name: string) => {
      const refused = [
        await user.post(PATH, { name, expectation: { vars: 'a:1' } }).expect(409),
        await user.put(at(own), { name }).expect(409),
      ];
      return refused.map(({ text }) => text.replace(/"request_id":"[^"]*"/, '').replaceAll(name, '<name>'));
    };
    expect(await taken('hidden')).toEqual(await taken('seen'));
    const { body } = await admin.get('/openapi.json').expect(200);
    const { paths } = body as Pick<OpenAPIObject, 'paths'>;
    for (const operation of [paths[PATH]?.post, paths[`${PATH}/{id}`]?.put])
      expect(operation?.responses['409']).toMatchObject({
        description: expect.stringContaining('the audit can be hidden from the caller') as string,
      });
  });
});
