import { Client } from 'pg';
import { sharedService } from '../../support/service';
import { aName, type Caller } from '../../support/caller';
import { Browser } from '../../support/browser';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/until';
import { admin, linesByName, printed, refusal, type Ended } from '../../support/admin';

// The machine may be busy.
jest.setTimeout(120_000);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEY = /^mst_[0-9a-f]{16}_[\w-]{43}$/;

const commands = [
  [],
  ['bootstrap'],
  ['migrate'],
  ['distribute'],
  ['user'],
  ['user', 'create'],
  ['user', 'update'],
  ['user', 'delete'],
  ['user', 'list'],
  ['user', 'key'],
  ['user', 'key', 'new'],
  ['user', 'key', 'list'],
  ['user', 'key', 'revoke'],
  ['session'],
  ['session', 'list'],
  ['session', 'end'],
  ['secrets'],
  ['secrets', 'status'],
  ['secrets', 'rotate'],
  ['secrets', 'forget'],
  ['verify'],
];

it.each(commands.map((command) => [command.join(' '), command] as const))(
  'muster-admin %s --help',
  async (_, command) => {
    const help = await printed(admin([...command, '--help'], {}));
    expect(help).toMatch(new RegExp(`^Usage: muster-admin ${command.join(' ')}.*\\n\\n[A-Z][^]*\\.\\n`));
  },
);

it('muster-admin without arguments prints its help as an error', async () => {
  const { stdout: help } = await admin(['--help'], {});
  expect(await admin([], {})).toEqual({ code: 1, stdout: '', stderr: help });
});

it('reports in one sentence that the database is unreachable', async () => {
  const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/muster' };
  for (const command of [['bootstrap'], ['migrate', '--status']])
    expect(await refusal(admin(command, environment))).toMatch(
      /^The database cannot be reached: .*DATABASE_URL/,
    );
});

describe('muster-admin without a running service', () => {
  let database: TestDatabase;
  let run: (...args: string[]) => Promise<Ended>;
  beforeEach(async () => {
    database = await createTestDatabase();
    run = (...args) => admin(args, { DATABASE_URL: database.url, DATA_DIR: '/nowhere' });
  });
  afterEach(() => database.drop());

  async function query(statement: string): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  const withoutSchema = () => query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  it('bootstrap creates the schema, a project and a root user in an empty database, once', async () => {
    await withoutSchema();
    const { project, username, ...key } = linesByName(
      await printed(run('bootstrap', '--project', 'fleet', '--username', 'chief')),
    );
    expect({ project, username, key }).toEqual({
      project: expect.stringMatching(UUID),
      username: 'chief',
      key: { 'api key': expect.stringMatching(KEY) },
    });
    const users = JSON.parse(await printed(run('user', 'list', '--json'))) as unknown;
    expect(users).toMatchObject([
      { project_id: project, project: 'fleet', username: 'chief', is_root: true, is_admin: true, keys: 1 },
    ]);
    expect(await refusal(run('bootstrap'))).toMatch(/^This deployment was bootstrapped before/);
    expect(JSON.parse(await printed(run('user', 'list', '--json')))).toEqual(users);
  });

  it('bootstrap prints JSON with --json', async () => {
    expect(JSON.parse(await printed(run('bootstrap', '--json')))).toEqual({
      project: expect.stringMatching(UUID),
      username: 'root',
      api_key: expect.stringMatching(KEY),
    });
  });

  it('concurrent bootstraps create one project', async () => {
    const ended = await Promise.all([run('bootstrap'), run('bootstrap')]);
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(JSON.parse(await printed(run('user', 'list', '--json')))).toHaveLength(1);
  });

  it('migrate reports pending migrations by its exit code, applies them, and then reports none', async () => {
    await withoutSchema();
    const pending = await run('migrate', '--status', '--json');
    expect(pending.code).toBe(3);
    const status = JSON.parse(pending.stdout) as { pending: string[] };
    expect(status).toEqual({
      applied: [],
      pending: expect.arrayContaining([expect.any(String)]),
      unknown: [],
    });

    expect(await refusal(run('user', 'list'))).toMatch(/^The database has no schema yet: run "muster-admin/);
    expect(await refusal(run('verify'))).toMatch(/^The database has no schema yet/);

    expect(JSON.parse(await printed(run('migrate', '--json')))).toEqual({ migrated: status.pending });
    expect(await printed(run('migrate'))).toBe('The schema is up to date.\n');
    expect(await printed(run('migrate', '--status'))).toBe(
      status.pending.map((name) => `applied: ${name}\n`).join(''),
    );
  });

  it.each([
    ['of TypeORM', 'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint, name varchar)'],
    ['of Laravel', 'CREATE TABLE migrations (id serial PRIMARY KEY, name varchar, batch int)'],
    ['of its own', 'CREATE TABLE migrations (name varchar)'],
  ])('refuses a database in which another program has a table of migrations: one %s', async (_, create) => {
    await withoutSchema();
    await query(`${create}; INSERT INTO migrations (name) VALUES ('create_users')`);
    for (const command of [['migrate'], ['migrate', '--status'], ['bootstrap'], ['user', 'list']])
      expect(await refusal(run(...command))).toBe(
        'The database has a table "migrations" of another program: Muster needs a database of its own, or DATABASE_URL names the wrong one. Nothing was changed.',
      );
  });

  it('says that a database does not accept writes', async () => {
    await query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    for (const command of [['migrate'], ['bootstrap']])
      expect(await refusal(run(...command))).toMatch(/^The database does not accept writes: /);
  });

  it('refuses a schema that is newer than the program', async () => {
    await query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Future9999999999999')`);
    const status = await run('migrate', '--status');
    expect(status).toMatchObject({ code: 4, stderr: '' });
    expect(status.stdout).toContain('unknown: Future9999999999999\n');
    for (const command of [['migrate'], ['bootstrap'], ['user', 'list'], ['verify']])
      expect(await refusal(run(...command))).toMatch(/^The database's schema is newer than this program/);
  });
});

// Each test has its own project and runs concurrently. Most of them wait until the service notices a change.
describe('muster-admin with a running service', () => {
  const app = sharedService();
  const run = (...args: string[]) => admin(args, { DATABASE_URL: app.databaseUrl });
  /** A caller with the credentials that a command printed. */
  function printedCaller(text: string): Caller {
    const { project = '', username = '', 'api key': token = '' } = linesByName(text);
    return app.root.as({ token, user: username, project });
  }

  const ended = (caller: Caller) =>
    until('the service rejects the key', 60, async () => (await caller.get('/v1/regions')).status === 401);

  const lastChange = async (caller: Caller) => {
    const { body } = await caller.get('/v1/changes?kind=user&sort_dir=desc&limit=1').expect(200);
    return (body as Record<string, unknown>[])[0];
  };

  it.concurrent('user create grants the roles and flags of its options', async () => {
    const owner = await app.project();
    const project = owner.projectId;
    const made = await printed(
      run('user', 'create', 'writer', '--project', project, '--role', 'regions:write', 'ntp_*'),
    );
    const writer = printedCaller(made);
    expect(writer.projectId).toBe(project);
    await writer.post('/v1/regions', { name: aName('region') }).expect(201);
    await writer.post('/v1/clouds', { name: aName('cloud') }).expect(403);

    const administrator = printedCaller(
      await printed(run('user', 'create', 'second', '--project', project, '--admin')),
    );
    await administrator.get('/v1/users').expect(200);
    await administrator.post('/v1/projects', { name: aName('project') }).expect(403);

    const json = await printed(run('user', 'create', 'third', '--project', project, '--root', '--json'));
    const { api_key: token, username: user } = JSON.parse(json) as Record<'api_key' | 'username', string>;
    const root = app.root.as({ token, user, project });
    await root.post('/v1/projects', { name: aName('project') }).expect(201);
  });

  it.concurrent('user update changes roles and rights, and user delete ends the access', async () => {
    const { projectId: project } = await app.project();
    const user = ['bob', '--project', project];
    const made = await printed(
      run(
        ...['user', 'create', ...user, '--role', 'regions:write'],
        ...['--expires', '2999-01-01', '--note', 'backup job'],
      ),
    );
    const bob = printedCaller(made);
    expect(await printed(run('user', 'key', 'list', ...user))).toMatch(/ 2999-01-01T00:00:00.* backup job\n/);
    await bob.post('/v1/clouds', { name: aName('cloud') }).expect(403);
    expect(await printed(run('user', 'update', ...user, '--role', 'clouds:write', 'ntp_*'))).toBe(
      'username: bob\nis: user\nroles: clouds:write, ntp_*\n',
    );
    await until('the service knows the role', 60, async () => {
      return (await bob.post('/v1/clouds', { name: aName('cloud') })).status === 201;
    });
    expect(await printed(run('user', 'update', ...user, '--admin', '--no-role'))).toBe(
      'username: bob\nis: admin\nroles: \n',
    );
    expect(JSON.parse(await printed(run('user', 'update', ...user, '--no-admin', '--json')))).toMatchObject({
      username: 'bob',
      is_admin: false,
      roles: [],
    });
    expect(await refusal(run('user', 'update', ...user))).toMatch(/^Give what to change: --admin/);
    expect(await refusal(run('user', 'update', ...user, '--role', 'a role'))).toMatch(/^roles: "a role"/);
    expect(await printed(run('user', 'delete', ...user))).toBe('deleted: bob\n');
    await ended(bob);
    expect(await refusal(run('user', 'delete', ...user))).toBe('There is no user bob in this project.');
  });

  it.concurrent('finds a project by its name, and records the change reason that it requires, or reports a missing one', async () => {
    const name = aName('demanding');
    const owner = await app.project(name);
    await printed(run('user', 'create', 'bob', '--project', name));
    const settings = { change_reason: { required: true, pattern: '^CHG-' } };
    await owner.put(`/v1/projects/${owner.projectId}/settings`, settings).expect(200);
    const user = ['--project', name];
    for (const [action, object, ...command] of [
      ['create', 'eve', 'user', 'create', 'eve', ...user],
      ['update', 'bob', 'user', 'key', 'new', 'bob', ...user],
      ['update', 'bob', 'user', 'key', 'revoke', 'bob', '--all', ...user],
    ]) {
      for (const reason of [[], ['--reason', 'because']])
        expect(await refusal(run(...command, ...reason))).toMatch(/reason.*\^CHG-.*--reason\.$/);
      await printed(run(...command, '--reason', 'CHG-1'));
      expect(await lastChange(owner)).toMatchObject({
        actor: { id: null, username: 'muster-admin' },
        reason: 'CHG-1',
        objects: [{ kind: 'user', name: object, action }],
      });
    }
    // Reading needs no reason.
    await printed(run('user', 'key', 'list', 'bob', ...user));
    await printed(run('user', 'list', ...user));
  });

  it.concurrent('reports API errors in one sentence', async () => {
    const { projectId } = await app.project();
    const create = (...args: string[]) => refusal(run('user', 'create', ...args, '--project', projectId));
    await printed(run('user', 'create', 'bob', '--project', projectId));
    expect(await create('bob')).toBe('The username bob is already in use.');
    expect(await create('')).toBe('username: must have 1 to 255 characters');
    expect(await create('amy', '--role', 'not a role')).toMatch(/^roles: "not a role" is neither/);
    expect(await refusal(run('user', 'create', 'amy', '--project', 'nowhere'))).toBe(
      'There is no project nowhere.',
    );
    const key = (...args: string[]) => refusal(run('user', 'key', ...args, '--project', projectId));
    expect(await key('new', 'amy')).toBe('There is no user amy in this project.');
    expect(await key('new', 'bob', '--expires', '2001-01-01T00:00:00')).toBe(
      'expires_at: must lie in the future',
    );
    expect(await key('revoke', 'bob', '0123456789abcdef')).toBe(
      'The user bob has no key 0123456789abcdef that is not revoked.',
    );
    expect(await key('revoke', 'bob')).toBe('Give the id of the key to revoke, or --all.');
  });

  it.concurrent('user list shows the users of one project or of all projects', async () => {
    const name = aName('listed');
    const { projectId } = await app.project(name);
    await printed(run('user', 'create', 'bob', '--project', name, '--role', 'hosts:write', 'rack'));
    expect(await printed(run('user', 'list', '--project', name))).toBe(
      [
        'PROJECT'.padEnd(name.length) + '  USERNAME  IS     ROLES             KEYS IN USE',
        `${name}  admin     admin                    1`,
        `${name}  bob              hosts:write,rack  1`,
        '',
      ].join('\n'),
    );
    const allUsers = JSON.parse(await printed(run('user', 'list', '--json'))) as unknown[];
    expect(allUsers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ project_id: projectId, username: 'bob', roles: ['hosts:write', 'rack'] }),
        expect.objectContaining({ username: 'root', is_root: true }),
      ]),
    );
  });

  it.concurrent('session lists and ends the sessions of a user or of a project', async () => {
    const name = aName('browsing');
    const project = await app.project(name);
    const [bob, amy] = [await project.user({ username: 'bob' }), await project.user({ username: 'amy' })];
    const [first, second] = [await Browser.signIn(bob), await Browser.signIn(amy)];
    const session = (...args: string[]) => printed(run('session', ...args, '--project', name));
    const listed = await session('list');
    expect(listed).toMatch(/^PROJECT +USERNAME +METHOD +SIGNED IN +LAST USED +EXPIRES\n/);
    expect(listed).toMatch(/ amy +api-key +\d.*\n.* bob +api-key /);
    expect(listed).not.toContain(first.cookie.split('.')[1]);
    expect(await refusal(run('session', 'end', '--project', name))).toBe(
      'Give the name of a user, or --all.',
    );
    expect(await refusal(run('session', 'end', 'eve', '--project', name))).toBe(
      'There is no user eve in this project.',
    );
    const ends = (browser: Browser) =>
      until('the session ends', 5, async () => (await browser.get('/v1/regions')).status === 401);
    expect(await session('end', 'bob')).toBe('ended: 1\n');
    await ends(first);
    expect((await second.get('/v1/regions')).status).toBe(200);
    expect(JSON.parse(await session('list', '--json'))).toMatchObject([{ project: name, username: 'amy' }]);
    expect(JSON.parse(await session('end', '--all', '--json'))).toEqual({ ended: 1 });
    await ends(second);
    expect(await session('list')).toBe('There are no sessions.\n');
  });

  it.concurrent("user key new revokes the user's other keys, unless --keep is given", async () => {
    const { projectId } = await app.project();
    const newKey = async (...args: string[]) =>
      printedCaller(await printed(run('user', 'key', 'new', 'bob', '--project', projectId, ...args)));
    const first = printedCaller(await printed(run('user', 'create', 'bob', '--project', projectId)));
    const second = await newKey('--keep', '--expires', '2100-01-01T00:00:00');
    await first.get('/v1/regions').expect(200);
    await second.get('/v1/regions').expect(200);
    const third = await newKey();
    await third.get('/v1/regions').expect(200);
    await ended(first);
    await ended(second);
  });

  it.concurrent('user key lists keys by ID, and revokes one or all of them', async () => {
    const { projectId } = await app.project();
    const key = (...args: string[]) => printed(run('user', 'key', ...args, '--project', projectId));
    const first = printedCaller(await printed(run('user', 'create', 'bob', '--project', projectId)));
    const second = printedCaller(await key('new', 'bob', '--keep', '--expires', '2100-01-01T00:00:00'));
    const third = printedCaller(await key('new', 'bob', '--keep', '--note', 'the web shop'));
    const ids = [first, second, third].map(({ credentials }) => credentials.token.split('_')[1]!);
    const [one = '', two, three] = ids;

    expect(await key('revoke', 'bob', one)).toBe(`revoked: ${one}\n`);
    await ended(first);
    await second.get('/v1/regions').expect(200);
    const listed = await key('list', 'bob', '--json');
    expect(JSON.parse(listed)).toMatchObject([
      { key_id: one, state: 'revoked', expires_at: null },
      {
        key_id: two,
        state: 'in use',
        expires_at: '2100-01-01T00:00:00.000000',
        revoked_at: null,
        note: null,
      },
      { key_id: three, state: 'in use', expires_at: null, revoked_at: null, note: 'the web shop' },
    ]);
    for (const { credentials } of [first, second, third])
      expect(listed).not.toContain(credentials.token.slice(21));

    expect(JSON.parse(await key('revoke', 'bob', '--all', '--json'))).toEqual({ revoked: [two, three] });
    await ended(second);
    await ended(third);
    expect(await key('list', 'bob')).toMatch(
      /^KEY ID +STATE +CREATED +EXPIRES +REVOKED +NOTE\n(.* revoked .*\n){3}$/,
    );
  });
});
