import { createCipheriv, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { Program } from '../../support/program';
import { startServiceProcess } from '../../support/service-process';
import { startDatabaseProxy } from '../../support/database-proxy';
import { SecondConnection } from '../../support/second-connection';
import { Caller, type Resource } from '../../support/caller';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import { admin, printed, refusal, startAdmin } from '../../support/admin';

// The machine may be busy.
jest.setTimeout(240_000);

const SECRET_COUNT = 12;

/** The pauses (ms) of a client: every secret that it creates is read several times later. */
const THINK_TIME = { write: 250, read: 40 };

interface Key {
  readonly fingerprint: string;
  readonly is: string;
  readonly secrets: number;
  readonly answers: number;
  readonly legacy_format: number;
}

/** Creates, updates and reads secrets all the time, and records unexpected responses. */
class Traffic {
  readonly failures: string[] = [];
  rounds = 0;
  private isOver = false;
  private readonly latest = new Map<number, string>();
  private readonly loops: Promise<unknown>;

  constructor(
    private readonly caller: Caller,
    ids: readonly number[],
  ) {
    for (const id of ids) this.latest.set(id, `of ${String(id)}, 0`);
    this.loops = Promise.all([this.write(), this.read()]);
  }

  async end(): Promise<ReadonlyMap<number, string>> {
    this.isOver = true;
    await this.loops;
    return this.latest;
  }

  private async write(): Promise<void> {
    while (!this.isOver) {
      const key = { 'Idempotency-Key': `round-${String(++this.rounds)}` };
      const made = await this.caller.post('/v1/access-secrets', { cert: 'created' }, key);
      this.expect(made.status === 201, `a creation: ${String(made.status)}`);
      const { id } = made.body as { id: number };
      for (const which of [id, [...this.latest.keys()][this.rounds % this.latest.size] ?? id]) {
        const cert = `of ${String(which)}, ${String(this.rounds)}`;
        const altered = await this.caller.put(`/v1/access-secrets/${String(which)}`, { cert });
        this.expect(altered.status === 200, `an update: ${String(altered.status)}`);
        this.latest.set(which, cert);
      }
      // A retry returns the stored response, whichever key sealed it.
      const again = await this.caller.post('/v1/access-secrets', { cert: 'created' }, key);
      this.expect(again.headers['idempotency-replayed'] === 'true', `a repetition: ${String(again.status)}`);
      await pause(THINK_TIME.write);
    }
  }

  private async read(): Promise<void> {
    for (let turn = 0; !this.isOver; turn++) {
      const id = [...this.latest.keys()][turn % this.latest.size] ?? 0;
      const { status, body } = await this.caller.get(`/v1/access-secrets/${String(id)}`);
      const { cert } = body as { cert?: string };
      this.expect(
        status === 200 && cert?.startsWith(`of ${String(id)}, `) === true,
        `a secret: ${String(status)}`,
      );
      await pause(THINK_TIME.read);
    }
  }

  private expect(isRight: boolean, what: string): void {
    if (!isRight) this.failures.push(what);
  }
}

/** A cert in the legacy format, bound to its project only: the vector, a tag of 16 bytes, and the content. */
function sealInLegacyFormat(key: string, projectId: string, cert: string): Buffer[] {
  const vector = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), vector);
  cipher.setAAD(Buffer.from(projectId));
  const content = Buffer.concat([cipher.update(cert, 'utf8'), cipher.final()]);
  return [vector, cipher.getAuthTag(), content];
}

describe('the keys for access secrets', () => {
  let database: TestDatabase;
  let formats: TestDatabase | undefined;
  let secondConnection: SecondConnection;
  let dataDir: string;
  let environment: Record<string, string>;
  let root: Caller;
  let latest: ReadonlyMap<number, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    secondConnection = await SecondConnection.connect(database.url);
    dataDir = temporaryFolder();
    environment = { DATABASE_URL: database.url, DATA_DIR: dataDir };
  });
  afterAll(async () => {
    await cleanUp();
    await secondConnection.close();
    await database.drop();
    await formats?.drop();
  });

  const keyFile = () => join(dataDir, 'secrets.key');
  const keysOf = async (more: Record<string, string> = {}) => {
    const text = await printed(admin(['secrets', 'status', '--json'], { ...environment, ...more }));
    return (JSON.parse(text) as { keys: Key[] }).keys;
  };
  const secretIds = async () => {
    const rows = await secondConnection.rows<{ id: string }>(
      'SELECT id FROM access_secrets ORDER BY project_id, id',
    );
    return rows.map(({ id }) => Number(id));
  };
  const expectAllOpen = async (caller: Caller) => {
    for (const [id, cert] of latest)
      expect((await caller.get(`/v1/access-secrets/${String(id)}`)).body).toMatchObject({ cert });
  };

  it('are rotated while the service runs, also after an interrupted rotation', async () => {
    // Two processes that share only the key file.
    const service = startServiceProcess({
      ...environment,
      SECRETS_KEY: '',
      WORKERS: '2',
      LOG_LEVEL: 'error',
    });
    root = await service.root();
    const former = readFileSync(keyFile(), 'utf8');
    const ids: number[] = [];
    for (let i = 0; i < SECRET_COUNT; i++) {
      const { id } = await root.secret();
      await root.put(`/v1/access-secrets/${String(id)}`, { cert: `of ${String(id)}, 0` }).expect(200);
      ids.push(id);
    }
    const traffic = new Traffic(
      root,
      ids.filter((_, i) => i !== SECRET_COUNT - 1),
    );
    await until('there is traffic', 60, () => Promise.resolve(traffic.rounds > 2));

    // The rotation waits for a lock on the last secret, and is killed there.
    const release = await secondConnection.acquire({
      text: 'SELECT FROM access_secrets WHERE id = $1 FOR UPDATE',
      values: [ids.at(-1)],
    });
    const rotation = startRotation();
    await secondConnection.waiting(1);
    rotation.kill('SIGKILL');
    await rotation.ended;
    // Its connection would wait on without it, and reseal the last secret after all.
    await secondConnection.terminate(await secondConnection.blockedPids());
    await release();
    const [first, second, ...others] = readFileSync(keyFile(), 'utf8').split('\n');
    expect([second, others]).toEqual([former, []]);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    // The processes may have written with the former key until they read the file again.
    await until('both keys are used', 60, async () => {
      const used = await secondConnection.rows('SELECT DISTINCT key_fingerprint FROM access_secrets');
      return used.length === 2;
    });
    const halfWay = await keysOf();
    expect(halfWay.map(({ is }) => is)).toEqual(['encrypting', 'decrypting']);
    for (const { secrets } of halfWay) expect(secrets).toBeGreaterThan(0);

    // Each process reads the file again at its first use after a second. What they write then is sealed with the new key.
    const { mtimeMs } = statSync(keyFile());
    await until('both processes read the keys again', 60, () =>
      Promise.resolve(Date.now() > mtimeMs + 1_100),
    );
    const before = traffic.rounds;
    await until('the traffic goes on', 60, () => Promise.resolve(traffic.rounds > before + 3));
    const output = await printed(admin(['secrets', 'rotate', '--json'], environment));
    expect(readFileSync(keyFile(), 'utf8').split('\n')).toEqual([first, former]);
    latest = await traffic.end();
    expect(traffic.failures).toEqual([]);

    const { key, re_encrypted } = JSON.parse(output) as {
      key: string;
      re_encrypted: { secrets: number; unreadable: number };
    };
    expect(re_encrypted.unreadable).toBe(0);
    expect(re_encrypted.secrets).toBeGreaterThan(0);
    const [encrypting, decrypting, ...lost] = await keysOf();
    expect({ encrypting, decrypting, lost }).toMatchObject({
      encrypting: { fingerprint: key, secrets: (await secretIds()).length },
      decrypting: { secrets: 0, answers: 0 },
      lost: [],
    });
    expect(encrypting?.answers).toBe(traffic.rounds);

    expect(await printed(admin(['secrets', 'forget'], environment))).toMatch(
      /^forgotten: [0-9a-f]{16}\nnote: backups from before the rotation require a copy of the forgotten keys\n$/,
    );
    expect(readFileSync(keyFile(), 'utf8')).toBe(first);
    await expectAllOpen(root);
    await printed(admin(['verify'], environment));
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('are not forgotten while an open transaction holds data that one of them sealed', async () => {
    const late = new Client({ connectionString: database.url });
    await late.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO access_secrets (project_id, key_fingerprint, initialisation_vector, authentication_tag, encrypted_cert)
       SELECT project_id, key_fingerprint, $2, $3, $4 FROM access_secrets WHERE project_id = $1 ORDER BY id LIMIT 1`,
      [root.projectId, ...sealInLegacyFormat(readFileSync(keyFile(), 'utf8'), root.projectId, 'late')],
    );
    // The session of the command may outlive the command. Its lock does not.
    const proxy = await startDatabaseProxy({ ...database, drop: () => Promise.resolve() });
    proxy.holdSessionsOpen();
    try {
      await printed(admin(['secrets', 'rotate'], { ...environment, DATABASE_URL: proxy.database.url }));
      expect(
        await secondConnection.rows(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      ).toEqual([]);
    } finally {
      await proxy.disconnect();
    }
    const forgetting = admin(['secrets', 'forget'], environment);
    await until('it waits for the transaction', 60, async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE query LIKE '%virtualxid%' AND datname = current_database() AND pid <> pg_backend_pid()`;
      return (await secondConnection.rows(waiting)).length > 0;
    });
    await late.query('COMMIT');
    await late.end();
    expect(await printed(forgetting)).toBe('There are no unused keys.\n');
    expect(await keysOf()).toMatchObject([{ is: 'encrypting' }, { is: 'decrypting', secrets: 1 }]);
    // The remaining secret is re-encrypted with the existing key. A note says which key older backups need.
    expect(await printed(admin(['secrets', 'rotate'], environment))).toContain(
      `note: earlier backups require the former key: keep a copy of ${keyFile()} for`,
    );
    expect(await printed(admin(['secrets', 'forget'], environment))).toMatch(/^forgotten: [0-9a-f]{16}\n/);
    await secondConnection.rows('DELETE FROM access_secrets WHERE id = (SELECT max(id) FROM access_secrets)');
  });

  it('are rotated when the environment holds them', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const others = { SECRETS_KEY, SECRETS_KEY_OTHERS: readFileSync(keyFile(), 'utf8') };
    const count = (await secretIds()).length;
    // The new key alone opens nothing, and nothing is changed.
    const { code, stderr } = await admin(['secrets', 'rotate'], { ...environment, SECRETS_KEY });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be decrypted by any available key/);
    const text = await printed(admin(['secrets', 'rotate', '--json'], { ...environment, ...others }));
    expect(JSON.parse(text)).toMatchObject({ re_encrypted: { secrets: count, unreadable: 0 } });
    expect(await keysOf({ SECRETS_KEY })).toMatchObject([{ is: 'encrypting', secrets: count }]);
    expect(await refusal(admin(['secrets', 'forget'], { ...environment, ...others }))).toMatch(
      /SECRETS_KEY_OTHERS/,
    );
    const service = startServiceProcess({ ...environment, SECRETS_KEY, WORKERS: '1', LOG_LEVEL: 'error' });
    await expectAllOpen(new Caller(await service.serving(), root.credentials));
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  // This test has its own database and runs concurrently.
  it.concurrent('reseal secrets in the legacy format, and report how many there are', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const { formatDatabase, own } = await withKeyFile(SECRETS_KEY);
    const service = startServiceProcess({ ...own, SECRETS_KEY: '', WORKERS: '1', LOG_LEVEL: 'error' });
    const caller = await service.root();
    const secrets = [await caller.secret(), await caller.secret(), await caller.secret()];
    const show = ({ id }: { id: number }) => caller.get(`/v1/access-secrets/${String(id)}`);
    const putLegacy = async (key: string, { id, project_id }: Resource, cert: string) => {
      const set = 'initialisation_vector = $2, authentication_tag = $3, encrypted_cert = $4';
      const values = [id, ...sealInLegacyFormat(key, project_id, cert)];
      await formatDatabase.rows(`UPDATE access_secrets SET ${set} WHERE id = $1`, values);
    };
    for (const secret of secrets) await putLegacy(SECRETS_KEY, secret, `of ${String(secret.id)}`);
    const status = async () => {
      const text = await printed(admin(['secrets', 'status', '--json'], own));
      return (JSON.parse(text) as { keys: Key[] }).keys;
    };
    const expectOpen = async (certs: readonly string[]) => {
      for (const [i, secret] of secrets.entries())
        expect((await show(secret).expect(200)).body).toMatchObject({ cert: certs[i] });
    };
    await expectOpen(secrets.map(({ id }) => `of ${String(id)}`));
    expect(await status()).toMatchObject([{ secrets: 3, legacy_format: 3 }]);

    const [first, ...others] = secrets;
    if (!first) throw new Error('there is no secret');
    await caller.put(`/v1/access-secrets/${String(first.id)}`, { cert: 'new' }).expect(200);
    expect(await status()).toMatchObject([{ secrets: 3, legacy_format: 2 }]);

    // The rotation creates a new key: there is no interrupted rotation to complete.
    await printed(admin(['secrets', 'rotate'], own));
    expect(await status()).toMatchObject([
      { is: 'encrypting', secrets: 3, legacy_format: 0 },
      { is: 'decrypting', secrets: 0 },
    ]);
    await expectOpen(['new', ...others.map(({ id }) => `of ${String(id)}`)]);

    // With the key of the environment, only the format changes.
    const [key = ''] = readFileSync(join(own.DATA_DIR, 'secrets.key'), 'utf8').split('\n');
    await putLegacy(key, first, 'old');
    const output = await printed(
      admin(['secrets', 'rotate', '--json'], { DATABASE_URL: own.DATABASE_URL, SECRETS_KEY: key }),
    );
    expect(JSON.parse(output)).toMatchObject({ re_encrypted: { secrets: 1, unreadable: 0 } });
    await expectOpen(['old', ...others.map(({ id }) => `of ${String(id)}`)]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await formatDatabase.close();
  });

  /** A new database and data folder, with this key in the key file. */
  async function withKeyFile(key: string) {
    formats = await createTestDatabase();
    const DATA_DIR = temporaryFolder();
    writeFileSync(join(DATA_DIR, 'secrets.key'), key, { mode: 0o600 });
    return {
      formatDatabase: await SecondConnection.connect(formats.url),
      own: { DATABASE_URL: formats.url, DATA_DIR },
    };
  }

  /** Starts a rotation that the test can kill. */
  function startRotation(): Program {
    return new Program(startAdmin(['secrets', 'rotate'], environment));
  }
});
