import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import {
  COLLECTION,
  connectionOf,
  copyCollection,
  describeWithAnsible,
  describeWithEachAnsible,
  installCollection,
} from '../../support/ansible';
import type { Caller, Resource } from '../../support/caller';
import { importLines } from '../../support/importing';
import { codeBlocks } from '../../support/markdown';
import { approve, type ProposalBody } from '../../support/proposals';
import { PROJECT, sharedService } from '../../support/service';
import { temporaryFolder } from '../../support/shell';
import { until } from '../../support/until';

jest.setTimeout(300_000);

const MODULES = [
  'batch',
  'cell',
  'facts_to_variables',
  'host',
  'label',
  'network_device',
  'proposal',
  'region',
  'variables',
];
/** Whether the play reads and sets facts of its hosts, or only uses their variables. */
const [FACTS, NO_FACTS] = ['{"with_facts": true}', '{"with_facts": false}'];
/** On hosts that are this machine: that of Ansible. It is not the script of a version manager, which starts slowly. */
const PYTHON = '{{ ansible_playbook_python }}';
const PLAYS = join(__dirname, 'ansible-collection');

const app = sharedService();

async function lastChange(admin: Caller): Promise<Record<string, unknown>> {
  const { body } = await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
  return (body as Record<string, unknown>[])[0] ?? {};
}

describeWithEachAnsible('the modules of the collection', (ansible) => {
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    await installCollection(ansible, folder);
    cpSync(PLAYS, folder, { recursive: true });
  });

  it('write, preview, show differences and fail', async () => {
    const admin = await app.project();
    const settings = { change_reason: { required: true, pattern: '^CHG-' } };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
    // With the newest version, each module once, and each way to run one: see modules.yml.
    const tasks = ansible.isOfSystem ? [] : ['--skip-tags', 'once'];
    const args = ['modules.yml', ...tasks];
    const output = await ansible.output(folder, 'ansible-playbook', args, connectionOf(admin));
    expect(output).toMatch(/failed=0/);
    expect(output).not.toContain(admin.credentials.token);
    const [change] = (await admin.get('/v1/changes?reason=r%C3%A4ck').expect(200)).body as {
      reason: string;
    }[];
    expect(change?.reason).toBe('CHG-1: räck');
  });

  it('save facts of all hosts of a play in one change', async () => {
    const admin = await app.project();
    // Ansible takes most of the time, for each host.
    const count = 4;
    const hosts = Array.from({ length: count }, (_, i) => ({
      kind: 'host',
      name: `host-${String(i)}`,
      region: 'factory',
      ip_address: '127.0.0.1',
      device_type: 'server',
      labels: ['facts'],
      variables: { ansible_connection: 'local', ansible_python_interpreter: PYTHON, number: i },
    }));
    await importLines(admin, [{ kind: 'region', name: 'factory' }, ...hosts]);
    writeFileSync(join(folder, 'facts.muster.yml'), 'plugin: muster.fleet.inventory\nlabel: [facts]\n');
    const play = (...options: string[]) =>
      ansible.output(
        folder,
        'ansible-playbook',
        ['-i', 'facts.muster.yml', 'facts.yml', ...options],
        connectionOf(admin),
      );
    if (ansible.isOfSystem) {
      const before = await lastChange(admin);
      const preview = await play('--check', '-e', NO_FACTS);
      expect(preview).toContain(`"hosts": ${String(count)}`);
      expect(preview).toContain(`"changed": true`);
      expect((await lastChange(admin))['id']).toBe(before['id']);
    }

    const output = await play('-e', FACTS);
    expect(output).toMatch(/\+ {2}kernel: "6.1"/);
    expect(output).toContain(`${String(count / 2)} devices: host-1, host-3`);
    const change = await lastChange(admin);
    expect(output).toContain(`"change_id": ${String(change['id'])}`);
    expect(change).toMatchObject({ reason: 'nightly facts', objects_total: count });
    const found = (await admin.get('/v1/hosts?where=kernel%20exists&limit=1000').expect(200))
      .body as Resource[];
    expect(found).toHaveLength(count);
    expect(found.find(({ name }) => name === 'host-0')?.variables).toMatchObject({ python: 3, rack: 0 });

    if (!ansible.isOfSystem) return;
    await admin.delete(`/v1/hosts/${String(found[0]?.id)}`).expect(204);
    writeFileSync(
      join(folder, 'stale.yml'),
      'facts: {hosts: {host-0: {ansible_connection: local, number: 1}}}\n',
    );
    const args = ['-i', 'stale.yml', 'facts.yml', '-e', NO_FACTS];
    const { code, stdout } = await ansible.run(folder, 'ansible-playbook', args, connectionOf(admin));
    expect(code).toBe(2);
    expect(stdout).toContain('1 hosts of the play are not hosts of Muster: host-0.');
  });
});

// With one version of Ansible: the modules and the lookups run with each version above.
describeWithAnsible('the collection', (ansible) => {
  interface Documented {
    readonly doc: { readonly options: Record<string, { readonly description: unknown }> };
    readonly examples: string;
    readonly return: object | null;
  }
  let folder: string;
  const documentationOf = async (type: string, names: readonly string[]) => {
    const plugins = names.map((name) => `muster.fleet.${name}`);
    const output = await ansible.output(folder, 'ansible-doc', ['--json', '-t', type, ...plugins]);
    return JSON.parse(output) as Record<string, Documented>;
  };
  let modules: Record<string, Documented>;
  let lookups: Record<string, Documented>;
  beforeAll(async () => {
    folder = temporaryFolder();
    copyCollection(folder);
    [modules, lookups] = await Promise.all([
      documentationOf('module', MODULES),
      documentationOf('lookup', ['variable', 'explain']),
    ]);
  });

  it('proposes, waits for an approval, applies and withdraws', async () => {
    const admin = await app.project();
    const reviewer = await admin.user({ username: 'reviewer', is_admin: true });
    const { id } = await admin.region({ name: 'north' });
    const operation = { method: 'PUT', path: `/v1/regions/${String(id)}`, body: { variables: { ntp: 'b' } } };
    // Without a role, because everybody can propose.
    const author = await admin.user({ username: 'author' });
    const byTitle = { title: 'Another NTP', operations: [operation], reason: 'because' };
    const applied = { 'muster.fleet.proposal': { ...byTitle, state: 'applied', wait: 120 } };
    const ofVariables = (ntp: string) => ({
      'muster.fleet.variables': { region: 'north', variables: { ntp }, propose: 'A third NTP' },
    });
    const propose = { 'muster.fleet.proposal': byTitle };
    const tasks = [
      { ...propose, check_mode: true },
      propose,
      propose,
      {
        'muster.fleet.proposal': { ...byTitle, state: 'applied' },
        register: 'impatient',
        failed_when: "'has 0 of 1 approvals' not in impatient.msg",
      },
      // The second of these finds the proposal of the first; with another value, it is another proposal.
      ...[ofVariables('c'), ofVariables('c'), ofVariables('d')],
      { 'muster.fleet.proposal': { title: 'A third NTP', state: 'withdrawn' } },
      // It is approved while this task waits, and its author gets the role to apply it.
      applied,
      propose,
    ];
    writeFileSync(
      join(folder, 'proposal.json'),
      JSON.stringify([{ hosts: 'localhost', gather_facts: false, tasks }]),
    );
    const played = ansible.output(folder, 'ansible-playbook', ['proposal.json'], connectionOf(author));
    const proposals = async () =>
      (await admin.get('/v1/proposals?sort_keys=id').expect(200)).body as ProposalBody[];
    const isWithdrawn = async () => (await proposals()).some(({ state }) => state === 'withdrawn');
    const approved = (async () => {
      await until('a proposal is withdrawn', 120, isWithdrawn, 1_000);
      const made = await proposals();
      expect(made.map(({ state }) => state).toSorted()).toEqual(['open', 'open', 'withdrawn']);
      const [first] = made;
      if (!first) throw new Error('there is no proposal');
      const [user] = (await admin.get('/v1/users?username=author').expect(200)).body as Resource[];
      await admin.put(`/v1/users/${String(user?.id)}`, { roles: ['regions:write'] }).expect(200);
      await approve(reviewer, first);
      return first;
    })();
    const [output, first] = await Promise.all([played, approved]);
    expect(output).toMatch(/ok=10 +changed=6 /);
    const { body } = await admin.get(`/v1/regions/${String(id)}`).expect(200);
    expect(body).toMatchObject({ variables: { ntp: 'b' } });
    expect(await lastChange(admin)).toMatchObject({ reason: 'because', proposal: { id: first.id } });
  });

  it('describes every option of every plugin', async () => {
    const files = readdirSync(join(COLLECTION, 'plugins/modules'));
    expect(files.filter((name) => name.endsWith('.py')).sort()).toEqual(MODULES.map((name) => `${name}.py`));
    expect(Object.keys(modules).sort()).toEqual(MODULES.map((name) => `muster.fleet.${name}`));
    const all = [modules, lookups, await documentationOf('inventory', ['inventory'])];
    for (const [name, { doc, examples }] of all.flatMap((some) => Object.entries(some))) {
      expect(Object.keys(doc.options)).toContain('token');
      expect(examples).toContain(name);
    }
  });

  it('passes the sanity tests that need no other packages', async () => {
    const tests = [
      ...[
        'action-plugin-docs',
        'compile',
        'empty-init',
        'future-import-boilerplate',
        'ignores',
        'line-endings',
      ],
      ...['metaclass-boilerplate', 'no-assert', 'no-main-display', 'no-smart-quotes', 'no-unicode-literals'],
      ...['replace-urlopen', 'shebang', 'symlinks', 'use-argspec-type-path', 'no-illegal-filenames'],
    ];
    const sources = join(folder, 'collections/ansible_collections/muster/fleet');
    // Only the version that runs Ansible: by default, it looks for all that it supports.
    const version = await ansible.output(folder, 'ansible', ['--version']);
    const [, python = ''] = /python version = (\d+\.\d+)/.exec(version) ?? [];
    const args = ['sanity', '--python', python, ...tests.flatMap((test) => ['--test', test])];
    await ansible.output(sources, 'ansible-test', args, { HOME: folder });
  });

  it('leads from zero to a play', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    const cell = await admin.cell({ name: 'rack-a', region_id: region.id });
    const variables = { ansible_connection: 'local', ansible_python_interpreter: PYTHON };
    const host = await admin.host({ name: 'web-1', region_id: region.id, cell_id: cell.id, variables });
    const page = codeBlocks(readFileSync(join(PROJECT, 'docs/ansible.md'), 'utf8'));
    const files = {
      'muster.yml': 'plugin: muster.fleet.inventory',
      'ansible.cfg': 'any_unparsed_is_failed',
      'rack.yml': 'muster.fleet.variables',
      'facts.yml': 'muster.fleet.facts_to_variables',
    };
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), page.find(({ text }) => text.includes(content))?.text ?? '');
    const run = (program: string, ...args: string[]) =>
      ansible.output(folder, program, args, connectionOf(admin));
    expect(await run('ansible-inventory', '--graph')).toContain('@kernel_6_8:');
    expect(await run('ansible-playbook', 'rack.yml', '--check', '--diff')).toContain(
      ' 1 device: web-1\n+  power_feed: "B"',
    );
    const played = await run('ansible-playbook', 'rack.yml', 'facts.yml');
    expect(played).toMatch(/^localhost +: ok=1 +changed=1 /m);
    expect(played).toMatch(/^web-1 +: ok=2 +changed=1 /m);
    const { body } = await admin.get(`/v1/hosts/${String(host.id)}`).expect(200);
    expect((body as Resource).variables).toMatchObject({ power_feed: 'B', kernel: release() });
  });

  it('has examples that run', async () => {
    const admin = await app.project();
    const region = await admin.region({
      name: 'coast',
      variables: { ntp_servers: ['10.1.0.1'], kernel: '6.1' },
    });
    const reviewer = await admin.user({ is_admin: true });
    const cell = await admin.cell({ region_id: region.id });
    // The examples delete what they add: they can begin with it.
    await admin.cell({ name: 'rack-a', region_id: (await admin.region({ name: 'north' })).id });
    const variables = { ansible_connection: 'local', ansible_python_interpreter: PYTHON };
    for (const name of ['db-1', 'node-1'])
      await admin.host({ name, region_id: region.id, ip_address: '127.0.0.1', variables });
    const tasksOf = (name: string, from = modules) =>
      parseAllDocuments(from[`muster.fleet.${name}`]?.examples ?? '').flatMap(
        (document) => document.toJS() as object[],
      );
    // The examples have ids.
    const withId = (tasks: object[], text: string, id: string) =>
      JSON.parse(JSON.stringify(tasks).replaceAll(text, id)) as object[];
    // What the examples do not do: a second variable for a lookup, and two more versions of the host that one deletes.
    const row = { 'muster.fleet.cell': { region: 'north', name: 'rack-a', variables: { row: 4 } } };
    const versions = { 'muster.fleet.host': { name: 'web-1', note: 'version 2', add_labels: ['version-3'] } };
    const [[addRegion, deleteRegion], [addCell, deleteCell]] = [tasksOf('region'), tasksOf('cell')];
    const [addHost, updateHost, deleteHost] = tasksOf('host');
    const play = {
      hosts: 'node-1',
      gather_facts: false,
      tasks: [
        ...[deleteCell, deleteRegion, addRegion, addCell, row],
        ...tasksOf('variable', lookups).map((task) => ({ ...task, vars: { ansible_date_time: {} } })),
        ...tasksOf('explain', lookups),
        ...tasksOf('network_device'),
        ...tasksOf('label'),
        ...tasksOf('variables'),
        ...[addHost, updateHost, versions, deleteHost],
        ...withId(tasksOf('batch'), '"region_id":1', `"region_id":${String(region.id)}`),
        ...withId(tasksOf('proposal'), '/v1/cells/3/', `/v1/cells/${String(cell.id)}/`),
      ],
    };
    writeFileSync(join(folder, 'examples.json'), JSON.stringify([play, ...tasksOf('facts_to_variables')]));
    writeFileSync(join(folder, 'web.yml'), 'port: 443\n');
    writeFileSync(join(folder, 'muster.yml'), 'plugin: muster.fleet.inventory\n');
    // Ansible takes seconds to gather the facts of a host.
    const args = ['-i', 'muster.yml', '-l', 'node-1', 'examples.json'];
    const printed = ansible.output(folder, 'ansible-playbook', args, connectionOf(admin));
    const areApplied = async () => {
      const { body } = await admin.get('/v1/proposals').expect(200);
      const proposals = body as ProposalBody[];
      for (const proposal of proposals) if (proposal.state === 'open') await approve(reviewer, proposal);
      return proposals.filter(({ state }) => state === 'applied').length === 2;
    };
    // The play takes a minute.
    const approved = until('all proposals are applied', 240, areApplied, 2_000);
    const [output] = await Promise.all([printed, approved]);
    expect(output).toContain('6.1 is set on the region coast by admin');
    expect(output).not.toMatch(/failed=[1-9]|WARNING/);
  });
});
