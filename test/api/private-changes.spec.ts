import { sharedService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import type { Caller, Resource } from '../support/caller';
import { until } from '../support/until';

const PRIVATE = ['db_password', 'secret_*'];
/** A value that occurs only in private variables, and a number that JavaScript cannot represent exactly. */
const VALUE = 'zq7 hunter2';
const DIGITS = '9007199254740993.10';

interface Change {
  readonly id: number;
  readonly impact: { readonly devices: number } | null;
  readonly objects: readonly {
    readonly action: string;
    readonly variables: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
  }[];
}

describe('private variables in change records', () => {
  const app = sharedService();
  let admin: Caller;
  let user: Caller;
  beforeAll(async () => {
    admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: PRIVATE }).expect(200);
    user = await admin.user({ roles: ['*:write', 'open'] });
  });
  const changes = async (caller: Caller, path: string): Promise<Change[]> =>
    (await caller.get(path).expect(200)).body as Change[];

  /** The variables in the records of one resource, oldest first. */
  const recordedVariables = async (caller: Caller, path: string): Promise<unknown[]> =>
    (await changes(caller, `${path}/changes`)).map(({ objects }) => objects[0]?.variables);

  /** A host whose variables were set, changed and deleted. */
  async function history(): Promise<{ readonly id: number; readonly path: string }> {
    const { id } = await admin.host({ variables: { open: 1, db_password: VALUE } });
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(`${path}/variables`, `{"secret_a": ${DIGITS}, "db_password": null}`).expect(200);
    await admin.put(`${path}/variables`, `{"open": ${DIGITS}, "secret_a": "${VALUE}"}`).expect(200);
    await admin.delete(`${path}/variables`, ['db_password', 'never']).expect(204);
    await admin.delete(path).expect(204);
    return { id, path };
  }

  it('are shown only to users with a role for them', async () => {
    const { path } = await history();
    const digits = Number(DIGITS);
    const whole = [
      { open: { after: 1 }, db_password: { after: VALUE } },
      { secret_a: { after: digits }, db_password: { before: VALUE, after: null } },
      { open: { before: 1, after: digits }, secret_a: { before: digits, after: VALUE } },
      { db_password: { before: null } },
      { open: { before: digits }, secret_a: { before: VALUE } },
    ];
    expect(await recordedVariables(admin, path)).toEqual(whole);
    expect(await recordedVariables(app.root, path)).toEqual(whole);
    expect(await recordedVariables(await admin.user({ roles: ['*'] }), path)).toEqual(whole);
    expect(await recordedVariables(user, path)).toEqual([
      { open: { after: 1 } },
      {},
      { open: { before: 1, after: digits } },
      {},
      { open: { before: digits } },
    ]);
    expect(await recordedVariables(await admin.user({ roles: ['secret_*'] }), path)).toEqual([
      { open: { after: 1 } },
      { secret_a: { after: digits } },
      { open: { before: 1, after: digits }, secret_a: { before: digits, after: VALUE } },
      {},
      { open: { before: digits }, secret_a: { before: VALUE } },
    ]);
  });

  it('keep every digit of visible values', async () => {
    const { path } = await history();
    const response = await user.get(`${path}/changes`).expect(200);
    expect(response.text).toContain(`"after": ${DIGITS}`);
  });

  it('are in no response about changes', async () => {
    const { id, path: hostPath } = await history();
    const [first] = await changes(admin, `${hostPath}/changes`);
    const paths = [
      `${hostPath}/changes`,
      `${hostPath}/changes?fields=objects`,
      '/v1/changes?kind=host&limit=10000',
      '/v1/changes?kind=host&sort_keys=created_at&sort_dir=desc&limit=10000',
      `/v1/changes?kind=host&object_id=${String(id)}`,
      `/v1/changes/${String(first?.id)}`,
    ];
    for (const path of paths) {
      const { text } = await user.get(path).expect(200);
      expect([path, text.includes('open')]).toEqual([path, true]);
      expect([path, /zq7|db_password|secret_a/.test(text)]).toEqual([path, false]);
      expect((await admin.get(path).expect(200)).text).toContain('zq7');
    }
  });

  it('are found by key only by users with a role for the key', async () => {
    await history();
    const granted = await admin.user({ roles: ['db_password'] });
    for (const [caller, key, isFound] of [
      [admin, 'db_password', true],
      [granted, 'db_password', true],
      [granted, 'secret_a', false],
      [granted, 'open', true],
      [user, 'db_password', false],
      [user, 'secret_a', false],
      [user, 'open', true],
      [user, 'never_set', false],
    ] as const) {
      const found = await changes(caller, `/v1/changes?key=${key}`);
      expect([key, found.length > 0]).toEqual([key, isFound]);
    }
  });

  it('are hidden in the record of a dry run', async () => {
    const host = await admin.host({ variables: { open: 1, db_password: VALUE } });
    const path = `/v1/hosts/${String(host.id)}?dry_run=true`;
    const { text } = await user.delete(path).expect(200);
    expect(text).toContain('open');
    expect(text).not.toMatch(/zq7|db_password/);
    expect((await admin.delete(path).expect(200)).text).toContain('zq7');
  });

  it('are not counted in the number of devices that a change affected', async () => {
    const region = await admin.region();
    for (const variables of [{}, { open: 'own' }]) await admin.host({ region_id: region.id, variables });
    const path = `/v1/regions/${String(region.id)}`;
    await admin.put(`${path}/variables`, { db_password: VALUE }).expect(200);
    await admin.put(`${path}/variables`, { open: 1, db_password: null }).expect(200);
    await admin.put(`${path}/variables`, { open: 2 }).expect(200);
    const impacts = async (caller: Caller) =>
      (await changes(caller, `${path}/changes`)).slice(-3).map(({ impact }) => impact?.devices);
    expect(await impacts(admin)).toEqual([2, 2, 1]);
    expect(await impacts(user)).toEqual([0, 1, 1]);
  });

  it('are not counted in older records, which have no impact after other keys become private', async () => {
    const other = await app.project();
    const reader = await other.user({ roles: ['regions:write', 'open'] });
    const region = await other.region();
    await other.host({ region_id: region.id });
    const path = `/v1/regions/${String(region.id)}`;
    const hide = (keys: readonly string[]) =>
      other.put(`/v1/projects/${other.projectId}/settings`, { private: keys }).expect(200);
    const set = (variables: object) => other.put(`${path}/variables`, variables).expect(200);
    /** The impacts in the list. The feed and the single records must agree with them. */
    const impacts = async (caller: Caller) => {
      const listed = await changes(caller, `${path}/changes`);
      let fed: readonly Change[] = [];
      // The feed reports a change after all earlier transactions, and other tests may delay those.
      await until('the feed reports the changes', 60, async () => {
        const { body } = await caller.get('/v1/changes/feed?limit=1000').expect(200);
        fed = (body as { changes: Change[] }).changes;
        return listed.every(({ id }) => fed.some((change) => change.id === id));
      });
      for (const { id, impact } of listed) {
        expect(fed.find((change) => change.id === id)?.impact).toEqual(impact);
        expect((await caller.get(`/v1/changes/${String(id)}`).expect(200)).body).toMatchObject({ impact });
      }
      return listed.slice(1).map(({ impact }) => impact?.devices);
    };
    await set({ db_password: 1 });
    await set({ open: 1 });
    expect(await impacts(reader)).toEqual([1, 1]);
    await hide(['db_password']);
    // Hiding only some of the numbers would reveal which changes are about the private key.
    expect(await impacts(reader)).toEqual([undefined, undefined]);
    await set({ db_password: 2 });
    await set({ open: 2, secret_a: 1 });
    expect(await impacts(reader)).toEqual([undefined, undefined, 0, 1]);
    await hide(['db_password', 'secret_*']);
    await set({ secret_a: 2 });
    expect(await impacts(reader)).toEqual([undefined, undefined, undefined, undefined, 0]);
    // A record that counted fewer keys than the caller sees reveals nothing hidden.
    await hide(['secret_*']);
    expect(await impacts(reader)).toEqual([undefined, undefined, undefined, undefined, 0]);
    expect(await impacts(other)).toEqual([1, 1, 1, 1, 1]);
    await hide([]);
    expect(await impacts(reader)).toEqual([1, 1, 1, 1, 1]);
  });

  it('have no impact in records whose impact was never counted', async () => {
    const host = await admin.host();
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    try {
      await secondConnection.rows(`
        WITH change AS (
          INSERT INTO changes (project_id, created_at, actor_username, request_id)
          VALUES ('${admin.projectId}', now(), 'earlier', 'earlier') RETURNING id
        ) INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, before, after,
          variables, keys)
        SELECT '${admin.projectId}', change.id, 0, 'host', ${String(host.id)}, 'host', 'update', '{}', '{}',
          '{"db_password": {"after": 1}}', '{db_password}' FROM change`);
    } finally {
      await secondConnection.close();
    }
    for (const caller of [admin, user]) {
      const [found] = await changes(caller, '/v1/changes?request_id=earlier');
      expect(found?.impact).toBeNull();
    }
  });

  it('are hidden in older records while they are private', async () => {
    const other = await app.project();
    const settings = `/v1/projects/${other.projectId}/settings`;
    const reader = await other.user();
    const host: Resource = await other.host({ variables: { db_password: VALUE } });
    const path = `/v1/hosts/${String(host.id)}`;
    const open = [{ db_password: { after: VALUE } }];
    expect(await recordedVariables(reader, path)).toEqual(open);
    await other.put(settings, { private: ['db_*'] }).expect(200);
    expect(await recordedVariables(reader, path)).toEqual([{}]);
    await other.put(settings, { private: [] }).expect(200);
    expect(await recordedVariables(reader, path)).toEqual(open);
  });
});
