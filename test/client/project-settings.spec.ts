import { sharedService } from '../support/service';
import { aName, type Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
});

const settings = async (verb: 'show' | 'set', args: readonly string[] = [], caller = admin) =>
  JSON.parse(await printed(caller, ['project', 'settings', verb, ...args, '-o', 'json'])) as unknown;
const stored = async () =>
  (await admin.get(`/v1/projects/${admin.projectId}/settings`).expect(200)).body as unknown;

it('shows the settings of the configured project, or the defaults', async () => {
  expect(await settings('show')).toEqual(await stored());
  await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_password'] }).expect(200);
  const table = await printed(admin, ['project', 'settings', 'show']);
  expect(table).toMatch(/^private +\["db_password"\]$/m);
  expect(await settings('show')).toEqual(await stored());
});

it('sets each setting, and leaves the others as they are', async () => {
  const pattern = '^CHG-\\d+';
  expect(await settings('set', ['--private', 'db_password', '--private', 'secret_*'])).toMatchObject({
    private: ['db_password', 'secret_*'],
    change_reason: null,
  });
  expect(await settings('set', ['--reason-pattern', pattern])).toMatchObject({
    change_reason: { required: false, pattern },
    private: ['db_password', 'secret_*'],
  });
  expect(await settings('set', ['--require-reason', '--reason', 'CHG-1'])).toMatchObject({
    change_reason: { required: true, pattern },
  });
  expect(await muster(admin, ['project', 'settings', 'set', '--no-private'])).toMatchObject({ code: 4 });
  expect(await settings('set', ['--no-private', '--reason', 'CHG-2'])).toMatchObject({ private: [] });
  expect(await settings('set', ['--no-reason-pattern', '--reason', 'CHG-3'])).toMatchObject({
    change_reason: { required: true, pattern: null },
  });
  expect(await settings('set', ['--no-require-reason', '--reason', 'any'])).toMatchObject({
    change_reason: null,
  });
  expect(await settings('set', ['--unique-addresses'])).toMatchObject({ unique_addresses: true });
  expect(await settings('set', ['--no-unique-addresses', '--restrict-readers'])).toMatchObject({
    unique_addresses: false,
    restricts_readers: true,
  });
  expect(await settings('set', ['--no-restrict-readers'])).toMatchObject({ restricts_readers: false });
  expect(await settings('show')).toEqual(await stored());
});

it('takes a project by its id, and by root also by its name', async () => {
  const other = await app.project();
  const name = aName('project');
  await app.root.put(`/v1/projects/${other.projectId}`, { name }).expect(200);
  const expected = { project_id: other.projectId, private: ['a'] };
  expect(await settings('set', [name, '--private', 'a'], app.root)).toMatchObject(expected);
  expect(await settings('show', [other.projectId], app.root)).toMatchObject(expected);
  expect(await settings('show', [], other)).toMatchObject(expected);
  expect(await muster(admin, ['project', 'settings', 'show', other.projectId])).toMatchObject({ code: 3 });
  const withoutProject = { env: { MUSTER_PROJECT: '' } };
  expect(await printed(other, ['project', 'settings', 'show', '-o', 'name'], withoutProject)).toBe(
    `${other.projectId}\n`,
  );
});

it('sets nothing without options, or without the rights', async () => {
  expect(await muster(admin, ['project', 'settings', 'set'])).toMatchObject({ code: 2, stdout: '' });
  const plain = await admin.user();
  expect(await muster(plain, ['project', 'settings', 'set', '--private', 'a'])).toMatchObject({ code: 4 });
  expect(await stored()).toMatchObject({ version: 0 });
});
