import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';

const PATH = '/v1/variable-definitions';

describe('schemas that are expensive to compile', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  /** The given number of patterns, each a program of nearly two thousand instructions. */
  const patterns = (count: number) => ({
    anyOf: Array.from({ length: count }, (_, i) => ({ pattern: `^(x${String(i)}[b-y]{2,300}z?){1,3}$` })),
  });

  it('are rejected when they are created, not when a value is validated', async () => {
    const { body } = await admin.post(PATH, { key: 'n', schema: patterns(1_200) }).expect(400);
    expect(body.message).toContain('exceeded the timeout for compiling a schema (500 ms)');
    await admin.host({ variables: { n: 'anything' } });
  });

  it('do not keep the service from serving others, also several audits of one request', async () => {
    const AUDITS = 12;
    const audits = Array.from({ length: AUDITS }, (_, i) => ({
      name: `audit-${String(i)}`,
      expectation: { key: 'n', schema: { ...patterns(100), $id: `urn:${String(i)}` } },
    }));
    const request = { isDone: false };
    const created = admin.post('/v1/audits', audits).then(({ status }) => {
      request.isDone = true;
      return status;
    });
    // One response after the other. If the schemas were compiled on the main thread, there would be one or two responses.
    let responses = 0;
    for (; !request.isDone; responses++) await app.root.get('/healthz').expect(200);
    // A schema can exceed its timeout on a machine with much load. The request then ends before the others are compiled.
    const status = await created;
    expect([201, 400]).toContain(status);
    expect(responses).toBeGreaterThan(status === 201 ? 2 : 0);
  });

  it('of one of several audits are reported with its index, and nothing is created', async () => {
    const audit = (name: string, schema: object) => ({ name, expectation: { key: 'n', schema } });
    const bodies = [
      audit('good', { type: 'string' }),
      audit('bad', { pattern: '(' }),
      audit('worse', { type: 1 }),
    ];
    const { body } = await admin.post('/v1/audits', bodies).expect(400);
    expect(body.details).toEqual([
      {
        field: '[1].expectation',
        code: 'invalid_format',
        message: expect.stringContaining('schema: the pattern "("'),
      },
      {
        field: '[2].expectation',
        code: 'invalid_format',
        message: expect.stringContaining('schema: at /type'),
      },
    ]);
    expect((await admin.get('/v1/audits').expect(200)).body).toEqual([]);
  });

  it('validate values once they are accepted', async () => {
    await admin.post(PATH, { key: 'n', schema: patterns(1) }).expect(201);
    const host = await admin.host({ variables: { n: 'x0bbz' } });
    const { body } = await admin.put(`/v1/hosts/${String(host.id)}/variables`, { n: '-' }).expect(400);
    expect(body.message).toContain('must match');
  });

  it('give the same errors in the same order, regardless of which project compiled them', async () => {
    const schema = { allOf: [{ properties: { zz: { const: 1 }, a: { const: 1 }, b: { const: 1 } } }] };
    await admin.post(PATH, { key: 'n', schema }).expect(201);
    const write = async () =>
      (await admin.post('/v1/labels', { label: 'one', variables: { n: { zz: 0, b: 0, a: 0 } } }).expect(400))
        .body.message as string;
    const first = await write();
    // Stored, it is the same schema.
    const second = await app.project();
    await second
      .post(PATH, {
        key: 'n',
        schema: { allOf: [{ properties: { b: { const: 1 }, a: { const: 1 }, zz: { const: 1 } } }] },
      })
      .expect(201);
    const { body } = await second
      .post('/v1/labels', { label: 'one', variables: { n: { zz: 0, b: 0, a: 0 } } })
      .expect(400);
    expect(body.message).toBe(first);
  });
});
