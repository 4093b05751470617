import { sharedService } from '../support/service';
import { type Caller, type Resource } from '../support/caller';

const PATH = '/v1/variable-definitions';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** The checked formats of JSON Schema, with a valid and an invalid text each. */
const formats = [
  ['date-time', '2026-11-20T14:37:06Z', '2026-11-20'],
  ['date', '2026-11-20', '2026-02-30'],
  ['time', '14:37:06Z', '14:37:06'],
  ['duration', 'P1D', '1 day'],
  ['email', 'a@example.com', 'a'],
  ['hostname', 'node-1.example.com', 'node_1'],
  ['ipv4', '10.0.0.1', '10.0.0.256'],
  ['ipv6', '2001:db8::1', '10.0.0.1'],
  ['uri', 'https://example.com/a', '/a'],
  ['uri-reference', '/a', '\\a'],
  ['uri-template', '/a/{b}', '/a/{b'],
  ['uuid', 'ee7c74d4-42f4-4d16-968d-19edca3f8f43', 'ee7c74d4'],
  ['json-pointer', '/a/0', 'a'],
  ['relative-json-pointer', '1/a', '/a'],
  ['regex', '^a+$', '(?=a)'],
] as const;

describe('schemas of definitions', () => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;
  beforeEach(async () => {
    admin = await app.project();
    host = await admin.host();
  });
  const errorFor = async (schema: unknown): Promise<string> => {
    const { body } = await admin.post(PATH, { key: 'a', schema }).expect(400);
    const [detail] = (body as { details: { field: string; message: string }[] }).details;
    expect(detail?.field).toBe('schema');
    return detail?.message ?? '';
  };
  /** Whether a value of `a` can be written. */
  const takes = async (value: unknown): Promise<boolean> =>
    (await admin.put(`/v1/hosts/${String(host.id)}/variables`, { a: value })).status === 200;

  it.each([
    ['of no draft', { type: 'string', nullable: true }, 'nullable'],
    ['of no draft', { format: 'date', formatMinimum: '2026-01-01' }, 'formatMinimum'],
    ['of other programs', { id: 'a' }, 'id'],
    ['of other programs', { $async: true }, '$async'],
    ['of an earlier draft', { $recursiveRef: '#' }, '$recursiveRef'],
    ['of an earlier draft', { $recursiveAnchor: 'a' }, '$recursiveAnchor'],
    ['of an earlier draft', { additionalItems: false }, 'additionalItems'],
    ['of a later draft', { $schema: DRAFT_07, $anchor: 'a' }, '$anchor'],
    ['of a later draft', { $schema: DRAFT_07, unevaluatedItems: false }, 'unevaluatedItems'],
    ['of a later draft', { $schema: DRAFT_07, contentSchema: {} }, 'contentSchema'],
    ['of a later draft', { $schema: DRAFT_07, $vocabulary: {} }, '$vocabulary'],
    ['within', { properties: { b: { requird: ['c'] } } }, 'requird'],
  ])('reject keywords %s: %j', async (_, schema, keyword) => {
    expect(await errorFor(schema)).toBe(`unknown keyword: "${keyword}"`);
  });

  it.each([
    { $dynamicRef: '#b' },
    { $dynamicRef: '#b', $defs: { b: { $dynamicAnchor: 'b' } } },
    { $dynamicAnchor: 'b' },
  ])('reject unsupported keywords: %j', async (schema) => {
    expect(await errorFor(schema)).toMatch(
      /^the keyword "\$dynamic(Ref|Anchor)" is not supported: use \$ref and \$anchor$/,
    );
  });

  it('allow properties that are named like keywords', async () => {
    const schema = {
      properties: { nullable: { const: 1 }, $async: { type: 'null' }, $dynamicRef: true },
      required: ['$async'],
      enum: [{ $async: null, nullable: 1 }, { $async: null }],
    };
    await admin.post(PATH, { key: 'a', schema }).expect(201);
    expect(await takes({ $async: null, nullable: 1 })).toBe(true);
    expect(await takes({ nullable: 1 })).toBe(false);
  });

  it('support references by pointers and by anchors', async () => {
    const schema = {
      type: 'array',
      items: { $ref: '#port' },
      $defs: { port: { $anchor: 'port', type: 'integer', maximum: 65535 } },
    };
    await admin.post(PATH, { key: 'a', schema }).expect(201);
    expect([await takes([80]), await takes([70_000]), await takes(['80'])]).toEqual([true, false, false]);
    expect(await errorFor({ $ref: '#none' })).toContain("can't resolve reference #none");
  });

  it('may constrain a property more than once', async () => {
    const schema = { properties: { vlan_1: { minimum: 1 } }, patternProperties: { '^vlan': { maximum: 9 } } };
    await admin.post(PATH, { key: 'a', schema }).expect(201);
    expect(await takes({ vlan_1: 5 })).toBe(true);
    expect([await takes({ vlan_1: 0 }), await takes({ vlan_1: 10 })]).toEqual([false, false]);
  });

  describe('support the formats of JSON Schema', () => {
    it.each(formats)('%s', async (format, right, wrong) => {
      await admin.post(PATH, { key: 'a', schema: { format } }).expect(201);
      await admin.post(PATH, { key: 'b', schema: { $schema: DRAFT_07, format } }).expect(201);
      expect([await takes(right), await takes(wrong), await takes(1)]).toEqual([true, false, true]);
    });

    it.each([
      ...['password', 'binary', 'byte', 'int32', 'int64', 'float', 'double'],
      ...['iso-time', 'iso-date-time', 'url', 'json-pointer-uri-fragment'],
      ...['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'colour'],
    ])('and reject %s', async (format) => {
      expect(await errorFor({ format })).toBe(`unknown format "${format}"`);
    });
  });

  it.each([
    ['to itself', { $ref: '#' }],
    ['by way of another', { $ref: '#/$defs/b', $defs: { b: { allOf: [{ $ref: '#' }] } } }],
    ['by an anchor', { not: { $ref: '#b' }, $defs: { b: { $anchor: 'b', $ref: '#' } } }],
    ['of objects', { type: 'object', anyOf: [{ $ref: '#' }] }],
    ['of draft-07', { $schema: DRAFT_07, $ref: '#/definitions/b', definitions: { b: { $ref: '#' } } }],
    ['of texts', { type: 'string', minLength: 1, allOf: [{ $ref: '#' }] }],
    ['in a member', { properties: { b: { $ref: '#/properties/b' } } }],
    [
      'of later members',
      {
        required: ['b'],
        properties: { b: { $ref: '#/$defs/c' } },
        $defs: { c: { not: { $ref: '#/$defs/c' } } },
      },
    ],
  ])('reject endless reference cycles: %s', async (_, schema) => {
    expect(await errorFor(schema)).toBe('has a $ref cycle that never ends');
    const { body } = await admin
      .post('/v1/audits', { name: 'a', expectation: { key: 'a', schema } })
      .expect(400);
    expect(body.message).toContain('has a $ref cycle that never ends');
  });

  it('allow recursion into nested values', async () => {
    const schema = { type: 'object', additionalProperties: { $ref: '#' } };
    await admin.post(PATH, { key: 'a', schema }).expect(201);
    expect([await takes({ b: { c: {} } }), await takes({ b: { c: 1 } })]).toEqual([true, false]);
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
