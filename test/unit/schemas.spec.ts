import {
  compileFault,
  compileSchema,
  schemaFormFault,
  warmUp,
} from '../../src/governance/schemas/compile-schema';

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

/** Why a schema is rejected, as when a definition with it is created. */
const faultOf = (schema: unknown): string | undefined =>
  schemaFormFault(schema)?.message ?? compileFault(schema);

/** Expects that a schema is accepted. @returns whether it takes a value */
function accepted(schema: unknown): (value: unknown) => boolean {
  expect(faultOf(schema)).toBeUndefined();
  const validate = compileSchema(schema);
  return (value) => validate(value);
}

/** test/api/schemas.spec.ts has an example of each rule. */
describe('schemas of definitions', () => {
  // The first schemas would spend their timeout on loading code.
  beforeAll(warmUp);

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
  ])('reject keywords %s: %j', (_, schema, keyword) => {
    expect(faultOf(schema)).toBe(`unknown keyword: "${keyword}"`);
  });

  it.each([
    { $dynamicRef: '#b' },
    { $dynamicRef: '#b', $defs: { b: { $dynamicAnchor: 'b' } } },
    { $dynamicAnchor: 'b' },
  ])('reject unsupported keywords: %j', (schema) => {
    expect(faultOf(schema)).toMatch(
      /^the keyword "\$dynamic(Ref|Anchor)" is not supported: use \$ref and \$anchor$/,
    );
  });

  it.each([
    ['an unknown type', { type: 'strang' }],
    ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['an external reference', { $ref: 'http://example.com/schema.json' }],
    ['an unresolvable reference', { $ref: '#/$defs/none' }],
    ['a lookahead', { pattern: '(?=a)b' }],
    ['a backreference', { patternProperties: { '^(a)\\1$': {} } }],
    ['nested repeats', { pattern: '((a{30}){30}){30}' }],
    ['many repeats', { pattern: 'x{1000}'.repeat(10) }],
    ['a long pattern', { pattern: 'x'.repeat(2000) }],
    ['a long text', { description: 'x'.repeat(64 * 1024) }],
  ])('reject %s', (_, schema) => {
    expect(faultOf(schema)).toMatch(/\S/);
    expect(faultOf(schema)).not.toContain('undefined');
  });

  it('allow properties that are named like keywords', () => {
    const schema = {
      properties: { nullable: { const: 1 }, $async: { type: 'null' }, $dynamicRef: true },
      required: ['$async'],
      enum: [{ $async: null, nullable: 1 }, { $async: null }],
    };
    const takes = accepted(schema);
    expect(takes({ $async: null, nullable: 1 })).toBe(true);
    expect(takes({ nullable: 1 })).toBe(false);
  });

  it('support references by pointers and by anchors', () => {
    const schema = {
      type: 'array',
      items: { $ref: '#port' },
      $defs: { port: { $anchor: 'port', type: 'integer', maximum: 65535 } },
    };
    const takes = accepted(schema);
    expect([takes([80]), takes([70_000]), takes(['80'])]).toEqual([true, false, false]);
    expect(faultOf({ $ref: '#none' })).toContain("can't resolve reference #none");
  });

  it('may constrain a property more than once', () => {
    const schema = { properties: { vlan_1: { minimum: 1 } }, patternProperties: { '^vlan': { maximum: 9 } } };
    const takes = accepted(schema);
    expect(takes({ vlan_1: 5 })).toBe(true);
    expect([takes({ vlan_1: 0 }), takes({ vlan_1: 10 })]).toEqual([false, false]);
  });

  describe('support the formats of JSON Schema', () => {
    it.each(formats)('%s', (format, right, wrong) => {
      for (const dialect of [{}, { $schema: DRAFT_07 }]) {
        const takes = accepted({ ...dialect, format });
        expect([takes(right), takes(wrong), takes(1)]).toEqual([true, false, true]);
      }
    });

    it.each([
      ...['password', 'binary', 'byte', 'int32', 'int64', 'float', 'double'],
      ...['iso-time', 'iso-date-time', 'url', 'json-pointer-uri-fragment'],
      ...['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'colour'],
    ])('and reject %s', (format) => {
      expect(faultOf({ format })).toBe(`unknown format "${format}"`);
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
  ])('reject endless reference cycles: %s', (_, schema) => {
    expect(faultOf(schema)).toBe('has a $ref cycle that never ends');
  });

  it('allow recursion into nested values', () => {
    const schema = { type: 'object', additionalProperties: { $ref: '#' } };
    const takes = accepted(schema);
    expect([takes({ b: { c: {} } }), takes({ b: { c: 1 } })]).toEqual([true, false]);
  });
});
