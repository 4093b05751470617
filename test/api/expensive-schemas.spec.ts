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

  it('validate values once they are accepted', async () => {
    await admin.post(PATH, { key: 'n', schema: patterns(10) }).expect(201);
    const host = await admin.host({ variables: { n: 'x1bbz' } });
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
