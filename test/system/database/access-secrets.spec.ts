import { sharedService } from '../../support/service';
import type { Caller, Resource } from '../../support/caller';
import { query } from '../../support/database';

const at = ({ id }: Resource): string => `/v1/access-secrets/${String(id)}`;
const CERT = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIE…ünïcode\n-----END PRIVATE KEY-----\n';

/** What the database holds, and what the service makes of rows that somebody altered: see test/api/access-secrets.spec.ts. */
describe('access secrets in the database', () => {
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
});
