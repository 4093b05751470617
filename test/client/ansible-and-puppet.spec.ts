import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
});

const ansible = async (...args: string[]): Promise<unknown> =>
  JSON.parse(await printed(admin, ['ansible', ...args]));

describe('muster ansible', () => {
  it('prints the response of the API, for all hosts and for one', async () => {
    const { id: region_id } = await admin.region({ name: 'north', variables: { ntp: '10.0.0.1' } });
    await admin.host({ name: 'web-1', region_id });
    const whole = (await admin.get('/v1/ansible-inventory').expect(200)).body as object;
    expect(whole).toMatchObject({ north: { hosts: ['web-1'] } });
    expect(await ansible('--list')).toEqual(whole);
    expect(await ansible('--host', 'web-1')).toMatchObject({ ntp: '10.0.0.1', ansible_host: '10.0.0.1' });
    expect(await ansible('--host', 'nobody')).toEqual({});
  });

  it('keeps every digit', async () => {
    await admin
      .put(
        `/v1/regions/${String((await admin.host({ name: 'web-1' }))['region_id'])}/variables`,
        '{"big": 9007199254740993, "rate": 1.10}',
      )
      .expect(200);
    const text = await printed(admin, ['ansible', '--host', 'web-1']);
    expect(text).toMatch(/"big": ?9007199254740993/);
    expect(text).toMatch(/"rate": ?1\.10\b/);
  });

  it('supports host filters, with names for references', async () => {
    const [north, south] = [await admin.region({ name: 'north' }), await admin.region({ name: 'south' })];
    await admin.host({ name: 'web-1', region_id: north.id });
    await admin.host({ name: 'web-2', region_id: south.id });
    await admin.host({ name: 'web-3', region_id: south.id, active: false });
    const hosts = async (...args: string[]) =>
      Object.keys(
        ((await ansible('--list', ...args)) as { _meta: { hostvars: object } })._meta.hostvars,
      ).sort();
    expect(await hosts()).toEqual(['web-1', 'web-2']);
    expect(await hosts('--region', 'south')).toEqual(['web-2']);
    expect(await hosts('--region', 'south', '--inactive')).toEqual(['web-2', 'web-3']);
    expect((await muster(admin, ['ansible', '--list', '--region', 'nowhere'])).code).toBe(3);
  });

  it('requires exactly one of --list and --host', async () => {
    for (const args of [[], ['--list', '--host', 'web-1']]) {
      const { code, stdout } = await muster(admin, ['ansible', ...args]);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    }
  });

  it('prints only the error when the service rejects the request', async () => {
    const { code, stdout, stderr } = await muster(admin, ['ansible', '--list', '--token', 'wrong']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('muster: ');
  });
});

describe('muster puppet', () => {
  it('prints classes, parameters and environment', async () => {
    const variables = { puppet_classes: ['ntp'], puppet_environment: 'production', row: 4 };
    await admin.host({ name: 'web-1', variables });
    expect(JSON.parse(await printed(admin, ['puppet', 'web-1']))).toEqual({
      classes: ['ntp'],
      environment: 'production',
      parameters: { row: 4 },
    });
  });

  it('reads them from the variables named by flags', async () => {
    await admin.host({ name: 'web-1', variables: { roles: ['ntp'], stage: 'lab' } });
    const args = ['puppet', 'web-1', '--classes-variable', 'roles', '--environment-variable', 'stage'];
    expect(JSON.parse(await printed(admin, args))).toEqual({
      classes: ['ntp'],
      environment: 'lab',
      parameters: {},
    });
  });

  it('exits with 3 for an unknown node', async () => {
    const { code, stdout, stderr } = await muster(admin, ['puppet', 'nobody']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('nobody');
  });
});
