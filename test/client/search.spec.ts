import { sharedService } from '../support/service';
import { muster, printed } from '../support/shell';

const app = sharedService();

/** The lines of a table, with single spaces. */
const lines = (table: string): string[] =>
  table
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trimEnd());

it('search finds resources and variables', async () => {
  const admin = await app.project();
  const region = await admin.region({ name: 'north', variables: { web_port: 443 } });
  const cell = await admin.cell({ name: 'rack-1', region_id: region.id });
  const host = await admin.host({ name: 'web-1', region_id: region.id, cell_id: cell.id });
  await admin.networkDevice({ name: 'old-web', region_id: region.id });
  expect(lines(await printed(admin, ['search', 'web']))).toEqual([
    'KIND NAME PLACE MATCH',
    'host web-1 north / rack-1 prefix (name)',
    'variable-key web_port prefix (key)',
    'network-device old-web north substring (name)',
  ]);
  expect(lines(await printed(admin, ['search', '443']))).toEqual([
    'KIND NAME PLACE MATCH',
    'region north value (web_port)',
  ]);
  expect(await printed(admin, ['search', 'web', '--limit', '2', '-o', 'name'])).toBe('web-1\nweb_port\n');
  const href = `${app.url}/v1/hosts/${String(host.id)}`;
  expect((await printed(admin, ['search', 'web-1', '-o', 'csv'])).trimEnd().split(/\r?\n/)).toEqual([
    'kind,id,name,region,cell,match,member,key,href',
    `host,${String(host.id)},web-1,north,rack-1,exact,name,,${href}`,
  ]);
  expect(JSON.parse(await printed(admin, ['search', 'web-1', '-o', 'json']))).toMatchObject([
    { kind: 'host', id: host.id, cell: { id: cell.id, name: 'rack-1' }, match: 'exact', href },
  ]);
});

it('search says if it found nothing among the beginnings of names alone', async () => {
  const admin = await app.project();
  expect(await muster(admin, ['search', 'nowhere'])).toMatchObject({ code: 0, stderr: '' });
  expect(await muster(admin, ['search', 'no'])).toMatchObject({
    code: 0,
    stderr: 'Only the beginnings of names were searched.\n',
  });
  expect(await muster(admin, ['search', 'web', '--limit', '101'])).toMatchObject({ code: 2 });
});
