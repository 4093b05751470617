import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { sharedService, type Service } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { collections } from '../support/collections';
import { describedOperations, type DescribedOperation } from '../support/description';
import { Validators } from '../support/openapi-response-validator';
import { rowsOfProject } from '../support/tables';
import { ABSENT_PROJECT } from '../support/two-projects';

/** A write that succeeds once its prerequisites exist. */
interface Write {
  readonly caller: Caller;
  readonly path: string;
  readonly body?: unknown;
}

/** The service for `prepare`, with the same project for every request for one. */
type OneProject = Pick<Service, 'root' | 'project'>;

type Prepare = (app: OneProject) => Promise<Write>;

/** Prerequisites of special routes; all others follow from the collection. */
const specialWrites: Readonly<Record<string, Prepare>> = {
  'post /v1/region': inProject(() => Promise.resolve({ path: '/v1/region', body: { name: aName('r') } })),
  'post /v1/users/{id}/api-key': inProject(async (caller) => ({ path: `${await userPath(caller)}/api-key` })),
  'post /v1/users/{id}/api-keys': inProject(async (caller) => ({
    path: `${await userPath(caller)}/api-keys`,
  })),
  'delete /v1/users/{id}/api-keys/{key_id}': inProject(async (caller) => {
    const path = `${await userPath(caller)}/api-keys`;
    const [key] = (await caller.get(path).expect(200)).body as { key_id: string }[];
    return { path: `${path}/${String(key?.key_id)}` };
  }),
  'put /v1/projects/{id}/settings': inProject((caller) =>
    Promise.resolve({
      path: `/v1/projects/${caller.projectId}/settings`,
      body: { private: ['db_*'], change_reason: null },
    }),
  ),
  'post /v1/batch': inProject(async (caller) => {
    const host = await caller.host({ variables: { a: 1 } });
    const operations = [
      { method: 'PUT', path: `/v1/hosts/${String(host.id)}/variables`, body: { a: 2 } },
      { method: 'POST', path: '/v1/clouds', body: { name: aName('cloud') } },
    ];
    return { path: '/v1/batch', body: { operations } };
  }),
  'post /v1/changes/{id}/revert': inProject(async (caller) => {
    const host = await caller.host({ variables: { a: 1 } });
    await caller.put(`/v1/hosts/${String(host.id)}`, { active: false, variables: { a: 2 } }).expect(200);
    const [change] = (await caller.get('/v1/changes?sort_dir=desc').expect(200)).body as Resource[];
    return { path: `/v1/changes/${String(change?.id)}/revert` };
  }),
  'post /v1/audits/{id}/remediate': inProject(async (caller) => {
    const host = await caller.host({ variables: { a: 1 } });
    const audit = { name: aName('audit'), expectation: { vars: 'a:2' } };
    const { id } = (await caller.post('/v1/audits', audit).expect(201)).body as Resource;
    return { path: `/v1/audits/${String(id)}/remediate`, body: { level: { kind: 'host', id: host.id } } };
  }),
  'put /v1/proposals/{id}': inProject(async (caller) => ({
    path: await proposalPath(caller, caller),
    body: { title: aName('title'), rebase: true },
  })),
  'post /v1/proposals/{id}/comments': inProject(async (caller) => ({
    path: `${await proposalPath(caller, caller)}/comments`,
    body: { text: 'a comment' },
  })),
  'post /v1/proposals/{id}/withdraw': inProject(async (caller) => ({
    path: `${await proposalPath(caller, caller)}/withdraw`,
  })),
  'post /v1/proposals/{id}/reviews': inProject(async (caller) => ({
    path: `${await proposalPath(caller, await caller.user())}/reviews`,
    body: { verdict: 'reject', revision: 1 },
  })),
  'post /v1/proposals/{id}/apply': inProject(async (caller) => {
    const path = await proposalPath(caller, await caller.user());
    const { body } = (await caller.get(`${path}/preview`).expect(200)) as { body: { impact_digest: string } };
    const { impact_digest } = body;
    await caller.post(`${path}/reviews`, { verdict: 'approve', revision: 1, impact_digest }).expect(201);
    return { path: `${path}/apply` };
  }),
  ...ruleWrites('audits', { expectation: { vars: 'a:2' } }, { description: 'another' }, 'name'),
  ...ruleWrites('variable-definitions', { schema: { type: 'integer' } }, { description: 'another' }, 'key'),
};

function inProject(prepare: (caller: Caller) => Promise<Omit<Write, 'caller'>>): Prepare {
  return async (app) => {
    const caller = await app.project();
    return { caller, ...(await prepare(caller)) };
  };
}

/** Creates a user and returns its path. */
async function userPath(caller: Caller): Promise<string> {
  const { user } = (await caller.user()).credentials;
  const [found] = (await caller.get(`/v1/users?username=${user}`).expect(200)).body as Resource[];
  return `/v1/users/${String(found?.id)}`;
}

/** Proposes a change of a new region, and returns the path of the proposal. */
async function proposalPath(caller: Caller, author: Caller): Promise<string> {
  const region = await caller.region();
  const path = `/v1/regions/${String(region.id)}/variables?propose=t`;
  const { id } = (await author.put(path, { a: 1 }).expect(202)).body as Resource;
  return `/v1/proposals/${String(id)}`;
}

function ruleWrites(
  collection: string,
  members: object,
  change: object,
  name: string,
): Record<string, Prepare> {
  const path = `/v1/${collection}`;
  const body = () => ({ ...members, [name]: aName('k').replace('-', '_') });
  const one = async (caller: Caller) => {
    const { id } = (await caller.post(path, body()).expect(201)).body as Resource;
    return `${path}/${String(id)}`;
  };
  return {
    [`post ${path}`]: inProject(() => Promise.resolve({ path, body: body() })),
    [`put ${path}/{id}`]: inProject(async (caller) => ({ path: await one(caller), body: change })),
    [`delete ${path}/{id}`]: inProject(async (caller) => ({ path: await one(caller) })),
  };
}

/** A large change reports its impact, but not its whole change record. */
const isBatched = (path: string): boolean => /^\/v1\/[a-z-]+\/variables$/.test(path);

/** Prepares the write of a collection's operation. */
function collectionWrite({ method, path, collection }: DescribedOperation): Prepare {
  const one = collections.find((known) => known.collection === collection);
  if (!one)
    throw new Error(`${method} ${path} is a write that this test does not know: add it to specialWrites`);
  return async (app) => {
    const caller = await one.caller(app);
    const create = await one.body(caller);
    if (path === `/v1/${collection}`) return { caller, path, body: create };
    const { body } = await caller.post(`/v1/${collection}`, create).expect(201);
    const { id } = body as Resource;
    if (isBatched(path)) return { caller, path, body: { ids: [id], variables: { a: 1 } } };
    const at = path.replace('{id}', String(id));
    if (path.endsWith('{id}'))
      return { caller, path: at, ...(method === 'put' ? { body: one.change() } : {}) };
    if (path.endsWith('/labels')) {
      const [there, other] = [aName('there'), aName('new')];
      await caller.put(at, { labels: [there] }).expect(200);
      return { caller, path: at, body: { labels: [method === 'put' ? other : there] } };
    }
    await caller.put(at.replace('{key}', '').replace(/\/$/, ''), { a: 1, b: [1] }).expect(200);
    if (path.endsWith('{key}'))
      return { caller, path: at.replace('{key}', 'a'), ...(method === 'put' ? { body: { value: 2 } } : {}) };
    return { caller, path: at, body: method === 'put' ? { a: 2, c: null } : ['a', 'b'] };
  };
}

const prepareFor = (operation: DescribedOperation): Prepare =>
  specialWrites[`${operation.method} ${operation.path}`] ?? collectionWrite(operation);

describe('a dry run', () => {
  const app = sharedService();
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(() => secondConnection.close());
  let api: OpenAPIObject;
  let writes: DescribedOperation[];
  beforeAll(async () => {
    api = (await app.root.get('/openapi.json').expect(200)).body as OpenAPIObject;
    // Imports have NDJSON bodies, and their own tests cover dry runs.
    writes = (await describedOperations(app)).filter(
      ({ path, query }) => query.includes('dry_run') && path !== '/v1/import',
    );
  });
  const sendDryRun = ({ caller, path, body }: Write, method: DescribedOperation['method'], headers = {}) =>
    caller.send(method, `${path}?dry_run=true`, body, headers);

  /** Every row of a project and of the projects that this file has created. */
  async function rowsOf(projectId: string): Promise<Record<string, unknown>> {
    // No request shows every column.
    const projects = await secondConnection.rows<{ id: string; row: string }>(
      'SELECT id, p::text AS row FROM projects p WHERE id = $1 OR name LIKE $2 ORDER BY id',
      [projectId, aName('made-project').replace(/\d+$/, '%')],
    );
    const rows: Record<string, unknown> = { projects };
    for (const { id } of projects) rows[id] = await rowsOfProject(secondConnection, id);
    return rows;
  }

  it('is supported by every write', async () => {
    const others = (await describedOperations(app)).filter(
      ({ method, query }) => method !== 'get' && !query.includes('dry_run'),
    );
    // Sessions, and the views of one user, are not part of the inventory. Audits and violations are reads that use POST.
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'post /v1/session',
      'put /v1/session',
      'delete /v1/session',
      'post /v1/variable-definitions/violations',
      'post /v1/audits/{id}/run',
      'put /v1/session/views',
    ]);
    expect(writes.length).toBeGreaterThan(50);
  });

  it('writes nothing, and returns what the real request then does or the same error, on every route', async () => {
    const validators = new Validators(api);
    const admin = await app.project();
    const userWithoutRoles = await admin.user();
    const inOne: OneProject = { root: app.root, project: () => Promise.resolve(admin) };
    const prepared: [DescribedOperation, Write][] = [];
    for (const operation of writes) prepared.push([operation, await prepareFor(operation)(inOne)]);
    const before = await rowsOf(admin.projectId);
    expect((before['projects'] as unknown[]).length).toBeGreaterThan(1);
    const previews: Response[] = [];
    for (const [i, [operation, write]] of prepared.entries()) {
      const { method, path } = operation;
      await expectRefusals(operation, write, userWithoutRoles, i);
      const preview = await sendDryRun(write, method);
      expect([method, path, preview.status]).toEqual([method, path, 200]);
      if (isBatched(path)) expect(preview.body).toMatchObject({ dry_run: true, impact: impactBody });
      else expect(preview.body).toEqual(previewBody);
      const schema = schemaOf(api, operation);
      expect([method, path, validators.faults(schema, preview.body)]).toEqual([method, path, []]);
      previews.push(preview);
    }
    expect(await rowsOf(admin.projectId)).toEqual(before);
    for (const refused of refusals) expect(refused).toBeGreaterThan(10);
    for (const [i, [{ method, path }, write]] of prepared.entries()) {
      const real = await write.caller.send(method, write.path, write.body);
      expect([method, path, Math.floor(real.status / 100)]).toEqual([method, path, 2]);
      if (isBatched(path)) continue;
      const { change } = previews[i]!.body as { change: RecordView };
      const record = await recordOf(app, real);
      expect([method, path, comparable(change)]).toEqual([method, path, comparable(record)]);
    }
  }, 240_000);

  /** How many routes refused each fault. */
  const refusals = [0, 0, 0, 0, 0];

  /**
   * Missing permissions, stale versions, absent resources, invalid bodies and invalid reasons. Each route gets one of
   * them in turn, because all routes share the code of dry runs.
   */
  async function expectRefusals(
    { method, path }: DescribedOperation,
    write: Write,
    userWithoutRoles: Caller,
    turn: number,
  ): Promise<void> {
    const absent = write.path
      .replace(/\/\d+(?=\/|$)/, '/987654321')
      .replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}(?=\/|$)/, `/${ABSENT_PROJECT}`);
    expect([path, absent === write.path]).toEqual([path, !path.includes('{id}')]);
    const faults: (readonly [Write, Record<string, string>])[] = [
      [{ ...write, caller: userWithoutRoles }, {}],
      [write, { 'If-Match': '"999"' }],
      [{ ...write, path: absent }, {}],
      [{ ...write, body: { nonsense: true } }, {}],
      [write, { 'X-Change-Reason': 'x'.repeat(3_000) }],
    ];
    for (const [i, [fault, headers]] of faults.entries()) {
      if ((i + turn) % faults.length > 0) continue;
      const preview = await sendDryRun(fault, method, headers);
      if (preview.status === 200) continue;
      refusals[i] = (refusals[i] ?? 0) + 1;
      const real = await fault.caller.send(method, fault.path, fault.body, headers);
      expect([method, path, outcome(preview)]).toEqual([method, path, outcome(real)]);
    }
  }

  it('lists created resources last, without a next page, because their ids exist only in this dry run', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const host = (name: string) => ({
      name,
      region_id: region.id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      variables: { a: 1 },
    });
    const bodies = ['a', 'b', 'c'].map(host);
    const { body } = await admin.post('/v1/hosts?dry_run=true&limit=2', bodies).expect(200);
    expect(body.impact).toMatchObject({ devices: 3, items: [{ name: 'a' }, { name: 'b' }] });
    expect((body.impact.links as { rel: string }[]).map(({ rel }) => rel)).toEqual(['self']);
  });

  it('returns no new API key, and the user keeps the old one', async () => {
    const admin = await app.project();
    const user = await admin.user();
    const [{ id }] = (await admin.get(`/v1/users?username=${user.credentials.user}`).expect(200)).body as [
      Resource,
    ];
    const made = await admin.post(`/v1/users/${String(id)}/api-key?dry_run=true`, {}).expect(200);
    const user2 = await admin.post('/v1/users?dry_run=true', { username: 'another' }).expect(200);
    for (const { text } of [made, user2]) expect(text).not.toMatch(/mst_|api_key/);
    await user.get('/v1/regions').expect(200);
  });

  it('accepts true and false, and page parameters only with true', async () => {
    const admin = await app.project();
    const body = { name: 'never' };
    for (const query of ['dry_run=yes', 'dry_run=', 'dry_run=true&dry_run=true'])
      await admin.post(`/v1/regions?${query}`, body).expect(400);
    for (const query of ['limit=10', 'marker=1', 'dry_run=false&limit=10'])
      await admin.post(`/v1/regions?${query}`, body).expect(400);
    for (const query of ['limit=0', 'limit=1001', 'limit=a', 'marker=a', 'sort_dir=asc'])
      await admin.post(`/v1/regions?dry_run=true&${query}`, body).expect(400);
    await admin.get('/v1/regions?dry_run=true').expect(400);
    expect((await admin.get('/v1/regions').expect(200)).body).toEqual([]);
    await admin.post('/v1/regions?dry_run=false', body).expect(201);
  });

  it('holds no lock after its response', async () => {
    const admin = await app.project();
    const { id } = await admin.region();
    const put = (query: string, i: number) =>
      admin.put(`/v1/regions/${String(id)}/variables${query}`, { a: i }).expect(200);
    await Promise.all(Array.from({ length: 30 }, (_, i) => put(i % 2 === 0 ? '?dry_run=true' : '', i)));
  });
});

interface RecordView {
  readonly id: unknown;
  readonly objects: readonly {
    readonly kind: string;
    readonly action: string;
    readonly id: unknown;
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
  }[];
}

const previewBody = expect.objectContaining({ dry_run: true }) as object;
const impactBody = expect.objectContaining({ devices: expect.any(Number) as number }) as object;

const outcome = ({ status, body }: Response): unknown => {
  const { code, message, details } = body as Record<string, unknown>;
  return { status, code, message, details };
};

function schemaOf(api: OpenAPIObject, { method, path }: DescribedOperation): object {
  const response = api.paths[path]?.[method]?.responses['200'];
  const content = response && 'content' in response ? response.content : undefined;
  return content?.['application/json']?.schema ?? {};
}

/** The change record of a request. */
async function recordOf(app: Service, { headers }: Response): Promise<RecordView> {
  const id = String(headers['x-request-id']);
  const records = (await app.root.get(`/v1/changes?request_id=${id}`).expect(200)).body as RecordView[];
  expect(records).toHaveLength(1);
  return records[0]!;
}

/** A record without the parts that differ between runs: times, request ids, and the ids of created resources. */
function comparable(record: RecordView): unknown {
  const { objects } = record;
  const timeless = (members: Readonly<Record<string, unknown>> | null, isNew: boolean) =>
    members && {
      ...members,
      updated_at: null,
      ...(isNew ? { id: 0, uuid: 0, created_at: 0, project_id: 0 } : {}),
    };
  return {
    ...record,
    id: null,
    created_at: null,
    request_id: null,
    // What was only tried cannot be reverted.
    reverted_by: undefined,
    ...(objects.some(({ action }) => action === 'create') ? { project_id: null } : {}),
    objects: objects.map((object) => ({
      ...object,
      ...(object.action === 'create' ? { id: 0 } : {}),
      // The name of an access secret is its id.
      ...(object.kind === 'access-secret' ? { name: '' } : {}),
      before: timeless(object.before, object.action === 'create'),
      after: timeless(object.after, object.action === 'create'),
    })),
  };
}
