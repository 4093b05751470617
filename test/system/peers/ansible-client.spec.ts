import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/external-programs';
import { ended, temporaryFolder, type Ended } from '../../support/shell';

jest.setTimeout(180_000);

const PROGRAM = resolve(__dirname, '../../../client/dist/ansible-cli.js');

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
  const north = await admin.region({ name: 'north', variables: { ntp: '10.0.0.1' } });
  const rack = await admin.cell({ name: 'rack-a', region_id: north.id });
  await admin.host({ name: 'web-1', region_id: north.id, cell_id: rack.id, ip_address: '10.0.0.7' });
  await admin.host({ name: 'web-2', region_id: north.id, ip_address: '10.0.0.8', variables: { ntp: 'own' } });
});

/** A home directory with `muster-ansible` as npm installs it: a program that runs the file. */
function newHome(): { home: string; script: string } {
  const home = temporaryFolder();
  const script = join(home, 'muster-ansible');
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, { mode: 0o755 });
  return { home, script };
}

const credentials = () => ({ MUSTER_URL: app.url, MUSTER_TOKEN: admin.credentials.token });

function run(
  home: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ANSIBLE_NOCOLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end();
  return ended(child);
}

describeWithPeers(
  'muster-ansible as an inventory of Ansible',
  ['ansible-inventory', 'ansible-playbook'],
  () => {
    it.concurrent('uses the settings of the environment', async () => {
      const { home, script } = newHome();
      expect(await run(home, 'ansible-inventory', ['-i', script, '--graph'], credentials())).toEqual({
        code: 0,
        stderr: '',
        stdout: [
          '@all:',
          '  |--@ungrouped:',
          '  |--@north:',
          '  |  |--@north_rack_a:',
          '  |  |  |--web-1',
          '  |  |--web-2',
          '',
        ].join('\n'),
      });
    });

    it.concurrent('uses the settings of a profile', async () => {
      const { home, script } = newHome();
      const folder = join(home, '.config', 'muster');
      mkdirSync(folder, { recursive: true });
      const profiles = { default: { url: app.url, token: admin.credentials.token } };
      writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
      const { code, stdout, stderr } = await run(home, 'ansible-inventory', [
        '-i',
        script,
        '--host',
        'web-1',
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({ ansible_host: '10.0.0.7', ntp: '10.0.0.1' });
    });

    it.concurrent('can be filtered by a wrapper script', async () => {
      const { home, script } = newHome();
      const narrow = join(home, 'rack-a');
      writeFileSync(narrow, `#!/bin/sh\nexec "${script}" --region north --cell rack-a "$@"\n`, {
        mode: 0o755,
      });
      const { code, stdout } = await run(home, 'ansible-inventory', ['-i', narrow, '--list'], credentials());
      expect(code).toBe(0);
      expect(Object.keys((JSON.parse(stdout) as { _meta: { hostvars: object } })._meta.hostvars)).toEqual([
        'web-1',
      ]);
    });

    it.concurrent('gives a playbook the resolved variables', async () => {
      const { home, script } = newHome();
      const play = [
        {
          hosts: 'all',
          gather_facts: false,
          connection: 'local',
          tasks: [{ debug: { msg: '{{ inventory_hostname }} {{ ntp }}' } }],
        },
      ];
      writeFileSync(join(home, 'play.json'), JSON.stringify(play));
      const { code, stdout, stderr } = await run(
        home,
        'ansible-playbook',
        ['-i', script, 'play.json'],
        credentials(),
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('web-1 10.0.0.1');
      expect(stdout).toContain('web-2 own');
    });

    it.concurrent('reports an unreachable service through Ansible', async () => {
      const { home, script } = newHome();
      const { stderr } = await run(home, 'ansible-inventory', ['-i', script, '--graph'], {
        MUSTER_URL: 'http://127.0.0.1:1',
        MUSTER_TOKEN: 'key',
      });
      // Ansible wraps its warnings, at columns that depend on the length of paths.
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Cannot connect to Muster at http://127.0.0.1:1');
    });
  },
);
