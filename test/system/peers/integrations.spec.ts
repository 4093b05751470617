import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Caller, Resource } from '../../support/caller';
import { loadFleet, type Fleet } from '../../support/fleet';
import { codeBlocks } from '../../support/markdown';
import { resolve } from '../../support/naive-resolver';
import { describeWithPeers } from '../../support/external-programs';
import { Program } from '../../support/program';
import { sharedService } from '../../support/service';
import { ended, temporaryFolder } from '../../support/shell';
import { until } from '../../support/until';

jest.setTimeout(300_000);

// Other programs, with the settings and scripts of docs/integrations.md and docs/ansible.md. The tests run concurrently, because Prometheus
// mostly waits for its next refresh.
const app = sharedService();
const blocks = ['integrations.md', 'ansible.md'].flatMap((page) =>
  codeBlocks(readFileSync(resolvePath(__dirname, '../../../docs', page), 'utf8')),
);

/** The first block of the pages that contains a text. */
function blockWith(text: string): string {
  const block = blocks.find((one) => one.text.includes(text));
  if (!block) throw new Error(`docs/integrations.md and docs/ansible.md show no ${text}`);
  return block.text;
}

interface ActiveTarget {
  readonly discoveredLabels: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly scrapeUrl: string;
  readonly health: string;
}

describeWithPeers('Prometheus', ['prometheus'], () => {
  /** A project whose hosts `here` and `six` are targets. `here` is the shared service, which serves metrics. */
  async function projectWithTargets(): Promise<{ admin: Caller; here: Resource; six: Resource }> {
    const admin = await app.project();
    const region = await admin.region({
      name: 'eqiad',
      variables: { prometheus_port: Number(new URL(app.url).port), rack: 4 },
    });
    const common = { region_id: region.id, labels: ['role:web', 'big'] };
    const here = await admin.host({ ...common, name: 'here', ip_address: '127.0.0.1' });
    const variables = { prometheus_port: 9, prometheus_scheme: 'https', prometheus_path: '/six' };
    const six = await admin.host({ ...common, name: 'six', ip_address: '::1', variables });
    await admin.host({ ...common, name: 'not scraped', variables: { prometheus_scrape: false } });
    await admin.host({ ...common, name: 'invalid', variables: { prometheus_port: 'abc' } });
    return { admin, here, six };
  }

  /** Runs a Prometheus that discovers the hosts of a project. */
  async function withPrometheus(
    admin: Caller,
    test: (targets: () => Promise<Map<string, ActiveTarget>>) => Promise<void>,
  ): Promise<void> {
    const folder = temporaryFolder();
    const reader = await admin.user();
    writeFileSync(join(folder, 'token'), reader.credentials.token, { mode: 0o600 });
    // For a service at another address, and with shorter intervals.
    const settings = blockWith('scrape_configs:')
      .replace(/http:\/\/muster\.[\w.]+:7780/, app.url)
      .replace('/etc/prometheus/muster.token', 'token')
      .replace('refresh_interval: 1m', 'refresh_interval: 1s')
      .replace('job_name: node\n', 'job_name: node\n    scrape_interval: 1s\n');
    writeFileSync(join(folder, 'prometheus.yml'), settings);
    const args = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ];
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const prometheus = new Program(spawn('prometheus', args, { cwd: folder, stdio: [...stdio] }));
    try {
      const address = await prometheus.line(
        (line) => /msg="Listening on" address=(\S+)/.exec(line)?.[1],
        'its address',
        prometheus.errorLines,
      );
      // Prometheus listens before it is ready to answer.
      await until('Prometheus is ready', 30, async () => (await fetch(`http://${address}/-/ready`)).ok);
      await test(async () => {
        const response = await fetch(`http://${address}/api/v1/targets?state=active`);
        const { data } = (await response.json()) as { data: { activeTargets: ActiveTarget[] } };
        return new Map(data.activeTargets.map((target) => [target.labels['instance'] ?? '', target]));
      });
    } finally {
      prometheus.kill('SIGTERM');
      await prometheus.ended;
    }
  }

  const untilTargets = (targets: () => Promise<Map<string, ActiveTarget>>, ...names: string[]) =>
    until(`the targets are ${names.join(', ')}`, 30, async () => {
      const found = [...(await targets()).keys()];
      return found.sort().join() === names.sort().join();
    });
  const setActive = (admin: Caller, { id }: Resource, active: boolean) =>
    admin.put(`/v1/hosts/${String(id)}`, { active }).expect(200);

  it.concurrent('drops a deactivated host, and adds it again when it is active', async () => {
    const { admin, here } = await projectWithTargets();
    await withPrometheus(admin, async (targets) => {
      await untilTargets(targets, 'here', 'six');
      await setActive(admin, here, false);
      await untilTargets(targets, 'six');
      await setActive(admin, here, true);
      await untilTargets(targets, 'here', 'six');
    });
  });

  it.concurrent('discovers hosts with their details, scrapes them, and drops the last ones', async () => {
    const { admin, here, six } = await projectWithTargets();
    await withPrometheus(admin, async (targets) => {
      await untilTargets(targets, 'here', 'six');
      const found = await targets();
      expect(found.get('here')).toMatchObject({
        scrapeUrl: `${app.url}/metrics`,
        discoveredLabels: {
          __meta_muster_project: admin.projectId,
          __meta_muster_uuid: here.uuid,
          __meta_muster_labels: ',big,role:web,',
          __meta_muster_variable_rack: '4',
        },
        labels: { instance: 'here', region: 'eqiad', rack: '4', role: 'web', big: 'true', job: 'node' },
      });
      expect(found.get('six')).toMatchObject({ scrapeUrl: 'https://[::1]:9/six' });
      await until('the service is scraped', 30, async () => (await targets()).get('here')?.health === 'up');

      await setActive(admin, here, false);
      await setActive(admin, six, false);
      await untilTargets(targets);
    });
  });
});

describeWithPeers('Ansible', ['ansible-inventory', 'ansible-playbook', 'curl'], () => {
  const FLEET_FILE =
    process.env['MUSTER_REAL_FLEET'] ??
    resolvePath(__dirname, '../../../../shared/data/wikimedia-fleet.json');
  /** Of the hosts of a real fleet, few are listed: Ansible needs a minute for all of them. */
  const SAMPLE_INTERVAL = 40;

  interface Inventory {
    readonly _meta: { readonly hostvars: Record<string, Record<string, unknown>> };
    readonly [group: string]: unknown;
  }

  /** A folder with the inventory script and the settings of the page. */
  function controller(): string {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'muster.sh'), blockWith('MUSTER_QUERY'), { mode: 0o755 });
    writeFileSync(join(folder, 'ansible.cfg'), blockWith('enable_plugins = script'));
    return folder;
  }

  /** @returns the output of a program of Ansible, which must succeed without a warning */
  async function ansible(
    admin: Caller,
    program: string,
    args: readonly string[],
    { query = '', folder = controller() } = {},
  ): Promise<string> {
    const child = spawn(program, args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        // Ansible looks up the user's home itself, and a user such as nobody has none.
        ANSIBLE_REMOTE_TEMP: join(folder, 'tmp'),
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
    expect({ code, stderr, hasWarning: /\[(DEPRECATION )?WARNING\]/.test(stdout) }).toEqual({
      code: 0,
      stderr: '',
      hasWarning: false,
    });
    return stdout;
  }
  const inventory = (admin: Caller, ...args: string[]) => ansible(admin, 'ansible-inventory', args);
  const listHosts = async (admin: Caller, query = ''): Promise<Inventory['_meta']['hostvars']> => {
    const stdout = await ansible(admin, 'ansible-inventory', ['--list'], { query });
    return (JSON.parse(stdout) as Inventory)._meta.hostvars;
  };

  /** A project with a cell, with names that Ansible does not accept, and with variables on every level. */
  async function projectWithHosts(): Promise<Caller> {
    const admin = await app.project();
    await admin.label({ label: 'web', variables: { port: 443 } });
    const region = await admin.region({
      name: 'eqiad',
      variables: { ntp: '10.0.0.1', row: 1, ansible_python_interpreter: '/usr/bin/python3' },
    });
    const cell = await admin.cell({ name: 'row 4', region_id: region.id, variables: { row: 4 } });
    const common = { region_id: region.id };
    await admin.host({
      ...common,
      name: 'node1',
      cell_id: cell.id,
      labels: ['web'],
      ip_address: '127.0.0.1',
    });
    await admin.host({ ...common, name: 'node2.example.org', ip_address: '2001:db8::1' });
    await admin.host({ ...common, name: 'off', active: false });
    // Ansible warns of each of these names unless they are changed.
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
    return admin;
  }

  /** Such a project for the tests that only read. */
  let readOnly: Promise<Caller> | undefined;
  const sharedProject = () => (readOnly ??= projectWithHosts());

  (existsSync(FLEET_FILE) ? it.concurrent : it.skip)(
    'lists the resolved variables of the hosts of a real fleet',
    async () => {
      const admin = await app.project();
      const whole = JSON.parse(readFileSync(FLEET_FILE, 'utf8')) as Fleet;
      const fleet = { ...whole, hosts: whole.hosts.filter((_, i) => i % SAMPLE_INTERVAL === 0) };
      await loadFleet(admin, fleet);
      const byName = new Map(fleet.hosts.map((host) => [host.name, host]));
      const hosts = await listHosts(admin);
      const different = Object.entries(hosts).filter(([name, variables]) => {
        const host = byName.get(name);
        const expected = host && { ansible_host: host.ip_address, ...resolve(fleet, host) };
        return !isDeepStrictEqual(variables, expected);
      });
      expect(different.map(([name]) => name)).toEqual([]);
      expect(new Set(Object.keys(hosts))).toEqual(
        new Set(fleet.hosts.filter(({ active }) => active !== false).map(({ name }) => name)),
      );
    },
  );

  it.concurrent('shows the groups', async () => {
    const graph = await inventory(await sharedProject(), '--graph');
    const lines = graph.split('\n').map((line) => line.replace(/^[ |]*-*/, ''));
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
    expect(graph).toContain(
      ['@eqiad:', '  |  |--@eqiad_row_4:', '  |  |  |--node1', '  |  |--node2.example.org\n'].join('\n'),
    );
  });

  it.concurrent('lists hosts with their resolved variables', async () => {
    const admin = await sharedProject();
    const node1 = {
      ansible_host: '127.0.0.1',
      ansible_python_interpreter: '/usr/bin/python3',
      ntp: '10.0.0.1',
      port: 443,
      row: 4,
    };
    const hosts = await listHosts(admin);
    expect(Object.keys(hosts).sort()).toEqual(['node1', 'node2.example.org', 'node3', 'web-1', 'x']);
    expect(hosts['node1']).toEqual(node1);
    expect(await listHosts(admin, 'label=web')).toEqual({ node1 });
  });

  it.concurrent('reads one host', async () => {
    expect(JSON.parse(await inventory(await sharedProject(), '--host', 'node2.example.org'))).toEqual({
      ansible_host: '2001:db8::1',
      ansible_python_interpreter: '/usr/bin/python3',
      ntp: '10.0.0.1',
      row: 1,
    });
  });

  it.concurrent('keeps the variables of all hosts when one host has unusual ones', async () => {
    const admin = await projectWithHosts();
    const { id } = await admin.host({ name: 'odd' });
    const nested = '{"__ansible_vault":7,"__ansible_unsafe":8}';
    await admin
      .put(
        `/v1/hosts/${String(id)}/variables`,
        `{"__ansible_vault":1,"__ansible_unsafe":2,"own":3,"long":[-1e5000],"text":"${'5'.repeat(5_000)}","list":[${nested}]}`,
      )
      .expect(200);
    const hosts = await listHosts(admin);
    expect(hosts['node1']).toMatchObject({ ntp: '10.0.0.1', port: 443, row: 4 });
    expect(hosts['odd']).toMatchObject({
      own: 3,
      long: [`-1${'0'.repeat(5_000)}`],
      text: '5'.repeat(5_000),
    });
  });

  it.concurrent('accepts an empty inventory', async () => {
    expect(await inventory(await app.project(), '--graph')).toContain('@all:');
  });

  it.concurrent('runs a playbook, with variables of every level', async () => {
    const folder = controller();
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
    const stdout = await ansible(await sharedProject(), 'ansible-playbook', ['site.yml'], { folder });
    expect(stdout).toContain('"msg": "node1 says 10.0.0.1 4 443 127.0.0.1"');
    expect(stdout).toMatch(/node1 +: ok=2 +changed=0 +unreachable=0 +failed=0/);
    expect(stdout).not.toContain('node2');
  });
});

describeWithPeers('the Puppet classifier script', ['curl'], () => {
  const ENVIRONMENT_FILE = '/etc/puppetlabs/muster.env';

  /** @returns a function that runs the script of the page for a node */
  function classifier(admin: Caller) {
    const folder = temporaryFolder();
    const [script, environment] = [join(folder, 'muster-enc'), join(folder, 'muster.env')];
    writeFileSync(script, blockWith(ENVIRONMENT_FILE).replace(ENVIRONMENT_FILE, environment), {
      mode: 0o755,
    });
    writeFileSync(environment, `MUSTER_URL=${app.url}\nMUSTER_TOKEN=${admin.credentials.token}\n`);
    return (node: string) => ended(spawn(script, [node], { stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  it.concurrent('classifies a node', async () => {
    const admin = await app.project();
    await admin.host({ name: 'node & one', variables: { puppet_classes: ['ntp'], row: 4 } });
    const { code, stdout, stderr } = await classifier(admin)('node & one');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ classes: ['ntp'], parameters: { row: 4 } });
  });

  it.concurrent('fails for an unknown node, and for one whose classes are invalid', async () => {
    const admin = await app.project();
    await admin.host({ name: 'invalid', variables: { puppet_classes: 7 } });
    for (const node of ['nobody', 'invalid']) {
      const { code, stdout } = await classifier(admin)(node);
      expect({ node, code, stdout }).toEqual({ node, code: 22, stdout: '' });
    }
  });
});
