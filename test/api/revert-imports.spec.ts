import { importLines } from '../support/importing';
import { lastChange, revert, type ChangeRecord } from '../support/reverts';
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
    const { body, status } = await revert(admin, id);
    expect([status, body]).toEqual([201, expect.anything()]);
    const deleted = (body as ChangeRecord).objects.filter(({ action }) => action === 'delete');
    expect(deleted.map(({ name }) => name).sort()).toEqual(['low', 'lowest', 'middle', 'top']);
    for (const collection of ['hosts', 'network-devices'])
      expect((await admin.get(`/v1/${collection}`).expect(200)).body).toEqual([]);
  });
});
