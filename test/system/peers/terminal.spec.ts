import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/external-programs';
import { Terminal, type TerminalOptions } from '../../support/terminal';

const app = sharedService();
let admin: Caller;

const NOTE =
  'a note that is longer than a narrow terminal has room for, and than a wide one has for the rest';

beforeAll(async () => {
  admin = await app.project();
  const { id: region_id } = await admin.region({ name: 'north' });
  for (const name of ['web-1', '日本語のホスト-2', '👍-3'])
    await admin.host({
      ...{ name, region_id, note: `${NOTE} \u001b[2J`, active: name !== 'web-1' },
      variables: { turned: '\u202eback' },
    });
});

describeWithPeers('output in a terminal', ['tmux', 'bash'], () => {
  let terminal: Terminal | undefined;
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });
  const open = async (options: TerminalOptions): Promise<Terminal> =>
    (terminal = await Terminal.open(admin, options));

  it('truncates the widest columns of a table in a narrow terminal', async () => {
    const narrow = await open({ columns: 60, rows: 20 });
    const lines = await narrow.run('muster host list --fields name,active,note --sort-key id');
    // A wider line would wrap.
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^NAME +ACTIVE +NOTE$/);
    for (const line of lines.slice(1)) expect(line).toMatch(/ {2}(?:true|false) +a note that is .*…$/);
    expect(lines.slice(1).map((line) => line.split(/ {2,}/)[0])).toEqual([
      'web-1',
      '日本語のホスト-2',
      '👍-3',
    ]);
  });

  it('omits columns that do not fit, and names them', async () => {
    const narrow = await open({ columns: 60, rows: 20 });
    await narrow.enter('muster host list --detail');
    const screen = await narrow.waitFor('Columns omitted because ');
    expect(screen).toMatch(/variables/);
    await narrow.waitForPrompt();
  });

  it('truncates nothing in a wide terminal', async () => {
    const wide = await open({ columns: 200, rows: 20 });
    const lines = await wide.run('muster host list --fields name,active,note --sort-key id');
    expect(lines).toHaveLength(4);
    for (const line of lines.slice(1)) expect(line.endsWith(`${NOTE} \\u001b[2J`)).toBe(true);
  });

  it('wraps the values of a single resource', async () => {
    const narrow = await open({ columns: 60, rows: 40 });
    const lines = await narrow.run('muster host show web-1');
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    const at = lines.findIndex((line) => line.startsWith('note '));
    const column = lines[at]!.indexOf('a note');
    const end = lines.findIndex((line, index) => index > at && !line.startsWith(' '));
    const value = lines.slice(at, end === -1 ? undefined : end).map((line) => line.slice(column));
    expect(value.length).toBeGreaterThan(1);
    expect(value.join(' ')).toBe(`${NOTE} \\u001b[2J`);
  });

  it('wraps explained values', async () => {
    const value = 'ntp-1.north.example.net,ntp-2.north.example.net,ntp-3.north.example.net';
    const key = 'the_time_servers_of_this_host';
    const host = await admin.host({ variables: { [key]: value } });
    const narrow = await open({ columns: 80, rows: 40 });
    const lines = await narrow.run(`muster vars explain host ${String(host.id)}`);
    expect(lines.join('\n')).not.toContain('…');
    const [header = ''] = lines;
    const column = (from: string, to: string) =>
      lines.slice(1).map((line) => line.slice(header.indexOf(from), header.indexOf(to)).trim());
    expect(column('KEY', 'WINS').join('')).toBe(key);
    expect(column('VALUE', 'SET_BY').join('')).toBe(JSON.stringify(value));
  });

  it('escapes control characters in data', async () => {
    const wide = await open({ columns: 200, rows: 20 });
    for (const command of [
      'muster export --format csv --kind host --name web-1',
      'muster export --name web-1',
      'muster ansible --host 👍-3',
    ])
      expect((await wide.run(command)).join('\n')).toContain(String.raw`\u202eback`);
  });

  it('has colours, except when disabled or in a pipe', async () => {
    const coloured = await open({ columns: 100, rows: 20 });
    const command = 'muster host list --fields name,active --sort-key id';
    await coloured.run(`${command}; muster hosts nothing`);
    const shown = await coloured.colours();
    for (const text of ['\u001b[1mNAME', '\u001b[33mfalse', '\u001b[31mmuster:'])
      expect(shown).toContain(text);
    for (const plain of [
      `${command} | cat`,
      `NO_COLOR=1 ${command}`,
      `${command} --no-color`,
      `TERM=dumb ${command}`,
    ]) {
      await coloured.run(plain);
      expect(await coloured.colours()).toContain('web-1');
      expect(await coloured.colours()).not.toContain('\u001b');
    }
  });

  it('exits with 130 on Ctrl-C, and restores the terminal', async () => {
    // A server that accepts requests, but does not respond.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const shell = await open({
      columns: 80,
      rows: 20,
      env: { MUSTER_URL: `http://127.0.0.1:${String(port)}` },
    });
    try {
      const before = await shell.run('stty -a');
      const received = once(silent, 'request');
      await shell.enter('muster host list');
      await received;
      await shell.press('C-c');
      await shell.waitForPrompt();
      expect((await shell.screen()).split('\n')).toEqual(['$ muster host list', '^C', '$']);
      expect(await shell.run('echo $?')).toEqual(['130']);
      expect(await shell.run('stty -a')).toEqual(before);
    } finally {
      silent.close();
      silent.closeAllConnections();
    }
  });
});
