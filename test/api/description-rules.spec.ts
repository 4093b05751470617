import type { OpenAPIObject } from '@nestjs/swagger';
import { describedOperations } from '../support/description';
import { sharedService, type Service } from '../support/service';
import type { Caller } from '../support/caller';

/** A schema of OpenAPI 3.1. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

const nameOf = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? '';

/** Every schema inside of a value, with its path. */
function schemasIn(value: unknown, path: string): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value)
    .filter(([key]) => !['example', 'examples', 'default', 'enum'].includes(key))
    .flatMap(([key, member]) => schemasIn(member, `${path}/${key}`));
  return [[path, value], ...inner];
}

/** What makes generated clients fail, or name their types badly. Each rule was a defect of some generated client. */
/** Filters can be repeated, and not joined: a text can contain a comma. */
const FILTERS = new Set([
  'label',
  'without_label',
  'region_id',
  'cell_id',
  'parent_id',
  'access_secret_id',
  'device_type',
  'state',
]);

describe('the API description, for generated clients', () => {
  let app: Service;
  let admin: Caller;
  let api: OpenAPIObject;
  let text: string;
  let schemas: Readonly<Record<string, Schema>>;
  let operations: readonly (readonly [route: string, operation: Operation])[];

  beforeAll(async () => {
    app = sharedService();
    admin = await app.project();
    const response = await app.root.get('/openapi.json').expect(200);
    text = JSON.stringify(response.body);
    api = response.body as OpenAPIObject;
    schemas = api.components?.schemas as Record<string, Schema>;
    operations = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Operation>).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    );
  });

  const successesOf = ({ responses }: Operation) =>
    Object.entries(responses).filter(([status]) => status < '300');

  it('is of OpenAPI 3.1 and shares the responses to errors', () => {
    expect(api.openapi).toMatch(/^3\.1\./);
    expect(text.length).toBeLessThan(1_000_000);
    const own = operations.flatMap(([, { responses }]) =>
      Object.entries(responses).filter(([status, { $ref }]) => status >= '400' && $ref === undefined),
    );
    expect(own.length).toBeLessThan(operations.length);
  });

  it('has its schemas in an order that does not depend on how the service was loaded', () => {
    expect(Object.keys(schemas)).toEqual(Object.keys(schemas).sort());
  });

  it('declares no default that the service rejects, or that changes what a request means', async () => {
    const host = await admin.host();
    const differing: unknown[] = [];
    const combined = new Set<string>();
    const tried = new Map<string, number>();
    let checked = 0;
    for (const [route, { parameters = [] }] of operations) {
      const [method = '', template = ''] = route.split(' ');
      const optional = parameters.filter(({ in: place, required }) => place === 'query' && required !== true);
      const defaults = optional.filter(({ schema }) => schema.default !== undefined);
      if (defaults.length === 0 || !template.startsWith('/v1/') || template.startsWith('/v1/session'))
        continue;
      const path = template.replace(
        '{id}',
        method === 'GET' && template.startsWith('/v1/hosts') ? String(host.id) : '987654321',
      );
      const required = parameters
        .filter(({ in: place, required: isRequired }) => place === 'query' && isRequired === true)
        .map(({ name, schema }) => `${name}=${String(schema.example)}`);
      const send = async (query: readonly string[]) => {
        const url = `${path.replace('{key}', 'a')}?${[...required, ...query].join('&')}`;
        // Invalid, so that nothing is written: a rejected parameter is another error.
        const body = template.endsWith('s/variables') ? { ids: [987_654_321], variables: { a: 1 } } : {};
        const sent =
          method === 'GET' ? admin.get(url) : admin.send(method.toLowerCase() as 'post', url, body);
        const { status, body: answer } = await sent;
        return { status, details: (answer as { details?: unknown }).details };
      };
      const texts = defaults.map(({ name, schema }) => `${name}=${[schema.default].flat().join(',')}`);
      // Writes read their parameters in one place, so the same defaults are tried on three of them.
      const turn = tried.get(texts.join()) ?? 0;
      tried.set(texts.join(), turn + 1);
      if (method !== 'GET' && turn >= 3) continue;
      const others = optional.filter(({ name, schema }) => {
        const key = `${name}=${String(schema.example)}`;
        return schema.default === undefined && method === 'GET' && !combined.has(key) && combined.add(key);
      });
      const combinations = [[], ...others.map(({ name, schema }) => [`${name}=${exampleOf(schema)}`])];
      for (const query of combinations) {
        const [without, withDefaults] = [await send(query), await send([...query, ...texts])];
        checked += 1;
        if (JSON.stringify(without) !== JSON.stringify(withDefaults))
          differing.push({ route, query, texts, without, withDefaults });
      }
    }
    expect(differing).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });

  it('has any JSON value as a schema without a type', () => {
    const unions = schemasIn(api.components?.schemas, '').filter(([, { oneOf, anyOf }]) => {
      const types = new Set([...(oneOf ?? []), ...(anyOf ?? [])].map(({ type }) => String(type)));
      return ['object', 'array', 'string', 'number', 'boolean'].every((type) => types.has(type));
    });
    expect(unions.map(([path]) => path)).toEqual([]);
    expect(Object.keys(schemas['VariableValue']?.properties?.['value'] ?? {})).toEqual(['example']);
  });

  it('has one JSON media type for each status, which responses have exactly', async () => {
    const several = operations.filter(([, operation]) =>
      Object.values(operation.responses).some(
        ({ content = {} }) => Object.keys(content).filter((type) => /[/+]json$/.test(type)).length > 1,
      ),
    );
    expect(several.map(([route]) => route)).toEqual([]);
    for (const path of ['/v1/hosts', '/v1/devices', '/v1/hosts/987654321', '/v1/ansible-inventory']) {
      const { headers } = await admin.get(path);
      expect([path, headers['content-type']]).toEqual([path, 'application/json']);
    }
  });

  it('names the schemas of all bodies, and of all objects inside of them', () => {
    const isNamed = ({ $ref, type, items }: Schema): boolean =>
      $ref !== undefined || type === 'string' || (type === 'array' && items?.$ref !== undefined);
    const bodies = operations.flatMap(([route, { requestBody, responses }]) =>
      [...Object.values(responses), requestBody].flatMap((one) =>
        Object.values(one?.content ?? {}).map(({ schema }) => [route, schema] as const),
      ),
    );
    expect(bodies.filter(([, schema]) => !isNamed(schema)).map(([route]) => route)).toEqual([]);
    const inner = Object.entries(schemas).flatMap(([name, schema]) =>
      schemasIn(schema, name).filter(([path, { properties }]) => path !== name && properties !== undefined),
    );
    // The members of a schema are no schema.
    expect(inner.map(([path]) => path).filter((path) => !path.endsWith('/properties'))).toEqual([]);
  });

  it('tells a preview from every other response of the operation', () => {
    const isPreview = ({ properties = {} }: Schema): boolean => 'dry_run' in properties;
    let previews = 0;
    for (const [route, operation] of operations) {
      const names = operation.parameters?.map(({ name }) => name) ?? [];
      if (!names.includes('dry_run')) continue;
      for (const [status, { content = {} }] of successesOf(operation)) {
        const schema = content['application/json']?.schema;
        if (!schema) continue;
        const named = schemas[nameOf(schema)] ?? {};
        const variants = (named.oneOf ?? [schema]).map((one) => schemas[nameOf(one)] ?? {});
        const [preview, ...more] = variants.filter(isPreview);
        expect([route, status, preview?.required, more]).toEqual([
          route,
          status,
          expect.arrayContaining(['dry_run']),
          [],
        ]);
        previews += 1;
        for (const other of variants.filter((variant) => !isPreview(variant) && variant.type === 'object')) {
          const fits = (other.required ?? []).every((member) => member in (preview?.properties ?? {}));
          if (fits) expect([route, other.additionalProperties]).toEqual([route, false]);
        }
      }
      // Some generated clients have one type for all successful responses.
      const bodies = successesOf(operation).flatMap(([, { content }]) => (content ? [content] : []));
      expect([route, new Set(bodies.map((content) => JSON.stringify(content))).size]).toEqual([route, 1]);
    }
    expect(previews).toBeGreaterThan(74);
  });

  it('has texts as markers', () => {
    const markers = operations.flatMap(([route, { parameters = [] }]) =>
      parameters.filter(({ name }) => name === 'marker').map(({ schema }) => [route, schema.type]),
    );
    expect(markers.length).toBeGreaterThan(100);
    expect(markers.filter(([, type]) => type !== 'string')).toEqual([]);
  });

  it('has null as a type, and in a union only beside a reference', () => {
    expect(text).not.toContain('"nullable"');
    const unions = schemasIn(api.components?.schemas, '').filter(([, { oneOf, anyOf }]) => {
      const variants = [...(oneOf ?? []), ...(anyOf ?? [])];
      const others = variants.filter(({ type }) => type !== 'null');
      return others.length < variants.length && others.some(({ $ref }) => $ref === undefined);
    });
    expect(unions.map(([path]) => path)).toEqual([]);
    expect(schemas['Host']?.properties?.['note']?.type).toEqual(['string', 'null']);
    expect(schemas['Host']?.required).toContain('note');
  });

  it('has no booleans in enumerations, of which a generated client in Java makes texts', () => {
    const booleans = schemasIn(api.components?.schemas, '').filter(([, { enum: values = [] }]) =>
      values.some((value) => typeof value === 'boolean'),
    );
    expect(booleans.map(([path]) => path)).toEqual([]);
  });

  it('has no reference in an example, which bundlers would follow', () => {
    const schemaReferences = text.match(/"\$ref":"#\/components\//g) ?? [];
    expect(text.match(/"\$ref":/g)).toHaveLength(schemaReferences.length);
  });

  it('has lists as arrays, which the service accepts joined and repeated', async () => {
    const host = await admin.host({ variables: { a: 1, b: 2 } });
    const accepted: string[] = [];
    let lists = 0;
    for (const [route, { parameters = [] }] of operations)
      for (const { name, style, schema } of parameters) {
        if (schema.type !== 'array' || FILTERS.has(name) || route.includes('/network-devices/')) continue;
        expect([route, name, style]).toEqual([route, name, 'form']);
        // Lists read them in one place, so each is requested from every third list.
        if (lists++ % 3 > 0 && ['fields', 'sort_keys'].includes(name)) continue;
        const words = (schema.items as { enum?: string[] }).enum ?? ['a', 'b'];
        const [one = '', other = ''] = words;
        const path = route.slice('GET '.length).replace('{id}', String(host.id));
        const responses = await Promise.all(
          [`${name}=${one},${other}`, `${name}=${one}&${name}=${other}`].map((query) =>
            admin.get(`${path}?${query}`),
          ),
        );
        const [joined, repeated] = responses.map(({ status, text: body }) =>
          status === 200 ? body : status,
        );
        expect([route, name, repeated]).toEqual([route, name, joined]);
        if (typeof joined === 'string') accepted.push(name);
      }
    expect(new Set(accepted)).toEqual(
      new Set(['fields', 'sort_keys', 'explain', 'key', 'group_by', 'kind', 'variable']),
    );
  });

  it('has names that read well, and marks the alias as deprecated', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(ids).toEqual(expect.arrayContaining(['hostsCreate', 'hostVariablesSet', 'importInventory']));
    const halves = (id: string) => [id.slice(0, id.length / 2), id.slice(id.length / 2)];
    const isBad = (id: string): boolean => {
      const [first = '', second = ''] = halves(id.toLowerCase());
      return !/^[a-z][A-Za-z]+$/.test(id) || first === second;
    };
    expect(ids.filter(isBad)).toEqual([]);
    expect(
      Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || /(?<!Saved)View$/.test(name)),
    ).toEqual([]);
    const tags = operations.flatMap(([, operation]) => operation.tags);
    expect(new Set(api.tags?.map(({ name }) => name))).toEqual(new Set(tags));
    const deprecated = operations.filter(([, operation]) => operation.deprecated === true);
    expect(deprecated.map(([route]) => route)).toEqual(['POST /v1/region']);
  });

  it('has the limits that the service enforces', async () => {
    const variantsOf = (schema: Schema): readonly Schema[] => {
      const named = schemas[nameOf(schema)] ?? schema;
      return named.oneOf?.flatMap(variantsOf) ?? [named];
    };
    const open = operations.filter(([, { requestBody }]) =>
      Object.values(requestBody?.content ?? {})
        .flatMap(({ schema }) => variantsOf(schema))
        .some(({ properties, additionalProperties }) => properties && additionalProperties !== false),
    );
    expect(open.map(([route]) => route)).toEqual([]);
    for (const { method, path, members, collection } of await describedOperations(app)) {
      if (method !== 'post' || path !== `/v1/${collection}` || !members?.length) continue;
      const caller = collection === 'projects' ? app.root : admin;
      const { body } = await caller.post(path, { colour: 'red' }).expect(400);
      const fields = (body as { details: { field: string }[] }).details.map(({ field }) => field);
      expect([path, fields]).toEqual([path, expect.arrayContaining(['colour'])]);
    }
    const limitsOf = (schema: string, member: string) => schemas[schema]?.properties?.[member];
    expect(limitsOf('CreateHost', 'name')).toMatchObject({ minLength: 1, maxLength: 255 });
    expect(limitsOf('SetVariables', 'ids')).toMatchObject({ minItems: 1, maxItems: 100_000 });
    expect(limitsOf('CreateUser', 'roles')).toMatchObject({ maxItems: 200 });
    expect(schemas['CreateHostList']).toMatchObject({ minItems: 1, maxItems: 1000 });
  });
});

const exampleOf = ({ example, items }: Schema): string => [example ?? items?.example].flat().join(',');
