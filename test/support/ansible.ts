import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Caller } from './caller';
import { installedPrograms } from './client-generators';
import { describeWithPeers } from './external-programs';
import { PROJECT } from './service';
import { ended, temporaryFolder, type Ended } from './shell';

/** The sources of the collection `muster.fleet`. */
export const COLLECTION = join(PROJECT, 'integrations/ansible');

/** An installed version of Ansible. */
export class Ansible {
  /** @param programs the folder of its programs; undefined: they are on the PATH */
  constructor(private readonly programs: string | undefined) {}

  /** Whether it is that of the system, and not the newest. */
  get isOfSystem(): boolean {
    return this.programs === undefined;
  }

  /** Runs a program of Ansible in a folder, with the collections that are installed in its folder `collections`. */
  run(
    folder: string,
    program: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const command = this.programs === undefined ? program : resolve(this.programs, program);
    const child = spawn(command, args, {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        // Ansible looks up the user's home itself, and a user such as nobody has none.
        ANSIBLE_HOME: join(folder, '.ansible'),
        ANSIBLE_REMOTE_TEMP: join(folder, 'tmp'),
        ANSIBLE_COLLECTIONS_PATH: join(folder, 'collections'),
        ANSIBLE_LOCALHOST_WARNING: 'false',
        ANSIBLE_INVENTORY_UNPARSED_WARNING: 'false',
        ANSIBLE_NOCOLOR: '1',
        ANSIBLE_PIPELINING: '1',
        ANSIBLE_STDOUT_CALLBACK: 'default',
        LANG: 'C.UTF-8',
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end();
    return ended(child);
  }

  /**
   * Runs a program that must succeed.
   * @returns its standard output
   * @throws Error with all of its output
   */
  async output(...run: Parameters<Ansible['run']>): Promise<string> {
    const { code, stdout, stderr } = await this.run(...run);
    if (code !== 0) throw new Error(`${run[1]} ended with ${String(code)}:\n${stdout}\n${stderr}`);
    return stdout;
  }
}

/** The variables of the environment that connect the collection to Muster. */
export const connectionOf = ({ url, credentials }: Caller): Record<string, string> => ({
  MUSTER_URL: url,
  MUSTER_TOKEN: credentials.token,
});

/** The tarball of the collection, which one version of Ansible builds for each. */
let tarball: Promise<string> | undefined;

async function buildCollection(ansible: Ansible): Promise<string> {
  const folder = temporaryFolder();
  await ansible.output(folder, 'ansible-galaxy', ['collection', 'build', COLLECTION]);
  const { version } = (await import(join(PROJECT, 'package.json'))) as { version: string };
  return join(folder, `muster-fleet-${version}.tar.gz`);
}

/** Installs the collection from its tarball into the folder `collections` of a folder. */
export async function installCollection(ansible: Ansible, folder: string): Promise<void> {
  tarball ??= buildCollection(ansible);
  const args = ['collection', 'install', await tarball, '-p', 'collections'];
  await ansible.output(folder, 'ansible-galaxy', args);
}

/**
 * Copies the collection into the folder `collections` of a folder, as Ansible would install it. Two programs of Ansible take more
 * than a second for that: one file tests them.
 */
export function copyCollection(folder: string): void {
  cpSync(COLLECTION, join(folder, 'collections/ansible_collections/muster/fleet'), { recursive: true });
}

/** Tests with Ansible of the system. */
export const describeWithAnsible = (name: string, tests: (ansible: Ansible) => void): void => {
  describeWithPeers(name, ['ansible-inventory', 'ansible-playbook'], () => {
    tests(new Ansible(undefined));
  });
};

/** Tests with Ansible of the system, and with the newest one. Both are installed by `npm test -- --with-peers`. */
export function describeWithEachAnsible(name: string, tests: (ansible: Ansible) => void): void {
  describeWithAnsible(`${name}, with Ansible of the system`, tests);
  const programs = installedPrograms('ansible', ['requirements.txt']);
  const newest = `${name}, with the newest Ansible`;
  if (programs === undefined)
    describe.skip(`${newest} (not installed: npm test -- --with-peers)`, () => undefined);
  else
    describe(newest, () => {
      tests(new Ansible(programs));
    });
}
