import { isDeepStrictEqual } from 'node:util';
import type { Response } from 'supertest';
import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { describedOperations, type DescribedOperation } from '../support/description';
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
import { rowsOfProject } from '../support/tables';

/** What another project has, and what no project has: whoever asks must not be able to tell the one from the other. */
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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** All the ways in which an answer can repeat what was asked. */
const spellingsOf = (asked: string | number): string[] =>
  [
    ...new Set([
      String(asked),
      encodeURIComponent(String(asked)),
      JSON.stringify(asked).replace(/^"|"$/g, ''),
      String(new URLSearchParams({ q: String(asked) })).slice(2),
    ]),
  ].filter((spelling) => spelling !== '');

/** An answer but for what was asked, and what differs from one request to the next. */
function comparable({ status, headers, text }: Response, asked: string | number): unknown {
  const anonymous = spellingsOf(asked).reduce(
    (shown, spelling) =>
      shown.replace(new RegExp(`(?<![\\w-])${escaped(spelling)}(?![\\w-])`, 'g'), '<asked>'),
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

/** Whether a route sets variables on many at once. */
const isOfSet = (path: string): boolean => /^\/v1\/[a-z-]+\/variables$/.test(path);

describe('another project', () => {
  let app: OwnService;
  let secondConnection: SecondConnection;
  let operations: DescribedOperation[];
  let hidden: Inventory;
  let hiddenAdmin: Caller;
  /** What stands in no answer to another project. */
  let secrets: readonly string[];
  let before: Readonly<Record<string, string>>;
  /** When everything was there. */
  let moment: string;
  beforeAll(async () => {
    app = await startService();
    secondConnection = await SecondConnection.connect(app.databaseUrl);
    await spreadIds(app.databaseUrl);
    operations = await describedOperations(app);
    ({ inventory: hidden, admin: hiddenAdmin } = await fullProject(app, MARK));
    const uuids = Object.values(hidden).flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]));
    secrets = [MARK, MARKED_ADDRESS, ...uuids];
    before = await rowsOfProject(secondConnection, hiddenAdmin.projectId);
    const newest = (await hiddenAdmin.get('/v1/changes?sort_dir=desc&limit=1').expect(200))
      .body as Resource[];
    moment = String(newest[0]?.['created_at']);
  });
  afterAll(async () => {
    await secondConnection.close();
    await app.stop();
  });
  /** After every test: nothing has happened there. */
  afterEach(async () => {
    expect(await rowsOfProject(secondConnection, hiddenAdmin.projectId)).toEqual(before);
  });
  /** Sends the same with what the other project has and with what is not there, and compares. */
  async function expectNoDifference(
    what: string,
    { foreign, absent }: Pair,
    send: (value: string | number) => PromiseLike<Response>,
  ): Promise<Response> {
    const answers = [await send(foreign), await send(absent)] as const;
    const shown = [comparable(answers[0], foreign), comparable(answers[1], absent)];
    if (!isDeepStrictEqual(shown[0], shown[1])) expect([what, shown[0]]).toEqual([what, shown[1]]);
    expectNothingOf(answers[0], foreign);
    return answers[0];
  }

  /** Nothing of the other project stands in an answer, but for what the request itself said. */
  function expectNothingOf({ text, headers }: Response, asked: string | number = ''): void {
    const shown = [text, headers['location'], headers['link']].join('\n');
    const rest = spellingsOf(asked).reduce((left, one) => left.replaceAll(one, ''), shown);
    expect(secrets.filter((secret) => rest.includes(secret)).map((secret) => [secret, rest])).toEqual([]);
  }

  const idsOf = (collection: string): Pair => {
    const foreign = hidden[collection]?.id;
    if (foreign === undefined) throw new Error(`the other project has none of ${collection}: add one`);
    return { foreign, absent: collection === 'projects' ? ABSENT_PROJECT : ABSENT };
  };

  /** Markers are ids, but for lists whose items have none. */
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

  /** Every query parameter: what the other project has of it; a list of texts where there is nothing to be had. */
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
      username: fresh('users'),
      actor: { foreign: hiddenAdmin.credentials.user, absent: aName('absent') },
      label: fresh('labels'),
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
      sort_dir: ['asc', 'desc'],
      sort_keys: [
        'name',
        'created_at',
        'updated_at',
        'uuid',
        'project_id',
        'region_id',
        'ip_address',
        'username',
        'label',
      ],
      fields: ['id', 'id,project_id', 'variables', 'links', 'cells', 'labels'],
      'resolved-values': ['true', 'false'],
      at: [moment],
      active: ['true', 'false'],
      descendants: ['true'],
      dry_run: ['true'],
    };
    const found = pairs[name];
    if (!found)
      throw new Error(`${name} is a query parameter that this test does not know: say what it may find`);
    return found;
  }

  /** Every member of a body that names something; undefined for one that names nothing of a project's. */
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
      labels: { ...fresh('labels'), wrap: (name) => [name] },
      name: fresh(collection),
      label: fresh('labels'),
      username: fresh('users'),
      key: { foreign: `${MARK}_key`, absent: 'absent_key' },
      ids: { ...(collection in hidden ? idsOf(collection) : idsOf('hosts')), wrap: (id) => [id] },
      level: { ...idsOf('hosts'), wrap: (id) => ({ kind: 'host', id }) },
    };
    const plain = [
      'note',
      'description',
      'schema',
      'kind',
      'vars',
      'expectation',
      'value',
      'variables',
      'ip_address',
      'device_type',
      'active',
      'model_name',
      'os_version',
      'vlans',
      'cert',
      'is_admin',
      'is_root',
      'roles',
      'expires_at',
      'value',
      'change_reason',
      'private',
    ];
    const found = references[name];
    if (!found && !plain.includes(name))
      throw new Error(`${name} is a member of a body that this test does not know: say what it may name`);
    return found;
  }

  /** A body that is well formed, of members of the caller's own project. */
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
      level: { kind: 'host', id: own['hosts']?.id },
      value: 'own value',
      labels: [aName('own')],
    };
    return Object.fromEntries(required.map((member) => [member, values[member]]));
  }

  const at = (path: string, id: string | number | undefined): string =>
    path.replace(WITH_ID, String(id)).replace('{key}', SHARED_KEY).replace('{key_id}', '0123456789abcdef');

  /**
   * Distributes repeated requests over the rights: routes that differ only in the collection share their code. An admin, who
   * is refused nothing, sends every request; the others take turns. What fewer routes than rights have in common is sent
   * with each right.
   */
  class Turns {
    private readonly counts = new Map<string, number>();

    constructor(private readonly right: number) {}

    /** Whether it is the turn of this right; `total` requests have this key. */
    isNext(key: string, total: number): boolean {
      const count = this.counts.get(key) ?? 0;
      this.counts.set(key, count + 1);
      return this.right === 0 || total < RIGHTS.length || count % RIGHTS.length === this.right;
    }
  }

  /** The path with the name of the collection left out. */
  const shapeOf = ({ method, path, collection }: DescribedOperation): string =>
    `${method} ${path.replace(`/${collection}`, '/*')}`;

  describe.each(RIGHTS)('for %s', (right, withRights) => {
    const ordinal = RIGHTS.findIndex(([name]) => name === right);
    let caller: Caller;
    let own: Inventory;
    beforeAll(async () => {
      const project = await fullProject(app, 'own');
      own = project.inventory;
      caller = await withRights(project.admin);
    });

    it('has no ids: in no path, with or without a version that might be theirs', async () => {
      for (const [i, operation] of operations.filter(({ path }) => WITH_ID.test(path)).entries()) {
        const { method, path, collection, headers: taken } = operation;
        const conditions = taken.includes('If-Match')
          ? [{}, { 'If-Match': '"1"' }, { 'If-Match': '*' }]
          : [{}];
        // An admin tries all of them, the others one in turn.
        const round = Math.floor(i / RIGHTS.length);
        const inTurn = conditions.filter((_, j) => j === (round + ordinal) % conditions.length);
        const ofOwn = ordinal === 0 ? conditions : inTurn;
        // Also with an id of another collection: whether an id is that of a host or of a region is not shown either. An
        // admin, who is refused nothing, tries every route.
        const another = collection === 'hosts' ? 'regions' : 'hosts';
        const isTurn = ordinal === 0 || i % RIGHTS.length === ordinal;
        const ofAnother = collection === 'projects' || !isTurn ? [] : inTurn;
        for (const [owner, tried] of [
          [collection, ofOwn],
          [another, ofAnother],
        ] as const)
          for (const headers of tried) {
            const body = bodyOf(operation, own);
            const ids = { ...idsOf(owner), absent: idsOf(collection).absent };
            const answer = await expectNoDifference(`${method} ${path} with one of ${owner}`, ids, (id) =>
              caller.send(method, at(path, id), body, headers),
            );
            expect([403, 404]).toContain(answer.status);
          }
      }
    }, 120_000);

    it('has no past: at no moment when it was there', async () => {
      for (const { method, path, collection, query } of operations) {
        if (!query.includes('at')) continue;
        const answer = await expectNoDifference(`${method} ${path}?at`, idsOf(collection), (id) =>
          caller.send(method, `${at(path, id)}?at=${moment}`),
        );
        expect([403, 404]).toContain(answer.status);
      }
    });

    it('has nothing to find: by no query parameter', async () => {
      const turns = new Turns(ordinal);
      for (const operation of operations) {
        const { method, path, collection, query } = operation;
        const shape = shapeOf(operation);
        const here = at(path, own[collection]?.id);
        const body = isOfSet(path) ? bodyOf(operation, own) : undefined;
        for (const name of query) {
          const parameter = parameterOf(name, collection);
          const alike = operations.filter((one) => shapeOf(one) === shape && one.query.includes(name));
          if (!turns.isNext(`${shape}?${name}`, alike.length)) continue;
          const ask = (value: string | number, more = '') =>
            caller.send(method, `${here}?${name}=${encodeURIComponent(String(value))}${more}`, body);
          if ('foreign' in parameter) {
            const { status } = await expectNoDifference(`${path}?${name}`, parameter, ask);
            // What a change touched is told apart by its place, which is no id of anything.
            const isId = name === 'marker' && !path.endsWith('/objects');
            expect(isId ? [400, 403] : [200, 403, 404]).toContain(status);
            // Also where it must be looked at in another way: in the order of names, and with what is below it.
            if (query.includes('sort_keys') && !['changes', 'access-secrets'].includes(collection))
              await expectNoDifference(`${path}?${name} sorted`, parameter, (value) =>
                ask(value, '&sort_keys=created_at&sort_dir=desc&limit=10'),
              );
            if (query.includes('descendants'))
              await expectNoDifference(`${path}?${name} widened`, parameter, (value) =>
                ask(value, '&descendants=true'),
              );
          } else for (const value of parameter) expectNothingOf(await ask(value));
        }
      }
      // It asks several hundred questions, which takes a busy machine its time.
    }, 120_000);

    it('has nothing to refer to: by no member of a body', async () => {
      for (const operation of operations) {
        const { method, path, collection, members = [] } = operation;
        for (const name of members) {
          const pair = memberOf(name, collection);
          if (!pair || typeof pair.foreign === 'string') continue;
          const { wrap = (value: unknown) => value } = pair;
          const answer = await expectNoDifference(`${method} ${path} ${name}`, pair, (value) =>
            caller.send(method, at(path, own[collection]?.id), {
              ...bodyOf(operation, own),
              [name]: wrap(value),
            }),
          );
          expect([405, 403]).toContain(answer.status);
        }
      }
    }, 120_000);

    it('does not let a stranger in, on any route', async () => {
      const stranger = caller.in(hiddenAdmin.projectId);
      const nowhere = caller.in(ABSENT_PROJECT);
      for (const [i, operation] of operations.entries()) {
        const { method, path, collection } = operation;
        const body = bodyOf(operation, own);
        if (i % RIGHTS.length !== ordinal) continue;
        const ids = [hidden[collection]?.id, own[collection]?.id];
        for (const id of WITH_ID.test(path) ? ids : ids.slice(0, 1)) {
          const answers = [
            await stranger.send(method, at(path, id), body),
            await nowhere.send(method, at(path, id), body),
          ] as const;
          expect(answers[0].status).toBe(401);
          expect(comparable(answers[0], '')).toEqual(comparable(answers[1], ''));
          expectNothingOf(answers[0]);
        }
      }
    }, 120_000);
  });

  it('takes no names: they are free here', async () => {
    /** How many operations have taken a name: the next one takes it in a project where it is still free. */
    const taken = new Map<string, number>();
    const projects: Awaited<ReturnType<typeof fullProject>>[] = [];
    for (const operation of operations) {
      const { method, path, collection, members = [] } = operation;
      const named = members.filter((name) => typeof memberOf(name, collection)?.foreign === 'string');
      if (named.length === 0) continue;
      const names = new Set(named.map((name) => String(memberOf(name, collection)?.foreign)));
      const index = Math.max(...[...names].map((name) => taken.get(name) ?? 0));
      for (const name of names) taken.set(name, index + 1);
      const { admin, inventory } = (projects[index] ??= await fullProject(app, 'own'));
      for (const name of named) {
        const pair = memberOf(name, collection)!;
        const { wrap = (value: unknown) => value } = pair;
        const send = (value: string | number) =>
          admin.send(method, at(path, inventory[collection]?.id), {
            ...bodyOf(operation, inventory),
            [name]: wrap(value),
          });
        const statuses = [(await send(pair.foreign)).status, (await send(pair.absent)).status];
        // A project's name is the deployment's, and root's alone to give.
        expect([method, path, name, statuses[0]]).toEqual([method, path, name, statuses[1]]);
        expect([200, 201, 204, 403]).toContain(statuses[0]);
      }
    }
  }, 120_000);

  it('may have the same names and labels, and each keeps its own', async () => {
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
    // The label of the same name there has variables; the one here has none.
    expect(host.variables).toEqual({});
    const mine = ((await admin.get(`/v1/labels?name=${names['labels'] ?? ''}`)).body as Resource[])[0]!;
    await admin.put(`/v1/labels/${String(mine.id)}/variables`, { mine: true }).expect(200);
    expect((await admin.get(`/v1/hosts/${String(host.id)}`)).body.variables).toEqual({ mine: true });
    const labelled = await admin.get(`/v1/hosts?label=${names['labels'] ?? ''}`).expect(200);
    expect((labelled.body as Resource[]).map(({ id }) => id)).toEqual([host.id]);
    expect((await admin.get('/v1/hosts?vars=mine:true')).body).toHaveLength(1);
    expect((await hiddenAdmin.get('/v1/hosts?vars=mine:true')).body).toHaveLength(0);
    // What uses a label there does not keep it here, and nothing there is counted.
    const refused = await admin.delete(`/v1/labels/${String(mine.id)}`).expect(409);
    expect(refused.body.message).toContain('1 devices, 1 regions');
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
    // Root's changes stand where the changed things are.
    const inMine = app.root.in(admin.projectId);
    await inMine.put(`/v1/hosts/${String(host.id)}`, { active: false }).expect(200);
    const records = (await admin.get('/v1/changes?actor=root&kind=host').expect(200)).body as Resource[];
    expect(records).toHaveLength(1);
    for (const record of records)
      expect((await hiddenAdmin.get(`/v1/changes/${String(record.id)}`)).status).toBe(404);
  });
});
