import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { codeBlocks } from '../../support/markdown';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { loadFleet, type Fleet } from '../../support/fleet';
import { resolve } from '../../support/naive-resolver';
import { describeWithPeers } from '../../support/peers';
import { ended, temporaryFolder } from '../../support/shell';

jest.setTimeout(300_000);

const file =
  process.env['MUSTER_REAL_FLEET'] ?? resolvePath(__dirname, '../../../../shared/data/wikimedia-fleet.json');

/** The inventory script and the settings, as the page about it shows them. */
const page = codeBlocks(readFileSync(resolvePath(__dirname, '../../../docs/integrations.md'), 'utf8'));
const shown = (language: string): string => {
  const block = page.find((one) => one.language === language);
  if (!block) throw new Error(`docs/integrations.md shows no ${language}`);
  return block.text;
};

/** Of a real fleet, every eighth host is listed. */
const SHARE = 8;

interface Shown {
  readonly _meta: { readonly hostvars: Record<string, Record<string, unknown>> };
  readonly [group: string]: unknown;
}

describeWithPeers('Ansible itself', ['ansible-inventory', 'ansible-playbook', 'curl'], () => {
  const app = sharedService();
  let admin: Caller;
  const folder = temporaryFolder();
  beforeAll(() => {
    writeFileSync(join(folder, 'muster.sh'), shown('sh'), { mode: 0o755 });
    writeFileSync(join(folder, 'ansible.cfg'), shown('ini'));
  });
  beforeEach(async () => {
    admin = await app.project();
  });
  /** What a program of Ansible prints. It must succeed, and have nothing to complain about. */
  async function ansible(program: string, args: readonly string[], query = ''): Promise<string> {
    const child = spawn(program, args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        LANG: 'C.UTF-8',
        ANSIBLE_NOCOLOR: '1',
        MUSTER_URL: app.url,
        MUSTER_TOKEN: admin.credentials.token,
        MUSTER_QUERY: query,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end();
    const { code, stdout, stderr } = await ended(child);
    expect({ code, stderr, warned: /\[(DEPRECATION )?WARNING\]/.test(stdout) }).toEqual({
      code: 0,
      stderr: '',
      warned: false,
    });
    return stdout;
  }
  const inventory = (args: readonly string[], query = '') => ansible('ansible-inventory', args, query);
  const listed = async (query = ''): Promise<Shown> =>
    JSON.parse(await inventory(['--list'], query)) as Shown;

  /** A site with a cell, names that are hard on Ansible, and variables on every level. */
  async function aSite(): Promise<void> {
    await admin.label({ label: 'web', variables: { port: 443 } });
    const region = await admin.region({
      name: 'eqiad',
      variables: { ntp: '10.0.0.1', row: 1, ansible_python_interpreter: '/usr/bin/python3' },
    });
    const cell = await admin.cell({ name: 'row 4', region_id: region.id, variables: { row: 4 } });
    const place = { region_id: region.id };
    await admin.host({ ...place, name: 'node1', cell_id: cell.id, labels: ['web'], ip_address: '127.0.0.1' });
    await admin.host({ ...place, name: 'node2.example.org', ip_address: '2001:db8::1' });
    await admin.host({ ...place, name: 'off', active: false });
    // Each of these, taken as it is, has Ansible complain.
    await admin.host({
      name: 'node3',
      region_id: (await admin.region({ name: '2nd-site' })).id,
      labels: ['node1'],
    });
    await admin.host({
      name: 'web-1',
      region_id: (await admin.region({ name: 'all' })).id,
      labels: ['web-1', 'räck'],
    });
    await admin.host({
      name: 'x',
      region_id: (await admin.region({ name: 'web' })).id,
      labels: ['ungrouped'],
    });
  }

  it('shows the groups', async () => {
    await aSite();
    const lines = (await inventory(['--graph'])).split('\n').map((line) => line.replace(/^[ |]*-*/, ''));
    expect(lines.filter((line) => line.startsWith('@')).sort()).toEqual(
      [
        '@all:',
        '@ungrouped:',
        '@eqiad:',
        '@eqiad_row_4:',
        '@_2nd_site:',
        '@all_region:',
        '@web_region:',
        '@web_label:',
        '@node1_label:',
        '@web_1:',
        '@r_ck:',
        '@ungrouped_label:',
      ].sort(),
    );
    const graph = await inventory(['--graph', 'eqiad']);
    expect(graph.trimEnd()).toBe(
      ['@eqiad:', '  |--@eqiad_row_4:', '  |  |--node1', '  |--node2.example.org'].join('\n'),
    );
  });

  it('lists the hosts with what they resolve', async () => {
    await aSite();
    const { _meta: meta } = await listed();
    expect(Object.keys(meta.hostvars).sort()).toEqual(['node1', 'node2.example.org', 'node3', 'web-1', 'x']);
    expect(meta.hostvars['node1']).toEqual({
      ansible_host: '127.0.0.1',
      ansible_python_interpreter: '/usr/bin/python3',
      ntp: '10.0.0.1',
      port: 443,
      row: 4,
    });
  });

  it('asks for one host', async () => {
    await aSite();
    expect(JSON.parse(await inventory(['--host', 'node2.example.org']))).toEqual({
      ansible_host: '2001:db8::1',
      ansible_python_interpreter: '/usr/bin/python3',
      ntp: '10.0.0.1',
      row: 1,
    });
  });

  it('keeps the variables of all hosts, whatever one of them has', async () => {
    await aSite();
    const { id } = await admin.host({ name: 'odd' });
    const nested = '{"__ansible_vault":7,"__ansible_unsafe":8}';
    await admin
      .put(
        `/v1/hosts/${String(id)}/variables`,
        `{"__ansible_vault":1,"__ansible_unsafe":2,"own":3,"long":[-1e5000],"text":"${'5'.repeat(5_000)}","list":[${nested}]}`,
      )
      .expect(200);
    const { _meta: meta } = await listed();
    expect(meta.hostvars['node1']).toMatchObject({ ntp: '10.0.0.1', port: 443, row: 4 });
    expect(meta.hostvars['odd']).toMatchObject({
      own: 3,
      long: [`-1${'0'.repeat(5_000)}`],
      text: '5'.repeat(5_000),
    });
    expect(JSON.parse(await inventory(['--host', 'odd']))).toMatchObject({ own: 3 });
  });

  it('takes an empty inventory', async () => {
    expect(await inventory(['--graph'])).toContain('@all:');
  });

  it('runs a playbook, with variables of every level', async () => {
    await aSite();
    writeFileSync(
      join(folder, 'site.yml'),
      `- hosts: eqiad:&web_label
  connection: local
  gather_facts: false
  tasks:
    - name: Run something
      ansible.builtin.command: echo "{{ ntp }} {{ row }} {{ port }} {{ ansible_host }}"
      register: echoed
      changed_when: false
    - name: Show it
      ansible.builtin.debug:
        msg: "{{ inventory_hostname }} says {{ echoed.stdout }}"
`,
    );
    const printed = await ansible('ansible-playbook', ['site.yml']);
    expect(printed).toContain('"msg": "node1 says 10.0.0.1 4 443 127.0.0.1"');
    expect(printed).toMatch(/node1 +: ok=2 +changed=0 +unreachable=0 +failed=0/);
    expect(printed).not.toContain('node2');
  });

  (existsSync(file) ? it : it.skip)('lists for the hosts of a real fleet what the API resolves', async () => {
    const whole = JSON.parse(readFileSync(file, 'utf8')) as Fleet;
    // Ansible needs a minute for all of them.
    const fleet = { ...whole, hosts: whole.hosts.filter((_, i) => i % SHARE === 0) };
    const { regions } = await loadFleet(admin, fleet);
    const byName = new Map(fleet.hosts.map((host) => [host.name, host]));
    const different: string[] = [];
    const seen = new Set<string>();
    // Region by region: the whole takes as long, and more memory than a test should.
    for (const id of regions.values()) {
      const { _meta: meta } = await listed(`region_id=${String(id)}`);
      for (const [name, variables] of Object.entries(meta.hostvars)) {
        seen.add(name);
        const host = byName.get(name);
        const expected = host && { ansible_host: host.ip_address, ...resolve(fleet, host) };
        if (!isDeepStrictEqual(variables, expected)) different.push(name);
      }
    }
    expect(different).toEqual([]);
    expect(seen).toEqual(
      new Set(fleet.hosts.filter(({ active }) => active !== false).map(({ name }) => name)),
    );
  });
});
