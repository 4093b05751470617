import { Client } from 'pg';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { lastChange, refused, revert } from '../support/reverts';

const LATER = 5_000;

/** Many later changes of a host. Each changes the variable `a`, the note, and an unrelated variable. */
const FILL = `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    SELECT $1, now(), 'loader', 'loading' FROM generate_series(1, $3::integer) RETURNING id
  ), object AS (
    INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, before, after, variables, keys)
    SELECT $1, id, 0, 'host', $2, 'h', 'update', jsonb_build_object('note', id), jsonb_build_object('note', id + $4::integer),
      '{"a": {"before": 1, "after": 2}, "other": {"after": 1}}', '{a,other}' FROM change
  ) SELECT id::float8 AS id FROM change ORDER BY id`;

describe('reverting a change that has very many later changes', () => {
  const app = sharedService();
  let client: Client;
  let admin: Caller;
  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
  });
  beforeEach(async () => {
    admin = await app.project();
  });
  afterAll(async () => {
    await client.end();
  });

  /** @param step the amount by which each change alters the note */
  async function later(host: Resource, step: number, count = LATER): Promise<number[]> {
    const { rows } = await client.query<{ id: number }>(FILL, [admin.projectId, host.id, count, step]);
    return rows.map(({ id }) => id);
  }

  const named = (ids: readonly number[]): string =>
    `the changes ${ids.slice(0, 5).join(', ')} and ${String(ids.length - 5)} more`;

  it('returns a short error with the first conflicting changes and their number', async () => {
    const host = await admin.host({ note: 'old', variables: { a: 0, b: 0 } });
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(path, { note: 'new', variables: { a: 1, b: 1 } }).expect(200);
    const change = await lastChange(admin);
    const withoutNote = await later(host, 0);
    const withNote = await later(host, 1);
    for (const query of ['', '?dry_run=true']) {
      const response = await admin.post(`/v1/changes/${String(change.id)}/revert${query}`);
      expect(refused(response)).toEqual([
        {
          field: 'variables.a',
          code: 'changed_later',
          message: expect.stringContaining(named([...withoutNote, ...withNote])) as string,
        },
        { field: 'note', code: 'changed_later', message: expect.stringContaining(named(withNote)) as string },
      ]);
      expect((response.body as { message: string }).message).toContain(named([...withoutNote, ...withNote]));
      expect(response.text.length).toBeLessThan(1_000);
    }
  });

  it('succeeds if the later changes touched something else', async () => {
    const host = await admin.host({ note: 'old', variables: { b: 0 } });
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.put(path, { note: 'new', variables: { b: 1 } }).expect(200);
    const change = await lastChange(admin);
    await later(host, 0);
    expect((await revert(admin, change.id)).status).toBe(201);
    expect((await admin.get(path).expect(200)).body).toMatchObject({ note: 'old', variables: { b: 0 } });
  });

  it('is rejected if the change created the resource that they changed', async () => {
    const host = await admin.host();
    const change = await lastChange(admin);
    const ids = await later(host, 0);
    expect(refused(await revert(admin, change.id))).toMatchObject([
      { field: 'variables.a' },
      { field: 'variables.other' },
    ]);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['a', 'other'] }).expect(200);
    const plain = await admin.user({ roles: ['hosts:write'] });
    const response = await revert(plain, change.id);
    expect(refused(response)).toMatchObject([{ field: 'version' }]);
    expect(response.text).toContain(named(ids));
  });

  it('returns at most a hundred conflicting fields', async () => {
    const keys = Array.from({ length: 150 }, (_, i) => `k${String(i).padStart(3, '0')}`);
    const variables = (value: number) => Object.fromEntries(keys.map((key) => [key, value]));
    const host = await admin.host({ variables: variables(0) });
    const path = `/v1/hosts/${String(host.id)}/variables`;
    await admin.put(path, variables(1)).expect(200);
    const change = await lastChange(admin);
    await admin.put(path, variables(2)).expect(200);
    const second = await lastChange(admin);
    await admin.put(path, { k149: 3, other: 1 }).expect(200);
    const third = await lastChange(admin);
    const response = await revert(admin, change.id);
    const details = refused(response);
    expect(details.map(({ field }) => field)).toEqual(keys.slice(0, 100).map((key) => `variables.${key}`));
    expect((response.body as { message: string }).message).toContain(
      `conflict with the changes ${String(second.id)}, ${String(third.id)}.`,
    );
  });
});
