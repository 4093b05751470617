import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
  await admin.region({ name: 'north' });
  await admin.host({ name: 'web-1', labels: ['web'] });
});

const create = ['host', 'create', '--region', 'north', '--ip-address', '10.9.8.7', '--device-type', 'server'];
const labels = async () =>
  ((await admin.get('/v1/labels?sort_keys=label')).body as { label: string }[]).map(({ label }) => label);

it('are printed after a creation, if they did not exist', async () => {
  const args = [...create, 'web-2', '--label', 'web', '--label', 'web2'];
  const preview = await muster(admin, [...args, '--dry-run']);
  expect(preview.stderr).not.toContain('Created');
  expect(await muster(admin, [...args, '-o', 'name'])).toEqual({
    code: 0,
    stdout: 'web-2\n',
    stderr: 'Created label web2.\n',
  });
  expect(await labels()).toEqual(['web', 'web2']);
});

it('are printed after an update, once', async () => {
  const { code, stderr } = await muster(admin, ['host', 'update', 'web-1', '--add-label', 'db']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Created label db.\nUpdated host web-1. ${await revertHint(admin)}\n`,
  });
  const again = await muster(admin, ['host', 'update', 'web-1', '--labels', 'db,web']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
});

it('are refused with --no-create-labels', async () => {
  const refused = { code: 3, stdout: '', stderr: 'muster: There is no label "wbe". Did you mean "web"?\n' };
  const none = '--no-create-labels';
  expect(await muster(admin, [...create, 'web-2', '--label', 'wbe', none])).toEqual(refused);
  expect(await muster(admin, [...create, 'web-{1..1}', '--label', 'wbe', none])).toEqual(refused);
  expect(await muster(admin, ['host', 'update', 'web-1', '--add-label', 'wbe', none])).toEqual(refused);
  expect(await labels()).toEqual(['web']);
  expect(await muster(admin, [...create, 'web-2', '--label', 'web', none])).toMatchObject({
    code: 0,
    stderr: `Created host web-2. ${await revertHint(admin)}\n`,
  });
});
