import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { FEED_TIMEOUT } from '../support/feed-reader';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** Roles that match no key which is hidden from the reader. */
const VISIBLE = [
  'hosts:write',
  '*:write',
  'ntp_*',
  'pwd',
  'pwd*',
  'secret',
  'secret_a',
  'secret_a*',
  'secret_ab*',
];
/** Roles that match a hidden key, or a prefix of one, or part of one. */
const HIDDEN = ['pw', 'pw*', 'p*', '*', 'secret*', 'secret_*', 'secret_b', 'secret_b*'];
const ROLES = ['note', ...VISIBLE, ...HIDDEN].sort();

/** Every user can read users. Their roles must not reveal hidden keys. */
describe('roles that name private variables', () => {
  const app = sharedService();
  let admin: Caller;
  /** Sees some of the private variables. */
  let reader: Caller;
  let holder: Caller;
  let path: string;
  beforeAll(async () => {
    admin = await app.project();
    reader = await admin.user({ roles: ['secret_a*', 'note'] });
    holder = await admin.user({ roles: ROLES });
    const users = (await admin.get(`/v1/users?username=${holder.credentials.user}`).expect(200))
      .body as Resource[];
    path = `/v1/users/${String(users[0]?.id)}`;
    await admin.put(path, { username: holder.credentials.user }).expect(200);
    const settings = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(settings, { private: ['pw', 'secret_*'] }).expect(200);
  });
  const now = async () =>
    ((await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as Resource[])[0]?.['created_at'];

  /** The roles of the holder, wherever they occur in a response. */
  function rolesIn(response: unknown): string[][] {
    if (typeof response !== 'object' || response === null) return [];
    const { roles, username } = response as { roles?: string[]; username?: string };
    if (roles && username === holder.credentials.user) return [roles];
    return Object.values(response).flatMap(rolesIn);
  }

  /** Sends the request as each caller, and compares the roles in the responses with what the caller may see. */
  async function expectVisibleRoles(request: (caller: Caller) => Promise<{ body: unknown; status: number }>) {
    for (const [caller, seen] of [
      [reader, ROLES.filter((role) => !HIDDEN.includes(role))],
      [holder, ROLES],
      [admin, ROLES],
      [app.root.in(admin.projectId), ROLES],
    ] as const) {
      const { body, status } = await request(caller);
      expect(status).toBe(200);
      const found = rolesIn(body);
      expect(found.length).toBeGreaterThan(0);
      for (const roles of found) expect(roles).toEqual(seen);
    }
  }

  it('are shown in lists and single responses only to users who see the variables', async () => {
    await expectVisibleRoles((caller) => caller.get(`/v1/users?project_id=${admin.projectId}`));
    await expectVisibleRoles((caller) =>
      caller.get(`/v1/users?fields=username,roles&project_id=${admin.projectId}`),
    );
    await expectVisibleRoles((caller) => caller.get(path));
  });

  it('are hidden in point-in-time reads', async () => {
    const at = String(await now());
    await expectVisibleRoles((caller) => caller.get(`${path}?at=${at}`));
  });

  it('are hidden in change records and the feed', async () => {
    await expectVisibleRoles((caller) => caller.get(`${path}/changes`));
    await expectVisibleRoles((caller) => caller.get(`/v1/changes?kind=user&project_id=${admin.projectId}`));
    // The feed reports a change after all earlier transactions on the server, including those of other tests.
    await until('the feed reports the user', FEED_TIMEOUT, async () => {
      const { body } = await admin.get('/v1/changes/feed').expect(200);
      return rolesIn(body).length > 0;
    });
    await expectVisibleRoles((caller) => caller.get(`/v1/changes/feed?project_id=${admin.projectId}`));
    const [change] = (await admin.get(`${path}/changes?sort_dir=desc&limit=1`).expect(200))
      .body as Resource[];
    await expectVisibleRoles((caller) => caller.get(`/v1/changes/${String(change?.id)}`));
  });

  it('are hidden in dry runs', async () => {
    await expectVisibleRoles((caller) => caller.put(`${path}/variables?dry_run=true`, { note: 'n' }));
  });

  it('are not revealed by reverting the change that granted them', async () => {
    const user = await admin.user({ roles: ['note'] });
    const users = (await admin.get(`/v1/users?username=${user.credentials.user}`)).body as Resource[];
    const revertOf = async (roles: string[]) => {
      await admin.put(`/v1/users/${String(users[0]?.id)}`, { roles }).expect(200);
      const { id } = ((await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as Resource[])[0]!;
      const { status, text } = await reader.post(`/v1/changes/${String(id)}/revert`);
      return { status, message: (JSON.parse(text) as { message: string }).message.replace(String(id), '…') };
    };
    const ofHidden = await revertOf(['note', 'pw']);
    // The same as for a new API key, of which the record shows nothing either.
    expect(ofHidden).toEqual({
      status: 409,
      message: 'The change … cannot be reverted: an API key is not recorded.',
    });
    expect((await revertOf(['ntp_*'])).status).toBe(403);
  });

  it('are kept when another user writes to their user', async () => {
    await reader.put(`${path}/variables`, { note: 'n' }).expect(200);
    await holder.put('/v1/hosts/987654321/variables', { pw: 1 }).expect(404);
    await expectVisibleRoles((caller) => caller.get(path));
    await expectVisibleRoles((caller) => caller.get(`${path}/changes`));
  });
});
