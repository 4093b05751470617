import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { FeedReader } from '../support/feed-reader';
import { lastChange, type ChangeRecord } from '../support/reverts';

// A test of the feed may wait for it several times: see FEED_TIMEOUT.
jest.setTimeout(240_000);

interface Feed {
  readonly changes: readonly ChangeRecord[];
  readonly cursor: string;
}

/** A record that only admins can read. */
interface Restricted {
  readonly change: ChangeRecord;
  /** Queries whose lists contain the record. */
  readonly lists: readonly string[];
}

describe('change records of admin-only resources', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  const settingsOf = ({ projectId }: Caller): string => `/v1/projects/${projectId}/settings`;

  const made: readonly [string, () => Promise<Restricted>][] = [
    [
      'access-secret',
      async () => {
        const { id } = await admin.secret();
        await admin.put(`/v1/access-secrets/${String(id)}`, { cert: 'another' }).expect(200);
        const resource = `resource=access-secrets/${String(id)}`;
        return {
          change: await lastChange(admin),
          lists: ['kind=access-secret', resource, `kind=access-secret&object_id=${String(id)}`],
        };
      },
    ],
    [
      'project-settings',
      async () => {
        await admin.put(settingsOf(admin), { private: ['zq_secret'] }).expect(200);
        await admin.put(settingsOf(admin), { private: [] }).expect(200);
        return {
          change: await lastChange(admin),
          lists: ['kind=project-settings', `resource=project-settings/${admin.projectId}`],
        };
      },
    ],
  ];

  const idsOf = async (caller: Caller, query: string): Promise<number[]> =>
    ((await caller.get(`/v1/changes?${query}`).expect(200)).body as ChangeRecord[]).map(({ id }) => id);

  const feedOf = async (caller: Caller, query = ''): Promise<Feed> =>
    (await caller.get(`/v1/changes/feed?${query}`).expect(200)).body as Feed;

  it.each(made)('%s: are listed for admins only', async (_, make) => {
    const others = [await admin.user(), await admin.user({ roles: ['*:write', '*'] })];
    const before = await admin.region();
    const { change, lists } = await make();
    const after = await admin.region();
    const all = [...lists, 'limit=100', `actor=${admin.credentials.user}`];
    for (const list of all)
      expect([list, await idsOf(admin, list)]).toEqual([list, expect.arrayContaining([change.id])]);
    for (const other of others) {
      for (const list of lists) expect([list, await idsOf(other, list)]).toEqual([list, []]);
      const seen = (await other.get('/v1/changes').expect(200)).body as ChangeRecord[];
      expect(seen.map(({ id }) => id)).not.toContain(change.id);
      expect(seen.slice(-2)).toMatchObject([
        { objects_total: 1, objects: [{ kind: 'region', id: before.id }] },
        { objects_total: 1, objects: [{ kind: 'region', id: after.id }] },
      ]);
    }
  });

  it.each(made)('%s: return the same responses as unknown records to other users', async (_, make) => {
    const other = await admin.user({ roles: ['*:write', '*'] });
    const { change } = await make();
    const missing = 987_654_321;
    const read = async (caller: Caller, id: number): Promise<[number, string][]> => {
      const path = `/v1/changes/${String(id)}`;
      const responses = [
        await caller.get(path),
        await caller.get(`${path}/objects`),
        await caller.get(`${path}/impact`),
        await caller.post(`${path}/revert?dry_run=true`),
        await caller.get(`/v1/changes?marker=${String(id)}`),
      ];
      return responses.map(({ status, body }) => [
        status,
        String((body as { message?: string }).message).replaceAll(String(id), 'ID'),
      ]);
    };
    expect(await read(other, change.id)).toEqual(await read(other, missing));
    const statuses = (await read(admin, change.id)).map(([status]) => status);
    expect(statuses.filter((status) => status === 404 || status === 400)).toEqual([]);
  });

  it.each(made)('%s: are not in the feed of other users', async (_, make) => {
    const other = await admin.user();
    const [reader, readerOfAdmin] = [new FeedReader(other), new FeedReader(admin)];
    await Promise.all([reader.toEnd(), readerOfAdmin.toEnd()]);
    const cursor = String(reader.cursors.at(-1)?.cursor);
    const { change } = await make();
    const { id } = await admin.region();
    await readerOfAdmin.toEnd();
    expect(readerOfAdmin.ids).toContain(change.id);
    // With a limit of one, a hidden record must not take a place in the page.
    for (const more of ['', '&resolved=true']) {
      const { changes } = await feedOf(other, `after=${cursor}&limit=1&wait=60${more}`);
      expect(changes).toMatchObject([{ objects: [{ kind: 'region', id }] }]);
    }
  });

  it('become visible to a user who becomes an admin', async () => {
    const user = await admin.user();
    await admin.secret();
    const { id } = await lastChange(admin);
    await user.get(`/v1/changes/${String(id)}`).expect(404);
    const [{ id: userId }] = (await admin.get(`/v1/users?username=${user.credentials.user}`).expect(200))
      .body as [Resource];
    await admin.put(`/v1/users/${String(userId)}`, { is_admin: true }).expect(200);
    await user.get(`/v1/changes/${String(id)}`).expect(200);
  });

  it('omit the admin-only objects if they also contain other objects', async () => {
    const lastOf = async (project: string): Promise<ChangeRecord> => {
      const query = `project_id=${project}&sort_dir=desc&limit=1`;
      return ((await app.root.get(`/v1/changes?${query}`).expect(200)).body as [ChangeRecord])[0];
    };
    const name = aName('project');
    const { id: projectId } = (await app.root.post('/v1/projects', { name }).expect(201)).body as {
      id: string;
    };
    const path = `/v1/projects/${projectId}`;
    await app.root.put(`${path}/settings`, { private: ['zq_secret'] }).expect(200);
    await app.root.delete(path).expect(204);
    const deletion = await lastOf(projectId);
    await app.root.post(`/v1/changes/${String(deletion.id)}/revert`).expect(201);
    const restored = await lastOf(projectId);
    expect(restored).toMatchObject({
      objects_total: 2,
      objects: [{ kind: 'project' }, { kind: 'project-settings' }],
    });
    const user = await app.root.in(projectId).user();
    const record = `/v1/changes/${String(restored.id)}`;
    const responses = [
      await user.get(record).expect(200),
      await user.get(`/v1/changes?request_id=${restored.request_id}`).expect(200),
      await user.get(`${record}/objects`).expect(200),
    ];
    expect(responses[0]?.body).toMatchObject({ objects_total: 1, objects: [{ kind: 'project' }] });
    expect(responses[1]?.body).toMatchObject([{ objects_total: 1, objects: [{ kind: 'project' }] }]);
    expect(responses[2]?.body).toMatchObject([{ kind: 'project' }]);
    for (const { text } of responses) expect(text).not.toMatch(/project-settings|zq_secret/);
    expect(await idsOf(user, 'kind=project-settings')).toEqual([]);
    expect(await idsOf(user, `resource=project-settings/${projectId}`)).toEqual([]);
    expect(await idsOf(user, 'kind=project')).toContain(restored.id);
    const response = await user.post(`${record}/revert`).expect(403);
    expect(response.text).not.toMatch(/settings/);
  });
});
