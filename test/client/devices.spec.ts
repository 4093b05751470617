import { revertHint } from '../support/reverts';
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
const json = async (args: readonly string[]): Promise<Item[]> =>
  JSON.parse(await printed(admin, [...args, '-o', 'json'])) as Item[];

/** Devices of both kinds, interleaved, with all forms of sort keys. */
async function mixedFleet(): Promise<void> {
  const region_id = (await admin.region({ name: 'north' })).id;
  const cell_id = (await admin.cell({ name: 'rack-a', region_id })).id;
  const addresses = [
    '10.0.0.10',
    '2001:db8::1',
    '10.0.0.9',
    '9.255.0.1',
    '2001:db8::ff:1',
    '::ffff:10.0.0.1',
    '10.0.0.9',
  ];
  const names = ['b', 'a', 'Z', 'é', '😀', '￮', 'c'];
  for (const [i, ip_address] of addresses.entries()) {
    const members = {
      name: names[i],
      region_id,
      ip_address,
      device_type: i % 3 === 0 ? 'x' : 'y',
      active: i % 2 === 0,
    };
    const further = {
      ...(i % 3 === 1 ? { note: `note ${String(i)}` } : {}),
      ...(i === 4 ? { cell_id } : {}),
    };
    await (i % 2 === 0
      ? admin.host({ ...members, ...further })
      : admin.networkDevice({ ...members, ...further }));
  }
}

it('lists devices of every kind, with the kind of each', async () => {
  await mixedFleet();
  const [head, first, second] = cells(await printed(admin, ['device', 'list']));
  expect(head?.slice(0, 4)).toEqual(['ID', 'NAME', 'KIND', 'REGION']);
  expect(first?.slice(1, 4)).toEqual(['b', 'host', 'north']);
  expect(second?.slice(1, 4)).toEqual(['a', 'network-device', 'north']);
});

it('merges the lists of both kinds in the order of the database', async () => {
  await mixedFleet();
  // The expected order: the same devices, all created as hosts in another project.
  const twin = await app.project();
  const region_id = (await twin.region({ name: 'north' })).id;
  const cell_id = (await twin.cell({ name: 'rack-a', region_id })).id;
  for (const item of await json(['device', 'list', '--detail']))
    await twin.host({
      ...Object.fromEntries(
        ['name', 'ip_address', 'device_type', 'active', 'note'].map((member) => [member, item[member]]),
      ),
      region_id,
      ...(item['cell_id'] === null ? {} : { cell_id }),
    });
  const orders = [
    ['id', 'desc'],
    ['name', 'asc'],
    ['ip_address', 'asc'],
    ['ip_address', 'desc'],
    ['note', 'asc'],
    ['cell_id', 'desc'],
    ['active,name', 'desc'],
    ['device_type,created_at', 'asc'],
  ] as const;
  for (const [keys, direction] of orders) {
    const { body } = await twin
      .get(`/v1/hosts?sort_keys=${keys}&sort_dir=${direction}&fields=name`)
      .expect(200);
    const order = ['--sort-key', keys, '--sort-dir', direction];
    const listed = await json(['device', 'list', ...order, '--fields', 'name']);
    expect({ keys, direction, listed }).toEqual({ keys, direction, listed: body });
  }
}, 60_000);

it('filters by location, and stops at the limit', async () => {
  await mixedFleet();
  const names = async (...args: string[]) =>
    (await json(['device', 'list', ...args])).map(({ name }) => name);
  expect(await names('--cell', 'north/rack-a')).toEqual(['😀']);
  expect(await names('--region', 'north', '--active', 'false')).toEqual(['a', 'é', '￮']);
  await admin.host({ name: 'child', parent_id: (await json(['device', 'list', '--name', 'a']))[0]!['id'] });
  expect(await names('--parent', 'a')).toEqual(['child']);
  expect(await muster(admin, ['device', 'list', '--limit', '3', '-o', 'name'])).toEqual({
    code: 0,
    stdout: 'b\na\nZ\n',
    stderr: 'There are more than 3 items: use --limit 0 to show all.\n',
  });
  expect(await names('--limit', '8')).toHaveLength(8);
});

it('shows a field of one kind only for devices of that kind', async () => {
  await admin.host({ name: 'web-1' });
  await admin.networkDevice({ name: 'core', model_name: 'MX204' });
  expect(await json(['device', 'list', '--fields', 'name,kind,model_name'])).toEqual([
    { name: 'web-1', kind: 'host' },
    { name: 'core', kind: 'network-device', model_name: 'MX204' },
  ]);
});

it('finds the kind of a device from its name', async () => {
  const core = await admin.networkDevice({ name: 'core' });
  const host = await admin.host({ name: 'web-1', region_id: core['region_id'] });
  for (const word of ['core', core.uuid])
    expect(await json(['device', 'show', word])).toMatchObject({ id: core.id, kind: 'network-device' });
  expect(cells(await printed(admin, ['device', 'show', 'web-1']))).toContainEqual(['kind', 'host']);
  await printed(admin, ['device', 'update', 'core', '--model-name', 'MX204', '--note', 'x']);
  await printed(admin, ['device', 'update', 'web-1', '--parent', 'core', '--no-active']);
  expect((await admin.get(`/v1/hosts/${host.id}`).expect(200)).body).toMatchObject({
    parent_id: core.id,
    active: false,
  });
  expect(await muster(admin, ['device', 'update', 'web-1', '--model-name', 'x'])).toMatchObject({
    code: 2,
    stderr: 'muster: --model-name cannot be used with a host.\n',
  });
  expect(await muster(admin, ['device', 'delete', 'web-1', 'core', '-y'])).toMatchObject({
    code: 0,
    stderr: `Deleted host web-1.\nDeleted network device core.\nDeleted 2 devices. ${await revertHint(admin, 2)}\n`,
  });
});

it('keeps a device in its region unless another region is given', async () => {
  const [north, south] = [await admin.region({ name: 'north' }), await admin.region({ name: 'south' })];
  const [northCell, southCell] = [
    await admin.cell({ name: 'rack-a', region_id: north.id }),
    await admin.cell({ name: 'rack-a', region_id: south.id }),
  ];
  await admin.cell({ name: 'rack-z', region_id: south.id });
  await admin.host({ name: 'web-1', region_id: north.id });
  const update = (...args: string[]) => json(['host', 'update', 'web-1', ...args]);
  expect(await update('--cell', 'rack-a')).toMatchObject({ region_id: north.id, cell_id: northCell.id });
  expect(await muster(admin, ['host', 'update', 'web-1', '--cell', 'rack-z'])).toMatchObject({ code: 3 });
  expect(await update('--cell', 'south/rack-a')).toMatchObject({
    region_id: south.id,
    cell_id: southCell.id,
  });
  expect(await update('--region', 'north', '--cell', 'rack-a')).toMatchObject({ cell_id: northCell.id });
  expect(await update('--cell', southCell.uuid)).toMatchObject({
    region_id: south.id,
    cell_id: southCell.id,
  });
  expect(await update('--clear', 'cell', '--region', 'north')).toMatchObject({
    region_id: north.id,
    cell_id: null,
  });
  for (const nothing of ['null', 'none', ''])
    expect(await muster(admin, ['host', 'update', 'web-1', '--parent', nothing])).toEqual({
      code: 3,
      stdout: '',
      stderr: `muster: There is no device ${JSON.stringify(nothing)}.\n  To have none, use --clear parent.\n`,
    });
});
