import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
});

type Item = Record<string, unknown>;
const json = async <T = Item>(args: readonly string[], caller = admin): Promise<T> =>
  JSON.parse(await printed(caller, [...args, '-o', 'json'])) as T;

const as = (user: string, key: unknown): Caller =>
  admin.as({ token: String(key), user, project: admin.projectId });

it('creates users, and shows their key once', async () => {
  const { code, stdout, stderr } = await muster(admin, [
    'user',
    'create',
    'operator',
    '--role',
    'hosts:write',
    '--role',
    'ntp_*',
  ]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Created user operator. ${await revertHint(admin)}\nSave the API key: it is shown only once.\n`,
  });
  const key = /mst_[0-9a-f]+_[\w-]+/.exec(stdout)?.[0];
  await as('operator', key).get('/v1/hosts').expect(200);
  const shown = await json(['user', 'show', 'operator']);
  expect(shown).toMatchObject({ username: 'operator', roles: ['hosts:write', 'ntp_*'], is_admin: false });
  expect(JSON.stringify([shown, await json<Item[]>(['user', 'list', '--detail'])])).not.toContain('mst_');
  expect(await json(['user', 'create', 'chief', '--admin'])).toMatchObject({
    is_admin: true,
    api_key: expect.stringMatching(/^mst_/),
  });
});

it('rejects an output format that would lose the key', async () => {
  expect(await muster(admin, ['user', 'create', 'operator', '-o', 'name'])).toMatchObject({
    code: 2,
    stdout: '',
  });
  expect((await admin.get('/v1/users?username=operator').expect(200)).body).toEqual([]);
});

it('updates and deletes users', async () => {
  await admin.user({ username: 'operator', roles: ['hosts:write'] });
  expect(
    await json(['user', 'update', 'operator', '--role', 'cells:write', '--name', 'keeper']),
  ).toMatchObject({
    username: 'keeper',
    roles: ['cells:write'],
  });
  expect(await json(['user', 'update', 'keeper', '--admin'])).toMatchObject({ is_admin: true });
  expect(await json(['user', 'update', 'keeper', '--no-admin', '--clear', 'roles'])).toMatchObject({
    is_admin: false,
    roles: [],
  });
  expect(await muster(admin, ['user', 'delete', 'keeper'])).toMatchObject({
    code: 0,
    stderr: `Deleted user keeper. ${await revertHint(admin)}\n`,
  });
});

it('cannot list projects or create users without the rights', async () => {
  const plain = await admin.user();
  expect(await muster(plain, ['project', 'list'])).toMatchObject({ code: 4, stdout: '' });
  expect(await muster(plain, ['user', 'create', 'friend'])).toMatchObject({ code: 4, stdout: '' });
});

describe('API keys', () => {
  const stateOf = async (user: string) =>
    (await json<Item[]>(['user', 'key', 'list', user])).map(({ state }) => state);

  it('are created, and revoke the old ones unless --keep is given', async () => {
    const old = await admin.user({ username: 'operator' });
    const created = await muster(admin, [
      'user',
      'key',
      'new',
      'operator',
      '--keep',
      '--expires',
      '2999-01-01T00:00:00',
      '--note',
      'web shop',
      '-o',
      'json',
    ]);
    expect(created).toMatchObject({ code: 0, stderr: 'Save the API key: it is shown only once.\n' });
    const second = as('operator', (JSON.parse(created.stdout) as Item)['api_key']);
    await old.get('/v1/hosts').expect(200);
    await second.get('/v1/hosts').expect(200);
    expect((await json<Item[]>(['user', 'key', 'list', 'operator']))[1]).toMatchObject({
      expires_at: '2999-01-01T00:00:00.000000',
      note: 'web shop',
    });
    const last = await muster(admin, ['user', 'key', 'new', 'operator', '-o', 'json']);
    expect(last.stderr).toContain('Revoked the other API keys of operator.\n');
    await old.get('/v1/hosts').expect(401);
    await second.get('/v1/hosts').expect(401);
    await as('operator', (JSON.parse(last.stdout) as Item)['api_key'])
      .get('/v1/hosts')
      .expect(200);
    expect(await stateOf('operator')).toEqual(['revoked', 'revoked', 'in use']);
  });

  it('are listed without their secrets', async () => {
    await admin.user({ username: 'operator' });
    const table = await printed(admin, ['user', 'key', 'list', 'operator']);
    expect(table).toMatch(/^KEY_ID +STATE/);
    expect(table).not.toContain('mst_');
    expect(await muster(await admin.user(), ['user', 'key', 'list', 'operator'])).toMatchObject({ code: 4 });
  });

  it('are revoked one by one, or several at once', async () => {
    const operator = await admin.user({ username: 'operator' });
    await printed(admin, ['user', 'key', 'new', 'operator', '--keep']);
    const [first, second] = (await json<Item[]>(['user', 'key', 'list', 'operator'])).map(({ key_id }) =>
      String(key_id),
    );
    expect(await muster(admin, ['user', 'key', 'revoke', 'operator', first!])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Revoked the API key ${first!} of operator.\n`,
    });
    await operator.get('/v1/hosts').expect(401);
    expect(await muster(admin, ['user', 'key', 'revoke', 'operator', second!, first!])).toMatchObject({
      code: 3,
    });
    expect(await stateOf('operator')).toEqual(['revoked', 'in use']);
    expect(await muster(admin, ['user', 'key', 'revoke', 'operator'])).toMatchObject({ code: 2 });
    expect(await muster(admin, ['user', 'key', 'revoke', 'operator', '--all', second!])).toMatchObject({
      code: 2,
    });
  });

  it("are all revoked with --all, the caller's own key last", async () => {
    const operator = await admin.user({ username: 'operator' });
    await printed(operator, ['user', 'key', 'new', 'operator', '--keep']);
    await printed(operator, ['user', 'key', 'new', 'operator', '--keep']);
    const { code, stderr } = await muster(operator, ['user', 'key', 'revoke', 'operator', '--all']);
    expect(code).toBe(0);
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr.trimEnd().split('\n')[2]).toContain(operator.credentials.token.split('_')[1]);
    expect(await stateOf('operator')).toEqual(['revoked', 'revoked', 'revoked']);
  });

  it('are not printed when they are given instead of their id', async () => {
    const operator = await admin.user({ username: 'operator' });
    const { code, stderr } = await muster(admin, [
      'user',
      'key',
      'revoke',
      'operator',
      operator.credentials.token,
    ]);
    expect(code).toBe(3);
    expect(stderr).not.toContain(operator.credentials.token);
  });
});
