import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../../src/shared/persistence/migrate';
import { serviceLogin } from '../../src/shared/persistence/service-login';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/**
 * A database whose owner is no superuser and may not create roles, as hosted ones are. The service then works as that
 * owner, and the refusal to alter records is what the owner has taken from itself.
 */
describe('a database of an ordinary user', () => {
  let database: TestDatabase;
  let superuser: Client;
  let owner: Client;
  const name = `ordinary_${randomBytes(6).toString('hex')}`;
  const url = (user: string, db: string): string => {
    const made = new URL(database.url);
    made.username = user;
    made.pathname = `/${db}`;
    return made.href;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = new Client({ connectionString: database.url });
    await superuser.connect();
    await superuser.query(`CREATE ROLE ${name} LOGIN`);
    await superuser.query(`CREATE DATABASE ${name} OWNER ${name}`);
    await migrate({ url: url(name, name) });
    owner = new Client({ connectionString: url(name, name) });
    await owner.connect();
    await owner.query(`INSERT INTO projects (name) VALUES ('p')`);
    await owner.query(`INSERT INTO changes (project_id, created_at, actor_username, request_id)
      SELECT id, now(), 'somebody', 'r' FROM projects`);
    await owner.query(`INSERT INTO change_objects (project_id, change_id, ordinal, kind, name, action)
      SELECT project_id, id, 0, 'project', 'p', 'create' FROM changes`);
  });

  afterAll(async () => {
    await owner.end();
    await superuser.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await superuser.query(`DROP ROLE IF EXISTS ${name}`);
    await superuser.end();
    await database.drop();
  });

  it('is served without the role that its owner cannot take', async () => {
    const login = await serviceLogin({ url: url(name, name) });
    expect(login.as).toBe('login');
    expect(login.weakness).toMatch(/it owns tables.*DATABASE_OWNER_URL/);
  });

  it.each([
    ['UPDATE changes SET reason = reason'],
    ['UPDATE changes SET project_id = gen_random_uuid()'],
    ['DELETE FROM changes'],
    ['TRUNCATE changes CASCADE'],
    ['UPDATE change_objects SET name = name'],
    ['DELETE FROM change_objects'],
  ])('keeps records against: %s', async (statement) => {
    await expect(owner.query(statement)).rejects.toThrow(/permission denied|foreign key/);
    expect(
      (await owner.query('SELECT FROM changes c JOIN change_objects o ON o.change_id = c.id')).rowCount,
    ).toBe(1);
  });
});
