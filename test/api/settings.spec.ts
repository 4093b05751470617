import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { importLines } from '../support/importing';
import { lockRows, SecondConnection } from '../support/second-connection';
import type { Caller, Resource } from '../support/caller';
import { lastChange, revert } from '../support/reverts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

interface Change {
  readonly objects: readonly {
    readonly kind: string;
    readonly id: string;
    readonly action: string;
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
  }[];
}

describe("a project's settings", () => {
  const app = sharedService();
  const pathOf = ({ projectId }: Caller): string => `/v1/projects/${projectId}/settings`;
  const set = (admin: Caller, body: unknown, headers = {}) => admin.put(pathOf(admin), body, headers);
  const recordsOf = async (caller: Caller): Promise<Change[]> =>
    (await caller.get('/v1/changes?kind=project-settings').expect(200)).body as Change[];

  it('have defaults that require and hide nothing', async () => {
    const admin = await app.project();
    const response = await admin.get(pathOf(admin)).expect(200);
    expect(response.get('etag')).toMatch(/^"0-/);
    expect(response.body).toEqual({
      project_id: admin.projectId,
      change_reason: null,
      private: [],
      unique_addresses: false,
      restricts_readers: false,
      approvals: [],
      created_at: null,
      updated_at: null,
      version: 0,
    });
  });

  it('store each field separately', async () => {
    const admin = await app.project();
    const first = await set(admin, { change_reason: { required: false, pattern: '^CHG-\\d+' } })
      .expect(200)
      .expect('etag', '"1"');
    expect(first.body).toEqual({
      project_id: admin.projectId,
      change_reason: { required: false, pattern: '^CHG-\\d+' },
      private: [],
      unique_addresses: false,
      restricts_readers: false,
      approvals: [],
      created_at: expect.stringMatching(TIMESTAMP) as string,
      updated_at: null,
      version: 1,
    });
    const second = await set(admin, { private: ['db_password', 'secret_*'] })
      .expect(200)
      .expect('etag', '"2"');
    expect(second.body).toMatchObject({
      change_reason: { required: false, pattern: '^CHG-\\d+' },
      private: ['db_password', 'secret_*'],
      updated_at: expect.stringMatching(TIMESTAMP) as string,
      version: 2,
    });
    const shown = await admin.get(pathOf(admin)).expect(200);
    expect(shown.get('etag')).toMatch(/^"2-/);
    expect(shown.body).toEqual(second.body);
    const third = await set(admin, { change_reason: null, private: [] }).expect(200);
    expect(third.body).toMatchObject({ change_reason: null, private: [], version: 3 });
    const rules = await set(admin, { unique_addresses: true }).expect(200);
    expect(rules.body).toMatchObject({ change_reason: null, unique_addresses: true, version: 4 });
    const fourth = await set(admin, { change_reason: { required: false } }).expect(200);
    expect(fourth.body).toMatchObject({ change_reason: { required: false, pattern: null } });
  });

  it('normalize private keys, and remove duplicates', async () => {
    const admin = await app.project();
    const keys = ['private:db_password', 'db_password', 'private:secret_*', '*', 'x-y', 'ключ'];
    const response = await set(admin, { private: keys }).expect(200);
    expect((response.body as { private: string[] }).private).toEqual([
      'db_password',
      'secret_*',
      '*',
      'x-y',
      'ключ',
    ]);
  });

  const pattern = (text: string) => ({ change_reason: { required: true, pattern: text } });
  it.each<[string, object, string]>([
    ['null for an array', { private: null }, 'private'],
    ['a text', { private: 'db_password' }, 'private'],
    ['a value that is not a string', { private: [1] }, 'private'],
    ['an invalid key', { private: ['two words'] }, 'private'],
    ['an asterisk in the middle', { private: ['a*b'] }, 'private'],
    ['two asterisks', { private: ['**'] }, 'private'],
    ['an empty key', { private: ['private:'] }, 'private'],
    ['a repeated prefix', { private: ['private:private:a'] }, 'private'],
    ['a leading digit', { private: ['1st'] }, 'private'],
    ['a key that is too long', { private: ['x'.repeat(256)] }, 'private'],
    ['too many keys', { private: Array.from({ length: 201 }, (_, i) => `k${String(i)}`) }, 'private'],
    ['a boolean for an object', { change_reason: true }, 'change_reason'],
    ['an array', { change_reason: [] }, 'change_reason'],
    ['an object without members', { change_reason: {} }, 'change_reason'],
    ['a pattern without required', { change_reason: { pattern: 'a' } }, 'change_reason'],
    ['a string for a boolean', { change_reason: { required: 'yes' } }, 'change_reason'],
    ['an unknown field', { change_reason: { required: true, hint: 'a ticket' } }, 'change_reason'],
    ['a pattern that is not a string', { change_reason: { required: true, pattern: 1 } }, 'change_reason'],
    ['an empty pattern', pattern(''), 'change_reason'],
    ['an invalid pattern', pattern('('), 'change_reason'],
    ['a lookahead, which RE2 does not support', pattern('(?=CHG)'), 'change_reason'],
    ['a backreference, which RE2 does not support', pattern('(a)\\1'), 'change_reason'],
    ['a pattern with a NUL', pattern('a\u0000'), 'change_reason'],
    ['a pattern that is too long', pattern('x'.repeat(501)), 'change_reason'],
    ['a pattern with too many repetitions', pattern('a{1001}'), 'change_reason'],
    ['a pattern whose repeats multiply', pattern('((a{99}){99}){99}'), 'change_reason'],
    ['a pattern whose repeats add up', pattern('.{1000}'.repeat(70)), 'change_reason'],
    ['a read-only field', { version: 1 }, 'version'],
    ['a note', { note: 'why' }, 'note'],
  ])('reject %s', async (_, body, field) => {
    const admin = await app.project();
    const { body: error } = (await set(admin, body).expect(400)) as { body: { details: unknown } };
    expect(error.details).toMatchObject([{ field }]);
    expect((await admin.get(pathOf(admin))).body).toMatchObject({ version: 0 });
  });

  it('have an entity tag before they are first set', async () => {
    const admin = await app.project();
    await set(admin, { private: ['a'] }, { 'If-Match': '"1"' }).expect(412);
    await set(admin, { private: ['a'] }, { 'If-Match': '"0"' }).expect(200);
    await set(admin, { private: ['b'] }, { 'If-Match': '"0"' }).expect(412);
    await set(admin, { private: ['b'] }, { 'If-Match': '"1"' }).expect(200);
    await set(admin, { private: ['c'] }, { 'If-Match': '*' }).expect(200);
    expect((await admin.get(pathOf(admin))).body).toMatchObject({ private: ['c'], version: 3 });
  });

  it('are created by exactly one of several concurrent conditional requests', async () => {
    const admin = await app.project();
    const keys = Array.from({ length: 8 }, (_, i) => `key_${String(i)}`);
    const responses = await Promise.all(
      keys.map((key) => set(admin, { private: [key] }, { 'If-Match': '"0"' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...keys.slice(1).map(() => 412)]);
    // Other keys: a request that changes nothing would make no version.
    const unconditional = await Promise.all(keys.map((key) => set(admin, { private: [`${key}_too`] })));
    expect(unconditional.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect((await admin.get(pathOf(admin))).body).toMatchObject({ version: 9 });
  });

  it('are created again by a request that waited for the revert of their creation', async () => {
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    try {
      const admin = await app.project();
      await set(admin, { private: ['a'] }).expect(200);
      const { id } = await lastChange(admin);
      // Both requests wait for the row lock, in this order.
      const lock = 'SELECT FROM project_settings WHERE project_id = $1 FOR UPDATE';
      const release = await secondConnection.acquire({ text: lock, values: [admin.projectId] });
      const reverted = Promise.resolve(revert(admin, id));
      await secondConnection.waiting(1);
      const setAgain = Promise.resolve(set(admin, { private: ['b'] }));
      await secondConnection.waiting(2);
      await release();
      expect([(await reverted).status, (await setAgain).status]).toEqual([201, 200]);
      expect((await admin.get(pathOf(admin)).expect(200)).body).toMatchObject({ private: ['b'], version: 1 });
    } finally {
      await secondConnection.close();
    }
  });

  it('change after an import that began with them', async () => {
    const secondConnection = await SecondConnection.connect(app.databaseUrl);
    try {
      const admin = await app.project();
      const region = await admin.region({ name: 'r1' });
      const release = await secondConnection.acquire(lockRows('regions', admin.projectId, region.id));
      const imported = importLines(admin, [{ kind: 'region', name: 'r1', variables: { a: 1 } }]);
      await secondConnection.waiting(1);
      const required = Promise.resolve(set(admin, { change_reason: { required: true } }));
      await secondConnection.waiting(2);
      await release();
      expect(await imported).toMatchObject({ updated: 1, failed: 0 });
      expect((await required).status).toBe(200);
    } finally {
      await secondConnection.close();
    }
  });

  it('are accessible to admins of the project and to root', async () => {
    const [admin, other] = [await app.project(), await app.project()];
    const plain = await admin.user({ roles: ['*:write', '*'] });
    const missing = '00000000-0000-4000-8000-000000000000';
    await app.root.put(pathOf(admin), { private: ['a'] }).expect(200);
    expect((await app.root.get(pathOf(admin)).expect(200)).body).toMatchObject({ private: ['a'] });
    for (const send of [
      (caller: Caller, path: string) => caller.get(path),
      (caller: Caller, path: string) => caller.put(path, { private: [] }),
    ]) {
      expect((await send(plain, pathOf(admin))).status).toBe(403);
      const [foreign, absent] = [
        await send(other, pathOf(admin)),
        await send(other, `/v1/projects/${missing}/settings`),
      ] as [Response, Response];
      expect([foreign.status, absent.status]).toEqual([404, 404]);
      expect((foreign.body as { message: string }).message).toBe(`There is no project ${admin.projectId}.`);
      expect((await send(app.root, `/v1/projects/${missing}/settings`)).status).toBe(404);
      expect((await send(admin, '/v1/projects/none/settings')).status).toBe(400);
    }
    expect((await admin.get(pathOf(admin))).body).toMatchObject({ private: ['a'], version: 1 });
  });

  it('have change records, visible to users who may read settings', async () => {
    const admin = await app.project();
    await set(admin, { private: ['zq_secret'], change_reason: { required: false, pattern: 'CHG' } }).expect(
      200,
    );
    await set(admin, { private: [] }, { 'X-Change-Reason': 'CHG-1: nothing is private' }).expect(200);
    const records = await recordsOf(admin);
    expect(records).toMatchObject([
      {
        objects: [
          {
            kind: 'project-settings',
            id: admin.projectId,
            action: 'create',
            before: null,
            after: { project_id: admin.projectId, private: ['zq_secret'], version: 1 },
          },
        ],
      },
      {
        reason: 'CHG-1: nothing is private',
        objects: [
          { action: 'update', before: { private: ['zq_secret'] }, after: { private: [], version: 2 } },
        ],
      },
    ]);
    for (const roles of [[], ['*:write', '*']]) {
      const plain = await admin.user({ roles });
      expect(await recordsOf(plain)).toEqual([]);
      expect((await plain.get('/v1/changes').expect(200)).text).not.toMatch(/zq_secret|project-settings/);
    }
  });

  it('support dry runs', async () => {
    const admin = await app.project();
    const response = await admin.put(`${pathOf(admin)}?dry_run=true`, { private: ['a'] }).expect(200);
    expect(response.body).toMatchObject({
      dry_run: true,
      change: {
        id: null,
        objects: [{ kind: 'project-settings', action: 'create', after: { private: ['a'] } }],
      },
      impact: { devices: 0 },
    });
    expect((await admin.get(pathOf(admin))).body).toMatchObject({ version: 0 });
    expect(await recordsOf(admin)).toEqual([]);
  });

  it('are deleted with their project, in one change', async () => {
    const admin = await app.project();
    await app.root.put(pathOf(admin), { private: ['a'] }).expect(200);
    const users = (await admin.get('/v1/users').expect(200)).body as Resource[];
    for (const { id } of users) await app.root.delete(`/v1/users/${String(id)}`).expect(204);
    await app.root.delete(`/v1/projects/${admin.projectId}`).expect(204);
    const records = await app.root.get(`/v1/changes?project_id=${admin.projectId}&kind=project`).expect(200);
    expect((records.body as Change[]).at(-1)?.objects).toMatchObject([
      { kind: 'project', action: 'delete' },
      { kind: 'project-settings', action: 'delete', before: { private: ['a'] }, after: null },
    ]);
    expect((await app.root.get(pathOf(admin))).status).toBe(404);
  });
});
