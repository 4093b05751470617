import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve as resolvePath } from 'node:path';
import { connectionOf, copyCollection, describeWithEachAnsible } from '../../support/ansible';
import type { Caller } from '../../support/caller';
import { loadFleet, type Fleet } from '../../support/fleet';
import { sharedService } from '../../support/service';
import { temporaryFolder } from '../../support/shell';

jest.setTimeout(300_000);

/** A real fleet that is not part of the repository: 2,326 hosts, and sites with 67 kB of variables. */
const FLEET_FILE =
  process.env['MUSTER_REAL_FLEET'] ?? resolvePath(__dirname, '../../../../shared/data/wikimedia-fleet.json');

const SETTINGS = '[inventory]\nenable_plugins = muster.fleet.inventory\nany_unparsed_is_failed = true\n';

/** `s3cret`, as `ansible-vault encrypt` writes it with the password `password`. */
const ENCRYPTED = `$ANSIBLE_VAULT;1.1;AES256
35393735313539646334643564383430373162393261643134373464303533306265653030383564
6238316364613931626534326565366432323438373031630a316565346336663766313033376266
34663833656334343838356136306163636566303864313837663431626235313433313135353530
3565306564626539340a346332343030323334333732336562353261316664383563353336303663
3065
`;

const app = sharedService();

describeWithEachAnsible('the inventory plugin of the collection', (ansible) => {
  let folder: string;
  let admin: Caller;
  beforeAll(async () => {
    folder = temporaryFolder();
    copyCollection(folder);
    writeFileSync(join(folder, 'ansible.cfg'), SETTINGS);

    admin = await app.project();
    await admin.label({ label: 'web', variables: { web_port: 443 } });
    const variables = {
      kernel: '6.8',
      motd: '{{ kernel }} here',
      plain: { __ansible_unsafe: '{{ kernel }}' },
    };
    const north = await admin.region({ name: 'north', variables });
    const rack = await admin.cell({ name: 'rack-a', region_id: north.id, variables: { kernel: '6.12' } });
    const inRack = { region_id: north.id, cell_id: rack.id };
    await admin.host({ ...inRack, name: 'web-1', ip_address: '10.0.0.1', labels: ['web'] });
    await admin.host({ region_id: north.id, name: 'web-2', ip_address: '10.0.0.2', labels: ['web'] });
    await admin.host({ region_id: north.id, name: 'off', active: false });
    const south = await admin.region({ name: 'south' });
    await admin.networkDevice({ region_id: south.id, name: 'switch-1', ip_address: '10.1.0.1' });
  });

  const configure = (text: string): void => {
    writeFileSync(join(folder, 'muster.yml'), `plugin: muster.fleet.inventory\n${text}`);
  };
  const environment = () => connectionOf(admin);
  const inventory = (args: readonly string[], env: Record<string, string> = environment()) =>
    ansible.run(folder, 'ansible-inventory', ['-i', 'muster.yml', ...args], env);

  it('has the groups of Muster, those of variables and members, and composed variables', async () => {
    configure(`kind: [host, network-device]
keyed_groups:
  - {key: kernel, prefix: kernel}
  - {key: muster.kind, prefix: kind}
groups:
  on_port_443: web_port is defined and web_port == 443
compose:
  where: muster.region + '/' + (muster.cell or 'no cell')
`);
    const { stdout, stderr } = await inventory(['--list']);
    expect(stderr).toBe('');
    const { _meta: meta, ...groups } = JSON.parse(stdout) as {
      readonly _meta: { readonly hostvars: Record<string, object> };
    };
    expect(Object.keys(groups).sort()).toEqual(
      [
        ...['all', 'kernel_6_12', 'kernel_6_8', 'kind_host', 'kind_network_device'],
        ...['north', 'north_rack_a', 'on_port_443', 'south', 'web'],
      ].sort(),
    );
    expect(groups).toMatchObject({
      north: { children: ['north_rack_a'] },
      north_rack_a: { hosts: ['web-1'] },
    });
    expect(meta.hostvars['web-1']).toMatchObject({
      ansible_host: '10.0.0.1',
      kernel: '6.12',
      web_port: 443,
      // The newest version marks composed texts, in which it evaluates no templates.
      where: ansible.isOfSystem ? 'north/rack-a' : { __ansible_unsafe: 'north/rack-a' },
    });
  });

  it('evaluates templates and decrypts texts of Ansible Vault in plays, unless it must not', async () => {
    const sources = {
      'evaluated.muster.yml': 'region: [north]\ncell: [rack-a]\nlabel: [web]\nwhere: [kernel >= "6.12"]\n',
      'texts.muster.yml': 'region: [north]\nlabel: [web]\nwhere: [kernel < "6.12"]\ntemplates: false\n',
    };
    for (const [name, text] of Object.entries(sources))
      writeFileSync(join(folder, name), `plugin: muster.fleet.inventory\n${text}`);
    writeFileSync(join(folder, 'password'), 'password\n');
    const [label] = (await admin.get('/v1/labels?name=web').expect(200)).body as { id: number }[];
    await admin.put(`/v1/labels/${String(label?.id)}/variables`, { password: ENCRYPTED }).expect(200);
    const task = { debug: { msg: '{{ motd }} | {{ plain }} | {{ password }}' } };
    const play = [{ hosts: 'all', gather_facts: false, connection: 'local', tasks: [task] }];
    writeFileSync(join(folder, 'play.json'), JSON.stringify(play));
    const args = ['play.json', '--vault-password-file', 'password'];
    const inventories = Object.keys(sources).flatMap((name) => ['-i', name]);
    const output = await ansible.output(folder, 'ansible-playbook', [...inventories, ...args], environment());
    expect(output).toMatch(/ok: \[web-1\] => \{\s+"msg": "6\.12 here \| \{\{ kernel \}\} \| s3cret"/);
    expect(output).toMatch(
      /ok: \[web-2\] => \{\s+"msg": "\{\{ kernel \}\} here \| \{\{ kernel \}\} \| s3cret"/,
    );
  });

  it('reads the inventory of a moment of the past', async () => {
    const made = await admin.region({ name: 'past', variables: { ntp: 'old' } });
    const host = await admin.host({ region_id: made.id, name: 'past-1', labels: ['was'] });
    const { created_at: time } = (
      (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as [{ created_at: string }]
    )[0];
    await admin.put(`/v1/regions/${String(made.id)}/variables`, { ntp: 'new' }).expect(200);
    await admin.delete(`/v1/hosts/${String(host.id)}`).expect(204);
    // Without quotes, it is a time in YAML.
    configure(`region: [past]\nat: ${time}Z\n`);
    const { stdout } = await inventory(['--host', 'past-1']);
    expect(JSON.parse(stdout)).toMatchObject({ ntp: 'old' });
    if (!ansible.isOfSystem) return;
    configure(`region: [past]\nlabel: [was]\nwhere: ['ntp = "old"']\n`);
    const filtered = await inventory(['--graph'], { ...environment(), MUSTER_AT: time });
    expect(filtered.stdout).toContain('past-1');
    expect((await inventory(['--graph'])).stdout).not.toContain('past-1');
  });

  it('uses the cache of Ansible, for the same settings only', async () => {
    const cache = 'cache: true\ncache_plugin: jsonfile\ncache_connection: cache\n';
    configure(`${cache}token: "{{ lookup('file', 'key') }}"\nurl: ${app.url}\n`);
    writeFileSync(join(folder, 'key'), admin.credentials.token);
    const first = await inventory(['--graph'], {});
    expect(first.stdout).toContain('web-2');
    expect(first.stdout).not.toContain('off');
    const [file = ''] = readdirSync(join(folder, 'cache'));
    expect(readFileSync(join(folder, 'cache', file), 'utf8')).not.toContain(admin.credentials.token);
    writeFileSync(join(folder, 'key'), 'wrong');
    expect(await inventory(['--graph'], {})).toEqual(first);
    configure(`${cache}token_file: key\nurl: ${app.url}\ninactive: true\n`);
    const other = await inventory(['--graph'], {});
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain('rejected the API key');
  });

  it('says in one sentence what is wrong', async () => {
    const limited = createServer((_, response) => {
      response.writeHead(429, { 'retry-after': '600', 'content-type': 'application/json' });
      response.end('{"code": "too_many_requests", "message": "Too many requests."}');
    });
    await new Promise<void>((listening) => limited.listen(0, '127.0.0.1', listening));
    const limitedUrl = `http://127.0.0.1:${String((limited.address() as AddressInfo).port)}`;
    const { MUSTER_URL = '', MUSTER_TOKEN = '' } = environment();
    const cases: Record<string, readonly [object, string]> = {
      unreachable: [
        { url: 'http://127.0.0.1:1', token: MUSTER_TOKEN },
        'Cannot connect to Muster at http://127.0.0.1:1: ',
      ],
      rejected: [{ token: 'wrong' }, `Muster at ${MUSTER_URL} rejected the API key.`],
      limited: [
        { url: limitedUrl, token: MUSTER_TOKEN },
        'limits the rate of requests. Retry in 600 seconds.',
      ],
      keyless: [{}, 'No API key for Muster. Set the option token or token_file'],
      nowhere: [{ region: ['nowhere'], token: MUSTER_TOKEN }, 'There is no region nowhere in Muster.'],
    };
    const sources = Object.entries(cases).map(([name, [options]]) => {
      const file = `${name}.muster.yml`;
      writeFileSync(join(folder, file), JSON.stringify({ plugin: 'muster.fleet.inventory', ...options }));
      return file;
    });
    // Ansible continues with the next source, unless it must not.
    const read = (files: readonly string[], env: Record<string, string> = {}) => {
      const args = [...files.flatMap((file) => ['-i', file]), '--graph'];
      return ansible.run(folder, 'ansible-inventory', args, { MUSTER_URL, ...env });
    };
    try {
      const { stderr } = await read(sources, { ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'false' });
      // Ansible wraps its warnings.
      const text = stderr.replaceAll(/\s+/g, ' ');
      for (const [, message] of Object.values(cases)) expect(text).toContain(message);
      expect(stderr).not.toMatch(/Traceback|wrong\b.*key/);
      const [first = ''] = sources;
      const failed = await read([first]);
      expect(failed.code).not.toBe(0);
      expect(failed.stderr.replaceAll(/\s+/g, ' ')).toContain(cases['unreachable']?.[1]);
    } finally {
      limited.close();
    }
  });
});

/**
 * Reads the inventory as ansible-inventory does, and compares the variables of each host with those that the API resolves.
 * ansible-inventory itself would print 162 MB. It prints how many hosts there are, and the names of those that differ.
 */
const COMPARISON = `
import json, os
from ansible.parsing.dataloader import DataLoader
import ansible.plugins.loader
if hasattr(ansible.plugins.loader, "init_plugin_loader"):
    ansible.plugins.loader.init_plugin_loader()
from ansible.inventory.manager import InventoryManager
from ansible_collections.muster.fleet.plugins.module_utils.client import Client

# What Ansible and the inventory add.
ADDED = ("inventory_dir", "inventory_file", "inventory_hostname", "inventory_hostname_short", "ansible_host")

# Values as texts, because 1 == 1.0 == True in Python.
def text(value):
    return json.dumps(value, sort_keys=True)

# Hosts of the inventory share most values: each is written once.
written = {}
def shared_text(value):
    if id(value) not in written:
        written[id(value)] = text(value)
    return written[id(value)]

hosts = InventoryManager(loader=DataLoader(), sources=["muster.yml"]).hosts
client = Client(os.environ["MUSTER_URL"], os.environ["MUSTER_TOKEN"])
read = set()
different = []
for device in client.pages("/v1/hosts", [("fields", "id,name,variables")], 100):
    host = hosts.get(device["name"])
    found = {} if host is None else {key: shared_text(value) for key, value in host.vars.items() if key not in ADDED}
    if host is None or found != {key: text(value) for key, value in device["variables"].items() if key not in ADDED}:
        different.append(device["name"])
    read.add(device["name"])
print(json.dumps({"hosts": len(hosts), "different": different + sorted(set(hosts) - read)}))
`;

/** Of the hosts of the fleet, every eighth one is loaded: they have nearly all of its regions, cells and labels. */
const SAMPLE_INTERVAL = 8;

const REAL_FLEET = 'the inventory plugin of the collection for a real fleet';
if (existsSync(FLEET_FILE)) {
  /** The project with the fleet, and the number of its hosts. */
  let loaded: Promise<{ owner: Caller; count: number }> | undefined;
  const load = async () => {
    const whole = JSON.parse(readFileSync(FLEET_FILE, 'utf8')) as Fleet;
    const fleet = { ...whole, hosts: whole.hosts.filter((_, i) => i % SAMPLE_INTERVAL === 0) };
    const owner = await app.project();
    await loadFleet(owner, fleet);
    return { owner, count: fleet.hosts.length };
  };
  describeWithEachAnsible(REAL_FLEET, (ansible) => {
    it('has the variables that the API resolves, for each host', async () => {
      const folder = temporaryFolder();
      copyCollection(folder);
      writeFileSync(join(folder, 'ansible.cfg'), SETTINGS);
      writeFileSync(join(folder, 'compare.py'), COMPARISON);
      writeFileSync(join(folder, 'muster.yml'), 'plugin: muster.fleet.inventory\n');
      const { owner, count } = await (loaded ??= load());
      const version = await ansible.output(folder, 'ansible', ['--version']);
      const [, python = ''] = /python version = .*\((\/\S+)\)$/m.exec(version) ?? [];
      const output = await ansible.output(folder, python, ['compare.py'], connectionOf(owner));
      expect(JSON.parse(output)).toEqual({ hosts: count, different: [] });
    });
  });
} else describe.skip(`${REAL_FLEET} (${FLEET_FILE} does not exist: set MUSTER_REAL_FLEET)`, () => undefined);
