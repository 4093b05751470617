import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const at = ({ id }: Resource): string => `/v1/access-secrets/${String(id)}`;
const CERT = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIE…ünïcode\n-----END PRIVATE KEY-----\n';

describe('access secrets', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('are returned only to an admin who reads a single secret', async () => {
    const made = await admin.secret({ cert: CERT });
    expect(made).toEqual({
      id: made.id,
      uuid: made.uuid,
      project_id: admin.projectId,
      created_at: made['created_at'],
      updated_at: null,
      version: 1,
    });
    expect((await admin.get(at(made)).expect(200)).body).toEqual({ ...made, cert: CERT });
    expect((await admin.get('/v1/access-secrets').expect(200)).body).toEqual([made]);
    await admin.get('/v1/access-secrets?fields=cert').expect(400);
    await admin.get('/v1/access-secrets?cert=a').expect(400);
    await admin.get('/v1/access-secrets?sort_keys=cert').expect(400);
    const host = await admin.host({ access_secret_id: made.id });
    expect(host['access_secret_id']).toBe(made.id);
    for (const path of [`/v1/hosts/${String(host.id)}`, '/v1/devices', '/v1/changes'])
      expect((await admin.get(path).expect(200)).text).not.toContain('PRIVATE KEY');
  });

  it('are replaced without being returned in the response', async () => {
    const secret = await admin.secret({ cert: CERT });
    const { body } = await admin.put(at(secret), { cert: 'another' }).expect(200);
    expect(body).toMatchObject({ id: secret.id, version: 2 });
    expect(body).not.toHaveProperty('cert');
    expect((await admin.get(at(secret)).expect(200)).body.cert).toBe('another');
    await admin.put(at(secret), {}).expect(200);
    expect((await admin.get(at(secret)).expect(200)).body).toMatchObject({ cert: 'another', version: 2 });
  });

  it.each(['', 1, true, ['a'], { pem: 'a' }, 'a\ud800', 'x'.repeat(1024 * 1024 + 1)])(
    'reject %j with 400',
    async (cert) => {
      const { body } = await admin.post('/v1/access-secrets', { cert }).expect(400);
      expect(body.details).toEqual([
        { field: 'cert', code: expect.any(String), message: expect.any(String) },
      ]);
    },
  );

  it('accept 1 MiB of text and any character', async () => {
    for (const cert of ['x'.repeat(1024 * 1024), 'a\u0000b\r\n\t"\\ 😀'])
      expect((await admin.get(at(await admin.secret({ cert }))).expect(200)).body.cert).toBe(cert);
  });

  it('are accessible to admins only, regardless of roles', async () => {
    const secret = await admin.secret();
    const user = await admin.user({ roles: ['access-secrets:write', '*:write'] });
    for (const call of [
      user.get('/v1/access-secrets'),
      user.get(at(secret)),
      user.post('/v1/access-secrets', { cert: 'a' }),
      user.put(at(secret), { cert: 'a' }),
      user.delete(at(secret)),
    ])
      expect((await call.expect(403)).body.code).toBe('forbidden');
  });

  it('do not show their content in change records', async () => {
    const secret = await admin.secret({ cert: CERT });
    await admin.put(at(secret), { cert: `${CERT} again` }).expect(200);
    const { body, text } = await admin.get('/v1/changes?kind=access-secret').expect(200);
    expect(body).toHaveLength(2);
    expect(text).not.toMatch(/PRIVATE|encrypted|initialisation|fingerprint/);
  });

  it('cannot be deleted while devices use them', async () => {
    const secret = await admin.secret();
    const host = await admin.host({ access_secret_id: secret.id });
    await admin.networkDevice({ access_secret_id: secret.id });
    const { body } = await admin.delete(at(secret)).expect(409);
    expect(body.details).toEqual([{ field: 'id', code: 'in_use', message: 'still used by 2 devices' }]);
    await admin.put(`/v1/hosts/${String(host.id)}`, { access_secret_id: null }).expect(200);
    expect((await admin.delete(at(secret)).expect(409)).body.message).toContain('1 device');
  });
});
