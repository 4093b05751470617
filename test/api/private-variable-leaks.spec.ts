import type { Response } from 'supertest';
import { sharedService, startService, type OwnService, type Service } from '../support/service';
import type { Caller } from '../support/caller';
import { describedOperations, type DescribedOperation } from '../support/description';
import { spreadIds } from '../support/two-projects';

/** A private key, and a value that occurs nowhere else. */
const KEY = 'zq_password';
const VALUE = 'zq9private';
/** A private key that no request names. */
const UNRELATED = 'unrelated';
/** Distinct values, so that a resolved document would show which level they come from. */
const valueAt = (level: string): string => `${VALUE}-${level}`;

/** One of the two projects, with its resources and a user who may write everything but sees nothing private. */
interface Twin {
  readonly admin: Caller;
  readonly user: Caller;
  readonly ids: Readonly<Record<string, number | string>>;
  /** A time at which everything existed. */
  readonly existedAt: string;
}

/**
 * Two projects with the same history. One sets a private variable where the other sets an unrelated one. A user who
 * does not see the variable must get the same responses in both projects.
 */
describe('private variables', () => {
  let app: OwnService;
  let operations: DescribedOperation[];
  let holding: Twin;
  let bare: Twin;
  beforeAll(async () => {
    app = await startService();
    await spreadIds(app.databaseUrl);
    operations = await describedOperations(sharedService());
    holding = await twin(app, true);
    bare = await twin(app, false);
  }, 60_000);
  afterAll(() => app.stop());

  const both = async (send: (twin: Twin) => PromiseLike<Response>): Promise<[Response, Response]> => [
    await send(holding),
    await send(bare),
  ];

  /** Sends the same request to both projects, and compares the responses. */
  async function expectNoDifference(what: string, send: (twin: Twin) => PromiseLike<Response>) {
    const [withVariable, withoutVariable] = await both(send);
    expect({ what, ...comparable(withVariable) }).toEqual({ what, ...comparable(withoutVariable) });
    expect({ what, text: withVariable.text }).not.toEqual({
      what,
      text: expect.stringContaining(VALUE) as string,
    });
    return withVariable;
  }

  const pathOf = ({ path, collection }: DescribedOperation, { ids }: Twin): string =>
    path
      .replace('{id}', String(ids[collection] ?? 1))
      .replace('{key}', KEY)
      .replace('{key_id}', '0123456789abcdef');

  it('are visible to users with access', async () => {
    const ofHost = await holding.admin.get(`/v1/hosts/${String(holding.ids['hosts'])}`).expect(200);
    expect((ofHost.body as { variables: object }).variables).toMatchObject({ [KEY]: valueAt('hosts') });
    const ofTheOther = await bare.admin.get(`/v1/hosts/${String(bare.ids['hosts'])}`).expect(200);
    expect(ofTheOther.text).not.toContain(KEY);
  });

  it('cannot be detected by any read', async () => {
    let requests = 0;
    const turns = new Map<string, number>();
    for (const operation of operations.filter(({ method }) => method === 'get'))
      for (const query of queriesOf(operation, turns)) {
        await expectNoDifference(`${operation.path}${query('…')}`, (twin) =>
          twin.user.get(pathOf(operation, twin) + query(twin.existedAt)),
        );
        requests++;
      }
    expect(requests).toBeGreaterThan(100);
  }, 120_000);

  it('cannot be detected by a dry run', async () => {
    for (const operation of operations.filter(({ method }) => method !== 'get'))
      for (const body of bodiesOf(operation))
        await expectNoDifference(
          `${operation.method} ${operation.path} ${JSON.stringify(body(bare))}`,
          (twin) => twin.user.send(operation.method, `${pathOf(operation, twin)}?dry_run=true`, body(twin)),
        );
  }, 120_000);

  it('cannot be detected by running an audit of them', async () => {
    const hidden = await expectNoDifference('run', (twin) =>
      twin.user.post(`/v1/audits/${String(twin.ids['audits'])}/run`),
    );
    // An audit that reads a private variable is private itself.
    expect(hidden.status).toBe(404);
    const seen = await holding.admin.post(`/v1/audits/${String(holding.ids['audits'])}/run`).expect(200);
    expect((seen.body as { passed: number }).passed).toBe(1);
  });

  it('cannot be detected by a write that changes the inherited levels', async () => {
    const responses = [];
    const moved = (twin: Twin) =>
      twin.user.put(`/v1/hosts/${String(twin.ids['hosts'])}`, {
        region_id: twin.ids['elsewhere'],
        cell_id: null,
      });
    responses.push(await expectNoDifference('move', moved));
    responses.push(
      await expectNoDifference('unlabel', (twin) =>
        twin.user.put(`/v1/hosts/${String(twin.ids['hosts'])}`, { labels: '' }),
      ),
    );
    responses.push(
      await expectNoDifference('delete', (twin) =>
        twin.user.delete(`/v1/network-devices/${String(twin.ids['network-devices'])}`),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 204]);
    await expectNoDifference('changes', (twin) => twin.user.get('/v1/changes?sort_dir=desc&limit=3'));
  });

  it('cannot be written without a role, and the log does not contain the rejected value', async () => {
    const [rejected] = await both((twin) =>
      twin.user.put(`/v1/hosts/${String(twin.ids['hosts'])}/variables`, { [KEY]: valueAt('hosts') }),
    );
    expect(rejected.status).toBe(403);
    const logged = await app.logLineOf(String(rejected.headers['x-request-id']));
    expect(JSON.stringify(logged)).not.toContain(VALUE);
  });
});

/** A response without the parts that differ between any two projects. */
function comparable({ status, headers, text }: Response): object {
  const shown = `${text}\n${headers['link'] ?? ''}\n${headers['location'] ?? ''}`;
  return {
    status,
    etag: (headers['etag'] ?? '')
      .replace(/-[\da-f]{32}/, '')
      .replace(/\d{7,}/g, (id) => `<${id.slice(0, -6)}>`),
    shown: shown
      .replace(/"request_id":"[^"]*"/g, '')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replace(/"project-[\w-]+"/g, '"<project>"')
      .replace(/"key_id":"[0-9a-f]+"/g, '"key_id":"<key>"')
      // Ids start at a different million in each table, so the table remains visible.
      .replace(/(?<![\w.])\d{7,8}(?!\d)/g, (id) => `<${id.slice(0, -6)}>`)
      .replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d\.\d+/g, '<time>')
      // The same changes were made at other times, so they are in other intervals. Their sum remains visible.
      .replace(/"intervals":\[[^\]]*\]/g, '"intervals":[]')
      .replace(/"(cursor|marker)":"[^"]*"/g, '"$1":"<opaque>"')
      .replace(/(after|marker)=[\w%.-]+/g, '$1=<opaque>'),
  };
}

/** Creates one of the two projects with the same requests, with the private variable or without it. */
async function twin(app: Service, isSet: boolean): Promise<Twin> {
  const { projectId } = await app.project();
  const admin = await app.root.in(projectId).user({ username: 'zq-admin', is_admin: true });
  await admin.put(`/v1/projects/${projectId}/settings`, { private: [KEY, UNRELATED] }).expect(200);
  const cloud = await admin.cloud({ name: 'cloud' });
  const label = await admin.label({ label: 'label', variables: { open: 'label' } });
  const region = await admin.region({ name: 'region', cloud_id: cloud.id, variables: { open: 'region' } });
  const elsewhere = await admin.region({ name: 'elsewhere' });
  const cell = await admin.cell({ name: 'cell', region_id: region.id });
  const deviceFields = { region_id: region.id, cell_id: cell.id, labels: 'label' };
  const device = await admin.networkDevice({
    name: 'device',
    ...deviceFields,
    variables: { open: 'device' },
  });
  const host = await admin.host({ name: 'host', ...deviceFields, ip_address: '10.0.0.2' });
  const plain = await admin.host({ name: 'plain', ...deviceFields, ip_address: '10.0.0.3' });
  const user = await admin.user({ username: 'zq-user', roles: ['*:write', 'open'] });
  // Another user, whose roles would reveal that something exists.
  const privateRoles = isSet ? ['*', KEY, `${KEY}*`, 'zq_*'] : [];
  await admin.user({ username: 'zq-holder', roles: ['hosts:write', 'open', ...privateRoles] });
  const [{ id: userId }] = (await admin.get('/v1/users?username=zq-holder').expect(200)).body as [
    { id: number },
  ];
  const owners = {
    regions: region.id,
    cells: cell.id,
    labels: label.id,
    'network-devices': device.id,
    hosts: host.id,
    users: userId,
  };
  for (const [collection, id] of Object.entries(owners))
    await admin
      .put(
        `/v1/${collection}/${String(id)}/variables`,
        isSet ? { [KEY]: valueAt(collection) } : { [UNRELATED]: 1 },
      )
      .expect(200);
  const [change] = (
    await admin.get(`/v1/changes?kind=host&object_id=${String(host.id)}&sort_dir=desc`).expect(200)
  ).body as [{ id: number; created_at: string }];
  return {
    admin,
    user,
    existedAt: change.created_at,
    ids: {
      ...owners,
      clouds: cloud.id,
      changes: change.id,
      projects: projectId,
      elsewhere: elsewhere.id,
      plain: plain.id,
      ...(await createPolicies(admin)),
    },
  };
}

/** Resources that refer to variables, including the private one. */
async function createPolicies(admin: Caller): Promise<Record<string, number>> {
  const definition = await admin
    .post('/v1/variable-definitions', { key: 'zq_*', schema: { type: ['string', 'null'] } })
    .expect(201);
  const audit = await admin
    .post('/v1/audits', { name: 'audit', expectation: { vars: `${KEY}:"${valueAt('hosts')}"` } })
    .expect(201);
  return {
    'variable-definitions': (definition.body as { id: number }).id,
    audits: (audit.body as { id: number }).id,
  };
}

/** Parameters whose values have the same code on all routes: each route gets every third value in turn. */
const IN_TURN = ['kind', 'resolved-values', 'fields', 'sort_keys', 'key'];

/** The lists whose filters have code of their own. All other routes filter devices by the same code, so each gets every third filter. */
const FILTERED = ['/v1/regions', '/v1/cells', '/v1/devices'];

/**
 * The queries of a route, one parameter at a time.
 * @param turns how many routes that take turns have had a parameter so far, by its name
 */
function queriesOf(
  { query, path }: DescribedOperation,
  turns: Map<string, number>,
): ((existedAt: string) => string)[] {
  const values: Record<string, readonly string[]> = {
    key: [KEY, 'zq_*', '*', 'open'],
    q: [KEY, 'zq', 'zq_*', 'password', VALUE, valueAt('hosts'), valueAt('regions'), valueAt('labels')],
    explain: [KEY, `${KEY},open`],
    vars: [
      `${KEY}:"${valueAt('hosts')}"`,
      `${KEY}:"${valueAt('regions')}"`,
      `${KEY}:"${valueAt('labels')}"`,
      `${KEY}:null`,
      `open:"label",${KEY}:"${valueAt('hosts')}"`,
    ],
    where: [
      ...['=', '!=', '^=', '~=', '<', '>='].map((operator) => `${KEY} ${operator} "${valueAt('hosts')}"`),
      `${KEY} in ["${valueAt('regions')}", "${valueAt('labels')}"]`,
      `${KEY} exists`,
      `${KEY} missing`,
      `${KEY}.a[*] missing`,
    ],
    'resolved-values': ['true', 'false'],
    resolved: ['true'],
    kind: ['host', 'region'],
    format: ['csv'],
    fields: ['variables', 'id,variables'],
    sort_keys: ['updated_at', 'version'],
    descendants: ['true'],
    reason: ['a'],
  };
  const plain = [() => '', ...(query.includes('at') ? [(existedAt: string) => `?at=${existedAt}`] : [])];
  return [
    ...plain,
    ...query.flatMap((name) => {
      const isFilter = ['vars', 'where'].includes(name);
      const takesTurns = IN_TURN.includes(name) || (isFilter && !FILTERED.includes(path));
      const turn = turns.get(name) ?? 0;
      if (takesTurns) turns.set(name, turn + 1);
      return (values[name] ?? [])
        .filter((_, i) => !takesTurns || i % 3 === turn % 3)
        .map((value) => () => `?${name}=${encodeURIComponent(value)}`);
    }),
    ...(query.includes('at') && query.includes('resolved-values')
      ? [(existedAt: string) => `?resolved-values=true&at=${existedAt}`]
      : []),
  ];
}

/** Bodies for dry runs: some touch the private variable, others show what is inherited. */
function bodiesOf({ path, method, collection, members, required }: DescribedOperation) {
  const bodies: ((twin: Twin) => unknown)[] = [];
  const values = (): Record<string, unknown> => ({ [KEY]: valueAt('hosts'), open: 1 });
  // Writes of the variable itself, on each of these routes, are in private-writes.spec.ts.
  if (path.endsWith('/variables')) bodies.push(() => (method === 'delete' ? ['open'] : { open: 'another' }));
  else if (path.endsWith('/variables/{key}')) bodies.push(() => ({ value: valueAt(collection) }));
  else if (path.endsWith('/remediate'))
    bodies.push(({ ids }) => ({ level: { kind: 'host', id: ids['hosts'] } }));
  else if (path.endsWith('/labels'))
    bodies.push(
      () => ({ labels: ['label', 'another'] }),
      () => ({ labels: ['label'] }),
    );
  if (members === undefined || required.length === 0) bodies.push(() => undefined);
  if (members?.includes('variables') === true && required.length === 0)
    bodies.push(
      () => ({ variables: values() }),
      () => ({ variables: { open: 'another' } }),
    );
  if (members?.includes('cells') === true)
    bodies.push(({ ids }) => ({ name: 'elsewhere-2', cells: [ids['cells']] }));
  if (members?.includes('region_id') === true)
    bodies.push(({ ids }) => ({
      ...(method === 'post' ? { name: 'new', ip_address: '10.0.0.9', device_type: 'server' } : {}),
      region_id: ids['elsewhere'],
      cell_id: null,
    }));
  return bodies;
}
