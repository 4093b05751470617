import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:https';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../support/certificates';
import { exportLines } from '../support/export-reader';
import { device, deviceOf, textsOf } from '../support/netbox/inventory';
import { TOKEN, V1_TOKEN } from '../support/netbox/server';
import { mapped, NetBoxSuite } from '../support/netbox/suite';
import { ended, environmentOf, muster, MUSTER, temporaryFolder, type Ended } from '../support/shell';

const suite = new NetBoxSuite();
const { run, lines } = suite;

describe('reading a NetBox', () => {
  it('follows the pages on the given URL, in an order that does not change', async () => {
    expect(await run('--page-size', '3')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('31 created'),
    });
    const pages = (path: string) =>
      suite.netbox.requests.filter((one) => one.startsWith(`/api/${path}/`) && !one.includes('brief'));
    expect(pages('dcim/devices')).toEqual([
      '/api/dcim/devices/?limit=3&ordering=id',
      // Each page begins with the last object of the one before it, which shows that none is missing between them.
      '/api/dcim/devices/?limit=3&ordering=id&offset=2',
      '/api/dcim/devices/?limit=3&ordering=id&offset=4',
      '/api/dcim/devices/?limit=3&ordering=id&offset=6',
      '/api/dcim/devices/?limit=3&ordering=id&offset=8',
    ]);
    // The order of this list is the order in which NetBox applies config contexts.
    expect(pages('extras/config-contexts')[0]).toBe('/api/extras/config-contexts/?limit=3');
  });

  it('accepts tokens of both versions, and a URL with /api or a slash at the end', async () => {
    const env = { NETBOX_URL: `${suite.netbox.url}/api/`, NETBOX_TOKEN: V1_TOKEN };
    expect(await muster(suite.admin, ['import', '--from', 'netbox', '--print'], { env })).toMatchObject({
      code: 0,
    });
    const args = ['--netbox-url', `${suite.netbox.url}/`, '--netbox-token', TOKEN];
    expect(await muster(suite.admin, ['import', '--from', 'netbox', '--print', ...args])).toMatchObject({
      code: 0,
    });
  });

  it('retries when NetBox or a proxy is unavailable or limits the rate', async () => {
    const now = { 'retry-after': '0' };
    suite.netbox.failures.push(
      // The first, because its delay is the shortest without a header. The very first is not worth a message.
      'drop',
      'drop',
      { status: 503, headers: now },
      { status: 429, headers: { 'retry-after': new Date().toUTCString() } },
      { status: 502, headers: now },
    );
    const ended = await run('--print');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('answered with status 503 (Bad gateway). Retrying in 0.0 s.\n');
    expect(ended.stderr.match(/Cannot read from NetBox at http:.* Retrying in \d\.\d s\.\n/g)).toHaveLength(
      1,
    );
  });

  it('says nothing about an idle connection that the server has closed', async () => {
    suite.netbox.failures.push('drop');
    const ended = await run('--print');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^NetBox 4/);
  });

  it.each(['/inventory', '/api', '/api/netbox', '/x/api/api'])(
    'reads pages below the path %s',
    async (prefix) => {
      suite.netbox.prefix = prefix;
      const ended = await run('--print', '--page-size', '3', '--netbox-url', `${suite.netbox.url}/api`);
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"name":"lab1"') });
      expect(suite.netbox.requests).toContain(`${prefix}/api/dcim/devices/?limit=3&ordering=id&offset=8`);
    },
  );

  it('gives up after several attempts', async () => {
    suite.netbox.failures.push(
      ...Array.from({ length: 6 }, () => ({ status: 504, headers: { 'retry-after': '0' } })),
    );
    const ended = await run('--print');
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain('use --page-size');
    expect(suite.netbox.requests).toHaveLength(6);
  });

  it.each([
    ['deleted', []],
    // The number of objects stays the same.
    ['replaced', [device(30, 'new1', {})]],
  ])('reads a list again if objects were %s between its pages', async (_, added) => {
    suite.netbox.beforePage = (path) => {
      if (path !== 'dcim/devices' || !suite.netbox.requests.at(-1)?.includes('offset=')) return;
      suite.netbox.beforePage = undefined;
      suite.lists['dcim/devices'].splice(0, 1);
      suite.lists['dcim/devices'].push(...added);
      suite.publish();
    };
    const found = await lines('--page-size', '3');
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['stack:1', 'stack:2', 'lab1']));
    expect(Object.keys(found)).not.toContain('berlin-rt1');
    expect(Object.keys(found).includes('new1')).toBe(added.length > 0);
    expect(
      suite.netbox.requests.filter((path) => path === '/api/dcim/devices/?limit=3&ordering=id'),
    ).toHaveLength(2);
  });

  it('gives up if a list always changes while it is read', async () => {
    suite.netbox.beforePage = (path) => {
      if (path !== 'dcim/devices' || !suite.netbox.requests.at(-1)?.includes('offset=')) return;
      suite.lists['dcim/devices'].shift();
      suite.publish();
    };
    expect(await run('--page-size', '3')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('The list dcim/devices was changed while it was read, 3 times.'),
    });
    expect(await exportLines(suite.admin)).toEqual([]);
  });

  it.each([
    ['dcim/sites', '3, to which device 19 (lab1) refers.'],
    ['dcim/regions', '2, to which the site Berlin refers.'],
    ['virtualization/clusters', '3, to which virtual-machine 12 (vm-cloud) refers.'],
    ['dcim/device-roles', '5, to which device 16 (pdu1) refers.'],
    ['dcim/locations', '2, to which device 10 (berlin-rt1) refers.'],
  ] as const)('rejects %s without an object that others refer to', async (path, message) => {
    suite.lists[path].splice(path === 'dcim/regions' ? 1 : -1, 1);
    suite.publish();
    const text = `The list ${path} does not contain the object ${message}`;
    expect(await run()).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(text) });
  });

  it('rejects a tree without an object above others, and a cluster in an unknown place', async () => {
    const [europe = {}] = suite.lists['dcim/regions'].splice(0, 1);
    suite.publish();
    expect((await run()).stderr).toContain(
      'dcim/regions does not contain the object 1, to which Germany refers',
    );
    suite.lists['dcim/regions'].unshift(europe);
    suite.lists['virtualization/clusters'].forEach((cluster) => {
      cluster['scope_id'] = 99;
    });
    suite.publish();
    expect((await run()).stderr).toContain(
      'dcim/sites does not contain the object 99, to which the cluster 1',
    );
  });

  it('reports a wrong token, without printing it', async () => {
    const secret = 'nbt_aaaaaaaaaaaa.bbbbbbbb';
    const env = { ...suite.netbox.environment, NETBOX_TOKEN: secret };
    const ended = await muster(suite.admin, ['import', '--from', 'netbox'], { env });
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr).toContain('rejects the token (403): Invalid v2 token\n');
    expect(ended.stderr).toContain('NETBOX_TOKEN');
    expect(ended.stderr).not.toContain('bbbbbbbb');
    expect(suite.netbox.requests).toHaveLength(1);
  });

  it('prints the token neither in errors, even if a proxy does, nor in the report', async () => {
    suite.netbox.failures.push({ status: 400, body: `You sent: Authorization: Bearer ${TOKEN}` });
    const ended = await run();
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('You sent: Authorization') });
    expect(ended.stderr).not.toContain(TOKEN);
    const report = join(temporaryFolder(), 'report.json');
    expect(await run('--dry-run', '--report', report)).toMatchObject({ code: 0 });
    expect(readFileSync(report, 'utf8')).not.toContain(TOKEN);
    expect(statSync(report).mode & 0o777).toBe(0o600);
  });

  it('reports all missing permissions before it reads a list', async () => {
    for (const path of ['virtualization/clusters', 'dcim/locations', 'dcim/device-roles'])
      suite.netbox.forbidden.add(path);
    const folder = join(temporaryFolder(), 'answers');
    for (const ended of [
      await run(),
      await muster(suite.admin, ['export-netbox', folder], { env: suite.netbox.environment }),
    ]) {
      expect(ended).toMatchObject({ code: 4, stdout: '' });
      expect(ended.stderr).toMatch(
        /^muster: The user of the NetBox token may not view dcim\/device-roles, dcim\/locations, virtualization\/clusters\.\n/,
      );
      expect(ended.stderr).toContain('docs/netbox.md');
    }
    expect(
      suite.netbox.requests.filter((path) => !path.includes('limit=1&') && !path.includes('status')),
    ).toEqual([]);
  });

  it('has documentation that names every list that it reads', () => {
    const page = readFileSync(join(__dirname, '../../docs/netbox.md'), 'utf8');
    for (const path of textsOf(suite.lists).keys()) expect(page).toContain(`| \`${path}\``);
  });

  it.each([
    ['https://netbox.example/api/status/', 'redirects to https://netbox.example: use that URL.'],
    [
      'https://netbox.example/inventory/api/status/?x=1',
      'redirects to https://netbox.example/inventory: use',
    ],
    ['/login/?next=/api/status/', '/login/, which is not the API of NetBox.\n  It may be a login page'],
    ['https://sso.example/auth?state=secret', 'https://sso.example/auth, which is not the API of NetBox.'],
    ['/api/status/', 'which is not the API of NetBox.'],
  ])('reports a redirect to %s', async (location, message) => {
    suite.netbox.failures.push({ status: 302, headers: { location } });
    const ended = await run();
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain('secret');
    expect(suite.netbox.requests).toHaveLength(1);
  });

  it('accepts a token with the scheme in front of it', async () => {
    for (const NETBOX_TOKEN of [`Bearer ${TOKEN}`, `Token ${V1_TOKEN}\n`, `Authorization: Bearer ${TOKEN}`]) {
      const env = { ...suite.netbox.environment, NETBOX_TOKEN };
      const ended = await muster(suite.admin, ['import', '--from', 'netbox', '--print'], { env });
      expect(ended.code).toBe(0);
    }
  });

  it('says how to trust a certificate of an own authority', async () => {
    const folder = temporaryFolder();
    const server = createServer(makeCertificate(folder, 'netbox'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const ended = await run('--netbox-url', url);
      expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS=') });
    } finally {
      server.close();
    }
  });

  it.each([
    [404, {}, 2, 'There is no API of NetBox at'],
    [400, {}, 4, 'answered with status 400 (Bad gateway).'],
    [200, {}, 5, 'is not an answer of NetBox: invalid JSON.\n'],
    [200, { body: '<!DOCTYPE html>' }, 5, '  It is a web page: the URL may be another one'],
  ])('reports status %d %j', async (status, more, code, message) => {
    suite.netbox.failures.push({ status, ...more });
    expect(await run()).toMatchObject({ code, stderr: expect.stringContaining(message) });
    expect(suite.netbox.requests).toHaveLength(1);
  });

  it.each([
    [[], {}, 'Missing URL of NetBox: use --netbox-url or NETBOX_URL, or --files'],
    [['--netbox-url', 'http://localhost:1'], {}, 'Missing token of NetBox: set NETBOX_TOKEN'],
    [['--netbox-url', 'http://localhost:1'], { NETBOX_TOKEN: 'two words' }, 'is not one word'],
    [['--netbox-url', 'file:///x'], { NETBOX_TOKEN: 'x' }, 'is not an http or https URL.'],
    [
      ['--netbox-url', 'netbox.example:8000/x'],
      { NETBOX_TOKEN: 'x' },
      '"netbox.example:8000/x" is not an http or https URL: use https://netbox.example:8000/x, or http://',
    ],
    [
      ['--netbox-url', 'http://a:b@localhost'],
      { NETBOX_TOKEN: 'x' },
      'must not contain a user or a password',
    ],
    [['--files', '/nonexistent'], {}, '/nonexistent is not a folder.'],
    [['--files', '/tmp', '--netbox-url', 'http://localhost:1'], {}, 'Use either --files or --netbox-url.'],
    [['answers'], {}, '--from netbox takes no file: use --files for the folder answers.'],
    [['--strict'], {}, '--strict is only for --from ansible.'],
    [['--region-groups', 'x'], {}, '--region-groups is only for --from ansible.'],
    [['--verify', '--dry-run'], {}, '--verify writes nothing: it cannot be combined with --dry-run'],
    [['--verify', '--prune', 'device'], {}, '--verify writes nothing: it cannot be combined with --dry-run'],
    [['--outcome', 'x'], {}, '--outcome cannot be combined with --from.'],
    [['--page-size', 'x'], {}, 'Expected 0, or a number of objects from 2.'],
    [['--page-size', '1'], {}, 'Expected 0, or a number of objects from 2.'],
  ])('rejects %j', async (args, env, message) => {
    const ended = await muster(suite.admin, ['import', '--from', 'netbox', ...args], { env });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('has options that other imports reject', async () => {
    const ended = await muster(suite.admin, ['import', 'x.ndjson', '--verify']);
    expect(ended).toMatchObject({ code: 2, stderr: 'muster: --verify is only for --from netbox.\n' });
  });

  it('rejects lists without rendered config contexts', async () => {
    delete deviceOf(suite.lists, 11)['config_context'];
    suite.publish();
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('berlin-web1 has no config_context. Read the list without brief'),
    });
  });
});

describe('muster export-netbox', () => {
  const save = (folder: string, ...args: readonly string[]): Promise<Ended> =>
    muster(suite.admin, ['export-netbox', folder, ...args], { env: suite.netbox.environment });

  it('saves answers that import like the NetBox itself', async () => {
    const folder = join(temporaryFolder(), 'answers');
    expect(await save(folder, '--page-size', '3')).toEqual({
      code: 0,
      stdout: `Saved 39 objects of NetBox 4.6.8 to ${folder}.\n`,
      stderr: '',
    });
    const live = await run('--print');
    const files = await muster(suite.admin, ['import', '--from', 'netbox', '--files', folder, '--print']);
    expect(files).toEqual(live);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'dcim/devices/page-004.json')).mode & 0o777).toBe(0o600);
  });

  it('saves interfaces only on request', async () => {
    const folder = join(temporaryFolder(), 'answers');
    await save(folder);
    const uplinks = ['--print', ...mapped('parents: { uplinks: [router] }')];
    const missing = await muster(suite.admin, ['import', '--from', 'netbox', '--files', folder, ...uplinks]);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no answers of NetBox for dcim/interfaces.'),
    });
    const complete = join(temporaryFolder(), 'answers');
    await save(complete, '--interfaces');
    const found = await muster(suite.admin, ['import', '--from', 'netbox', '--files', complete, ...uplinks]);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('"parent":"berlin-rt1"') });
  });

  it('creates the folder only if it is complete, and does not mix it with others', async () => {
    const folder = join(temporaryFolder(), 'answers');
    suite.netbox.forbidden.add('dcim/devices');
    expect(await save(folder)).toMatchObject({ code: 4 });
    expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
    suite.netbox.forbidden.clear();
    expect(await save(folder)).toMatchObject({ code: 0 });
    expect(await save(folder)).toMatchObject({
      code: 2,
      stderr: `muster: ${folder} is not empty: use a new folder.\n`,
    });
  });

  it('leaves nothing behind if it is interrupted', async () => {
    const folder = temporaryFolder();
    const client = spawn(process.execPath, [MUSTER, 'export-netbox', join(folder, 'answers')], {
      env: { ...environmentOf(suite.admin), ...suite.netbox.environment },
    });
    const result = ended(client);
    let saved: readonly string[] = [];
    suite.netbox.beforePage = (path) =>
      path === 'dcim/devices'
        ? new Promise<void>(() => {
            saved = readdirSync(folder);
            client.kill('SIGINT');
          })
        : undefined;
    expect(await result).toEqual({
      ...{ code: 130, stdout: '' },
      stderr: 'muster: Interrupted. Nothing was saved.\n',
    });
    expect([saved.length, readdirSync(folder)]).toEqual([1, []]);
  });

  it('is not needed: one file for each list is enough', async () => {
    const folder = temporaryFolder();
    for (const [path, items] of textsOf(suite.lists)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(
        join(folder, `${path}.json`),
        `{"count":${String(items.length)},"next":null,"previous":null,"results":[${items.join(',')}]}`,
      );
    }
    const read = () => muster(suite.admin, ['import', '--from', 'netbox', '--files', folder, '--print']);
    const ended = await read();
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('NetBox: 10 devices and 4 virtual machines.');
    const [first] = textsOf(suite.lists).get('dcim/devices') ?? [];
    writeFileSync(join(folder, 'dcim/devices.json'), `{"count":10,"results":[${first ?? ''}]}`);
    expect(await read()).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('The list dcim/devices is incomplete: 1 of 10 objects were read.'),
    });
    writeFileSync(join(folder, 'dcim/devices.json'), '{"detail":"Invalid v1 token"}');
    expect(await read()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no answers of NetBox for dcim/devices.'),
    });
    writeFileSync(join(folder, 'dcim/devices.json'), '<html>');
    expect(await read()).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('devices.json is not an answer'),
    });
  });
});

describe('--print-mapping', () => {
  it('prints the defaults, with comments', async () => {
    const { code, stdout } = await muster(suite.admin, ['import', '--from', 'netbox', '--print-mapping']);
    expect(code).toBe(0);
    expect(stdout).toContain('# Mapping of NetBox to Muster');
    expect(await run('--print', ...mapped(stdout))).toEqual(await run('--print'));
  });

  it.each([
    ['regions: { from: sites }', 'regions.from: expected one of region, site_group, site, not "sites".'],
    ['region: {}', 'unknown member region. Did you mean regions?'],
    ['regions: { form: site }', 'unknown member regions.form. Did you mean from?'],
    ['devices: []', 'devices: expected an object, not [].'],
    ['devices: { skip_roles: pdu }', 'devices.skip_roles: expected a list of texts, not "pdu".'],
    ['devices: { virtual_machines: 1 }', 'devices.virtual_machines: expected true or false, not 1.'],
    ['import_label: null', 'import_label: expected a text, not null.'],
    ['regions: { from: site }', 'cells.from: sites are regions already: use location, rack or none.'],
    ['addresses: { missing: none }', 'addresses.missing: "none" is not an IP address.'],
    ['regions: { fallback: " x" }', 'regions.fallback: a name must not contain control characters'],
    ['import_label: "a\\tb"', 'import_label: a name must not contain control characters'],
    ['labels: { role: "a," }', 'labels.role: a label must not contain commas'],
    ['config_contexts: { rename: { a: "b c" } }', 'config_contexts.rename: "b c" is not a key'],
    ['variables: { members: { a: 1 } }', 'variables.members: expected an object whose values are texts'],
    ['[]', 'is not a mapping file. Its members are regions, cells,'],
    ['regions: {', 'invalid YAML'],
  ])('is completed by a mapping file, which is checked: %s', async (mapping, message) => {
    const ended = await run(...mapped(mapping));
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(suite.netbox.requests).toEqual([]);
  });
});
