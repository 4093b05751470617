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
    await admin.label({ label: 'web', variables: { port: 443 } });
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
  const groupsOf = (graph: string) =>
    [...graph.matchAll(/@(\w+):/g)].map(([, name]) => name).filter((name) => name !== 'ungrouped');

  it('has the groups of Muster, those of variables and members, and composed variables', async () => {
    configure(`kind: [host, network-device]
keyed_groups:
  - {key: kernel, prefix: kernel}
  - {key: muster.kind, prefix: kind}
groups:
  on_port_443: port is defined and port == 443
compose:
  where: muster.region + '/' + (muster.cell or 'no cell')
`);
    const graph = await inventory(['--graph']);
    expect(graph.stderr).toBe('');
    expect(groupsOf(graph.stdout).sort()).toEqual(
      [
        ...['all', 'kernel_6_12', 'kernel_6_8', 'kind_host', 'kind_network_device'],
        ...['north', 'north_rack_a', 'on_port_443', 'south', 'web'],
      ].sort(),
    );
    const { stdout } = await inventory(['--host', 'web-1']);
    expect(JSON.parse(stdout)).toMatchObject({
      ansible_host: '10.0.0.1',
      kernel: '6.12',
      port: 443,
      where: 'north/rack-a',
    });
  });

  it('evaluates templates and decrypts texts of Ansible Vault in plays, unless it must not', async () => {
    configure('region: [north]\nlabel: [web]\nwhere: [kernel >= "6.12"]\n');
    writeFileSync(join(folder, 'password'), 'password\n');
    const vault = ['--vault-password-file', 'password'];
    const [host] = (await admin.get('/v1/hosts?name=web-1').expect(200)).body as { id: number }[];
    await admin.put(`/v1/hosts/${String(host?.id)}/variables`, { password: ENCRYPTED }).expect(200);
    const task = { debug: { msg: '{{ motd }} | {{ plain }} | {{ password }}' } };
    const play = [{ hosts: 'all', gather_facts: false, connection: 'local', tasks: [task] }];
    writeFileSync(join(folder, 'play.json'), JSON.stringify(play));
    const args = ['-i', 'muster.yml', 'play.json', ...vault];
    expect(await ansible.output(folder, 'ansible-playbook', args, environment())).toContain(
      '"msg": "6.12 here | {{ kernel }} | s3cret"',
    );
    configure('region: [north]\nlabel: [web]\ncell: [rack-a]\ntemplates: false\n');
    expect(await ansible.output(folder, 'ansible-playbook', args, environment())).toContain(
      '"msg": "{{ kernel }} here | {{ kernel }} | s3cret"',
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
import json, os, sys
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
filters = [("region_id", client.find_id("region", name)) for name in sys.argv[1:]]
read = set()
different = []
for device in client.pages("/v1/hosts", filters + [("fields", "id,name,variables")], 100):
    host = hosts.get(device["name"])
    found = {} if host is None else {key: shared_text(value) for key, value in host.vars.items() if key not in ADDED}
    if host is None or found != {key: text(value) for key, value in device["variables"].items() if key not in ADDED}:
        different.append(device["name"])
    read.add(device["name"])
print(json.dumps({"hosts": len(hosts), "different": different + sorted(set(hosts) - read)}))
`;

/** The regions that have fewer than 100 hosts. With all hosts, which Debian's Ansible reads, the newest one takes 15 seconds of CPU time. */
const smallRegionsOf = (fleet: Fleet): string[] =>
  fleet.regions
    .map(({ name }) => name)
    .filter((name) => fleet.hosts.filter(({ region }) => region === name).length < 100);

const REAL_FLEET = 'the inventory plugin of the collection for a real fleet';
if (existsSync(FLEET_FILE))
  describeWithEachAnsible(REAL_FLEET, (ansible) => {
    it('has the variables that the API resolves, for each host', async () => {
      const folder = temporaryFolder();
      copyCollection(folder);
      writeFileSync(join(folder, 'ansible.cfg'), SETTINGS);
      writeFileSync(join(folder, 'compare.py'), COMPARISON);
      const fleet = JSON.parse(readFileSync(FLEET_FILE, 'utf8')) as Fleet;
      const regions = ansible.isOfSystem ? [] : smallRegionsOf(fleet);
      const settings = { plugin: 'muster.fleet.inventory', region: regions };
      writeFileSync(join(folder, 'muster.yml'), JSON.stringify(settings));
      const owner = await app.project();
      await loadFleet(owner, fleet);
      const version = await ansible.output(folder, 'ansible', ['--version']);
      const [, python = ''] = /python version = .*\((\/\S+)\)$/m.exec(version) ?? [];
      const output = await ansible.output(folder, python, ['compare.py', ...regions], connectionOf(owner));
      const hosts = fleet.hosts.filter(({ region }) => regions.length === 0 || regions.includes(region));
      expect(JSON.parse(output)).toEqual({ hosts: hosts.length, different: [] });
    });
  });
else describe.skip(`${REAL_FLEET} (${FLEET_FILE} does not exist: set MUSTER_REAL_FLEET)`, () => undefined);
