import { sharedService } from '../support/service';
import { aName, keyIdOf, type Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;
let project: string;

beforeEach(async () => {
  project = aName('whoami');
  admin = await app.project(project);
});

it('shows the user, the project, the roles and the key id, and never the secret', async () => {
  const user = await admin.user({ username: 'operator', roles: ['hosts:write', 'ntp_*'] });
  const { code, stdout, stderr } = await muster(user, ['whoami']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['MEMBER', 'VALUE'],
    ['username', 'operator'],
    ['user_id', expect.stringMatching(/^\d+$/)],
    ['project_name', project],
    ['project_id', admin.projectId],
    ['is_admin', 'false'],
    ['is_root', 'false'],
    ['roles', '["hosts:write","ntp_*"]'],
    ['key_id', keyIdOf(user.credentials)],
    ['key_expires_at'],
    [''],
  ]);
  expect(stdout).not.toContain(user.credentials.token.slice(-43));
});

it('prints every format', async () => {
  const expected = {
    username: 'admin',
    project_name: project,
    project_id: admin.projectId,
    is_admin: true,
    is_root: false,
    roles: [],
    key_id: keyIdOf(admin.credentials),
    key_expires_at: null,
  };
  expect(JSON.parse(await printed(admin, ['whoami', '-o', 'json']))).toMatchObject(expected);
  expect(await printed(admin, ['whoami', '-o', 'name'])).toBe('admin\n');
  expect(await printed(admin, ['whoami', '-o', 'yaml'])).toContain(`project_name: ${project}\n`);
  expect(JSON.parse(await printed(admin, ['whoami', '-o', 'terraform']))).toMatchObject({
    username: 'admin',
    project_id: admin.projectId,
  });
  const [header, line] = (await printed(admin, ['whoami', '-o', 'csv'])).split(/\r?\n/);
  expect(header).toBe(
    'username,user_id,project_name,project_id,is_admin,is_root,roles,key_id,key_expires_at',
  );
  expect(line).toContain(`admin,`);
});

it('needs only a key, no user and no project', async () => {
  const alone = { env: { MUSTER_USER: '', MUSTER_PROJECT: '' } };
  const { code, stdout } = await muster(admin, ['whoami', '-o', 'json'], alone);
  expect({ code, who: JSON.parse(stdout) as object }).toMatchObject({ code: 0, who: { username: 'admin' } });
});

it('is rejected with an invalid key', async () => {
  const env = { MUSTER_TOKEN: `mst_0123456789abcdef_${'A'.repeat(43)}` };
  expect(await muster(admin, ['whoami'], { env })).toMatchObject({ code: 4, stdout: '' });
});

it('has a help text', async () => {
  const { code, stdout } = await muster(admin, ['whoami', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Usage: muster whoami .*authenticated user: project, roles and API key/s);
});
