import { sharedService } from '../support/service';
import { muster } from '../support/shell';

const app = sharedService();

it('prints the warnings of writes on standard error', async () => {
  const admin = await app.project();
  await admin.region({ name: 'north' });
  await admin.host({ name: 'größe', ip_address: '10.1.1.9' });
  const create = ['host', 'create', 'web-1', '--region', 'north', '--ip-address', '10.1.1.9'];
  const warning = 'Warning: 10.1.1.9 is also the address of host größe\n';
  const args = [...create, '--device-type', 'server', '-o', 'name'];
  expect(await muster(admin, args)).toEqual({ code: 0, stdout: 'web-1\n', stderr: warning });
  const update = ['host', 'update', 'web-1', '--ip-address', '10.1.1.10', '-o', 'name'];
  expect(await muster(admin, update)).toMatchObject({ code: 0, stderr: '' });
  const dryRun = ['host', 'update', 'web-1', '--ip-address', '10.1.1.9', '--dry-run'];
  expect((await muster(admin, dryRun)).stderr).toContain(warning);
});
