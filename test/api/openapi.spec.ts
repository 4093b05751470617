import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { sharedService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { withResponses } from '../support/description';
import { Validators } from '../support/openapi-response-validator';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: { example?: unknown };
  }[];
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<
    string,
    { description: string; headers?: object; content?: Record<string, Media>; 'x-page'?: object }
  >;
}

interface Example {
  readonly example?: unknown;
  readonly items?: { readonly example?: unknown };
}

/** A parameter that may be repeated has its example in its items. */
const exampleOf = ({ schema }: { readonly schema: Example }): unknown =>
  schema.example ?? schema.items?.example;

interface Media {
  readonly schema: object;
  readonly examples?: object;
}

const PAGE_TYPE = 'application/vnd.muster.page+json';

/** The name of a host in the examples. */
const A_HOST = 'node1';

/** Every operation of the description, by method and path. */
function operationsOf(api: OpenAPIObject): [string, Operation][] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

/** Headers of error responses, by status. */
const ERROR_HEADERS: Readonly<Record<string, readonly string[]>> = {
  '401': ['WWW-Authenticate'],
  '405': ['Allow'],
  '429': ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  '503': ['Retry-After'],
};

/** Muster's own response headers. */
const OWN_HEADERS = [
  'etag',
  'link',
  'location',
  'x-request-id',
  'content-disposition',
  'idempotency-replayed',
  'x-consistency-token',
  'ratelimit',
  'ratelimit-policy',
  'warning',
  'deprecation',
  'sunset',
];

/** Headers that a response has in some cases only. */
const SOMETIMES = ['link', 'idempotency-replayed', 'x-consistency-token', 'warning'];

/** Expects that a response has the described headers, and no other own headers of Muster. */
function expectHeaders(route: string, { responses }: Operation, { status, headers }: Response): void {
  const described = Object.keys(responses[String(status)]?.headers ?? {}).map((name) => name.toLowerCase());
  const always = described.filter((name) => !SOMETIMES.includes(name));
  const sent = OWN_HEADERS.filter((name) => name in headers);
  expect([route, described]).toEqual([route, expect.arrayContaining(sent)]);
  expect([route, sent]).toEqual([route, expect.arrayContaining(always)]);
}

const NO_CONTENT = { description: '' };

/** The media types of a successful response, with that of the page object of a list. */
function formsOf({ responses }: Operation): [string, Media][] {
  const { content = {}, 'x-page': page }: Operation['responses'][string] = responses['200'] ?? NO_CONTENT;
  return [...Object.entries(content), ...(page ? [[PAGE_TYPE, { schema: page }] as [string, Media]] : [])];
}

function failUndescribed(): never {
  throw new Error('the route is not described');
}

/** Examples for the required query parameters of an operation. */
const requiredQuery = ({ parameters = [] }: Operation): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter(({ in: location, required }) => location === 'query' && required === true)
      .map(({ name, schema }) => [name, String(exampleOf({ schema }))]),
  );

/** Routes below /v1 that need no credentials. */
const PUBLIC_ROUTES = ['GET /v1/sign-in', 'GET /v1/session/oidc', 'GET /v1/session/oidc/callback'];

/** Parameters whose values are joined by commas. */
const JOINED = new Set(['fields', 'sort_keys', 'explain']);

describe('the OpenAPI description', () => {
  let app: OwnService;
  let api: OpenAPIObject;
  let validators: Validators;

  beforeAll(async () => {
    // High enough to reject no request. Only a configured limit sends its headers.
    app = await sharedService().startPeer({ RATE_LIMIT: '100000' });
    api = withResponses((await app.root.get('/openapi.json').expect(200)).body as OpenAPIObject);
    validators = new Validators(api);
  });
  afterAll(() => app.stop());

  it('is public, like the page that shows it', async () => {
    const anonymous = app.root.as({ token: '', user: '', project: '' });
    await anonymous.get('/openapi.json').expect(200);
    expect((await anonymous.get('/docs').expect(200)).get('content-type')).toMatch('html');
  });

  it('describes the id in a path as one of the collection in the path', () => {
    const described = operationsOf(api).flatMap(([route, { parameters = [] }]) => {
      const [, collection] = / \/v1\/([a-z-]+)s\/\{id\}/.exec(route) ?? [];
      const id = parameters.find(({ name }) => name === 'id')?.description;
      return collection === undefined ? [] : [{ route, id, kind: collection.replace('-', ' ') }];
    });
    expect(described.length).toBeGreaterThan(90);
    for (const { route, id, kind } of described) {
      const isOnlyId = kind === 'project' || kind === 'change';
      expect([route, id]).toEqual([route, `The id of the ${kind}${isOnlyId ? '' : ', or its UUID'}.`]);
    }
  });

  it('has unique ids of operations', () => {
    const ids = Object.values(api.paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is shown by a page that prefills no optional parameter', async () => {
    const { text } = await app.root.get('/docs/swagger-ui-init.js').expect(200);
    const [, options = '{}'] = /let options = (\{.*?\n\});?\n/s.exec(text) ?? [];
    const { swaggerDoc } = JSON.parse(options) as { swaggerDoc: OpenAPIObject };
    const shown = operationsOf(swaggerDoc).flatMap(([route, { parameters = [] }]) =>
      parameters.map((parameter) => [route, parameter] as const),
    );
    expect(shown.length).toBeGreaterThan(500);
    const filled = shown.filter(([, one]) => one.required !== true && exampleOf(one) !== undefined);
    expect(filled.map(([route, { name }]) => [route, name])).toEqual([]);
    // Values to choose from are available.
    const [, fields] = shown.find(([route, { name }]) => route === 'GET /v1/clouds' && name === 'fields')!;
    expect(fields.schema).toMatchObject({ type: 'array', items: { enum: expect.arrayContaining(['name']) } });
  });

  it('gives every operation a summary, parameters with examples, and error responses', () => {
    const problems: string[] = [];
    for (const [route, operation] of operationsOf(api)) {
      if (!operation.summary) problems.push(`${route}: no summary`);
      const pathParameters = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const name of pathParameters)
        if (!operation.parameters?.some((p) => p.in === 'path' && p.name === name))
          problems.push(`${route}: ${String(name)}`);
      for (const parameter of operation.parameters ?? [])
        if (exampleOf(parameter) === undefined) problems.push(`${route}: ${parameter.name} has no example`);
      const statuses = Object.keys(operation.responses);
      if (!statuses.some((status) => /^[23]/.test(status))) problems.push(`${route}: no success`);
      const isPublic = !route.includes(' /v1') || PUBLIC_ROUTES.includes(route);
      const expected = isPublic ? ['500', '503'] : ['400', '401', '429', '500', '503'];
      for (const status of expected) if (!statuses.includes(status)) problems.push(`${route}: no ${status}`);
      for (const [status, { content }] of Object.entries(operation.responses))
        if (!/^(?:204|3..)$/.test(status) && !content) problems.push(`${route}: ${status} has no content`);
    }
    expect(problems).toEqual([]);
  });

  it('declares for every operation whether it takes or returns a consistency token', () => {
    const token = 'X-Consistency-Token';
    const problems = operationsOf(api).filter(([route, { parameters = [], responses }]) => {
      const takes = parameters.some(({ name }) => name === token);
      const gives = Object.values(responses).some(({ headers = {} }) => token in headers);
      // A client of the feed reads what the reported changes altered, so the feed returns a token.
      const writes = parameters.some(({ name }) => name === 'dry_run');
      const isFeed = route.endsWith('/changes/feed');
      const isPublic = !route.includes(' /v1/') || PUBLIC_ROUTES.includes(route);
      return !isPublic ? gives !== (writes || isFeed) || takes === writes : takes || gives;
    });
    expect(problems.map(([route]) => route)).toEqual([]);
  });

  it('offers Idempotency-Key on exactly the POST operations that write', () => {
    const posts = operationsOf(api).filter(([route]) => route.startsWith('POST'));
    const takes = ({ parameters }: Operation, name: string) =>
      parameters?.some((one) => one.name === name) === true;
    expect(posts.filter(([, operation]) => !takes(operation, 'dry_run')).map(([route]) => route)).toEqual([
      'POST /v1/session',
      'POST /v1/variable-definitions/violations',
      'POST /v1/audits/{id}/run',
    ]);
    for (const [route, operation] of posts) {
      const { responses } = operation;
      const writes = takes(operation, 'dry_run');
      const { headers = {} } = responses['201'] ?? responses['200'] ?? {};
      expect([route, takes(operation, 'Idempotency-Key')]).toEqual([route, writes]);
      expect([route, 'Idempotency-Replayed' in headers]).toEqual([route, writes]);
    }
  });

  it('describes 409 for every operation in the project of a session, which can be another one', () => {
    const without = operationsOf(api).filter(
      ([route, { responses }]) =>
        route.includes(' /v1') && !PUBLIC_ROUTES.includes(route) && !('409' in responses),
    );
    expect(without.map(([route]) => route).sort()).toEqual(
      ['DELETE', 'GET', 'POST', 'PUT'].map((method) => `${method} /v1/session`),
    );
  });

  it('offers If-Match on every PUT and DELETE', () => {
    const withoutIfMatch = operationsOf(api).filter(
      ([route, { parameters }]) =>
        // In a bulk update each resource has its own version.
        /^(PUT|DELETE)/.test(route) &&
        !/^PUT \/v1\/[a-z-]+\/variables$/.test(route) &&
        // A session has no version, and neither have the views of one user.
        !/ \/v1\/session(\/views)?$/.test(route) &&
        !parameters?.some(({ name }) => name === 'If-Match'),
    );
    expect(withoutIfMatch.map(([route]) => route)).toEqual([]);
  });

  it('describes a body for every POST and PUT', () => {
    const without = operationsOf(api).filter(
      ([route, { requestBody }]) => /^(POST|PUT)/.test(route) && route !== 'POST /v1/session' && !requestBody,
    );
    expect(without.map(([route]) => route)).toEqual([]);
  });

  it('gives every field of every schema an example', () => {
    const problems = Object.entries(api.components?.schemas ?? {}).flatMap(([name, schema]) =>
      Object.entries((schema as { properties?: Record<string, object> }).properties ?? {})
        .filter(
          ([, member]) =>
            !(
              'example' in member ||
              'enum' in member ||
              'items' in member ||
              '$ref' in member ||
              'allOf' in member ||
              'anyOf' in member ||
              'oneOf' in member
            ),
        )
        .map(([member]) => `${name}.${member}`),
    );
    expect(problems).toEqual([]);
  });

  it('has query examples that the lists accept', async () => {
    const admin = await app.project();
    const { id } = await admin.region();
    await admin.host({ name: A_HOST, region_id: id });
    /** Examples that a list has accepted. Lists share the code of most parameters. */
    const accepted = new Set<string>();
    for (const [route, operation] of operationsOf(api)) {
      const { parameters = [] } = operation;
      if (!/^GET \/v1\/[\w-]+$/.test(route)) continue;
      for (const { name, in: location, schema } of parameters) {
        if (location !== 'query') continue;
        const example = `${name}=${String(exampleOf({ schema }))}`;
        if (accepted.has(example)) continue;
        accepted.add(example);
        // The ids in examples do not exist here. Another test shows that they are accepted.
        if (/(^|_)id$|^marker$/.test(name)) continue;
        const query = new URLSearchParams({
          ...requiredQuery(operation),
          [name]: String(exampleOf({ schema })),
        });
        const caller = route.includes('projects') ? app.root : admin;
        const response = await caller.get(`${route.slice(4)}?${query.toString()}`);
        expect([route, name, response.status]).toEqual([route, name, 200]);
      }
    }
    expect(id).toBeGreaterThan(0);
  });

  describe('matches the responses', () => {
    let admin: Caller;
    let ids: Record<string, number | string>;

    beforeAll(async () => {
      admin = await app.project();
      ids = await oneOfEach(admin);
    });

    it('of every GET', async () => {
      for (const [route, operation] of operationsOf(api)) {
        // Only a browser has a session: see sessions.spec.ts.
        if (!route.startsWith('GET /v1') || route === 'GET /v1/session') continue;
        const caller = route.includes('/projects') ? app.root : admin;
        const collection = route.split('/')[2] ?? '';
        const path = route
          .slice(4)
          .replace('{id}', String(ids[collection]))
          .replace('{key}', 'a')
          .replace('{revision}', '1');
        for (const [type, media] of formsOf(operation)) {
          const query = new URLSearchParams(requiredQuery(operation)).toString();
          const response = await caller
            .get(query === '' ? path : `${path}?${query}`, { accept: type })
            .expect(200);
          expectHeaders(route, operation, response);
          expect([route, type, validators.faults(media.schema, response.body)]).toEqual([route, type, []]);
        }
      }
    });

    it('of lists, which accept exactly the documented fields and sort keys, joined by commas', async () => {
      const checked: string[] = [];
      for (const [route, { parameters = [] }] of operationsOf(api)) {
        if (!/^GET \/v1\/[\w-]+$/.test(route)) continue;
        const caller = route.includes('/projects') ? app.root : admin;
        for (const parameter of parameters) {
          if (!JOINED.has(parameter.name)) continue;
          const { name, schema } = parameter;
          expect([route, parameter]).toMatchObject([route, { style: 'form', explode: false }]);
          expect([route, schema]).toMatchObject([route, { type: 'array', items: { type: 'string' } }]);
          const { enum: known } = (schema as { items: { enum?: string[] } }).items;
          expect([route, name, known === undefined]).toEqual([route, name, name === 'explain']);
          if (!known) continue;
          const list = (texts: string[]) =>
            caller.get(`${route.slice(4)}?${name}=${texts.join(',')}&limit=1`);
          const { body } = await list(known).expect(200);
          if (name === 'fields') expect(Object.keys((body as object[])[0] ?? {})).toEqual(known);
          await list([...known, 'nonsense']).expect(400);
          checked.push(`${name} of ${route}`);
        }
      }
      expect(checked).toEqual(
        expect.arrayContaining(['fields of GET /v1/hosts', 'sort_keys of GET /v1/changes']),
      );
    });

    it('of lists with a single field: no other field is required', async () => {
      const checked = new Set<string>();
      for (const [route, { parameters = [], responses }] of operationsOf(api)) {
        const fields = parameters.find(({ name }) => name === 'fields');
        if (!fields) continue;
        // Lists of the same resource share their code, for example the changes of each resource.
        const schema = JSON.stringify(responses['200']);
        if (checked.has(schema)) continue;
        checked.add(schema);
        const collection = route.split('/')[2] ?? '';
        const path = route.slice(4).replace('{id}', String(ids[collection]));
        const caller = route.includes('/projects') ? app.root : admin;
        const all = (fields.schema as { items: { enum: string[] } }).items.enum;
        // As it is with one of the fields: see lists.spec.ts. Some are returned only on request.
        const { body } = await caller.get(`${path}?fields=${all.join(',')}`).expect(200);
        const isList = Array.isArray(body);
        const items = (isList ? body : [body]) as Readonly<Record<string, unknown>>[];
        expect([route, items.length > 0]).toEqual([route, true]);
        for (const field of all) {
          const some = items.map((item) => (field in item ? { [field]: item[field] } : {}));
          for (const [type, { schema: described }] of formsOf({ responses })) {
            const shown = type === PAGE_TYPE ? { items: some, links: [] } : isList ? some : some[0];
            expect([route, field, validators.faults(described, shown)]).toEqual([route, field, []]);
          }
        }
      }
      expect(checked.size).toBeGreaterThan(12);
    });

    it('of a new key for a user', async () => {
      const [route, operation] =
        operationsOf(api).find(([one]) => one === 'POST /v1/users/{id}/api-key') ?? failUndescribed();
      const user = await admin.user();
      const users = (await admin.get(`/v1/users?username=${user.credentials.user}`)).body as Resource[];
      const response = await admin.post(`/v1/users/${String(users[0]?.id)}/api-key`).expect(201);
      expectHeaders(route, operation, response);
      expect(operation.responses['201']?.headers).toHaveProperty('Location');
    });

    it('of errors, including Retry-After and Allow', () => {
      for (const [route, { responses }] of operationsOf(api))
        for (const [status, { headers = {} }] of Object.entries(responses)) {
          const expected = ['X-Request-Id', ...(ERROR_HEADERS[status] ?? [])];
          expect([route, status, Object.keys(headers)]).toEqual([
            route,
            status,
            expect.arrayContaining(expected) as string[],
          ]);
        }
    });

    it('of bodies that are too large: the documented limit applies', async () => {
      const SMALL = '64 KiB';
      const body = '{}'.padEnd(64 * 1024 + 1, ' ');
      const small: string[] = [];
      for (const [route, { responses }] of operationsOf(api)) {
        if (!/^(POST|PUT|DELETE) \/v1/.test(route)) continue;
        const [method = '', template = ''] = route.toLowerCase().split(' ');
        const path = template
          .replace('{id}', '987654321')
          .replace('{key}', 'a')
          .replace('{key_id}', '0123456789abcdef');
        const isSmall = responses['413']?.description.includes(SMALL) === true;
        if (isSmall) small.push(route);
        const { status } = await app.root.send(method as 'post', path, body);
        expect([route, status === 413]).toEqual([route, isSmall]);
      }
      expect(small).toEqual(
        expect.arrayContaining(['POST /v1/users/{id}/api-key', 'POST /v1/changes/{id}/revert']),
      );
    });

    it('of an audit run', async () => {
      const run = operationsOf(api).find(([route]) => route === 'POST /v1/audits/{id}/run')?.[1];
      const { body } = await admin.post(`/v1/audits/${String(ids['audits'])}/run`).expect(200);
      expect((body as { failed: number }).failed).toBe(1);
      expect(
        validators.faults(run?.responses['200']?.content?.['application/json']?.schema ?? {}, body),
      ).toEqual([]);
    });

    it('of every GET that accepts a point in time', async () => {
      const newest = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Resource[];
      for (const [route, { parameters, responses }] of operationsOf(api)) {
        if (!parameters?.some(({ name }) => name === 'at')) continue;
        const caller = route.includes('/projects') ? app.root : admin;
        const id = ids[route.split('/')[2] ?? ''];
        // Some collections have no example here.
        if (id === undefined) continue;
        const path = route.slice(4).replace('{id}', String(id)).replace('{key}', 'a');
        const { body } = await caller.get(`${path}?at=${String(newest[0]?.['created_at'])}`).expect(200);
        const { schema } = responses['200']?.content?.['application/json'] ?? {};
        expect([route, validators.faults(schema ?? {}, body)]).toEqual([route, []]);
      }
    });

    it('of errors with a body', async () => {
      const response = await admin.get('/v1/hosts/0').expect(404);
      const error = operationsOf(api).find(([route]) => route === 'GET /v1/hosts/{id}')?.[1].responses['404'];
      expect(validators.faults(error?.content?.['application/json']?.schema ?? {}, response.body)).toEqual(
        [],
      );
    });
  });
});

/** Creates one resource of each kind, and returns the ids by collection. */
async function oneOfEach(admin: Caller): Promise<Record<string, number | string>> {
  const variables = { a: [1, { b: null }] };
  const cloud = await admin.cloud();
  const region = await admin.region({ cloud_id: cloud.id, labels: 'x', note: 'n', variables });
  const cell = await admin.cell({ region_id: region.id, labels: 'x', variables });
  const label = await admin.label({ variables });
  const secret = await admin.secret();
  const deviceFields = {
    region_id: region.id,
    cell_id: cell.id,
    labels: ['x'],
    access_secret_id: secret.id,
    variables,
  };
  const network: Resource = await admin.networkDevice({
    ...deviceFields,
    vlans: [1],
    model_name: 'm',
    os_version: 'v',
  });
  const host = await admin.host({ ...deviceFields, name: A_HOST, parent_id: network.id });
  await admin.put(`/v1/hosts/${String(host.id)}`, { active: false }).expect(200);
  const users = (await admin.get('/v1/users').expect(200)).body as Resource[];
  await admin.put(`/v1/users/${String(users[0]?.id)}/variables`, variables).expect(200);
  // The value violates the definition, and the audit's expectation fails.
  const definition = await admin.definition({ key: 'a', schema: { type: 'object' } });
  const view = await admin.view();
  const audit = await admin.audit({ kind: 'host', vars: 'a:1', expectation: { key: 'a', schema: false } });
  const proposed = await admin
    .put(`/v1/regions/${String(region.id)}?propose=t`, { note: 'other' })
    .expect(202);
  const proposal = proposed.body as Resource;
  await admin.post(`/v1/proposals/${String(proposal.id)}/comments`, { text: 'c' }).expect(201);
  const changes = (await admin.get('/v1/changes').expect(200)).body as Resource[];
  return {
    projects: admin.projectId,
    clouds: cloud.id,
    regions: region.id,
    cells: cell.id,
    labels: label.id,
    'access-secrets': secret.id,
    'network-devices': network.id,
    hosts: host.id,
    users: users[0]?.id ?? 0,
    changes: changes[0]?.id ?? 0,
    'variable-definitions': definition.id,
    audits: audit.id,
    views: view.id,
    proposals: proposal.id,
  };
}
