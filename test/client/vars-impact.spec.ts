import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed } from '../support/shell';

const app = sharedService();

/** A region `north` with the given number of hosts, and another region with one host. */
async function fleet(hosts: number): Promise<Caller> {
  const admin = await app.project();
  const north = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
  const body = Array.from({ length: hosts }, (_, i) => ({
    name: `web-${String(i + 1)}`,
    region_id: north.id,
    ip_address: '10.0.0.1',
    device_type: 'server',
  }));
  await admin.post('/v1/hosts', body).expect(201);
  await admin.host({ name: 'elsewhere' });
  return admin;
}

const kernelOf = (caller: Caller, host: string) => printed(caller, ['vars', 'get', 'host', host, 'kernel']);

/** The number of change records of a region. */
async function recordsOf(caller: Caller, region: string): Promise<number> {
  const [found] = (await caller.get(`/v1/regions?name=${region}`)).body as [{ id: number }];
  return ((await caller.get(`/v1/regions/${String(found.id)}/changes`)).body as unknown[]).length;
}

describe('a change that affects more than one device', () => {
  it('is rejected without a terminal, and the error names --yes', async () => {
    const admin = await fleet(2);
    expect(await muster(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"'])).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'muster: This would change the resolved values of 2 devices: kernel.',
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.',
        '',
      ].join('\n'),
    });
    expect(await muster(admin, ['vars', 'unset', 'region', 'north', 'kernel'])).toMatchObject({ code: 2 });
    expect(await kernelOf(admin, 'web-1')).toBe('6.8\n');
    expect(await recordsOf(admin, 'north')).toBe(1);
  });

  it('is made with --yes', async () => {
    const admin = await fleet(2);
    const set = await muster(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"', '--yes']);
    expect(set).toEqual({
      code: 0,
      stdout: '',
      stderr: `Set kernel on region north. 2 devices resolve another value. ${await revertHint(admin)}\n`,
    });
    expect(await kernelOf(admin, 'web-2')).toBe('7\n');
    const unset = await muster(admin, ['vars', 'unset', 'region', 'north', 'kernel', '-y']);
    expect(unset).toEqual({
      code: 0,
      stdout: '',
      stderr: `Removed kernel from region north. 2 devices resolve another value. ${await revertHint(admin)}\n`,
    });
    expect(await muster(admin, ['vars', 'get', 'host', 'web-2', 'kernel'])).toMatchObject({ code: 3 });
  });

  it('needs no confirmation for a single device', async () => {
    const admin = await fleet(1);
    const set = await muster(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"', '--reason', 'CHG-2']);
    expect(set.stderr).toBe(
      `Set kernel on region north. 1 device resolves another value. ${await revertHint(admin)}\n`,
    );
    expect(set.code).toBe(0);
    expect(await kernelOf(admin, 'web-1')).toBe('7\n');
  });

  it('counts only devices that do not override the value', async () => {
    const admin = await fleet(3);
    for (const host of ['web-1', 'web-2']) await printed(admin, ['vars', 'set', 'host', host, 'kernel=own']);
    const set = await muster(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"']);
    expect(set).toMatchObject({ code: 0, stderr: expect.stringContaining('1 device resolves') as string });
  });
});

describe('--dry-run', () => {
  it('shows the first devices with old and new values, and changes nothing', async () => {
    const admin = await fleet(33);
    const command = ['vars', 'set', 'region', 'north', 'kernel:="7"', 'price:=1.10', '--dry-run'];
    const { code, stdout, stderr } = await muster(admin, command);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^DEVICE +KEY +BEFORE +AFTER *$/);
    expect(lines).toHaveLength(1 + 30 * 2);
    expect(stdout).toMatch(/^web-1 +kernel +"6\.8" +"7" *$/m);
    expect(stdout).toMatch(/^web-1 +price +1\.10 *$/m);
    expect(stdout).not.toContain('elsewhere');
    expect(stderr).toBe(
      [
        '… and 3 more devices.',
        'Dry run: this would set kernel, price on region north. 33 devices would resolve another value. Nothing was changed.',
        '',
      ].join('\n'),
    );
    expect(await kernelOf(admin, 'web-1')).toBe('6.8\n');
    expect(await recordsOf(admin, 'north')).toBe(1);
  });

  it('prints the full response of the service as JSON, without losing digits', async () => {
    const admin = await fleet(2);
    const command = ['vars', 'set', 'region', 'north', 'serial:=9007199254740993', '--dry-run', '-o', 'json'];
    const text = await printed(admin, command);
    expect(text).toContain('9007199254740993');
    expect(JSON.parse(text)).toMatchObject({ dry_run: true, impact: { devices: 2, keys: ['serial'] } });
  });

  it('supports unset, and reports when nothing would change', async () => {
    const admin = await fleet(2);
    const unset = await muster(admin, ['vars', 'unset', 'region', 'north', 'kernel', '--dry-run']);
    expect(unset.stdout).toMatch(/^web-2 +kernel +"6\.8" *$/m);
    const nothing = await muster(admin, ['vars', 'unset', 'host', 'web-1', 'kernel', '--dry-run']);
    expect(nothing).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Dry run: kernel is not set on host web-1 itself; nothing would change.\n',
    });
  });

  it('is rejected without the rights for the write', async () => {
    const admin = await fleet(1);
    const reader = await admin.user();
    const command = ['vars', 'set', 'region', 'north', 'kernel:="7"', '--dry-run'];
    expect(await muster(reader, command)).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('a change of the type of a value', () => {
  const QUESTION = 'This would change the type of kernel on';
  const HINT = '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.';

  it('is asked about, even if it affects one device or none', async () => {
    const admin = await fleet(1);
    for (const [command, target] of [
      [['vars', 'set', 'region', 'north', 'kernel:=6.8'], 'region north'],
      [['region', 'update', 'north', '--set', 'kernel:=6.8'], 'region north'],
    ] as const) {
      expect(await muster(admin, command)).toEqual({
        code: 2,
        stdout: '',
        stderr: `muster: ${QUESTION} ${target} from text to number.\n${HINT}\n`,
      });
      expect(await kernelOf(admin, 'web-1')).toBe('6.8\n');
      expect(await muster(admin, [...command, '--yes'])).toMatchObject({ code: 0 });
      expect(await printed(admin, ['vars', 'get', 'host', 'web-1', 'kernel', '-o', 'json'])).toBe('6.8\n');
      await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:="6.8"', '--yes']);
    }
    await admin.user({ username: 'demo' });
    await printed(admin, ['vars', 'set', 'user', 'demo', 'pager:=1']);
    expect(await muster(admin, ['vars', 'set', 'user', 'demo', 'pager=none'])).toMatchObject({ code: 2 });
  });

  it('is asked about with update --set of a device', async () => {
    const admin = await fleet(1);
    const update = ['host', 'update', 'web-1', '--set', 'kernel:=7'];
    // The host does not set the variable itself yet.
    expect(await muster(admin, update)).toMatchObject({ code: 0 });
    const back = ['host', 'update', 'web-1', '--set', 'kernel=seven'];
    expect(await muster(admin, back)).toEqual({
      code: 2,
      stdout: '',
      stderr: `muster: ${QUESTION} host web-1 from number to text.\n${HINT}\n`,
    });
    expect(await muster(admin, [...back, '-y'])).toMatchObject({ code: 0 });
    expect(await kernelOf(admin, 'web-1')).toBe('seven\n');
  });

  it('follows the number of affected devices', async () => {
    const admin = await fleet(2);
    const { code, stderr } = await muster(admin, ['vars', 'set', 'region', 'north', 'kernel:=7']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: [
        'muster: This would change the resolved values of 2 devices: kernel.',
        `  ${QUESTION} region north from text to number.`,
        HINT,
        '',
      ].join('\n'),
    });
  });

  it('is none from or to null, or if the variable is set or removed', async () => {
    const admin = await fleet(1);
    for (const command of [
      ['set', 'region', 'north', 'kernel:=null'],
      ['set', 'region', 'north', 'kernel:=7', 'new:=1'],
      ['unset', 'region', 'north', 'kernel'],
    ])
      expect(await muster(admin, ['vars', ...command])).toMatchObject({ code: 0 });
  });

  it('is marked in tables for people, not in other formats', async () => {
    const admin = await fleet(1);
    const set = ['vars', 'set', 'region', 'north', 'kernel:=[6]', '--dry-run'];
    const { stdout, stderr } = await muster(admin, set);
    expect(stdout).toMatch(/^web-1 +kernel +"6\.8" +\[6\] \(was a text\)$/m);
    expect(stderr).toMatch(`${QUESTION} region north from text to array.\nDry run: `);
    expect(await printed(admin, [...set, '-o', 'csv'])).toContain('web-1,kernel,6.8,[6]\n');
    const update = ['region', 'update', 'north', '--set', 'kernel:=[6]', '--dry-run'];
    const updated = await muster(admin, update);
    expect(updated.stdout).toMatch(/^host web-1 +variables\.kernel +"6\.8" +\[6\] \(was a text\)$/m);
    expect(updated.stderr).toContain(`${QUESTION} region north from text to array.\n`);
    expect(await printed(admin, [...update, '-o', 'csv'])).toContain(',[6]\n');
    await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:=[6]', '--yes']);
    const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1')).body as [{ id: number }];
    const revert = await printed(admin, ['change', 'revert', String(change.id), '--dry-run']);
    expect(revert).toMatch(/^update +region north +variables\.kernel +\[6\] +"6\.8" \(was an array\)$/m);
  });
});

it('concurrent writes of different variables of a host all succeed', async () => {
  const admin = await fleet(1);
  const keys = ['a', 'b', 'c', 'd'];
  const ended = await Promise.all(
    keys.map((key) => muster(admin, ['vars', 'set', 'host', 'web-1', `${key}:=1`])),
  );
  expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(keys.map(() => ''));
  const own = await printed(admin, ['vars', 'get', 'host', 'web-1', '--own', '-o', 'json']);
  expect(JSON.parse(own)).toEqual({ a: 1, b: 1, c: 1, d: 1 });
});

it('reports what was changed, and when there is nothing to do', async () => {
  const admin = await fleet(1);
  const errorOutput = async (...args: string[]) => (await muster(admin, ['vars', ...args])).stderr;
  expect(await errorOutput('set', 'host', 'web-1', 'a:=1', 'b:=1')).toContain('Set a, b on host web-1.');
  expect(await errorOutput('set', 'host', 'web-1', 'a:=1', 'b:=2')).toContain('Set b on host web-1.');
  expect(await errorOutput('set', 'host', 'web-1', 'a:=1')).toBe(
    'Nothing to do: a already has this value on host web-1.\n',
  );
  expect(await errorOutput('unset', 'host', 'web-1', 'a', 'kernel')).toContain('Removed a from host web-1.');
  expect(await errorOutput('unset', 'host', 'web-1', 'a', 'kernel')).toBe(
    'Nothing to do: a, kernel are not set on host web-1 itself.\n',
  );
});
