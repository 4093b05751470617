import fc, { anyCharacter } from '../../support/property-testing';
import type { Api, Schema } from './api';
import { Members, Raw, Reference, treeOf, type Json } from './unserialized-json';

/** The collections that members and parameters of these names refer to. */
const REFERENCED_COLLECTIONS: Readonly<Record<string, string>> = {
  region_id: 'regions',
  cell_id: 'cells',
  cells: 'cells',
  parent_id: 'network-devices',
  cloud_id: 'clouds',
  access_secret_id: 'access-secrets',
  project_id: 'projects',
};

/** Mostly the caller's own resources, sometimes those of another project or none. */
export function references(collection: string): fc.Arbitrary<Reference> {
  const whose = fc.oneof(
    { weight: 8, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
    { weight: 1, arbitrary: fc.constant('absent' as const) },
  );
  return fc.tuple(whose, fc.nat(20)).map(([of, index]) => new Reference(collection, of, index));
}

const letters = fc.stringMatching(/^[a-z0-9]{6,12}$/);

/** One line of text, without control characters and lone surrogates. */
const lines = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => text.replace(/\p{Cc}|\p{Cs}/gu, '') || 'x');

/** Few keys, so that they repeat. */
const keys = fc.oneof(
  fc.constantFrom('a', 'ntp_servers', 'rack', 'hw_model', 'shared_key', 'x-y', '__proto__', 'é'),
  letters.map((text) => `k${text}`),
);

const numbers = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e3',
    '0.1',
    '1e-7',
    '9007199254740993',
    '12345678901234567890.123456789',
  ),
);

/** Any JSON that a variable can hold. */
const { json: anyJson } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false),
    lines,
    numbers.map((text) => new Raw(text)),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(keys, tie('json')), { maxLength: 3 })
      .map((pairs) => new Members(withoutDuplicates(pairs))),
  ),
}));

const withoutDuplicates = (pairs: readonly [string, Json][]): [string, Json][] => [...new Map(pairs)];

const variables = fc
  .array(fc.tuple(keys, anyJson), { maxLength: 4 })
  .map((pairs) => new Members(withoutDuplicates(pairs)));

/** Names that import lines refer to. They exist unless a request has deleted them. */
export const NAMES = {
  region: ['fuzz-region'],
  cell: ['fuzz-cell'],
  cloud: ['fuzz-cloud'],
  parent: ['fuzz-device'],
};

/** Formats that schemas do not express, by the name of the member or parameter. */
/** Markers as in links, of positions that need not exist. */
const MARKERS = [
  { v: 1, order: 'hosts name,id asc', keys: ['a', '1'] },
  { v: 1, order: 'hosts created_at,id asc', keys: ['2017-02-16T14:28:55.000000Z', '1'] },
  { v: 1, order: 'hosts created_at,id asc', keys: ['2017-02-30T14:28:55.000000Z', '1'] },
  { v: 1, order: 'changes reason,id desc', keys: [null, '1'] },
  { v: 1, order: 'hosts name,id asc', keys: ['\u0000', '9'.repeat(30)] },
].map((content) => Buffer.from(JSON.stringify(content)).toString('base64url'));

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ip_address: fc.oneof(fc.ipV4(), fc.ipV6()),
  ip: fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.nat(32).map((length) => `10.0.0.0/${String(length)}`),
  ),
  vars: fc.constantFrom(
    'a:1',
    'rack.row:4',
    'ntp_servers[*]:"10.0.0.1"',
    'a:1,hw_model:"x"',
    'a:null',
    'a."b":true',
  ),
  where: fc.oneof(
    fc.constantFrom('a = 1', 'kernel < "6.12"', 'a.*.b[*] exists', 'missing_key missing', 'a in [1, null]'),
    fc
      .tuple(
        fc.constantFrom('a', 'rack.row', 'ntp_servers[*]', '"x-y".*', 'zz_none'),
        fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '^=', '~='),
        fc.oneof(fc.string({ unit: anyCharacter }), fc.double({ noNaN: true, noDefaultInfinity: true })),
      )
      .map(([path, operator, value]) => `${path} ${operator} ${JSON.stringify(value)}`),
  ),
  roles: fc.constantFrom('hosts:write', '*:write', 'hw_*', 'ntp_servers', 'private:a'),
  private: fc.constantFrom('hw_*', 'zz_none', 'ntp_servers'),
  pattern: fc.constantFrom('.*', '^CHG-\\d+', 'x?'),
  labels: fc.constantFrom('compute', 'web', 'é', 'role:db'),
  region: fc.constantFrom(...NAMES.region, 'nowhere'),
  cell: fc.constantFrom(...NAMES.cell),
  cloud: fc.constantFrom(...NAMES.cloud),
  parent: fc.constantFrom(...NAMES.parent),
  label: fc.oneof(fc.constantFrom('compute', 'web', 'role:db'), letters),
  key: keys,
  variable: keys,
  explain: keys,
  expires_at: fc.constantFrom('2099-01-01T00:00:00', '2031-02-16T14:28:55.000000Z'),
  kind: fc.constantFrom('host', 'network-device', 'region', 'cell', 'label', 'user', 'cloud', 'project'),
  action: fc.constantFrom('create', 'update', 'delete'),
  after: fc.constantFrom('latest', 'first', '0', '12'),
  at: fc.constantFrom('2099-01-01T00:00:00', '2017-02-16T14:28:55.000000', '2026-01-01T00:00'),
  since: fc.constantFrom('2017-02-16T14:28:55.000000', '2026-01-01T00:00'),
  until: fc.constantFrom('2099-01-01T00:00:00', '2017-02-16T14:28:55'),
};

/** Generates values from schemas of the OpenAPI document. */
export class Values {
  private readonly made = new Map<Schema, Map<string, fc.Arbitrary<Json>>>();

  constructor(private readonly api: Api) {}

  /** Lines of an import, from the schemas whose names end with `Line`. */
  lines(): fc.Arbitrary<Json> {
    const schemas = this.api.description.components?.schemas ?? {};
    const kinds = Object.entries(schemas).filter(([name]) => name.endsWith('Line'));
    const line = fc.oneof(...kinds.map(([, schema]) => this.of(schema as Schema, 'line')));
    return fc.array(line, { minLength: 1, maxLength: 6 });
  }

  /** A table of hosts, as rows of fields. */
  table(): fc.Arbitrary<Json> {
    const columns = ['name', 'region', 'ip_address', 'device_type', 'cell', 'labels', 'variables.a'];
    const row = fc.tuple(
      fc.oneof(
        letters,
        lines.map((text) => JSON.stringify(text)),
      ),
      fc.constantFrom(...NAMES.region),
      fc.ipV4(),
      fc.constant('server'),
      fc.constantFrom('', ...NAMES.cell),
      fc.constantFrom('', 'web', '"web,compute"'),
      fc.constantFrom('', '1', 'true', '"a text"', '"{""a"":1}"'),
    );
    const width = fc.integer({ min: 4, max: columns.length });
    return fc
      .tuple(width, fc.array(row, { minLength: 1, maxLength: 4 }))
      .map(([wide, rows]): Json => [
        columns.slice(0, wide),
        ...rows.map((fields): Json => fields.slice(0, wide)),
      ]);
  }

  /** @param name of the member or parameter, which says more than its schema */
  of(schema: Schema, name: string): fc.Arbitrary<Json> {
    let byName = this.made.get(schema);
    if (!byName) this.made.set(schema, (byName = new Map()));
    let arbitrary = byName.get(name);
    if (!arbitrary) byName.set(name, (arbitrary = this.make(this.api.resolved(schema), name)));
    return arbitrary;
  }

  private make(schema: Schema, name: string): fc.Arbitrary<Json> {
    const { type, ...others } = schema;
    const [kind, orNull] = [type].flat();
    const one = this.oneOf({ ...others, ...(kind === undefined ? {} : { type: kind }) }, name);
    return orNull === 'null'
      ? fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: fc.constant(null) })
      : one;
  }

  private oneOf(schema: Schema, name: string): fc.Arbitrary<Json> {
    const { enum: words, oneOf, anyOf, example } = schema;
    if (words) return fc.constantFrom<Json>(...words);
    const kinds = oneOf ?? anyOf;
    if (kinds) return fc.oneof(...kinds.map((kind) => this.of(kind, name)));
    const generated = this.ofType(schema, name);
    // Ids in examples do not exist.
    if (
      example === undefined ||
      name in REFERENCED_COLLECTIONS ||
      name === 'wait' ||
      schema.type === 'integer'
    )
      return generated;
    return fc.oneof(
      { weight: 4, arbitrary: generated },
      { weight: 1, arbitrary: fc.constant(treeOf(example)) },
    );
  }

  private ofType(schema: Schema, name: string): fc.Arbitrary<Json> {
    switch (schema.type) {
      case 'object':
        return this.object(schema);
      case 'array':
        return fc.array(this.of(schema.items ?? {}, name), { minLength: 1, maxLength: 3 });
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return this.integer(schema, name);
      case 'number':
        return numbers.map((text) => new Raw(text));
      case 'string':
        return this.text(schema, name);
      case 'null':
        return fc.constant(null);
      default:
        return anyJson;
    }
  }

  private object({ properties, required = [] }: Schema): fc.Arbitrary<Json> {
    if (!properties) return variables;
    const members = Object.entries(properties).map(([key, schema]) => {
      const value = this.of(schema, key).map((json): [string, Json][] => [[key, json]]);
      return required.includes(key)
        ? value
        : fc.oneof(
            { weight: 1, arbitrary: fc.constant<[string, Json][]>([]) },
            { weight: 1, arbitrary: value },
          );
    });
    return fc.tuple(...members).map((some) => new Members(some.flat()));
  }

  private integer({ minimum, maximum }: Schema, name: string): fc.Arbitrary<Json> {
    // A waiting request would delay the test.
    if (name === 'wait') return fc.constant(new Raw('0'));
    if (/(^|_)id$|^ids$|^cells$|^marker$/.test(name))
      return references(REFERENCED_COLLECTIONS[name] ?? 'any');
    return fc
      .integer({ min: minimum ?? 0, max: Math.min(maximum ?? 1_000, 100) })
      .map((number) => new Raw(String(number)));
  }

  private text({ format, maxLength }: Schema, name: string): fc.Arbitrary<Json> {
    if (name === 'project_id') return references('projects');
    if (name === 'marker') return fc.oneof(references('any'), fc.constantFrom(...MARKERS));
    const form = FORMATS[name];
    if (form) return form;
    if (format === 'uuid') return fc.uuid();
    return fc.oneof(
      letters.map((text) => `fuzz-${text}`),
      lines.map((text) => text.slice(0, maxLength ?? 20)),
    );
  }
}
