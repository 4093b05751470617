import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/peers';
import { ended, temporaryFolder, type Ended } from '../../support/shell';

jest.setTimeout(180_000);

const PROGRAM = resolve(__dirname, '../../../client/dist/ansible-cli.js');

describeWithPeers(
  'muster-ansible as an inventory of Ansible',
  ['ansible-inventory', 'ansible-playbook'],
  () => {
    const app = sharedService();
    let admin: Caller;
    let home: string;
    let script: string;

    beforeAll(async () => {
      admin = await app.project();
      const north = await admin.region({ name: 'north', variables: { ntp: '10.0.0.1' } });
      const rack = await admin.cell({ name: 'rack-a', region_id: north.id });
      await admin.host({ name: 'web-1', region_id: north.id, cell_id: rack.id, ip_address: '10.0.0.7' });
      await admin.host({
        name: 'web-2',
        region_id: north.id,
        ip_address: '10.0.0.8',
        variables: { ntp: 'own' },
      });
    });

    beforeEach(() => {
      home = temporaryFolder();
      // As npm installs it: a name on the PATH for the file.
      script = join(home, 'muster-ansible');
      writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, { mode: 0o755 });
    });

    const run = (
      program: string,
      args: readonly string[],
      env: Record<string, string> = {},
    ): Promise<Ended> => {
      const child = spawn(program, args, {
        cwd: home,
        env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', ANSIBLE_NOCOLOR: '1', ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.end();
      return ended(child);
    };
    const inTheEnvironment = () => ({ MUSTER_URL: app.url, MUSTER_TOKEN: admin.credentials.token });

    it('is asked by the settings of the environment', async () => {
      expect(await run('ansible-inventory', ['-i', script, '--graph'], inTheEnvironment())).toEqual({
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

    it('is asked by the settings of a profile', async () => {
      const folder = join(home, '.config', 'muster');
      mkdirSync(folder, { recursive: true });
      const profiles = { default: { url: app.url, token: admin.credentials.token } };
      writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
      const { code, stdout, stderr } = await run('ansible-inventory', ['-i', script, '--host', 'web-1']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({ ansible_host: '10.0.0.7', ntp: '10.0.0.1' });
    });

    it('is narrowed by a script of two lines', async () => {
      const narrow = join(home, 'rack-a');
      writeFileSync(narrow, `#!/bin/sh\nexec "${script}" --region north --cell rack-a "$@"\n`, {
        mode: 0o755,
      });
      const { code, stdout } = await run('ansible-inventory', ['-i', narrow, '--list'], inTheEnvironment());
      expect(code).toBe(0);
      expect(Object.keys((JSON.parse(stdout) as { _meta: { hostvars: object } })._meta.hostvars)).toEqual([
        'web-1',
      ]);
    });

    it('gives a playbook the variables that resolve', async () => {
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
        'ansible-playbook',
        ['-i', script, 'play.json'],
        inTheEnvironment(),
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('web-1 10.0.0.1');
      expect(stdout).toContain('web-2 own');
    });

    it('lets Ansible say what is wrong', async () => {
      const { stderr } = await run('ansible-inventory', ['-i', script, '--graph'], {
        MUSTER_URL: 'http://127.0.0.1:1',
        MUSTER_TOKEN: 'key',
      });
      // Ansible wraps its warnings, at columns that depend on the length of paths.
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Cannot connect to Muster at http://127.0.0.1:1');
    });
  },
);
