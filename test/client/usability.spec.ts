import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { cells } from '../support/printed-table';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
});

const json = async (args: readonly string[]): Promise<unknown> =>
  JSON.parse(await printed(admin, [...args, '-o', 'json']));

it('reports misspelled settings on standard error, without their values', async () => {
  const env = { MUSTER_PROFLE: 'lab', MUSTER_TOKNE: 'secret', MUSTER_PORT: 'tcp://10.0.0.1:7780', PROT: '1' };
  const { code, stderr } = await muster(admin, ['host', 'list'], { env });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'The environment variable MUSTER_PROFLE is unknown and ignored. Did you mean MUSTER_PROFILE?\n' +
      'The environment variable MUSTER_TOKNE is unknown and ignored. Did you mean MUSTER_TOKEN?\n',
  });
});

describe('update of several hosts', () => {
  beforeEach(async () => {
    await admin.host({ name: 'web-1', labels: 'web' });
    await admin.host({ name: 'web-2', ip_address: '10.9.9.2' });
  });

  const update = ['host', 'update', 'web-1', 'web-2', 'web-1'];
  const labels = ['host', 'list', '--fields', 'name,labels', '--sort-key', 'name'];

  it('changes each host, and lists them', async () => {
    expect(await printed(admin, [...update, '--add-label', 'new', '-o', 'name'])).toBe('web-1\nweb-2\n');
    expect(await json(labels)).toEqual([
      { name: 'web-1', labels: 'new,web' },
      { name: 'web-2', labels: 'new' },
    ]);
  });

  it('changes nothing if a host is unknown, or all would get the same name', async () => {
    const missing = await muster(admin, ['host', 'update', 'web-1', 'web-9', '--note', 'x']);
    expect(missing).toMatchObject({ code: 3, stdout: '' });
    expect(await muster(admin, [...update, '--name', 'x'])).toMatchObject({ code: 2, stdout: '' });
    expect(await json(['host', 'list', '--fields', 'name,note', '--sort-key', 'name'])).toEqual([
      { name: 'web-1', note: null },
      { name: 'web-2', note: null },
    ]);
  });

  it('reports which hosts the service rejects, and changes the others', async () => {
    const { code, stdout, stderr } = await muster(admin, [...update, '--parent', 'web-2', '-o', 'name']);
    expect({ code, stdout }).toEqual({ code: 7, stdout: 'web-1\n' });
    expect(stderr).toMatch(/^muster: 1 of 2 could not be changed:\n {2}host web-2: .*\(request id: .*\)\n$/);
  });

  it('requires --yes if more than one device would resolve other values', async () => {
    const kernels = () => json(['host', 'list', '--fields', 'variables', '--sort-key', 'name']);
    expect(await muster(admin, [...update, '--set', 'kernel=v7'])).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'muster: This would change the resolved values of 2 devices: kernel.',
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.',
        '',
      ].join('\n'),
    });
    expect(await kernels()).toEqual([{ variables: {} }, { variables: {} }]);
    const { code, stdout, stderr } = await muster(admin, [
      ...[...update, '--set', 'kernel=v7'],
      ...['--yes', '-o', 'name'],
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'web-1\nweb-2\n' });
    expect(stderr).toBe('Updated 2 hosts. 2 devices resolve another value.\n');
    // Only web-2 would resolve another value.
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel=v8']);
    expect(await muster(admin, [...update, '--set', 'kernel=v8'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^Updated 2 hosts\. 1 device resolves another value\. Revert it with: muster change revert \d+\n$/,
      ) as string,
    });
    expect(await kernels()).toEqual([{ variables: { kernel: 'v8' } }, { variables: { kernel: 'v8' } }]);
    const { stderr: types } = await muster(admin, [...update, '--set', 'kernel:=8']);
    for (const name of ['web-1', 'web-2'])
      expect(types).toContain(
        `  This would change the type of kernel on host ${name} from text to number.\n`,
      );
  });

  it('reports updates that the preview rejects, and asks nothing', async () => {
    await admin.definition({ key: 'slot', schema: { type: 'integer' } });
    const rejected = await muster(admin, [...update, '--set', 'slot=a']);
    expect(rejected).toMatchObject({ code: 4, stdout: expect.any(String) as string });
    expect(rejected.stderr).toMatch(
      /^muster: 2 of 2 could not be changed:\n {2}host web-1: .*\n {2}host web-2: /,
    );
  });

  it('with --dry-run shows the changes of each host', async () => {
    const { stdout, stderr } = await muster(admin, [...update, '--note', 'x', '--dry-run']);
    expect(cells(stdout).slice(1)).toEqual([
      ['host web-1', 'note', 'null', '"x"'],
      ['host web-2', 'note', 'null', '"x"'],
    ]);
    expect(stderr).toContain('It would update host web-2.\n');
  });

  it('suggests alternatives to --label', async () => {
    const { code, stderr } = await muster(admin, ['host', 'update', 'web-1', '--label', 'web']);
    expect(code).toBe(2);
    expect(stderr).toBe('muster: Use --add-label to add a label, or --labels to replace all labels.\n');
  });
});

describe('a dry run', () => {
  it('shows names instead of ids in a table, and JSON as in the API', async () => {
    const region = await admin.region({ name: 'north' });
    for (const name of ['rack-a', 'rack-b']) await admin.cell({ name, region_id: region.id });
    await printed(admin, [
      ...['host', 'create', 'web-1', '--cell', 'north/rack-a'],
      ...['--ip-address', '10.0.0.1', '--device-type', 'server'],
    ]);
    const move = ['host', 'update', 'web-1', '--cell', 'rack-b', '--dry-run'];
    expect(cells(await printed(admin, move))).toContainEqual(['host web-1', 'cell', '"rack-a"', '"rack-b"']);
    expect(await json(move)).toMatchObject({
      change: { objects: [{ before: { cell_id: expect.any(Number) as number } }] },
    });
  });

  it('reports that nothing would change', async () => {
    await admin.host({ name: 'web-1', note: 'Keep' });
    const { stdout, stderr } = await muster(admin, [
      'host',
      'update',
      'web-1',
      '--note',
      'Keep',
      '--dry-run',
    ]);
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: 'Dry run: nothing was written.\nNothing would change.\n',
    });
  });
});

it('creates a cell as REGION/CELL, and keeps a slash if --region is given', async () => {
  await admin.region({ name: 'north' });
  await admin.region({ name: 'eu/west' });
  const created = async (...args: string[]): Promise<unknown> => json(['cell', 'create', ...args]);
  const [north, west] = (await json(['region', 'list', '--sort-key', 'id'])) as { id: number }[];
  expect(await created('north/rack-b')).toMatchObject({ name: 'rack-b', region_id: north?.id });
  expect(await created('eu/west/rack-b')).toMatchObject({ name: 'rack-b', region_id: west?.id });
  expect(await created('north/c', '--region', 'north')).toMatchObject({
    name: 'north/c',
    region_id: north?.id,
  });
  const unknown = await muster(admin, ['cell', 'create', 'nowhere/rack-b']);
  expect(unknown).toMatchObject({
    code: 3,
    stderr: 'muster: There is no region "nowhere".\n  "muster region list" shows the regions.\n',
  });
});

describe('variables', () => {
  beforeEach(async () => {
    await admin.host({ name: 'web-1', variables: { kernel: '6.12', port: 6.12, rack: 4 } });
  });

  it('are shown as JSON with their resource', async () => {
    const shown = cells(await printed(admin, ['host', 'show', 'web-1']));
    expect(shown).toContainEqual(['variables.kernel', '"6.12"']);
    expect(shown).toContainEqual(['variables.port', '6.12']);
  });

  it('can be read by several keys, and unset ones are reported', async () => {
    const get = ['vars', 'get', 'hosts', 'web-1'];
    expect(await json([...get, 'rack', 'kernel'])).toEqual({ rack: 4, kernel: '6.12' });
    const { code, stdout, stderr } = await muster(admin, [...get, 'rack', 'nope', '-o', 'csv']);
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: 'key,value\nrack,4\n',
      stderr: 'muster: nope is not set for host web-1.\n',
    });
  });

  it.each([[[]], [['-y']]])('can be unset, and unset ones are reported: %j', async (yes) => {
    const unset = ['vars', 'unset', 'host', 'web-1', ...yes];
    const { stderr } = await muster(admin, [...unset, 'rack', 'nope']);
    expect(stderr).toMatch(/^nope is not set on host web-1 itself\.\nRemoved rack from host web-1\./);
    const none = await muster(admin, [...unset, 'rack', 'nope']);
    expect(none).toMatchObject({
      code: 0,
      stderr: 'Nothing to do: rack, nope are not set on host web-1 itself.\n',
    });
    expect(await json(['vars', 'get', 'host', 'web-1', '--own'])).toEqual({ kernel: '6.12', port: 6.12 });
  });
});

describe('a list', () => {
  it('reports an unknown label, but not an unused one', async () => {
    await admin.host({ name: 'web-1', labels: 'web' });
    await admin.label({ label: 'idle' });
    const listed = (label: string) => muster(admin, ['host', 'list', '--label', label, '-o', 'name']);
    expect(await listed('wbe')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There is no label "wbe". Did you mean "web"?\n',
    });
    expect(await listed('idle')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await listed('web')).toEqual({ code: 0, stdout: 'web-1\n', stderr: '' });
  });

  it('reports an unknown label that hosts do not have', async () => {
    await admin.host({ name: 'web-1', labels: 'web' });
    expect(await muster(admin, ['host', 'list', '--without-label', 'wbe', '-o', 'name'])).toEqual({
      code: 0,
      stdout: 'web-1\n',
      stderr: 'There is no label "wbe". Did you mean "web"?\n',
    });
  });

  it('accepts --ip-address for --ip', async () => {
    await admin.host({ name: 'web-1', ip_address: '10.0.0.1' });
    await admin.host({ name: 'web-2', ip_address: '10.1.0.1' });
    const list = ['host', 'list', '-o', 'name'];
    expect(await printed(admin, [...list, '--ip-address', '10.1.0.0/16'])).toBe('web-2\n');
  });
});

describe('a client with invalid credentials', () => {
  it('gets an explanation in the terms of the client', async () => {
    const { user, project } = admin.credentials;
    const { code, stderr } = await muster(admin, ['host', 'list'], {
      env: { MUSTER_TOKEN: 'mst_wrong_key' },
    });
    expect(code).toBe(4);
    expect(stderr).toContain(`it is not of the user "${user}", or not for the project ${project}.\n`);
    expect(stderr).not.toContain('X-Auth');
    expect(stderr).toContain(
      'Set MUSTER_TOKEN to another key, or unset it and save a key with "muster login".',
    );
    const flagged = await muster(admin, ['host', 'list', '--token', 'mst_wrong_key']);
    expect(flagged.stderr).toContain('Use another key with --token.');
  });

  it('gets an error at once if the project is not a UUID', async () => {
    const { code, stderr } = await muster(admin, ['host', 'list', '--project', 'default']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'muster: The project must be a UUID: "default" (--project) is not.\n',
    });
  });
});

it('details do not repeat the message', async () => {
  await admin.region({ name: 'north' });
  const { code, stderr } = await muster(admin, ['region', 'create', 'north']);
  expect(code).toBe(4);
  expect(stderr).toMatch(/^muster: .*already in use\.?\n {2}request id: .*\n$/);
});
