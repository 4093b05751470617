import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { FEED_TIMEOUT } from '../support/feed-reader';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** Roles that name nothing which is hidden from the reader … */
const SEEN = [
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
/** … and roles that name it, or a prefix that it lies in, or a part of it. */
const HIDDEN = ['pw', 'pw*', 'p*', '*', 'secret*', 'secret_*', 'secret_b', 'secret_b*'];
const ROLES = ['note', ...SEEN, ...HIDDEN].sort();

/** Everybody reads users; what their roles name must not tell of keys that are hidden. */
describe('roles that name private variables', () => {
  const app = sharedService();
  let admin: Caller;
  /** Sees some of what is private. */
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

  /** The roles of the holder, wherever they stand in an answer. */
  function rolesIn(answer: unknown): string[][] {
    if (typeof answer !== 'object' || answer === null) return [];
    const { roles, username } = answer as { roles?: string[]; username?: string };
    if (roles && username === holder.credentials.user) return [roles];
    return Object.values(answer).flatMap(rolesIn);
  }

  /** Asks as everybody, and holds the roles in the answers against what each may see. */
  async function expectSeen(ask: (caller: Caller) => Promise<{ body: unknown; status: number }>) {
    for (const [caller, seen] of [
      [reader, ROLES.filter((role) => !HIDDEN.includes(role))],
      [holder, ROLES],
      [admin, ROLES],
      [app.root.in(admin.projectId), ROLES],
    ] as const) {
      const { body, status } = await ask(caller);
      expect(status).toBe(200);
      const found = rolesIn(body);
      expect(found.length).toBeGreaterThan(0);
      for (const roles of found) expect(roles).toEqual(seen);
    }
  }

  it('are shown in lists and single answers to those who see the variables', async () => {
    await expectSeen((caller) => caller.get(`/v1/users?project_id=${admin.projectId}`));
    await expectSeen((caller) => caller.get(`/v1/users?fields=username,roles&project_id=${admin.projectId}`));
    await expectSeen((caller) => caller.get(path));
  });

  it('are shown as they were in the past likewise', async () => {
    const at = String(await now());
    await expectSeen((caller) => caller.get(`${path}?at=${at}`));
  });

  it('are shown in change records and the feed likewise', async () => {
    await expectSeen((caller) => caller.get(`${path}/changes`));
    await expectSeen((caller) => caller.get(`/v1/changes?kind=user&project_id=${admin.projectId}`));
    // It tells of a change when every earlier one of the server is over, and other tests write there, too.
    await until('the feed tells of the user', FEED_TIMEOUT, async () => {
      const { body } = await admin.get('/v1/changes/feed').expect(200);
      return rolesIn(body).length > 0;
    });
    await expectSeen((caller) => caller.get(`/v1/changes/feed?project_id=${admin.projectId}`));
    const [change] = (await admin.get(`${path}/changes?sort_dir=desc&limit=1`).expect(200))
      .body as Resource[];
    await expectSeen((caller) => caller.get(`/v1/changes/${String(change?.id)}`));
  });

  it('are shown by a dry run likewise', async () => {
    await expectSeen((caller) => caller.put(`${path}/variables?dry_run=true`, { note: 'n' }));
  });

  it('cannot be told by undoing the change that gave them', async () => {
    const user = await admin.user({ roles: ['note'] });
    const users = (await admin.get(`/v1/users?username=${user.credentials.user}`)).body as Resource[];
    const undone = async (roles: string[]) => {
      await admin.put(`/v1/users/${String(users[0]?.id)}`, { roles }).expect(200);
      const { id } = ((await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as Resource[])[0]!;
      const { status, text } = await reader.post(`/v1/changes/${String(id)}/revert`);
      return { status, message: (JSON.parse(text) as { message: string }).message.replace(String(id), '…') };
    };
    const ofNothing = await undone(['note']);
    expect(ofNothing.status).toBe(409);
    expect(await undone(['note', 'pw'])).toEqual(ofNothing);
    expect((await undone(['ntp_*'])).status).toBe(403);
  });

  it('stay what they are, whoever writes to their user', async () => {
    await reader.put(`${path}/variables`, { note: 'n' }).expect(200);
    await holder.put('/v1/hosts/987654321/variables', { pw: 1 }).expect(404);
    await expectSeen((caller) => caller.get(path));
    await expectSeen((caller) => caller.get(`${path}/changes`));
  });
});
