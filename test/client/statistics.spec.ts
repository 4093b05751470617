import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();

/** Three hosts and a switch in two regions. */
async function fleet(): Promise<Caller> {
  const admin = await app.project();
  const north = await admin.region({ name: 'north', variables: { os: 'debian-12' } });
  const south = await admin.region({ name: 'south' });
  await admin.host({ name: 'web-1', region_id: north.id });
  await admin.host({ name: 'web-2', region_id: north.id, active: false });
  await admin.host({ name: 'db-1', region_id: south.id, variables: { os: 'debian-13', rack: { row: 4 } } });
  await admin.networkDevice({ name: 'switch-1', region_id: south.id });
  return admin;
}

/** The lines of a table, with single spaces. */
const lines = (table: string): string[] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trimEnd());

it('vars values shows the values of a variable, and the devices without it', async () => {
  const admin = await fleet();
  expect(lines(await printed(admin, ['vars', 'values', 'os']))).toEqual([
    'VALUE DEVICES',
    '"debian-12" 2',
    '"debian-13" 1',
    '(unset) 1',
  ]);
  expect(lines(await printed(admin, ['vars', 'values', 'os', '--group-by', 'region']))).toEqual([
    'REGION VALUE DEVICES',
    'north "debian-12" 2',
    'south "debian-13" 1',
    'south (unset) 1',
  ]);
  expect(lines(await printed(admin, ['vars', 'values', 'rack', '--path', 'row', '--kind', 'host']))).toEqual([
    'VALUE DEVICES',
    '4 1',
    '(unset) 2',
  ]);
  expect(
    JSON.parse(await printed(admin, ['vars', 'values', 'os', '--region', 'south', '-o', 'json'])),
  ).toEqual({
    key: 'os',
    devices: 2,
    without: 1,
    distinct: 1,
    values: [{ value: 'debian-13', devices: 1 }],
  });
  expect(await muster(admin, ['vars', 'values', 'os', '--limit', '1'])).toMatchObject({
    code: 0,
    stderr: '1 more value not shown: use --limit or --path.\n',
  });
  expect(await muster(admin, ['vars', 'values', 'os', '--limit', '0'])).toMatchObject({ code: 2 });
});

it('device counts shows numbers of devices', async () => {
  const admin = await fleet();
  expect(
    lines(await printed(admin, ['device', 'counts', '--group-by', 'region', '--group-by', 'kind'])),
  ).toEqual(['REGION KIND DEVICES', 'north host 2', 'south host 1', 'south network-device 1']);
  expect(await printed(admin, ['device', 'counts', '--active', 'true', '-o', 'json'])).toBe(
    '{\n  "devices": 3\n}\n',
  );
  expect(await printed(admin, ['device', 'counts', '--group-by', 'device-type', '-o', 'csv'])).toMatch(
    /^device_type,devices\r?\nserver,4\r?\n/,
  );
  expect(await muster(admin, ['device', 'counts', '--group-by', 'kind', '--limit', '1'])).toMatchObject({
    stderr: 'There are 2 groups: use --limit to show more of them.\n',
  });
  expect(await muster(admin, ['device', 'counts', '--group-by', 'name'])).toMatchObject({ code: 2 });
});
