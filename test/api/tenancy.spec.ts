import { isDeepStrictEqual } from 'node:util';
import type { Response } from 'supertest';
import { sharedService, startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { describedOperations, inTurn, type DescribedOperation } from '../support/description';
import {
  ABSENT,
  ABSENT_PROJECT,
  fullProject,
  MARK,
  MARKED_ADDRESS,
  SHARED_KEY,
  spreadIds,
  type Inventory,
} from '../support/two-projects';
import { seedOf } from '../support/seeds';
import { rowsOfProject } from '../support/tables';

/** A value of another project, and a value that does not exist. Callers must not be able to distinguish them. */
interface Pair {
  readonly foreign: string | number;
  readonly absent: string | number;
}

const WITH_ID = /\{id\}/;
const RIGHTS: readonly [string, (admin: Caller) => Promise<Caller>][] = [
  ['an admin', (admin) => Promise.resolve(admin)],
  ['a user with all roles', (admin) => admin.user({ roles: ['*:write', '*'] })],
  ['a user without a role', (admin) => admin.user()],
];

/** What takes turns begins with another turn in runs with other seeds: together, they test all combinations. */
const FIRST_TURN = seedOf('tenancy');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** All encodings in which a response can repeat a value of the request. */
const spellingsOf = (requested: string | number): string[] =>
  [
    ...new Set([
      String(requested),
      encodeURIComponent(String(requested)),
      JSON.stringify(requested).replace(/^"|"$/g, ''),
      String(new URLSearchParams({ q: String(requested) })).slice(2),
    ]),
  ].filter((spelling) => spelling !== '');

/** A response without the requested value, and without what differs between any two requests. */
function comparable({ status, headers, text }: Response, requested: string | number): unknown {
  const anonymous = spellingsOf(requested).reduce(
    (shown, spelling) =>
      shown.replace(new RegExp(`(?<![\\w-])${escaped(spelling)}(?![\\w-])`, 'g'), '<requested>'),
    `${text}\n${headers['location'] ?? ''}\n${headers['link'] ?? ''}`,
  );
  return {
    status,
    shown: anonymous
      .replace(/"request_id":"[^"]*"/g, '')
      .replace(/"(id|version)":\d+/g, '"$1":0')
      .replace(/"uuid":"[^"]*"/g, '')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+/g, '<time>')
      .replace(/(\/v1\/[a-z-]+\/)\d+$/gm, '$1<id>'),
    headers: ['content-type', 'allow', 'vary', 'www-authenticate', 'retry-after', 'etag'].map(
      (name) => headers[name],
    ),
  };
}

/** Whether a route sets variables on many resources at once. */
const isOfSet = (path: string): boolean => /^\/v1\/[a-z-]+\/variables$/.test(path);

/** Body fields that name nothing of a project. Each operation is tested as it is alone. */
const PLAIN_FIELDS = `
  note description schema kind vars where expectation value variables ip_address device_type active
  model_name os_version vlans cert is_admin is_root roles expires_at change_reason private unique_addresses
  restricts_readers approvals operations title reason rebase text verdict revision impact_digest
  address
`.split(/\s+/);

/** The parameters of dry runs and proposals, which all writes read in one place. */
const OF_EVERY_WRITE = ['dry_run', 'limit', 'marker', 'propose'];

describe('another project', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let operations: DescribedOperation[];
  let hidden: Inventory;
  let hiddenAdmin: Caller;
  /** Values that no response to another project may contain. */
  let secrets: readonly string[];
  let before: Readonly<Record<string, string>>;
  /** A time at which everything existed. */
  let existedAt: string;
  beforeAll(async () => {
    app = await startService();
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    await spreadIds(app.databaseUrl);
    // Signing in and sessions are not made in the project of a header: see sessions.spec.ts.
    operations = (await describedOperations(sharedService())).filter(
      ({ path }) => !/^\/v1\/(?:session|sign-in)\b/.test(path),
    );
    ({ inventory: hidden, admin: hiddenAdmin } = await fullProject(app, MARK));
    const uuids = Object.values(hidden).flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
    secrets = [MARK, MARKED_ADDRESS, ...uuids];
    before = await rowsOfProject(secondConnection, hiddenAdmin.projectId);
    const newest = (await hiddenAdmin.get('/v1/changes?sort_dir=desc&limit=1').expect(200))
      .body as Resource[];
    existedAt = String(newest[0]?.['created_at']);
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });
  /** After every test, the other project is unchanged. */
  afterEach(async () => {
    expect(await rowsOfProject(secondConnection, hiddenAdmin.projectId)).toEqual(before);
  });
  /** Sends a request with the other project's value and with an unknown value, and compares the responses. */
  async function expectNoDifference(
    what: string,
    { foreign, absent }: Pair,
    send: (value: string | number) => PromiseLike<Response>,
  ): Promise<Response> {
    const responses = [await send(foreign), await send(absent)] as const;
    const shown = [comparable(responses[0], foreign), comparable(responses[1], absent)];
    if (!isDeepStrictEqual(shown[0], shown[1])) expect([what, shown[0]]).toEqual([what, shown[1]]);
    expectNoLeak(responses[0], foreign);
    return responses[0];
  }

  /** Expects that a response contains nothing of the other project, except what the request contained. */
  function expectNoLeak({ text, headers }: Response, requested: string | number = ''): void {
    const shown = [text, headers['location'], headers['link']].join('\n');
    const rest = spellingsOf(requested).reduce((left, one) => left.replaceAll(one, ''), shown);
    expect(secrets.filter((secret) => rest.includes(secret)).map((secret) => [secret, rest])).toEqual([]);
  }

  const idsOf = (collection: string): Pair => {
    const foreign = hidden[collection]?.id;
    if (foreign === undefined) throw new Error(`the other project has no resource in ${collection}: add one`);
    return { foreign, absent: collection === 'projects' ? ABSENT_PROJECT : ABSENT };
  };

  /** Markers are ids, except for lists whose items have none. */
  function markersOf(collection: string): Pair {
    if (collection === 'variables')
      return {
        foreign: `${MARK}_key/host/${String(idsOf('hosts').foreign)}`,
        absent: `absent_key/host/${String(ABSENT)}`,
      };
    if (collection === 'variable-keys')
      return {
        foreign: `${MARK}_key/${hiddenAdmin.projectId}`,
        absent: `absent_key/${ABSENT_PROJECT}`,
      };
    return idsOf(collection in hidden ? collection : 'hosts');
  }

  const fresh = (collection: string): Pair => ({
    foreign: String(
      hidden[collection]?.name ?? hidden[collection]?.['label'] ?? hidden[collection]?.['username'],
    ),
    absent: aName('absent'),
  });

  /** The values of every query parameter: a pair, or plain values if the parameter names nothing of a project. */
  function parameterOf(name: string, collection: string): Pair | readonly string[] {
    const pairs: Record<string, Pair | readonly string[]> = {
      id: idsOf('devices'),
      uuid: { foreign: hidden[collection]?.uuid ?? String(hidden['hosts']?.uuid), absent: ABSENT_PROJECT },
      marker: markersOf(collection),
      region_id: idsOf('regions'),
      cell_id: idsOf('cells'),
      parent_id: idsOf('network-devices'),
      cloud_id: idsOf('clouds'),
      object_id: idsOf('hosts'),
      project_id: idsOf('projects'),
      name: fresh(collection),
      name_prefix: fresh(collection),
      name_contains: fresh(collection),
      username: fresh('users'),
      actor: { foreign: hiddenAdmin.credentials.user, absent: aName('absent') },
      label: fresh('labels'),
      without_label: fresh('labels'),
      has_labels: ['true', 'false'],
      access_secret_id: idsOf('access-secrets'),
      request_id: { foreign: String(hidden['changes']?.['request_id']), absent: ABSENT_PROJECT },
      key: { foreign: `${MARK}_key`, absent: 'absent_key' },
      explain: { foreign: `${MARK}_key`, absent: 'absent_key' },
      host: fresh('hosts'),
      variable: { foreign: `${MARK}_key`, absent: 'absent_key' },
      port_variable: { foreign: `${MARK}_key`, absent: 'absent_key' },
      scheme_variable: { foreign: `${MARK}_key`, absent: 'absent_key' },
      path_variable: { foreign: `${MARK}_key`, absent: 'absent_key' },
      scrape_variable: { foreign: `${MARK}_key`, absent: 'absent_key' },
      classes_variable: [`${MARK}_key`],
      environment_variable: [`${MARK}_key`],
      port: ['9100'],
      inactive: ['true'],
      vars: { foreign: `${MARK}_key:"${MARK} value"`, absent: 'absent_key:"absent value"' },
      where: { foreign: `${MARK}_key ^= "${MARK}"`, absent: 'absent_key ^= "absent"' },
      ip: { foreign: MARKED_ADDRESS, absent: '192.0.2.78' },
      device_type: { foreign: `${MARK} type`, absent: 'absent type' },
      kind: ['host', 'user', 'project'],
      format: ['csv', 'ndjson'],
      mode: ['all', 'partial'],
      action: ['create'],
      after: ['latest'],
      wait: ['0'],
      resolved: ['true', 'false'],
      resource: { foreign: `hosts/${String(idsOf('hosts').foreign)}`, absent: `hosts/${String(ABSENT)}` },
      reason: { foreign: MARK, absent: 'absent' },
      since: ['2000-01-01T00:00:00'],
      until: ['2100-01-01T00:00:00'],
      limit: ['10', '100'],
      intervals: ['3'],
      sort_dir: ['asc', 'desc'],
      sort_keys: [
        'name',
        'name:natural',
        'created_at',
        'updated_at',
        'uuid',
        'project_id',
        'region_id',
        'ip_address',
        'username',
        'label',
        'label:natural',
      ],
      fields: ['id', 'id,project_id', 'variables', 'links', 'cells', 'labels'],
      'resolved-values': ['true', 'false'],
      at: [existedAt],
      active: ['true', 'false'],
      descendants: ['true'],
      dry_run: ['true'],
      store: ['true', 'false'],
      max_affected_devices: ['1000'],
      changes: ['true'],
      override: ['true', 'false'],
      group: ['mC0uK3P0YQ2v1Q4s'],
      group_by: ['region', 'label'],
      group_limit: ['2', '100'],
      path: [MARK],
      q: fresh('hosts'),
      propose: ['a title'],
      state: ['open', 'applied'],
      author: { foreign: hiddenAdmin.credentials.user, absent: aName('absent') },
      waiting_for: ['me'],
    };
    const found = pairs[name];
    if (!found) throw new Error(`unknown query parameter ${name}: add its values to this test`);
    return found;
  }

  /** The values of every body field that names something of a project; undefined for other fields. */
  function memberOf(
    name: string,
    collection: string,
  ): (Pair & { readonly wrap?: (value: unknown) => unknown }) | undefined {
    const references: Record<string, Pair & { readonly wrap?: (value: unknown) => unknown }> = {
      region_id: idsOf('regions'),
      cell_id: idsOf('cells'),
      parent_id: idsOf('network-devices'),
      cloud_id: idsOf('clouds'),
      access_secret_id: idsOf('access-secrets'),
      cells: { ...idsOf('cells'), wrap: (id) => [id] },
      additional_ids: { ...idsOf('changes'), wrap: (id) => [id] },
      labels: { ...fresh('labels'), wrap: (name) => [name] },
      name: fresh(collection),
      label: fresh('labels'),
      username: fresh('users'),
      key: { foreign: `${MARK}_key`, absent: 'absent_key' },
      ids: { ...(collection in hidden ? idsOf(collection) : idsOf('hosts')), wrap: (id) => [id] },
      level: { ...idsOf('hosts'), wrap: (id) => ({ kind: 'host', id }) },
    };
    const found = references[name];
    if (!found && !PLAIN_FIELDS.includes(name))
      throw new Error(`unknown body field ${name}: add its values to this test`);
    return found;
  }

  /** A valid body that refers to the caller's own project. */
  function bodyOf(operation: DescribedOperation, own: Inventory): Record<string, unknown> | undefined {
    const { members, required, path, method } = operation;
    if (isOfSet(path)) return { variables: { a_key: 1 } };
    if (path.endsWith('/variables')) return method === 'delete' ? { key: 'absent_key' } : { a_key: 1 };
    if (!members) return undefined;
    const values: Record<string, unknown> = {
      name: aName('own'),
      username: aName('own'),
      label: aName('own'),
      region_id: own['regions']?.id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      cert: 'own cert',
      key: aName('own').replaceAll('-', '_'),
      schema: true,
      expectation: { vars: 'own_key:1' },
      address: '/devices',
      level: { kind: 'host', id: own['hosts']?.id },
      value: 'own value',
      labels: [aName('own')],
      text: 'own text',
      verdict: 'reject',
      revision: 1,
    };
    return Object.fromEntries(required.map((member) => [member, values[member]]));
  }

  const at = (path: string, id: string | number | undefined): string =>
    path
      .replace(WITH_ID, String(id))
      .replace('{key}', SHARED_KEY)
      .replace('{key_id}', '0123456789abcdef')
      .replace('{revision}', '1');

  /**
   * Distributes repeated requests over the rights. What all users may read takes the same way for each of them, and so
   * do the parameters of every write: the rights take turns. Other requests are sent by an admin, who is never rejected;
   * for routes that differ only in the collection, and so share their code, the others take turns, and for other routes
   * each right sends them.
   */
  class RoundRobin {
    private readonly counts = new Map<string, number>();

    constructor(private readonly right: number) {}

    /** Whether this right sends the next request. `total` requests share this key; the rights may take turns with all. */
    isNext(key: string, total: number, takesTurns: boolean): boolean {
      const count = this.counts.get(key) ?? 0;
      this.counts.set(key, count + 1);
      if (!takesTurns && (this.right === 0 || total < RIGHTS.length)) return true;
      return (FIRST_TURN + count) % RIGHTS.length === this.right;
    }
  }

  /** Whether every user of a project may send it. The test of query parameters shows that nobody is rejected. */
  const isForAll = ({ method, path, collection }: DescribedOperation): boolean =>
    method === 'get' && !['projects', 'access-secrets'].includes(collection) && !path.includes('/api-keys');

  /** The path without the name of the collection. */
  const formOf = ({ method, path, collection }: DescribedOperation): string =>
    `${method} ${path.replace(`/${collection}`, '/*')}`;

  describe.each(RIGHTS)('for %s', (right, withRights) => {
    const ordinal = RIGHTS.findIndex(([name]) => name === right);
    const isTurn = (i: number): boolean => (FIRST_TURN + i) % RIGHTS.length === ordinal;
    let caller: Caller;
    let own: Inventory;
    beforeAll(async () => {
      const project = await fullProject(app, 'own');
      own = project.inventory;
      caller = await withRights(project.admin);
    });

    it('is hidden by id: on every path, with or without a matching version', async () => {
      for (const [i, operation] of operations.filter(({ path }) => WITH_ID.test(path)).entries()) {
        const { method, path, collection, headers: taken } = operation;
        const conditions = taken.includes('If-Match')
          ? [{}, { 'If-Match': '"1"' }, { 'If-Match': '*' }]
          : [{}];
        // One in turn. An admin tries all of them on routes that share their code with few others.
        const round = FIRST_TURN + Math.floor(i / RIGHTS.length);
        const inTurn = conditions.filter((_, j) => j === (round + ordinal) % conditions.length);
        const alike = operations.filter((one) => formOf(one) === formOf(operation));
        // Routes that share their code are tried by the two other rights in turn.
        const turn = FIRST_TURN + alike.indexOf(operation);
        const isOfOthers = alike.length < 2 || turn % 2 === ordinal - 1;
        const ofOwn =
          ordinal > 0
            ? inTurn.slice(0, isOfOthers ? 1 : 0)
            : alike.length < conditions.length
              ? conditions
              : [conditions[turn % conditions.length]!];
        // Also try an id of another collection: the kind of an id must not be visible either. An admin, who
        // is never rejected, tries every route.
        const another = collection === 'hosts' ? 'regions' : 'hosts';
        const ofAnother = collection === 'projects' || (ordinal > 0 && !isTurn(i)) ? [] : inTurn;
        const body = bodyOf(operation, own);
        // Both are compared with the response for the same absent id.
        const responses = new Map<string, Promise<Response>>();
        const responseFor = (id: string | number, headers: Record<string, string>): Promise<Response> => {
          const key = `${String(id)} ${JSON.stringify(headers)}`;
          const response =
            responses.get(key) ?? Promise.resolve(caller.send(method, at(path, id), body, headers));
          responses.set(key, response);
          return response;
        };
        for (const [owner, attempted] of [
          [collection, ofOwn],
          [another, ofAnother],
        ] as const)
          for (const headers of attempted) {
            const ids = { ...idsOf(owner), absent: idsOf(collection).absent };
            const response = await expectNoDifference(`${method} ${path} with one of ${owner}`, ids, (id) =>
              responseFor(id, headers),
            );
            expect([403, 404]).toContain(response.status);
          }
      }
    }, 120_000);

    it('is hidden at any point in time', async () => {
      const past = operations.filter(({ query, path }) => query.includes('at') && path.includes('{id}'));
      // All of them read the past in the same way, so the rights take turns.
      for (const { method, path, collection } of past.filter((_, i) => isTurn(i))) {
        const response = await expectNoDifference(`${method} ${path}?at`, idsOf(collection), (id) =>
          caller.send(method, `${at(path, id)}?at=${existedAt}`),
        );
        expect([403, 404]).toContain(response.status);
      }
    });

    it('is hidden for every query parameter', async () => {
      const rotation = new RoundRobin(ordinal);
      for (const operation of operations) {
        const { method, path, collection, query } = operation;
        const form = formOf(operation);
        const ownPath = at(path, own[collection]?.id);
        const body = isOfSet(path) ? bodyOf(operation, own) : undefined;
        for (const name of query) {
          const parameter = parameterOf(name, collection);
          const alike = operations.filter((one) => formOf(one) === form && one.query.includes(name));
          const turn = FIRST_TURN + alike.indexOf(operation);
          const isOfWrites = method !== 'get' && OF_EVERY_WRITE.includes(name);
          const key = isForAll(operation) ? '' : isOfWrites ? name : `${form}?${name}`;
          if (!rotation.isNext(key, alike.length, isForAll(operation) || isOfWrites)) continue;
          // A search requires a text.
          const text = query.includes('q') && name !== 'q' ? '&q=a' : '';
          const since = path === '/v1/changes/impact' && name !== 'since' ? '&since=2000-01-01' : '';
          const pathWith = (value: string | number, more: string) =>
            `${ownPath}?${name}=${encodeURIComponent(String(value))}${text}${since}${more}`;
          const send = (value: string | number, more = '') =>
            caller.send(method, pathWith(value, more), body);
          if ('foreign' in parameter) {
            // Also test other query plans: another order, and descendants. Routes that share their code take turns.
            const plans = [
              '',
              ...(query.includes('sort_keys') && !['changes', 'access-secrets'].includes(collection)
                ? ['&sort_keys=created_at&sort_dir=desc&limit=10']
                : []),
              ...(query.includes('descendants') ? ['&descendants=true'] : []),
            ];
            for (const plan of alike.length < RIGHTS.length ? plans : [plans[turn % plans.length]!]) {
              const { status } = await expectNoDifference(`${path}?${name}${plan}`, parameter, (value) =>
                send(value, plan),
              );
              // Objects of a change are identified by their position; a preview begins after any id.
              const isId = name === 'marker' && !/\/(?:objects|preview)$/.test(path);
              // A missing label alone does not choose resources for a bulk write.
              const expected = isId || (name === 'without_label' && isOfSet(path)) ? [400] : [200, 404];
              expect([path, name, plan, isForAll(operation) ? expected : [403, ...expected]]).toEqual([
                path,
                name,
                plan,
                expect.arrayContaining([status]),
              ]);
            }
          } else for (const value of inTurn(parameter, turn, alike.length)) expectNoLeak(await send(value));
        }
      }
      // Several hundred requests need a long timeout on a busy machine.
    }, 120_000);

    it('is hidden for references in every body field', async () => {
      // An admin, who is never rejected, tries all references, and the others each second one.
      let references = FIRST_TURN;
      for (const operation of operations) {
        const { method, path, collection, members = [] } = operation;
        for (const name of members) {
          const pair = memberOf(name, collection);
          if (!pair || typeof pair.foreign === 'string') continue;
          if (references++ % 2 !== ordinal - 1 && ordinal > 0) continue;
          const { wrap = (value: unknown) => value } = pair;
          const response = await expectNoDifference(`${method} ${path} ${name}`, pair, (value) =>
            caller.send(method, at(path, own[collection]?.id), {
              ...bodyOf(operation, own),
              [name]: wrap(value),
            }),
          );
          expect([405, 403]).toContain(response.status);
        }
      }
    }, 120_000);

    it('rejects foreign credentials on every route', async () => {
      const stranger = caller.in(hiddenAdmin.projectId);
      const nowhere = caller.in(ABSENT_PROJECT);
      for (const [i, operation] of operations.entries()) {
        const { method, path, collection } = operation;
        if (!isTurn(i)) continue;
        const body = bodyOf(operation, own);
        // Routes with an id take one of the other project and one of the own project by turns.
        const { id } = (Math.floor(i / RIGHTS.length) % 2 === 0 ? hidden : own)[collection] ?? {};
        const response = await stranger.send(method, at(path, id), body);
        expect(response.status).toBe(401);
        const absent = await nowhere.send(method, at(path, id), body);
        expect(comparable(response, '')).toEqual(comparable(absent, ''));
        expectNoLeak(response);
      }
    }, 120_000);
  });

  it('reserves no names', async () => {
    const { admin, inventory } = await fullProject(app, 'own');
    for (const operation of operations) {
      const { method, path, collection, query, members = [] } = operation;
      for (const name of members) {
        const { foreign, absent, wrap = (value: unknown) => value } = memberOf(name, collection) ?? {};
        if (typeof foreign !== 'string' || absent === undefined) continue;
        // A dry run takes no name, so that each is free for the next operation. Operations that only read have none.
        const dryRun = query.includes('dry_run') ? '?dry_run=true' : '';
        const send = (value: string | number) =>
          admin.send(method, `${at(path, inventory[collection]?.id)}${dryRun}`, {
            ...bodyOf(operation, inventory),
            [name]: wrap(value),
          });
        const statuses = [(await send(foreign)).status, (await send(absent)).status];
        // Project names are global, and only root can set them.
        expect([method, path, name, statuses[0]]).toEqual([method, path, name, statuses[1]]);
        expect([200, 403]).toContain(statuses[0]);
      }
    }
  }, 120_000);

  it('may have the same names and labels, and keeps its own variables', async () => {
    const admin = await app.project();
    const names = Object.fromEntries(
      ['clouds', 'regions', 'cells', 'labels', 'hosts'].map((collection) => [
        collection,
        String(fresh(collection).foreign),
      ]),
    );
    const region = await admin.region({ name: names['regions'], labels: [names['labels']] });
    const cell = await admin.cell({ name: names['cells'], region_id: region.id });
    await admin.cloud({ name: names['clouds'] });
    const host = await admin.host({
      name: names['hosts'],
      region_id: region.id,
      cell_id: cell.id,
      labels: [names['labels']],
    });
    // The label with this name has variables in the other project, but not in this one.
    expect(host.variables).toEqual({});
    const mine = ((await admin.get(`/v1/labels?name=${names['labels'] ?? ''}`)).body as Resource[])[0]!;
    await admin.put(`/v1/labels/${String(mine.id)}/variables`, { mine: true }).expect(200);
    expect((await admin.get(`/v1/hosts/${String(host.id)}`)).body.variables).toEqual({ mine: true });
    const labelled = await admin.get(`/v1/hosts?label=${names['labels'] ?? ''}`).expect(200);
    expect((labelled.body as Resource[]).map(({ id }) => id)).toEqual([host.id]);
    expect((await admin.get('/v1/hosts?vars=mine:true')).body).toHaveLength(1);
    expect((await hiddenAdmin.get('/v1/hosts?vars=mine:true')).body).toHaveLength(0);
    // Uses in the other project neither block the deletion nor are counted.
    const rejected = await admin.delete(`/v1/labels/${String(mine.id)}`).expect(409);
    expect(rejected.body.message).toContain('1 device, 1 region');
    await admin.put(`/v1/hosts/${String(host.id)}`, { labels: [] }).expect(200);
    await admin.put(`/v1/regions/${String(region.id)}`, { labels: [] }).expect(200);
    await admin.delete(`/v1/labels/${String(mine.id)}`).expect(204);
  });

  it('has its own change records', async () => {
    const admin = await app.project();
    const host = await admin.host();
    const mine = (await admin.get('/v1/changes?limit=10000').expect(200)).body as Resource[];
    expect(new Set(mine.map(({ project_id }) => project_id))).toEqual(new Set([admin.projectId]));
    expect((await admin.get(`/v1/changes?kind=host&object_id=${String(host.id)}`)).body).toHaveLength(1);
    // Root's changes are recorded in the project of the changed resource.
    const inMine = app.root.in(admin.projectId);
    await inMine.put(`/v1/hosts/${String(host.id)}`, { active: false }).expect(200);
    const records = (await admin.get('/v1/changes?actor=root&kind=host').expect(200)).body as Resource[];
    expect(records).toHaveLength(1);
    for (const record of records)
      expect((await hiddenAdmin.get(`/v1/changes/${String(record.id)}`)).status).toBe(404);
  });
});
