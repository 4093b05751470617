import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { sharedService } from '../support/service';
import { Caller } from '../support/caller';
import { exportTable, exportTexts } from '../support/export-reader';
import { importLines } from '../support/importing';
import { environmentOf, MUSTER, muster, printed, temporaryFolder } from '../support/shell';

const app = sharedService();
let admin: Caller;

const host = (name: string, more: object = {}) => ({
  kind: 'host',
  name,
  region: 'north',
  ip_address: '10.1.1.1',
  device_type: 'server',
  ...more,
});

beforeAll(async () => {
  admin = await app.project();
  await importLines(admin, [
    { kind: 'label', label: 'web', variables: { port: 443 } },
    { kind: 'region', name: 'north', variables: { domain: 'north.example.net' } },
    { kind: 'region', name: 'south' },
    ...['north', 'south'].map((region) => ({ kind: 'cell', region, name: 'rack-a' })),
    host('web-1', { cell: 'rack-a', labels: ['web'] }),
    host('web-2', { region: 'south', cell: 'rack-a', active: false }),
    '{"kind": "host", "name": "db-1", "region": "north", "parent": "sw-1", "ip_address": "10.2.0.1", "device_type": "db",' +
      ' "note": "no: \\"1.10\\"\\nü", "variables": {"big": 9007199254740993, "exact": 1.10, "yes": "no", "__proto__": {"x": null}}}',
    { ...host('sw-1'), kind: 'network-device', vlans: [{ id: 1 }] },
  ]);
});

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const namesIn = (text: string) => lines(text).map((line) => (JSON.parse(line) as { name: string }).name);

describe('muster export', () => {
  it('accepts -o for the format, and rejects unknown formats', async () => {
    const admin = await app.project();
    await admin.region({ name: 'north' });
    expect(await printed(admin, ['export', '-o', 'yaml', '--kind', 'region'])).toContain('name: north\n');
    const { code, stderr } = await muster(admin, ['export', '-o', 'terraform']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'muster: Invalid export format terraform. The formats are ndjson, json, yaml, csv.\n',
    });
  });

  it('prints the data of the service without losing digits', async () => {
    expect(lines(await printed(admin, ['export']))).toEqual(await exportTexts(admin));
    expect(lines(await printed(admin, ['export', '-', '--resolved']))).toEqual(
      await exportTexts(admin, '?resolved-values=true'),
    );
    expect(await printed(admin, ['export', '--format', 'csv'])).toBe(await exportTable(admin));
  });

  it('writes a JSON array, and YAML documents', async () => {
    const texts = await exportTexts(admin);
    expect(await printed(admin, ['export', '--format', 'json'])).toBe(`[\n${texts.join(',\n')}\n]\n`);
    expect(await printed(admin, ['export', '--format', 'json', '--name', 'nobody'])).toBe('[]\n');
    const yaml = await printed(admin, ['export', '--format', 'yaml']);
    expect(parseAllDocuments(yaml).map((document) => document.toJS() as unknown)).toEqual(
      texts.map((text) => JSON.parse(text) as unknown),
    );
    for (const text of ['  big: 9007199254740993\n', '  exact: 1.10\n', '  "yes": "no"\n'])
      expect(yaml).toContain(text);
  });

  it.each(['ndjson', 'json', 'yaml', 'ndjson.gz', 'yaml.gz'])(
    'writes a .%s file that can be imported again',
    async (ending) => {
      const file = join(temporaryFolder(), `fleet.${ending}`);
      expect(await muster(admin, ['export', file])).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await printed(admin, ['import', file])).toBe('0 created, 0 updated, 9 unchanged\n');
      const other = await app.project();
      expect(await printed(other, ['import', file])).toBe('9 created, 0 updated, 0 unchanged\n');
      expect((await exportTexts(other)).sort()).toEqual((await exportTexts(admin)).sort());
    },
  );

  it('writes tables that can be imported again', async () => {
    const file = join(temporaryFolder(), 'hosts.csv.gz');
    await printed(admin, ['export', file]);
    expect(gunzipSync(readFileSync(file)).toString()).toBe(await exportTable(admin));
    expect(await printed(admin, ['import', file])).toBe('0 created, 0 updated, 3 unchanged\n');
  });

  it.each([
    [
      ['--kind', 'host'],
      ['web-1', 'web-2', 'db-1'],
    ],
    [
      ['--kind', 'region,cell'],
      ['north', 'south', 'rack-a', 'rack-a'],
    ],
    [['--region', 'south'], ['web-2']],
    [['--region', 'north', '--cell', 'rack-a'], ['web-1']],
    [['--label', 'web'], ['web-1']],
    [['--vars', 'domain:"north.example.net"', '--device-type', 'db'], ['db-1']],
    [['--parent', 'sw-1'], ['db-1']],
    [['--active', 'false'], ['web-2']],
    [['--ip', '10.2.0.0/16'], ['db-1']],
  ])('exports what the filters %j match', async (filters, found) => {
    expect(namesIn(await printed(admin, ['export', ...filters])).sort()).toEqual([...found].sort());
  });

  it('reports unknown filters and invalid arguments', async () => {
    for (const [args, code, message] of [
      [['--region', 'nowhere'], 3, 'There is no region "nowhere".'],
      [['--kind', 'user'], 2, 'Invalid kind "user"'],
      [['fleet.xml'], 2, 'Unknown file extension'],
      [[join(temporaryFolder(), 'none', 'fleet.json')], 2, 'cannot be written: its folder does not exist.'],
    ] as const) {
      const ended = await muster(admin, ['export', ...args]);
      expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    }
  });

  it('replaces an existing file atomically, and writes directly to a device', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'fleet.json');
    writeFileSync(file, 'something else');
    await printed(admin, ['export', file, '--kind', 'region']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(2);
    expect(readdirSync(folder)).toEqual(['fleet.json']);
    await printed(admin, ['export', '/dev/null', '--format', 'json']);
    mkdirSync(join(folder, 'taken.json'));
    const ended = await muster(admin, ['export', join(folder, 'taken.json')]);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('taken.json cannot be written') });
    expect(readdirSync(folder).sort()).toEqual(['fleet.json', 'taken.json']);
  });

  it('keeps the permissions of an existing file', async () => {
    const file = join(temporaryFolder(), 'fleet.json');
    writeFileSync(file, '');
    for (const mode of [0o600, 0o664]) {
      chmodSync(file, mode);
      await printed(admin, ['export', file, '--kind', 'region']);
      expect(statSync(file).mode & 0o777).toBe(mode);
    }
  });

  it('writes to the target of a symbolic link', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'real.json'), '');
    symlinkSync('real.json', join(folder, 'link.json'));
    await printed(admin, ['export', join(folder, 'link.json'), '--kind', 'region']);
    expect(JSON.parse(readFileSync(join(folder, 'real.json'), 'utf8'))).toHaveLength(2);
  });
});

it('exits on Ctrl-C while it looks up the names of its filters', async () => {
  // This server accepts requests, and never responds.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  try {
    const requested = once(silent, 'request');
    const env = { ...environmentOf(admin), MUSTER_URL: `http://127.0.0.1:${port}` };
    const client = spawn(process.execPath, [MUSTER, 'export', '--region', 'north'], { env, stdio: 'ignore' });
    const closed = once(client, 'close');
    await requested;
    client.kill('SIGINT');
    expect(await closed).toEqual([null, 'SIGINT']);
  } finally {
    silent.close();
    silent.closeAllConnections();
  }
});

describe('a truncated export', () => {
  it.each(['ndjson', 'json', 'yaml', 'ndjson.gz'])('leaves no incomplete %s file', async (ending) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"kind":"region","name":"north"}\n', () => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const folder = temporaryFolder();
    const file = join(folder, `fleet.${ending}`);
    try {
      const viaServer = new Caller(`http://127.0.0.1:${port}`, admin.credentials);
      const ended = await muster(viaServer, ['export', file]);
      expect(ended).toMatchObject({ code: 5, stdout: '' });
      expect(ended.stderr).toBe(`muster: The export was truncated. ${file} was not written.\n`);
      expect(existsSync(file)).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
      const printedOnly = await muster(viaServer, ['export']);
      expect(printedOnly).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('The printed output is incomplete.'),
      });
    } finally {
      server.close();
      await once(server, 'close');
    }
  });
});
