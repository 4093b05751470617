import { importLines } from '../support/importing';
import { doRevert, lastChange } from '../support/reverts';
import { sharedService } from '../support/service';

describe('the revert of an import', () => {
  const app = sharedService();

  it('deletes devices with their parents, at any depth', async () => {
    const admin = await app.project();
    await admin.region({ name: 'north' });
    const device = { region: 'north', ip_address: '10.0.0.1', device_type: 'server' };
    await importLines(admin, [
      { kind: 'network-device', name: 'top', ...device },
      { kind: 'host', name: 'middle', parent: 'top', ...device },
      { kind: 'host', name: 'low', parent: 'middle', ...device },
      { kind: 'host', name: 'lowest', parent: 'low', ...device },
    ]);
    const { id } = await lastChange(admin);
    const { objects } = await doRevert(admin, id);
    const deleted = objects.filter(({ action }) => action === 'delete');
    expect(deleted.map(({ name }) => name).sort()).toEqual(['low', 'lowest', 'middle', 'top']);
    for (const collection of ['hosts', 'network-devices'])
      expect((await admin.get(`/v1/${collection}`).expect(200)).body).toEqual([]);
  });
});
