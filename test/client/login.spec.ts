import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, temporaryFolder } from '../support/shell';

const app = sharedService();
let admin: Caller;
/** The home directory of a user without MUSTER_* environment variables. */
let home: string;

const NOTHING = { MUSTER_URL: '', MUSTER_PROJECT: '', MUSTER_USER: '', MUSTER_TOKEN: '' };

beforeEach(async () => {
  admin = await app.project();
  home = temporaryFolder();
});

const file = () => join(home, '.config', 'muster', 'profiles.json');
const savedProfiles = () =>
  JSON.parse(readFileSync(file(), 'utf8')) as Record<string, Record<string, string>>;
const run = (args: readonly string[], stdin?: string, env: Record<string, string> = {}) =>
  muster(admin, args, {
    env: { ...NOTHING, HOME: home, ...env },
    ...(stdin === undefined ? {} : { stdin }),
  });
const login = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  run(['login', '--url', app.url, '--token-stdin', ...args], `${admin.credentials.token}\n`, env);

it('saves a valid key readable only by the owner, and later commands use it', async () => {
  const { user, project, token } = admin.credentials;
  const { code, stdout, stderr } = await login(['--user', user, '--project', project]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toBe(
    `Logged in as ${user} at ${app.url}, in the project ${project}. Saved in the profile "default" of ${file()}.\n`,
  );
  expect(stderr).not.toContain(token);
  expect(savedProfiles()).toEqual({ default: { url: app.url, token, user, project } });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file())).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(file()))).toEqual(['profiles.json']);
  await admin.region({ name: 'north' });
  expect(await run(['region', 'list', '-o', 'name'])).toEqual({ code: 0, stdout: 'north\n', stderr: '' });
});

it('needs neither user nor project', async () => {
  const { code, stderr } = await login();
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `The API key is valid at ${app.url}. Saved in the profile "default" of ${file()}.\n`,
  });
  await admin.region({ name: 'north' });
  expect((await run(['region', 'list', '-o', 'name'])).stdout).toBe('north\n');
});

it('saves nothing if the credentials are invalid', async () => {
  const wrong = await run(
    ['login', '--url', app.url, '--token-stdin'],
    'mst_00000000-0000-4000-8000-000000000000_wrong',
  );
  expect(wrong.code).toBe(4);
  expect((await login(['--user', 'somebody-else'])).code).toBe(4);
  expect((await run(['login', '--url', 'http://127.0.0.1:1', '--token-stdin'], 'mst_a_b')).code).toBe(5);
  for (const key of ['', 'two words', 'kéy']) {
    const { code, stderr } = await run(['login', '--url', app.url, '--token-stdin'], key);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid API key') });
  }
  expect(existsSync(file())).toBe(false);
});

it('requires --token-stdin without a terminal', async () => {
  const { code, stdout, stderr } = await run(['login', '--url', app.url]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--token-stdin');
});

it('saves several profiles, and uses the selected one', async () => {
  const other = await app.project();
  await admin.region({ name: 'of-one' });
  await other.region({ name: 'of-the-other' });
  await login();
  const { stderr } = await run(
    ['login', '--profile', 'lab', '--url', app.url, '--token-stdin'],
    other.credentials.token,
  );
  expect(stderr).toContain('--profile lab');
  const regions = async (args: readonly string[], env: Record<string, string> = {}) =>
    (await run(['region', 'list', '-o', 'name', ...args], undefined, env)).stdout;
  expect(await regions([])).toBe('of-one\n');
  expect(await regions(['--profile', 'lab'])).toBe('of-the-other\n');
  expect(await regions([], { MUSTER_PROFILE: 'lab' })).toBe('of-the-other\n');
  expect(await regions(['--profile', 'default'], { MUSTER_PROFILE: 'lab' })).toBe('of-one\n');
});

it('lists profiles without their keys', async () => {
  await login();
  await login(['--profile', 'lab', '--user', admin.credentials.user]);
  const { code, stdout } = await run(['profile', 'list', '-o', 'json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    { profile: 'default', url: app.url, user: null, project: null },
    { profile: 'lab', url: app.url, user: admin.credentials.user, project: null },
  ]);
  expect(stdout).not.toContain(admin.credentials.token);
  expect((await run(['profile', 'list', '-o', 'name'])).stdout).toBe('default\nlab\n');
});

it('deletes a profile, and does not revoke its key', async () => {
  await login();
  await login(['--profile', 'lab']);
  const { code, stderr } = await run(['logout', '--profile', 'lab']);
  expect(code).toBe(0);
  expect(stderr).toContain('Its API key is still valid');
  expect(Object.keys(savedProfiles())).toEqual(['default']);
  await admin.get('/v1/regions').expect(200);
  expect((await run(['logout', '--profile', 'lab'])).code).toBe(3);
  const unknown = await run(['region', 'list', '--profile', 'lab']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('There is no profile "lab"');
});

it('warns that environment variables override the saved profile', async () => {
  const { stderr } = await login([], { MUSTER_TOKEN: 'mst_other_key' });
  expect(stderr).toContain('MUSTER_TOKEN');
  expect(stderr).not.toContain('mst_other_key');
});

it.each(['__proto__', 'constructor', 'toString'])(
  'does not treat %s as an existing profile',
  async (name) => {
    await login();
    expect((await run(['region', 'list', '--profile', name])).code).toBe(2);
  },
);

it('rejects an invalid profile name', async () => {
  expect((await login(['--profile', 'a b'])).code).toBe(2);
  expect(existsSync(file())).toBe(false);
});

it('rejects a profile file that others can read, and prints how to fix it', async () => {
  await login();
  chmodSync(file(), 0o640);
  for (const args of [['region', 'list'], ['profile', 'list'], ['logout'], ['login', '--token-stdin']]) {
    const { code, stderr } = await run(args, admin.credentials.token);
    expect({ args, code }).toEqual({ args, code: 2 });
    expect(stderr).toContain(`chmod 600 ${file()}`);
  }
  // Complete environment variables make a profile unnecessary.
  expect((await muster(admin, ['region', 'list'], { env: { HOME: home } })).code).toBe(0);
});

it.each(['', '{', '[]', '{"default": {"token": 7}}', '{"default": "x"}'])(
  'rejects an invalid profile file: %s',
  async (content) => {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(file(), content, { mode: 0o600 });
    const { code, stderr } = await run(['region', 'list']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(file()) });
  },
);

it('sends the key of a profile only to the URL of that profile', async () => {
  await login();
  for (const rejected of [
    await run(['region', 'list', '--url', 'http://127.0.0.1:1']),
    await run(['region', 'list'], undefined, { MUSTER_URL: 'http://127.0.0.1:1' }),
  ]) {
    expect(rejected.code).toBe(2);
    expect(rejected.stderr).toContain(`is for ${app.url}, not for http://127.0.0.1:1`);
  }
  expect((await run(['region', 'list', '--url', `${app.url}/`])).code).toBe(0);
});

it('writes to the target of a symbolic link, and keeps the link', async () => {
  const real = join(home, 'real.json');
  mkdirSync(dirname(file()), { recursive: true });
  writeFileSync(real, '{}', { mode: 0o600 });
  symlinkSync(real, file());
  expect((await login()).code).toBe(0);
  expect(lstatSync(file()).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, 'utf8'))).toHaveProperty('default');
});
