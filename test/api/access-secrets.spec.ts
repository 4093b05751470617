import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { query } from '../support/database';

const at = ({ id }: Resource): string => `/v1/access-secrets/${String(id)}`;
const CERT = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIE…ünïcode\n-----END PRIVATE KEY-----\n';

describe('access secrets', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  interface Row {
    readonly row: string;
    readonly key_fingerprint: string | null;
    readonly encrypted_cert: Buffer;
    readonly initialisation_vector: Buffer;
    readonly authentication_tag: Buffer;
  }

  const stored = async ({ id }: Resource): Promise<Row> => {
    const [row] = await query<Row>(
      app,
      'SELECT *, access_secrets::text AS row FROM access_secrets WHERE id = $1',
      [id],
    );
    if (!row) throw new Error(`no secret ${String(id)}`);
    return row;
  };

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
    expect((await admin.get(at(secret)).expect(200)).body).toMatchObject({ cert: 'another', version: 3 });
  });

  it('are encrypted at rest, with a new initialisation vector on every write', async () => {
    const [one, two] = [await admin.secret({ cert: CERT }), await admin.secret({ cert: CERT })];
    const rows = [await stored(one), await stored(two)] as const;
    for (const { row, encrypted_cert, initialisation_vector, authentication_tag } of rows) {
      expect(row).not.toContain('PRIVATE');
      expect(row).not.toContain(Buffer.from('PRIVATE').toString('hex'));
      expect(row).not.toContain(Buffer.from(CERT).toString('base64').slice(0, 20));
      expect(encrypted_cert).toHaveLength(Buffer.byteLength(CERT));
      // One format byte, then the tag.
      expect([initialisation_vector.length, authentication_tag.length]).toEqual([12, 17]);
    }
    expect(rows[0].encrypted_cert.equals(rows[1].encrypted_cert)).toBe(false);
    expect(rows[0].initialisation_vector.equals(rows[1].initialisation_vector)).toBe(false);
    await admin.put(at(one), { cert: CERT }).expect(200);
    expect((await stored(one)).initialisation_vector.equals(rows[0].initialisation_vector)).toBe(false);
  });

  it('return 500 and no content if the ciphertext was tampered with', async () => {
    const secret = await admin.secret({ cert: CERT });
    const { encrypted_cert } = await stored(secret);
    encrypted_cert.writeUInt8((encrypted_cert[0] ?? 0) ^ 1, 0);
    await query(app, 'UPDATE access_secrets SET encrypted_cert = $2 WHERE id = $1', [
      secret.id,
      encrypted_cert,
    ]);
    const { text, body } = await admin.get(at(secret)).expect(500);
    expect(body.code).toBe('internal_error');
    expect(text).not.toContain('PRIVATE');
  });

  it.each([
    ['of another project', () => app.project()],
    ['of the same project', () => Promise.resolve(admin)],
  ])('cannot be decrypted in the row of another secret %s', async (_, owner) => {
    const other = await owner();
    const [mine, theirs] = [await admin.secret({ cert: CERT }), await other.secret()];
    const { key_fingerprint, initialisation_vector, authentication_tag, encrypted_cert } = await stored(mine);
    await query(
      app,
      `UPDATE access_secrets SET key_fingerprint = $2, initialisation_vector = $3, authentication_tag = $4,
         encrypted_cert = $5 WHERE id = $1`,
      [theirs.id, key_fingerprint, initialisation_vector, authentication_tag, encrypted_cert],
    );
    expect((await other.get(at(theirs)).expect(500)).text).not.toContain('PRIVATE');
    expect((await admin.get(at(mine)).expect(200)).body.cert).toBe(CERT);
    // A new write replaces the copied ciphertext.
    await other.put(at(theirs), { cert: 'again' }).expect(200);
    expect((await other.get(at(theirs)).expect(200)).body.cert).toBe('again');
  });

  it.each([4, 8, 12, 15, 16])(
    'cannot be decrypted with only %i bytes of their authentication tag',
    async (length) => {
      const secret = await admin.secret({ cert: CERT });
      // A format byte precedes the tag. Test with and without it.
      for (const from of [1, 2]) {
        const { authentication_tag } = await stored(secret);
        const part = authentication_tag.subarray(from - 1, from - 1 + length);
        await query(app, 'UPDATE access_secrets SET authentication_tag = $2 WHERE id = $1', [
          secret.id,
          part,
        ]);
        await admin.get(at(secret)).expect(500);
        await query(app, 'UPDATE access_secrets SET authentication_tag = $2 WHERE id = $1', [
          secret.id,
          authentication_tag,
        ]);
        await admin.get(at(secret)).expect(200);
      }
    },
  );

  it('return 503 if their encryption key is not configured', async () => {
    const secret = await admin.secret({ cert: CERT });
    await query(app, "UPDATE access_secrets SET key_fingerprint = '0123456789abcdef' WHERE id = $1", [
      secret.id,
    ]);
    expect((await admin.get(at(secret)).expect(503)).body.code).toBe('unavailable');
  });

  it.each(['', 1, true, ['a'], { pem: 'a' }, 'a\ud800', 'x'.repeat(1024 * 1024 + 1)])(
    'reject %j with 400',
    async (cert) => {
      const { body } = await admin.post('/v1/access-secrets', { cert }).expect(400);
      expect(body.details).toEqual([{ field: 'cert', message: expect.any(String) }]);
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
    expect(body.details).toEqual([{ field: 'id', message: 'still used by 2 devices' }]);
    await admin.put(`/v1/hosts/${String(host.id)}`, { access_secret_id: null }).expect(200);
    expect((await admin.delete(at(secret)).expect(409)).body.message).toContain('1 device');
  });
});
