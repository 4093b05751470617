import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, printed, temporaryFolder } from '../support/shell';

const app = sharedService();

/** Two regions whose cells have the same name, a label, and hosts that inherit from all of them. */
async function fleet(): Promise<Caller> {
  const admin = await app.project();
  const north = await admin.region({
    name: 'north',
    variables: { kernel: '6.8', ntp_servers: ['10.1.0.1'] },
  });
  const south = await admin.region({ name: 'south' });
  const cell = await admin.cell({ name: 'rack-a', region_id: north.id, variables: { power_feed: 'A' } });
  await admin.cell({ name: 'rack-a', region_id: south.id });
  await admin.label({ label: 'site:hq', variables: { 'bgp-asn': 64512 } });
  const location = { region_id: north.id, cell_id: cell.id };
  await admin.host({ ...location, name: 'web-1', labels: ['site:hq'], variables: { kernel: '6.12' } });
  await admin.host({ ...location, name: 'web-2' });
  await admin.networkDevice({ ...location, name: 'switch-a' });
  return admin;
}

/** The raw response text, because `response.body` would lose digits. */
async function ownText(caller: Caller, path: string): Promise<string> {
  return (await caller.get(`${path}/variables`).expect(200)).text;
}

async function idOf(caller: Caller, collection: string, name: string): Promise<number> {
  const [found] = (await caller.get(`/v1/${collection}?name=${name}`).expect(200)).body as [{ id: number }];
  return found.id;
}

describe('get', () => {
  it('prints all resolved variables, or the own ones', async () => {
    const admin = await fleet();
    const all = await printed(admin, ['vars', 'get', 'host', 'web-1', '-o', 'json']);
    expect(JSON.parse(all)).toEqual({
      kernel: '6.12',
      ntp_servers: ['10.1.0.1'],
      power_feed: 'A',
      'bgp-asn': 64512,
    });
    const own = await printed(admin, ['vars', 'get', 'device', 'web-1', '--own', '-o', 'json']);
    expect(JSON.parse(own)).toEqual({ kernel: '6.12' });
    const table = await printed(admin, ['vars', 'get', 'host', 'web-1']);
    expect(table).toMatch(/^KEY +VALUE/);
    expect(table).toMatch(/^kernel +"6\.12"$/m);
    expect(table).toMatch(/^bgp-asn +64512$/m);
  });

  it('prints a single value raw, or as JSON on request, with every digit', async () => {
    const admin = await fleet();
    const id = await idOf(admin, 'hosts', 'web-1');
    const text =
      '{"serial": 9007199254740993, "price": 1.10, "größe": "ä", "__proto__": {"x": 1.0}, "gone": null}';
    await admin.send('put', `/v1/hosts/${String(id)}/variables`, text).expect(200);
    const get = (...rest: string[]) => printed(admin, ['vars', 'get', 'host', 'web-1', ...rest]);
    expect(await get('kernel')).toBe('6.12\n');
    expect(await get('kernel', '-o', 'json')).toBe('"6.12"\n');
    expect(await get('serial')).toBe('9007199254740993\n');
    expect(await get('price', '-o', 'json')).toBe('1.10\n');
    expect(await get('größe')).toBe('ä\n');
    expect(await get('__proto__')).toBe('{\n  "x": 1.0\n}\n');
    expect(await get('gone')).toBe('null\n');
    expect(await get('bgp-asn')).toBe('64512\n');
  });

  it('exits with 3 for an unset variable', async () => {
    const admin = await fleet();
    expect(await muster(admin, ['vars', 'get', 'host', 'web-1', 'constructor'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'muster: constructor is not set for host web-1.\n',
    });
    const own = await muster(admin, ['vars', 'get', 'host', 'web-1', 'power_feed', '--own']);
    expect(own).toMatchObject({ code: 3, stderr: 'muster: power_feed is not set on host web-1 itself.\n' });
    expect(await muster(admin, ['vars', 'get', 'host', 'nobody'])).toMatchObject({ code: 3 });
  });

  it('shows past values', async () => {
    const admin = await fleet();
    const id = await idOf(admin, 'hosts', 'web-1');
    const { created_at } = (await admin.get(`/v1/hosts/${String(id)}`)).body as { created_at: string };
    await admin.put(`/v1/hosts/${String(id)}/variables`, { kernel: '7.0' }).expect(200);
    const get = (...rest: string[]) => printed(admin, ['vars', 'get', 'host', 'web-1', 'kernel', ...rest]);
    expect(await get()).toBe('7.0\n');
    expect(await get('--at', created_at)).toBe('6.12\n');
  });

  it('finds cells by their region, and labels by name', async () => {
    const admin = await fleet();
    expect(await printed(admin, ['vars', 'get', 'cell', 'north/rack-a', 'power_feed'])).toBe('A\n');
    expect(await printed(admin, ['vars', 'get', 'cell', 'rack-a', 'power_feed', '--region', 'north'])).toBe(
      'A\n',
    );
    expect(await printed(admin, ['vars', 'get', 'label', 'site:hq', 'bgp-asn'])).toBe('64512\n');
    expect(await muster(admin, ['vars', 'get', 'cell', 'rack-a'])).toMatchObject({ code: 6 });
    expect(await muster(admin, ['vars', 'get', 'label', 'site:hq', '--region', 'north'])).toMatchObject({
      code: 2,
      stderr: 'muster: --region cannot be used with a label.\n',
    });
  });
});

describe('set', () => {
  it('sets JSON values and texts without losing digits, and reports to standard error', async () => {
    const admin = await fleet();
    const id = await idOf(admin, 'hosts', 'web-2');
    const assignments = [
      'serial:=9007199254740993',
      'price:=1.10',
      'motd=a "b"',
      'größe:=[1.0]',
      '__proto__:={"__proto__":2.0}',
    ];
    const ended = await muster(admin, ['vars', 'set', 'host', 'web-2', ...assignments, '--reason', 'CHG-1']);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toBe(
      `Set serial, price, motd, größe, __proto__ on host web-2. 1 device resolves another value. ${await revertHint(admin)}\n`,
    );
    const text = await ownText(admin, `/v1/hosts/${String(id)}`);
    for (const part of [
      '9007199254740993',
      '1.10',
      String.raw`"a \"b\""`,
      '[1.0]',
      '"__proto__": {"__proto__": 2.0}',
    ])
      expect(text.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''));
    const [change] = (await admin.get(`/v1/hosts/${String(id)}/changes?sort_dir=desc&limit=1`)).body as [
      { reason: string },
    ];
    expect(change.reason).toBe('CHG-1');
  });

  it('sets variables named key and value', async () => {
    const admin = await fleet();
    const id = await idOf(admin, 'hosts', 'web-2');
    await printed(admin, ['vars', 'set', 'host', 'web-2', 'key:="a"', 'value:=1']);
    expect(JSON.parse(await ownText(admin, `/v1/hosts/${String(id)}`))).toEqual({
      variables: { key: 'a', value: 1 },
    });
    await printed(admin, ['vars', 'unset', 'host', 'web-2', 'key']);
    expect(JSON.parse(await ownText(admin, `/v1/hosts/${String(id)}`))).toEqual({ variables: { value: 1 } });
  });

  it('rejects a value that is not JSON, and a text that was JSON before, and shows both notations', async () => {
    const admin = await fleet();
    const error = async (assignment: string): Promise<string[]> => {
      const ended = await muster(admin, ['vars', 'set', 'host', 'web-2', assignment]);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      return ended.stderr.split('\n');
    };
    expect(await error('kernel:=v6')).toEqual([
      'muster: The value of kernel is not JSON.',
      `  a text:         kernel='some text'`,
      `  a JSON string:  kernel:='"some text"'`,
      '',
    ]);
    expect(await error('kernel=6.8')).toEqual([
      'muster: The value of kernel is JSON (a number), but = sets a text. Use := for both:',
      `  the JSON value:  kernel:='6.8'`,
      `  the text:        kernel:='"6.8"'`,
      '',
    ]);
    expect(await muster(admin, ['vars', 'set', 'host', 'web-2'])).toMatchObject({ code: 2 });
  });

  it('writes nothing if the values are unchanged', async () => {
    const admin = await fleet();
    const id = await idOf(admin, 'hosts', 'web-1');
    const before = (await admin.get(`/v1/hosts/${String(id)}`)).body as { version: number };
    const ended = await muster(admin, ['vars', 'set', 'host', 'web-1', 'kernel:="6.12"']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to do') as string });
    expect((await admin.get(`/v1/hosts/${String(id)}`)).body).toMatchObject({ version: before.version });
  });

  it('with --only-if-new sets only unset variables', async () => {
    const admin = await fleet();
    const set = (...rest: string[]) =>
      muster(admin, ['vars', 'set', 'host', 'web-1', '--only-if-new', ...rest]);
    expect(await set('kernel:="7"')).toMatchObject({ code: 4 });
    expect(await set('kernel:="7"', '--yes')).toMatchObject({ code: 4 });
    expect(await set('rack:=4')).toMatchObject({ code: 0 });
    expect(await set('a:=4', 'b:=5')).toMatchObject({ code: 2 });
    expect(await printed(admin, ['vars', 'get', 'host', 'web-1', 'kernel'])).toBe('6.12\n');
    expect(await printed(admin, ['vars', 'get', 'host', 'web-1', 'rack'])).toBe('4\n');
  });

  it('hides private variables from plain users, and rejects writes to them', async () => {
    const admin = await fleet();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_*'] }).expect(200);
    await printed(admin, ['vars', 'set', 'region', 'north', 'db_password=hunter2', '--yes']);
    const plain = await admin.user({ roles: ['hosts:write', 'regions:write'] });
    expect(await muster(plain, ['vars', 'get', 'host', 'web-1', 'db_password'])).toMatchObject({ code: 3 });
    for (const command of [
      ['vars', 'set', 'region', 'north', 'db_password=x'],
      ['vars', 'set', 'region', 'north', 'db_password=x', '--yes'],
      ['vars', 'unset', 'region', 'north', 'db_password'],
      ['vars', 'set', 'region', 'north', 'db_password=x', '--dry-run'],
    ]) {
      const ended = await muster(plain, command);
      expect(ended.code).toBe(4);
      expect(ended.stdout + ended.stderr).not.toContain('hunter2');
    }
    const explained = await muster(plain, ['vars', 'explain', 'host', 'web-1', '-o', 'json']);
    expect(Object.keys(JSON.parse(explained.stdout) as object)).not.toContain('db_password');
    expect(await printed(admin, ['vars', 'get', 'host', 'web-1', 'db_password'])).toBe('hunter2\n');
  });

  it('sets variables of users, which affect no device', async () => {
    const admin = await fleet();
    await admin.user({ username: 'demo' });
    const ended = await muster(admin, ['vars', 'set', 'user', 'demo', 'pager=+44 20']);
    expect(ended.stderr).toBe(
      `Set pager on user demo. No device resolves another value. ${await revertHint(admin)}\n`,
    );
    expect(await printed(admin, ['vars', 'get', 'user', 'demo', 'pager'])).toBe('+44 20\n');
  });
});

describe('set --from-file', () => {
  it.each([
    ['variables.json', '{"serial": 9007199254740993, "price": 1.10, "text": "1.10"}'],
    ['variables.yaml', 'serial: 9007199254740993\nprice: 1.10\ntext: "1.10"\n'],
  ])('reads %s', async (file, text) => {
    const admin = await fleet();
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, file), text);
    await printed(admin, ['vars', 'set', 'host', 'web-2', 'more:=1', '--from-file', file], { cwd });
    const get = (key: string) => printed(admin, ['vars', 'get', 'host', 'web-2', key, '-o', 'json']);
    expect(await get('serial')).toBe('9007199254740993\n');
    expect(await get('price')).toBe('1.10\n');
    expect(await get('text')).toBe('"1.10"\n');
    expect(await get('more')).toBe('1\n');
  });

  it('reads standard input, and prefers assignments from the command line', async () => {
    const admin = await fleet();
    const args = ['vars', 'set', 'host', 'web-2', 'a:=2', '--from-file', '-'];
    await printed(admin, args, { stdin: 'a: 1\nvlans: {100: up}\n__proto__: 3\n' });
    const own = await printed(admin, ['vars', 'get', 'host', 'web-2', '--own', '-o', 'json']);
    expect(own.replace(/\s/g, '')).toBe('{"__proto__":3,"a":2,"vlans":{"100":"up"}}');
  });

  it('reads the chosen version of YAML', async () => {
    const admin = await fleet();
    const args = ['vars', 'set', 'host', 'web-2', '--yaml', '1.1', '--from-file', '-'];
    await printed(admin, args, { stdin: 'mode: 0755\nstart: 12:30:45\n' });
    const own = await printed(admin, ['vars', 'get', 'host', 'web-2', '--own', '-o', 'json']);
    expect(own.replace(/\s/g, '')).toBe('{"mode":493,"start":45045}');
    expect(await muster(admin, ['vars', 'set', 'host', 'web-2', 'a:=1', '--yaml', '1.1'])).toMatchObject({
      code: 2,
      stderr: 'muster: --yaml is only for --from-file.\n',
    });
  });

  it.each([
    ['mode: 0755', '  line 1, column 7: 0755 is 493 in YAML 1.1, and 755 in YAML 1.2\n'],
    ['{"a": ', 'value expected'],
    ['[1]', 'must contain an object'],
    ['a: .inf', 'line 1, column 4: this number cannot be represented in JSON'],
    ['a: !vault x', 'line 1, column 4: invalid YAML: Unresolved tag'],
    ['a: *y', 'Unresolved alias'],
    ['a: &x [*x]', 'JSON cannot represent'],
    ['9: 1', 'Invalid key'],
    [Buffer.from([0x61, 0x3a, 0x20, 0xff]), 'not valid UTF-8'],
  ])('rejects %s', async (stdin, message) => {
    const admin = await fleet();
    const ended = await muster(admin, ['vars', 'set', 'host', 'web-2', '--from-file', '-'], { stdin });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  });

  it('reports a missing file', async () => {
    const admin = await fleet();
    const ended = await muster(admin, ['vars', 'set', 'host', 'web-2', '--from-file', 'no-such.yaml']);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no-such.yaml cannot be read') as string,
    });
  });
});
