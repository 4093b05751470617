import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();

/** A host whose `kernel` is set by its region, its label and itself. */
async function fleet(): Promise<Caller> {
  const admin = await app.project();
  const { id: region_id } = await admin.region({ name: 'north' });
  const cell = await admin.cell({ name: 'rack-a', region_id });
  await admin.label({ label: 'site:hq', variables: { kernel: '6.9' } });
  const host = await admin.host({ name: 'web-1', region_id, cell_id: cell.id, labels: ['site:hq'] });
  await admin
    .put(`/v1/regions/${String(region_id)}/variables`, { kernel: '6.8' }, { 'X-Change-Reason': 'CHG-1' })
    .expect(200);
  await admin.put(`/v1/hosts/${String(host.id)}/variables`, { kernel: '6.12' }).expect(200);
  return admin;
}

describe('explain', () => {
  it('shows every level from the broadest, and marks the effective one', async () => {
    const admin = await fleet();
    const table = await printed(admin, ['vars', 'explain', 'host', 'web-1', 'kernel']);
    const [header, ...lines] = table.trimEnd().split('\n');
    expect(header).toMatch(/^KEY +WINS +LEVEL +VALUE +SET_BY +SET_AT +REASON *$/);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^kernel +region north +"6\.8" +admin +\S+ +CHG-1 *$/);
    expect(lines[1]).toMatch(/^ +label site:hq +"6\.9" +admin +\S+ *$/);
    expect(lines[2]).toMatch(/^ +\* +host web-1 +"6\.12" +admin +\S+ *$/);
  });

  it('prints the response of the service as JSON', async () => {
    const admin = await fleet();
    const text = await printed(admin, ['vars', 'explain', 'device', 'web-1', '-o', 'json']);
    expect(JSON.parse(text)).toMatchObject({
      kernel: {
        value: '6.12',
        source: { kind: 'host', name: 'web-1' },
        levels: [{ reason: 'CHG-1' }, {}, {}],
      },
    });
  });

  it('shows a past state', async () => {
    const admin = await fleet();
    const [{ set_at }] = JSON.parse(
      await printed(admin, ['vars', 'where', 'kernel', '--kind', 'region', '-o', 'json']),
    ) as [{ set_at: string }];
    const past = await printed(admin, ['vars', 'explain', 'host', 'web-1', 'kernel', '--at', set_at]);
    expect(past).toContain('* ');
    expect(past).not.toContain('6.12');
    expect(await muster(admin, ['vars', 'explain', 'host', 'web-1', '--at', set_at])).toMatchObject({
      code: 2,
    });
  });

  it('exits with 3 for an unset key, and with 2 for a kind that inherits nothing', async () => {
    const admin = await fleet();
    expect(await muster(admin, ['vars', 'explain', 'host', 'web-1', 'kernel', 'nothing'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'muster: No level sets nothing for host web-1.\n',
    });
    expect(await muster(admin, ['vars', 'explain', 'region', 'north'])).toMatchObject({ code: 2 });
  });
});

describe('where', () => {
  it('lists every resource that sets a key, or a key with the prefix', async () => {
    const admin = await fleet();
    const table = await printed(admin, ['vars', 'where', 'kernel']);
    expect(table).toMatch(/^KEY +KIND +NAME +ID +VALUE +SET_BY +SET_AT +REASON *$/m);
    expect(table).toMatch(/^kernel +region +north +\d+ +"6\.8" +admin +\S+ +CHG-1 *$/m);
    const names = (...rest: string[]) => printed(admin, ['vars', 'where', ...rest, '-o', 'name']);
    expect(await names('kern*')).toBe('web-1\nsite:hq\nnorth\n');
    expect(await names('kern*', '--kind', 'label')).toBe('site:hq\n');
    expect(await names('ntp_*')).toBe('');
  });

  it('reports when there are more items than the limit', async () => {
    const admin = await fleet();
    const ended = await muster(admin, ['vars', 'where', 'kernel', '--limit', '2', '-o', 'name']);
    expect(ended).toMatchObject({
      code: 0,
      stderr: 'There are more than 2 items: use --limit 0 to show all.\n',
    });
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(await muster(admin, ['vars', 'where', 'kernel', '--limit', '3'])).toMatchObject({ stderr: '' });
    expect(await muster(admin, ['vars', 'where', 'kernel', '--limit', 'x'])).toMatchObject({ code: 2 });
  });

  it('stays within the project of the caller, even for root', async () => {
    const admin = await fleet();
    await fleet();
    const root = app.root.in(admin.projectId);
    const found = JSON.parse(await printed(root, ['vars', 'where', 'kernel', '-o', 'json'])) as {
      project_id: string;
    }[];
    expect(found.map(({ project_id }) => project_id)).toEqual([
      admin.projectId,
      admin.projectId,
      admin.projectId,
    ]);
  });
});

it('lists the keys, with or without counts', async () => {
  const admin = await fleet();
  const keys = (...rest: string[]) => printed(admin, ['vars', 'keys', ...rest, '-o', 'json']);
  expect(JSON.parse(await keys())).toEqual([
    { key: 'kernel', regions: 1, cells: 0, labels: 1, hosts: 1, 'network-devices': 0, resolved_by: 1 },
  ]);
  expect(JSON.parse(await keys('kern*', '--no-counts'))).toEqual([{ key: 'kernel' }]);
});

describe('history', () => {
  it('shows each change of own variables, newest first', async () => {
    const admin = await fleet();
    await printed(admin, [
      'vars',
      'set',
      'host',
      'web-1',
      'price:=1.10',
      'kernel:=null',
      '--reason',
      'CHG-3',
    ]);
    await printed(admin, ['vars', 'unset', 'host', 'web-1', 'kernel']);
    const table = await printed(admin, ['vars', 'history', 'host', 'web-1', 'kernel', '--own']);
    const [header, ...lines] = table.trimEnd().split('\n');
    expect(header).toMatch(/^TIME +WHO +KEY +BEFORE +AFTER +REASON +CHANGE_ID *$/);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^\S+ +admin +kernel +null +\d+ *$/);
    expect(lines[1]).toMatch(/^\S+ +admin +kernel +"6\.12" +null +CHG-3 +\d+ *$/);
    expect(lines[2]).toMatch(/^\S+ +admin +kernel +"6\.12" +\d+ *$/);
    const all = await printed(admin, ['vars', 'history', 'host', 'web-1', '--own', '-o', 'json']);
    expect(all).toContain('"after": 1.10');
    expect(JSON.parse(all)).toMatchObject([
      { key: 'kernel', before: null, who: 'admin' },
      { reason: 'CHG-3' },
      { reason: 'CHG-3' },
      { key: 'kernel', after: '6.12' },
    ]);
  });

  it('of a device shows what it resolved to, with the level of each value, page by page', async () => {
    const admin = await fleet();
    await printed(admin, ['vars', 'unset', 'host', 'web-1', 'kernel', '--reason', 'CHG-3']);
    await printed(admin, ['vars', 'set', 'label', 'site:hq', 'kernel:="6.10"', '--yes', '--reason', 'CHG-4']);
    const history = (...rest: string[]) => printed(admin, ['vars', 'history', 'device', 'web-1', ...rest]);
    const [header, ...lines] = (await history('kernel')).trimEnd().split('\n');
    expect(header).toMatch(/^TIME +WHO +KEY +BEFORE +AFTER +LEVEL +REASON +CHANGE_ID *$/);
    // The value of the region never was that of the host.
    expect(lines).toEqual([
      expect.stringMatching(/^\S+ +admin +kernel +"6\.9" +"6\.10" +label site:hq +CHG-4 +\d+$/),
      expect.stringMatching(/^\S+ +admin +kernel +"6\.12" +"6\.9" +label site:hq +CHG-3 +\d+$/),
      expect.stringMatching(/^\S+ +admin +kernel +"6\.9" +"6\.12" +host web-1 +\d+$/),
      expect.stringMatching(/^\S+ +admin +kernel +"6\.9" +label site:hq +\d+$/),
    ]);
    const label = { kind: 'label', name: 'site:hq' };
    expect(JSON.parse(await history('--limit', '1', '-o', 'json'))).toMatchObject([
      { key: 'kernel', before: '6.9', after: '6.10', reason: 'CHG-4', level: label },
    ]);
    expect((await history('--limit', '0', '-o', 'csv')).split('\n')[1]).toContain(',label site:hq,CHG-4,');
  });

  it('of a cell says where a value comes from that it inherits', async () => {
    const admin = await fleet();
    const history = (key: string) => muster(admin, ['vars', 'history', 'cell', 'north/rack-a', key]);
    expect(await history('kernel')).toMatchObject({
      code: 0,
      stderr:
        'kernel was never set on cell north/rack-a itself. It comes from region north: muster vars history region north kernel\n',
    });
    expect(await history('other')).toMatchObject({ code: 0, stderr: 'No variable other.\n' });
  });

  it('is empty for a resource that never had variables', async () => {
    const admin = await fleet();
    expect(await printed(admin, ['vars', 'history', 'cell', 'north/rack-a', '-o', 'json'])).toBe('[]\n');
  });
});
