import request from 'supertest';
import { sharedService } from '../support/service';
import { aName, keyIdOf, type Caller, type Resource } from '../support/caller';

interface Identity {
  readonly user_id: number;
  readonly key_id: string | null;
  readonly key_expires_at: string | null;
}

describe('whoami', () => {
  const app = sharedService();
  let admin: Caller;
  let project: string;
  beforeEach(async () => {
    project = aName('whoami');
    admin = await app.project(project);
  });

  const whoami = async (caller: Caller): Promise<Identity> =>
    (await caller.get('/v1/whoami').expect(200)).body as Identity;

  it('returns the roles and the key id, but not the key', async () => {
    const user = await admin.user({ roles: ['hosts:write', 'ntp_*'] });
    const response = await user.get('/v1/whoami').expect(200);
    const [listed] = (await admin.get(`/v1/users?username=${user.credentials.user}`).expect(200)).body as [
      Resource,
    ];
    expect(response.body).toEqual({
      user_id: listed.id,
      username: user.credentials.user,
      project_id: admin.projectId,
      project_name: project,
      is_admin: false,
      is_root: false,
      roles: ['hosts:write', 'ntp_*'],
      key_id: keyIdOf(user.credentials),
      key_expires_at: null,
    });
    expect(response.text).not.toContain(user.credentials.token.slice(-43));
    expect(await whoami(admin)).toMatchObject({
      username: 'admin',
      is_admin: true,
      is_root: false,
      roles: [],
    });
  });

  it('returns the expiry of the key', async () => {
    const user = await admin.user();
    const { user_id: id } = await whoami(user);
    const expires_at = '2999-01-01T00:00:00.123456';
    const { api_key: token } = (
      await admin.post(`/v1/users/${String(id)}/api-keys`, { expires_at }).expect(201)
    ).body as { api_key: string };
    const short = user.as({ ...user.credentials, token });
    expect(await whoami(short)).toMatchObject({
      key_id: keyIdOf(short.credentials),
      key_expires_at: expires_at,
    });
    expect(await whoami(user)).toMatchObject({ key_id: keyIdOf(user.credentials), key_expires_at: null });
  });

  it('accepts only a bearer key', async () => {
    const user = await admin.user();
    const { body } = await request(app.url)
      .get('/v1/whoami')
      .set('Authorization', `Bearer ${user.credentials.token}`)
      .expect(200);
    expect(body).toEqual(await whoami(user));
  });

  it('returns the project that a root user has selected', async () => {
    expect(await whoami(app.root.in(admin.projectId))).toMatchObject({
      is_root: true,
      project_id: admin.projectId,
      project_name: project,
    });
  });

  it('returns all own roles to a user who cannot see some variables', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_*', 'ntp_key'] }).expect(200);
    const roles = ['db_password', 'ntp_*', '*:write'];
    expect(await whoami(await admin.user({ roles }))).toMatchObject({ roles });
  });

  it('rejects parameters, and needs credentials', async () => {
    await admin.get('/v1/whoami?fields=username').expect(400);
    await request(app.url).get('/v1/whoami').expect(401);
    await admin.post('/v1/whoami', {}).expect(405);
  });
});
