import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sharedService } from '../../support/service';
import { exportLines } from '../../support/export-reader';
import { describeWithPeers } from '../../support/external-programs';
import { printed, temporaryFolder } from '../../support/shell';

jest.setTimeout(120_000);

/** Nested groups with several parents and priorities, which set the same variables. */
const FILES: Readonly<Record<string, string>> = {
  'hosts.yaml': `all:
  vars: {everywhere: all, who: all, deep: {a: 1}}
  children:
    dc_north:
      vars: {who: dc_north, region_only: 1}
      children:
        rack_a:
          hosts:
            web-1: {ansible_host: 10.0.0.1, own: host}
            web-2: {ansible_host: 10.0.0.2, who: web-2}
          vars: {who: rack_a, shared: rack_a}
        rack_b:
          hosts:
            db-1: {ansible_host: 10.0.0.3}
    dc_south:
      hosts:
        db-2: {ansible_host: 10.0.0.4, big: 9007199254740993}
    web:
      hosts: {web-1: {}, web-2: {}}
      vars: {who: web, shared: web, port: 443}
    zeta:
      hosts: {web-1: {}, db-1: {}}
      vars: {shared: zeta, port: 1, ansible_group_priority: 5}
    family:
      children: {web: {}, databases: {}}
      vars: {family: 1, port: 80}
    databases:
      hosts: {db-1: {}, db-2: {}}
      vars: {port: 5432, deep: {b: 2}}
`,
  'group_vars/rack_b.yaml': 'who: rack_b from a file\n',
  'group_vars/zeta.yaml': 'everywhere: zeta\n',
  'host_vars/db-2.yaml': 'port: 5433\n',
};

describeWithPeers('an imported Ansible inventory', ['ansible-inventory'], () => {
  const app = sharedService();
  /** The output with --export, for the import, and the output with the resolved variables of each host. */
  let exported: string;
  let listed: string;

  beforeAll(async () => {
    const folder = temporaryFolder();
    for (const [name, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const env = { ...process.env, HOME: folder, ANSIBLE_LOCALHOST_WARNING: 'false' };
    const list = async (...options: string[]): Promise<string> => {
      const args = ['-i', join(folder, 'hosts.yaml'), '--list', ...options];
      return (await promisify(execFile)('ansible-inventory', args, { env })).stdout;
    };
    [exported, listed] = await Promise.all([list('--export'), list()]);
  });

  it.each([
    [['--region-groups', 'dc_*', '--cell-groups', 'rack_*', '--label-groups', 'web,zeta,family,databases']],
    [['--region-groups', 'dc_*', '--label-groups', 'databases']],
    [['--region', 'one']],
  ])('resolves the same variables as Ansible, with %j', async (mapping) => {
    const admin = await app.project();
    await printed(admin, ['import', '--from', 'ansible', '-', ...mapping], { stdin: exported });
    const { _meta } = JSON.parse(listed) as { _meta: { hostvars: Record<string, object> } };
    const expected = Object.entries(_meta.hostvars).map(([name, variables]) => {
      const { ansible_host: address, ...others } = variables as Record<string, unknown>;
      // This variable orders groups, and hosts do not get it.
      delete others['ansible_group_priority'];
      return { name, ip_address: address, variables: others };
    });
    expect(expected).toHaveLength(4);
    const found = await exportLines(admin, '?kind=host&resolved-values=true');
    const byName = (a: { name?: unknown }, b: { name?: unknown }) =>
      String(a.name) < String(b.name) ? -1 : 1;
    expect(
      found.map(({ name, ip_address, variables }) => ({ name, ip_address, variables })).sort(byName),
    ).toEqual(expected.sort(byName));
  });
});
