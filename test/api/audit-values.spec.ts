import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

const PATH = '/v1/audits';

describe('the remediation value of an audit', () => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;
  beforeAll(async () => {
    admin = await app.project();
    host = await admin.host();
  });

  const create = (expectation: object) => admin.post(PATH, { name: aName('audit'), expectation });
  const detail = ({ body }: Response) =>
    (body as { details: { field: string; message: string }[] }).details[0];
  const remediate = (id: unknown, value: unknown) =>
    admin.post(`${PATH}/${String(id)}/remediate`, { level: { kind: 'host', id: host.id }, value });

  /** Filters on one variable, with values that do not match and values that do. */
  const filters: readonly [string, readonly unknown[], readonly unknown[]][] = [
    ['k:1', [2, '1', null, {}, [], [[2]], { k: 1 }], [1, 1.0, [1], [2, 1], [[1]]]],
    ['k:null', [0, false, '', [], {}], [null, [null]]],
    [
      'k.a:true',
      [true, { a: false }, { b: true }, [[{ a: true }]]],
      [{ a: true }, [{ a: true }], { a: [true] }],
    ],
    [
      'k[1]:"b"',
      ['b', ['b'], ['b', 'a'], { 1: 'b' }],
      [
        ['a', 'b'],
        ['a', ['b']],
      ],
    ],
    ['k[*]:"b"', ['a', [], ['a']], ['b', ['a', 'b']]],
    ['k.*:"b"', ['b', { a: 'c' }], [{ a: 'b' }, { a: 'c', d: 'b' }, [{ a: 'b' }]]],
    ['k.a:1,k.b:2', [{ a: 1 }, { b: 2 }, { a: 2, b: 2 }], [{ a: 1, b: 2 }, [{ a: 1 }, { b: 2 }]]],
  ];

  it.each(filters)('must match the filters %s', async (vars, wrong, right) => {
    const { id } = (await create({ vars }).expect(201)).body as Resource;
    for (const value of wrong) {
      const refused = await remediate(id, value).expect(400);
      expect([value, detail(refused)?.field]).toEqual([value, 'value']);
      expect(detail(refused)?.message).toMatch(/^does not meet k.* \(expectation of the audit\)$/);
      expect(detail(await create({ vars, value }).expect(400))).toEqual({
        field: 'expectation',
        code: 'schema_violation',
        message: `value: ${detail(refused)?.message ?? ''}`,
      });
    }
    const run = async () => (await admin.post(`${PATH}/${String(id)}/run`).expect(200)).body as object;
    for (const value of right) {
      await remediate(id, value).expect(200);
      expect([value, await run()]).toEqual([value, expect.objectContaining({ devices: 1, passed: 1 })]);
      await create({ vars, value }).expect(201);
    }
  });

  it('is compared to the last digit', async () => {
    const expectation = (value: string) =>
      `{"name":"${aName('audit')}","expectation":{"vars":"k:9007199254740993","value":${value}}}`;
    await admin.post(PATH, expectation('9007199254740992')).expect(400);
    await admin.post(PATH, expectation('9007199254740993')).expect(201);
  });

  it('is rejected with the name of the filter that it does not match', async () => {
    const refused = await create({ vars: 'k.a:1,k.b:2', value: { a: 1 } }).expect(400);
    expect(detail(refused)?.message).toBe('value: does not meet k.b = 2 (expectation of the audit)');
  });

  it('must be valid against the schema, and errors contain the path of the fault', async () => {
    const expectation = { key: 'k', schema: { items: { type: 'integer' } }, value: [1, 'a'] };
    const expectedDetail = {
      field: 'expectation',
      code: 'schema_violation',
      message: 'value/1: must be integer (expectation of the audit)',
    };
    expect(detail(await create(expectation).expect(400))).toEqual(expectedDetail);
    const { id } = (await create({ ...expectation, value: [1] }).expect(201)).body as Resource;
    const path = `${PATH}/${String(id)}`;
    expect(detail(await admin.put(path, { expectation }).expect(400))).toEqual(expectedDetail);
    expect(detail(await remediate(id, [1, 'a']).expect(400))).toEqual({
      field: 'value/1',
      code: 'schema_violation',
      message: 'must be integer (expectation of the audit)',
    });
    await admin.put(path, { expectation: { vars: 'k:1', value: 2 } }).expect(400);
    await admin.put(path, { expectation: { vars: 'k:1', value: [1] } }).expect(200);
    await admin.put(path, { name: aName('other') }).expect(200);
  });

  it('is rejected if the filter contains a string that PostgreSQL cannot store', async () => {
    const expectation = '{"vars":"k:\\"\\\\u0000\\"","value":"a"}';
    await admin.post(PATH, `{"name":"${aName('audit')}","expectation":${expectation}}`).expect(400);
  });
});

describe('an audit with an Idempotency-Key', () => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;
  beforeEach(async () => {
    admin = await app.project();
    host = await admin.host({ variables: { k: 1 } });
  });

  const comparable = ({ status, text, headers }: Response) => [status, text, headers['content-type']];
  const isReplay = ({ headers }: Response): boolean => headers['idempotency-replayed'] === 'true';
  const audit = async (expectation: object) =>
    (await admin.post(PATH, { name: aName('audit'), expectation }).expect(201)).body as Resource;
  const put = (variables: object) =>
    admin.put(`/v1/hosts/${String(host.id)}/variables`, variables).expect(200);

  it('runs again each time, because a run changes nothing and its response is not stored', async () => {
    const one = await audit({ vars: 'k:2' });
    const run = (key: string) =>
      admin.post(`${PATH}/${String(one.id)}/run`, undefined, { 'Idempotency-Key': key });
    const first = await run('a').expect(200);
    expect(first.body).toMatchObject({ passed: 0, items: [{ value: 1 }] });
    await put({ k: 2 });
    const again = await run('a').expect(200);
    expect(again.body).toMatchObject({ passed: 1, items: [] });
    expect([isReplay(first), isReplay(again)]).toEqual([false, false]);
    // The key is still unused, and its format is not validated for a run.
    await admin.post('/v1/clouds', { name: aName('cloud') }, { 'Idempotency-Key': 'a' }).expect(201);
    await run('x'.repeat(256)).expect(200);
  });

  it('is remediated once, also if the audit is deleted in between', async () => {
    const one = await audit({ vars: 'k:2' });
    const remediate = (body: object) =>
      admin.post(`${PATH}/${String(one.id)}/remediate`, body, { 'Idempotency-Key': 'a' });
    const level = { kind: 'host', id: host.id };
    const first = await remediate({ level }).expect(200);
    await put({ k: 3 });
    await admin.delete(`${PATH}/${String(one.id)}`).expect(204);
    const again = await remediate({ level });
    expect([comparable(again), isReplay(again)]).toEqual([comparable(first), true]);
    expect((await admin.get(`/v1/hosts/${String(host.id)}/variables`)).body.variables).toEqual({ k: 3 });
    await remediate({ level, note: 'another' }).expect(409);
  });
});
