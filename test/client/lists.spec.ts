import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { cells } from '../support/printed-table';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
});

type Item = Record<string, unknown>;
const json = async <T = Item[]>(args: readonly string[]): Promise<T> =>
  JSON.parse(await printed(admin, [...args, '-o', 'json'])) as T;

const names = async (...args: string[]): Promise<string[]> =>
  (await printed(admin, [...args, '-o', 'name'])).split('\n').slice(0, -1);

/** Two regions that each have a cell with the same name, and three hosts. */
async function smallFleet(): Promise<void> {
  const cloud = await admin.cloud({ name: 'demo' });
  const north = await admin.region({ name: 'north', cloud_id: cloud.id, variables: { kernel: '6.8' } });
  const south = await admin.region({ name: 'south' });
  const cell = await admin.cell({ name: 'rack-a', region_id: north.id });
  await admin.cell({ name: 'rack-a', region_id: south.id });
  const first = { name: 'web-1', region_id: north.id, cell_id: cell.id, ip_address: '10.1.1.1' };
  const host = await admin.host({ ...first, labels: 'compute,web', variables: { rack: { row: 4 } } });
  await admin.host({
    name: 'web-2',
    region_id: north.id,
    parent_id: host.id,
    ip_address: '10.1.1.2',
    labels: 'web',
  });
  await admin.host({
    name: 'db-1',
    region_id: south.id,
    active: false,
    ip_address: '10.2.1.1',
    device_type: 'big',
  });
}

describe('the fields of a list', () => {
  it('are few in a table, with names instead of ids', async () => {
    await smallFleet();
    const [head, ...rows] = cells(await printed(admin, ['host', 'list', '--label', 'compute']));
    expect(head).toEqual(['ID', 'NAME', 'REGION', 'CELL', 'IP_ADDRESS', 'DEVICE_TYPE', 'ACTIVE', 'LABELS']);
    expect(rows).toEqual([
      [
        expect.stringMatching(/^\d+$/),
        'web-1',
        'north',
        'rack-a',
        '10.1.1.1',
        'server',
        'true',
        'compute,web',
      ],
    ]);
  });

  it('are all but variables in JSON, as in the API', async () => {
    await smallFleet();
    const { body } = await admin.get('/v1/hosts').expect(200);
    const expected = (body as Item[]).map(({ variables, links, ...rest }) => {
      expect({ variables, links }).toEqual({ variables: expect.anything(), links: expect.anything() });
      return rest;
    });
    expect(await json(['host', 'list'])).toEqual(expected);
  });

  it('are all with --detail, and the requested ones with --fields', async () => {
    await smallFleet();
    const { body } = await admin.get('/v1/hosts').expect(200);
    expect(await json(['host', 'list', '--detail'])).toEqual(body);
    const [head = []] = cells(await printed(admin, ['host', 'list', '--detail']));
    expect(head).toEqual(expect.arrayContaining(['UUID', 'PARENT', 'NOTE', 'VARIABLES', 'VERSION']));
    expect(await json(['host', 'list', '--fields', 'name,variables', '--name', 'web-2'])).toEqual([
      { name: 'web-2', variables: { kernel: '6.8' } },
    ]);
    const repeated = ['--fields', 'name', '--fields', 'region,parent'];
    expect(await json(['host', 'list', ...repeated, '--name', 'web-2'])).toEqual([
      { name: 'web-2', region: 'north', parent: 'web-1' },
    ]);
    expect(
      cells(await printed(admin, ['host', 'list', '--fields', 'name, region_id', '--name', 'web-2'])),
    ).toEqual([
      ['NAME', 'REGION_ID'],
      ['web-2', expect.stringMatching(/^\d+$/)],
    ]);
  });

  it('cannot be selected with both --detail and --fields', async () => {
    expect(await muster(admin, ['host', 'list', '--detail', '--fields', 'id'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'muster: Use either --fields or --detail.\n',
    });
    const { code, stderr } = await muster(admin, ['host', 'list', '--fields', 'colour']);
    expect(code).toBe(2);
    expect(stderr).toContain('Invalid member "colour". Allowed choices are id, uuid,');
  });

  it('include names of references that are fetched in few requests', async () => {
    const regions = await Promise.all(Array.from({ length: 12 }, () => admin.region()));
    for (const region of regions) await admin.cell({ region_id: region.id });
    const rows = await json(['cell', 'list', '--fields', 'region']);
    expect(rows.map((row) => row['region']).toSorted()).toEqual(regions.map(({ name }) => name).toSorted());
  });
});

describe('the order and the limit of a list', () => {
  it('can be set by flags', async () => {
    await smallFleet();
    expect(await names('host', 'list')).toEqual(['web-1', 'web-2', 'db-1']);
    expect(await names('host', 'list', '--sort-key', 'name')).toEqual(['db-1', 'web-1', 'web-2']);
    expect(await names('host', 'list', '--sort-key', 'name', '--sort-dir', 'desc')).toEqual([
      'web-2',
      'web-1',
      'db-1',
    ]);
    const two = ['--sort-key', 'active,device_type'];
    expect(await names('host', 'list', ...two, '--sort-key', 'ip_address')).toEqual([
      'db-1',
      'web-1',
      'web-2',
    ]);
    expect(
      await json(['host', 'list', '--detail', '--limit', '0', '--sort-key', 'name', '--sort-dir', 'desc']),
    ).toHaveLength(3);
  });

  it('are rejected if they are invalid', async () => {
    for (const wrong of [
      ['--limit', '-1'],
      ['--limit', 'all'],
      ['--sort-key', 'variables'],
      ['--sort-dir', 'up'],
    ])
      expect(await muster(admin, ['host', 'list', ...wrong])).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['host list', '--name', 'a', 'b'],
    ['cell list', '--region', 'north', 'north'],
    ['host list', '--active', 'true', 'false'],
    ['device counts', '--kind', 'host', 'network-device'],
    ['change list', '--by', 'alice', 'bob'],
    ['region update north', '--note', 'a', 'b'],
    ['vars get host web-1', '--region', 'north', 'south'],
  ])('of %s are rejected if %s has a second value', async (command, option, ...values) => {
    const given = values.flatMap((value) => [option, value]);
    expect(await muster(admin, [...command.split(' '), ...given])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('It can be given only once.') as string,
    });
  });

  it('print to standard error when there are more items', async () => {
    await smallFleet();
    expect(await muster(admin, ['host', 'list', '--limit', '2', '-o', 'name'])).toEqual({
      code: 0,
      stdout: 'web-1\nweb-2\n',
      stderr: 'There are more than 2 items: use --limit 0 to show all.\n',
    });
    expect(await muster(admin, ['host', 'list', '--limit', '3', '-o', 'name'])).toMatchObject({ stderr: '' });
  });

  it('apply to an empty list', async () => {
    expect(await printed(admin, ['host', 'list', '-o', 'json'])).toBe('[]\n');
    expect(await printed(admin, ['host', 'list', '-o', 'name'])).toBe('');
  });
});

describe('filters', () => {
  it('match references by name, id and UUID', async () => {
    await smallFleet();
    const south = await json<Item>(['region', 'show', 'south']);
    for (const word of ['south', String(south['id']), String(south['uuid'])])
      expect(await names('host', 'list', '--region', word)).toEqual(['db-1']);
    expect(await names('host', 'list', '--region', 'north', '--cell', 'rack-a')).toEqual(['web-1']);
    expect(await names('host', 'list', '--cell', 'north/rack-a')).toEqual(['web-1']);
    expect(await names('host', 'list', '--parent', 'web-1')).toEqual(['web-2']);
    expect(await names('host', 'list', '--cloud', 'demo')).toEqual(['web-1', 'web-2']);
    expect(await names('cell', 'list', '--region', 'south')).toEqual(['rack-a']);
    expect(await muster(admin, ['host', 'list', '--cell', 'rack-a'])).toMatchObject({ code: 6, stdout: '' });
    expect(await muster(admin, ['host', 'list', '--region', 'west'])).toMatchObject({ code: 3, stdout: '' });
  });

  it('match fields, labels, addresses and variables', async () => {
    await smallFleet();
    expect(await names('host', 'list', '--label', 'web', '--label', 'compute')).toEqual(['web-1']);
    expect(await names('host', 'list', '--ip', '10.1.0.0/16')).toEqual(['web-1', 'web-2']);
    expect(await names('host', 'list', '--device-type', 'big')).toEqual(['db-1']);
    expect(await names('host', 'list', '--active', 'false')).toEqual(['db-1']);
    expect(await names('host', 'list', '--vars', 'kernel:"6.8"', '--vars', 'rack.row:4')).toEqual(['web-1']);
    expect(await names('host', 'list', '--where', 'kernel < "6.12"', '--where', 'rack.row = 4')).toEqual([
      'web-1',
    ]);
    expect(await names('host', 'list', '--device-type', 'big', '--device-type', 'small')).toContain('db-1');
    expect(await names('host', 'list', '--region', 'north', '--region', 'south')).toContain('web-1');
    expect(await names('host', 'list', '--name-contains', 'EB-1')).toEqual(['web-1']);
    expect(await names('host', 'list', '--without-label', 'web')).toContain('db-1');
    expect(await names('host', 'list', '--parent', 'null', '--without-label', 'web')).toContain('db-1');
    expect(await names('device', 'list', '--sort-key', 'name:natural', '--label', 'web')).toContain('web-1');
    expect(await names('host', 'list', '--name', 'web-1', '--descendants')).toEqual(['web-1', 'web-2']);
    expect(await muster(admin, ['host', 'list', '--vars', 'kernel:6.8.1'])).toMatchObject({
      code: 4,
      stdout: '',
    });
    expect(await muster(admin, ['host', 'list', '--active', 'perhaps'])).toMatchObject({
      code: 2,
      stdout: '',
    });
  });

  it('restrict root to one project, except with --all-projects', async () => {
    await admin.region({ name: 'north' });
    const { name } = await (await app.project()).region();
    const root = app.root.in(admin.projectId);
    expect(await printed(root, ['region', 'list', '-o', 'name'])).toBe('north\n');
    const options = ['--name', name, '-o', 'name'];
    expect(await printed(root, ['region', 'list', ...options])).toBe('');
    expect(await printed(root, ['region', 'list', '--all-projects', ...options])).toBe(`${name}\n`);
  });
});
