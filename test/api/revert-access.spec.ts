import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { query } from '../support/database';
import { lastChange, refused, revert, type ChangeRecord } from '../support/reverts';

describe('reverting a change', () => {
  const app = sharedService();

  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  it('requires a role for the collection or for each variable', async () => {
    const hosts = await admin.user({ roles: ['hosts:write'] });
    const ntp = await admin.user({ roles: ['ntp_*'] });
    const plainUser = await admin.user();
    const { id } = await admin.host({ variables: { ntp_servers: 1 } });
    const path = `/v1/hosts/${String(id)}`;
    await admin.put(`${path}/variables`, { ntp_servers: 2 }).expect(200);
    const ofVariable = await lastChange(admin);
    await admin.put(path, { note: 'n', variables: { ntp_pool: 1 } }).expect(200);
    const ofMembers = await lastChange(admin);
    await admin.put(`/v1/regions/${String((await admin.region()).id)}`, { note: 'n' }).expect(200);
    const ofRegion = await lastChange(admin);
    refused(await revert(plainUser, ofVariable.id), 403);
    refused(await revert(ntp, ofMembers.id), 403);
    refused(await revert(hosts, ofRegion.id), 403);
    expect((await revert(ntp, ofVariable.id)).status).toBe(201);
    expect((await revert(hosts, ofMembers.id)).status).toBe(201);
  });

  it('requires an admin for users, and root for root users', async () => {
    const everything = await admin.user({ roles: ['*:write'] });
    const [user] = (await admin.get(`/v1/users?username=${everything.credentials.user}`)).body as Resource[];
    await admin.put(`/v1/users/${String(user?.id)}`, { is_admin: true }).expect(200);
    await admin.put(`/v1/users/${String(user?.id)}`, { is_admin: false }).expect(200);
    const demoted = await lastChange(admin);
    refused(await revert(everything, demoted.id), 403);
    expect((await revert(admin, demoted.id)).status).toBe(201);
    await app.root.in(admin.projectId).user({ is_root: true });
    const root = await lastChange(admin);
    refused(await revert(admin, root.id), 403);
    expect((await revert(app.root, root.id)).status).toBe(201);
  });

  describe('checks the current state of the user', () => {
    /** A user whose name an admin has changed, and the record of that change. */
    async function renamed(): Promise<{ path: string; username: string; change: ChangeRecord }> {
      const username = aName('renamed');
      const { id } = (await admin.post('/v1/users', { username: aName('user') }).expect(201))
        .body as Resource;
      const path = `/v1/users/${String(id)}`;
      await admin.put(path, { username, is_admin: true }).expect(200);
      return { path, username, change: await lastChange(admin) };
    }

    it('and rejects an admin if the user is now a root user', async () => {
      const { path, username, change } = await renamed();
      await app.root.put(path, { is_root: true }).expect(200);
      await admin.put(path, { username: aName('taken') }).expect(403);
      refused(await revert(admin, change.id), 403);
      refused(await admin.post(`/v1/changes/${String(change.id)}/revert?dry_run=true`), 403);
      expect((await admin.get(path).expect(200)).body).toMatchObject({ username, is_admin: true });
      expect((await revert(app.root, change.id)).status).toBe(201);
    });

    it('and rejects a change of variables by an admin if the user is now a root user', async () => {
      const { path } = await renamed();
      await admin.put(`${path}/variables`, { shell: 'zsh' }).expect(200);
      const change = await lastChange(admin);
      await app.root.put(path, { is_root: true }).expect(200);
      refused(await revert(admin, change.id), 403);
      refused(await revert(await admin.user({ roles: ['shell'] }), change.id), 403);
      expect((await admin.get(`${path}/variables`).expect(200)).body).toEqual({
        variables: { shell: 'zsh' },
      });
    });

    it('and accepts an admin if the user is no longer a root user', async () => {
      const { path, change } = await renamed();
      await app.root.put(path, { is_root: true }).expect(200);
      await app.root.put(path, { roles: ['ntp_*'] }).expect(200);
      const asRoot = await lastChange(admin);
      refused(await revert(admin, asRoot.id), 403);
      await app.root.put(path, { is_root: false }).expect(200);
      expect((await revert(admin, asRoot.id)).status).toBe(201);
      expect((await revert(admin, change.id)).status).toBe(201);
    });

    it('and rejects an admin if the revert would create a root user', async () => {
      const { path } = await renamed();
      await app.root.put(path, { is_root: true }).expect(200);
      await app.root.put(path, { is_root: false }).expect(200);
      const demotion = await lastChange(admin);
      refused(await revert(admin, demotion.id), 403);
      await app.root.put(path, { is_root: true }).expect(200);
      await app.root.delete(path).expect(204);
      const deletion = await lastChange(admin);
      refused(await revert(admin, deletion.id), 403);
    });

    it('and rejects everyone if the name and rights of the user come from Keystone', async () => {
      const { path, username, change } = await renamed();
      await admin.put(`${path}/variables`, { shell: 'zsh' }).expect(200);
      const ofVariable = await lastChange(admin);
      // As the first sign-in with Keystone does.
      await query(app, 'UPDATE users SET keystone_id = $1 WHERE username = $1', [username]);
      await admin.put(path, { username: aName('taken') }).expect(409);
      for (const caller of [admin, app.root])
        expect(refused(await revert(caller, change.id))).toMatchObject([
          { field: 'is_admin' },
          { field: 'username' },
        ]);
      expect((await admin.get(path).expect(200)).body).toMatchObject({ username, is_admin: true });
      expect((await revert(admin, ofVariable.id)).status).toBe(201);
    });
  });

  it('requires root for projects, and an admin for settings', async () => {
    const everything = await admin.user({ roles: ['*:write'] });
    await app.root.put(`/v1/projects/${admin.projectId}`, { name: aName('p') }).expect(200);
    const named = await lastChange(admin);
    refused(await revert(admin, named.id), 403);
    expect((await revert(app.root, named.id)).status).toBe(201);
    const settings = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(settings, { private: ['secret'] }).expect(200);
    await admin.put(settings, { private: ['secret', 'more'] }).expect(200);
    const settingsChange = await lastChange(admin);
    // A user who may not read settings does not see their records either.
    refused(await revert(everything, settingsChange.id), 404);
    expect((await revert(admin, settingsChange.id)).status).toBe(201);
    expect((await admin.get(settings).expect(200)).body).toMatchObject({ private: ['secret'] });
  });

  it('requires a role for private variables, which the error does not name', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret_*'] }).expect(200);
    const hosts = await admin.user({ roles: ['hosts:write'] });
    const { id } = await admin.host({ variables: { secret_one: 'sesame' } });
    await admin.put(`/v1/hosts/${String(id)}/variables`, { secret_one: 'simsim', open: 1 }).expect(200);
    const change = await lastChange(admin);
    const response = await revert(hosts, change.id);
    refused(response, 403);
    expect(response.text).not.toMatch(/secret_one|sesame|simsim/);
    expect((await revert(admin, change.id)).status).toBe(201);
  });

  it('does not reveal a change of private variables in a conflict', async () => {
    const { id } = await admin.host();
    const made = await lastChange(admin);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret_*'] }).expect(200);
    const hosts = await admin.user({ roles: ['hosts:write'] });
    await admin.put(`/v1/hosts/${String(id)}/variables`, { secret_one: 1 }).expect(200);
    const response = await revert(hosts, made.id);
    expect(refused(response)).toMatchObject([{ field: 'version' }]);
    expect(response.text).not.toContain('secret_one');
  });
});
