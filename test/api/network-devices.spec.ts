import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const at = ({ id }: Resource): string => `/v1/network-devices/${String(id)}`;

/** The fields that only network devices have. */
describe('network devices', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  it('have an optional model, version and VLANs', async () => {
    expect(await admin.networkDevice()).toMatchObject({ model_name: null, os_version: null, vlans: null });
    const members = { model_name: 'QFX5120', os_version: '21.4R3', vlans: [100, 200] };
    const device = await admin.networkDevice(members);
    expect(device).toMatchObject(members);
    const { body } = await admin.put(at(device), { os_version: '22.1' }).expect(200);
    expect(body).toMatchObject({ ...members, os_version: '22.1' });
    const { body: emptied } = await admin
      .put(at(device), { model_name: null, os_version: null, vlans: null })
      .expect(200);
    expect(emptied).toMatchObject({ model_name: null, os_version: null, vlans: null });
  });

  it.each([
    '[100, 200]',
    '{"a": [1]}',
    '"trunk"',
    '42',
    'true',
    'null',
    '[]',
    '{"n": 9007199254740993}',
    '1.50',
  ])('store the VLANs %s without losing digits', async (vlans) => {
    const { id } = await admin.region();
    const response = await admin
      .post(
        '/v1/network-devices',
        `{"name":"switch","region_id":${String(id)},"ip_address":"10.0.0.1","device_type":"switch","vlans":${vlans}}`,
      )
      .expect(201);
    expect(response.text).toContain(`"vlans":${vlans}`);
    const { text } = await admin.put(at(response.body), `{"vlans":${vlans}}`).expect(200);
    expect(text).toContain(`"vlans":${vlans}`);
    expect((await admin.get('/v1/network-devices?fields=vlans').expect(200)).text).toBe(
      `[{"vlans":${vlans}}]`,
    );
  });

  it.each([
    ['model_name', 1],
    ['model_name', ''],
    ['model_name', 'x'.repeat(256)],
    ['os_version', ['1']],
    ['os_version', '\u0000'],
  ])('reject the %s %j', async (name, value) => {
    const device = await admin.networkDevice();
    const { body } = await admin.put(at(device), { [name]: value }).expect(400);
    expect(body.details).toEqual([{ field: name, code: expect.any(String), message: expect.any(String) }]);
  });

  it('are the only devices with these fields', async () => {
    const host = await admin.host();
    for (const name of ['model_name', 'os_version', 'vlans']) {
      expect(host).not.toHaveProperty(name);
      await admin.put(`/v1/hosts/${String(host.id)}`, { [name]: null }).expect(400);
      await admin.get(`/v1/hosts?fields=${name}`).expect(400);
      await admin.get(`/v1/hosts?sort_keys=${name}`).expect(400);
    }
  });

  it('have variables and labels, and inherit variables', async () => {
    const region = await admin.region({ variables: { dns: 1, ntp: 1 } });
    const device = await admin.networkDevice({ region_id: region.id, labels: 'a' });
    await admin.put(`${at(device)}/variables`, { ntp: 2 }).expect(200);
    expect((await admin.get(at(device)).expect(200)).body).toMatchObject({
      labels: 'a',
      variables: { dns: 1, ntp: 2 },
    });
    expect((await admin.get('/v1/network-devices?vars=dns:1,ntp:2&fields=id').expect(200)).body).toEqual([
      { id: device.id },
    ]);
  });
});
