import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
  await admin.region({ name: 'north' });
});

const create = ['host', 'create', 'z-{01..12}', '--region', 'north', '--ip-address', '10.9.0.{1..12}'];
const hosts = async () => (await admin.get('/v1/hosts?fields=name,ip_address')).body as unknown[];

it('creates a range in one change', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `z-${String(i + 1).padStart(2, '0')}`);
  const text = await printed(admin, [...create, '--device-type', 'server', '--yes', '-o', 'name']);
  expect(text).toBe(names.map((name) => `${name}\n`).join(''));
  expect(await hosts()).toEqual(names.map((name, i) => ({ name, ip_address: `10.9.0.${String(i + 1)}` })));
  const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as unknown[];
  expect(change).toMatchObject({ objects_total: 12 });
});

it('previews all of them with --dry-run, and asks without --yes', async () => {
  const rest = [...create, '--device-type', 'server'];
  const preview = await muster(admin, [...rest, '--dry-run']);
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining('"10.9.0.12"') });
  expect(preview.stderr).toContain('It would create host z-12.');
  expect(await muster(admin, rest)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'muster: This would create 12 hosts.\n' +
      '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.\n',
  });
  expect(await hosts()).toEqual([]);
});

it('prints the API keys of users', async () => {
  const text = await printed(admin, ['user', 'create', 'u-{1..2}', '--yes', '-o', 'csv']);
  expect(text).toMatch(/^[^\n]*,api_key\n[^\n]*,u-1,[^\n]*,mst_[\w-]+\n[^\n]*,u-2,[^\n]*,mst_[\w-]+\n$/);
});

it('rejects a range of another length', async () => {
  const { code, stderr } = await muster(admin, ['region', 'create', 'r-{1..2}', '--note', '{1..3}', '--yes']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'muster: The ranges have different lengths: 2 in the name, 3 in another value.\n',
  });
});
