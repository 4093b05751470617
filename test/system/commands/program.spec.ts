import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { admin, builtAdmin, runNode, startAdmin } from '../../support/admin';
import { PROJECT } from '../../support/service';
import { withClient } from './pg-client';

// The machine may be busy.
jest.setTimeout(120_000);

describe('the built muster-admin', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await admin(['bootstrap'], { DATABASE_URL: database.url });
  });
  afterAll(() => database.drop());

  it.each([
    ['prints help', ['user', 'create', '--help'], { code: 0, stderr: '' }],
    ['reports a wrong command line', ['verify', '--faults', 'none'], { code: 1, stdout: '' }],
    ['prints output', ['user', 'list'], { code: 0, stderr: '' }],
    ['reports an error', ['bootstrap'], { code: 1, stdout: '' }],
  ])('%s like the same command run inside the test process', async (_, args, expected) => {
    const environment = { DATABASE_URL: database.url };
    const ended = await builtAdmin(args, environment);
    expect(ended).toMatchObject(expected);
    expect(ended).toEqual(await admin(args, environment));
    expect(ended.stdout + ended.stderr).toMatch(/^\S[^]*\n$/);
  });

  it('exits after each command', async () => {
    const commands = [
      ['verify'],
      ['migrate'],
      ['user', 'key', 'new', 'root', '--project', 'default', '--keep'],
    ];
    const ends = commands.map(async (args) => {
      const { code, stderr } = await builtAdmin(args, { DATABASE_URL: database.url });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    });
    await Promise.all(ends);
  });

  it('exits with the exit code of the command, also when its output is closed', async () => {
    await withClient(database.url, (client) =>
      client.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`),
    );
    const child = startAdmin(['migrate', '--status'], { DATABASE_URL: database.url });
    child.stdout.destroy();
    const ended = new Promise((settle) => child.once('close', settle));
    expect([await text(child.stderr), await ended]).toEqual(['', 4]);
  });
});

it('muster-admin reports misspelled settings without their values', async () => {
  const { code, stderr } = await admin(['distribute'], { DATABSE_URL: 'postgres://muster:secret@db/muster' });
  expect(code).toBe(1);
  expect(stderr).toBe(
    'muster-admin: The environment variable DATABSE_URL is unknown and ignored. Did you mean DATABASE_URL?\n' +
      'muster-admin: The embedded database does not support Citus: set DATABASE_URL.\n',
  );
});

it('muster-admin reports in one sentence that it is not built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-admin-'));
  try {
    cpSync(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    expect(await runNode([join(folder, 'scripts/admin.mjs'), 'verify'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Muster is not built yet: run "npm start" once, or "npm ci" and "npm run build".\n',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
