import { sharedService } from '../support/service';
import { type Caller, type Resource } from '../support/caller';

const PATH = '/v1/variable-definitions';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** An example of each rule. test/unit/schemas.spec.ts has the others. */
describe('schemas of definitions', () => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;
  beforeAll(async () => {
    admin = await app.project();
    host = await admin.host();
  });
  const errorFor = async (schema: unknown): Promise<string> => {
    const { body } = await admin.post(PATH, { key: 'a', schema }).expect(400);
    const [detail] = (body as { details: { field: string; message: string }[] }).details;
    expect(detail?.field).toBe('schema');
    return detail?.message ?? '';
  };
  /** Whether a value can be written. */
  const takes = async (key: string, value: unknown): Promise<boolean> =>
    (await admin.put(`/v1/hosts/${String(host.id)}/variables`, { [key]: value })).status === 200;

  it.each([
    ['unknown keywords', { properties: { b: { requird: ['c'] } } }, 'unknown keyword: "requird"'],
    [
      'unsupported keywords',
      { $dynamicRef: '#b' },
      'the keyword "$dynamicRef" is not supported: use $ref and $anchor',
    ],
    ['unknown formats', { format: 'colour' }, 'unknown format "colour"'],
    ['references to nothing', { $ref: '#none' }, "can't resolve reference #none"],
    ['endless reference cycles', { $ref: '#' }, 'has a $ref cycle that never ends'],
  ])('reject %s, like those of audits', async (_, schema, message) => {
    expect(await errorFor(schema)).toContain(message);
    const audit = { name: 'a', expectation: { key: 'a', schema } };
    const { body } = await admin.post('/v1/audits', audit).expect(400);
    expect(body.message).toContain(message);
  });

  it.each([
    ['of the current draft', 'current', {}],
    ['of draft-07', 'earlier', { $schema: DRAFT_07 }],
  ])('%s support formats', async (_, key, dialect) => {
    await admin.post(PATH, { key, schema: { ...dialect, format: 'date' } }).expect(201);
    expect([await takes(key, '2026-11-20'), await takes(key, '2026-02-30'), await takes(key, 1)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('support references by pointers and by anchors', async () => {
    const schema = {
      type: 'array',
      items: { $ref: '#port' },
      $defs: { port: { $anchor: 'port', type: 'integer', maximum: 65535 } },
    };
    await admin.post(PATH, { key: 'ports', schema }).expect(201);
    expect([await takes('ports', [80]), await takes('ports', [70_000])]).toEqual([true, false]);
  });

  it('reject references that grow exponentially', async () => {
    const twice = (i: number) => [1, 2].map(() => ({ $ref: `#/$defs/d${String(i + 1)}` }));
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`d${String(i)}`, { allOf: twice(i) }]),
    );
    const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d40: { type: 'object' } } };
    expect(await errorFor(schema)).toBe('exceeded the timeout for compiling a schema (500 ms)');
  });
});
