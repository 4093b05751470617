import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installGenerator, missingGenerators } from './client-generators.mjs';
import { Failure } from './project.mjs';
import { runProgram } from './run.mjs';

/** Other programs that tests run, and their Debian packages. */
const PEERS = {
  'ansible-inventory': 'ansible-core',
  'keystone-manage': 'python3-keystone',
  prometheus: 'prometheus',
  tmux: 'tmux',
  promtool: 'prometheus',
  openssl: 'openssl',
  curl: 'curl',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  'systemd-analyze': 'systemd',
  'systemd-notify': 'systemd',
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  python3: 'python3-venv',
  javac: 'default-jdk-headless',
  mvn: 'maven',
};
/** Other files that tests use, and their Debian packages. */
const FILES = { '/usr/share/bash-completion/bash_completion': 'bash-completion' };

/** The Citus that tests start is built for this minor version of PostgreSQL 15, and does not load into an older one. */
const MIN_POSTGRES_MINOR = 20;
const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';

/**
 * What Debian's packages bring for people: a quarter of their files. Folders of man pages remain, because alternatives link into
 * them; without new man pages, nothing indexes them.
 */
const EXCLUDED_PATHS = ['doc/*', 'locale/*', 'info/*.gz', 'man/*.gz'].map((files) => `/usr/share/${files}`);

/** Options of apt-get: it waits (s) for another apt, such as that of a new machine that updates itself. */
const WAIT = ['-o', 'DPkg::Lock::Timeout=300'];

/**
 * Installs what is missing beside the work: half of the time is spent waiting for registries and disks, and most tests need none
 * of it. In the environment of the work, TEST_PEERS_INSTALLED names the file that exists when the installation has ended, with the
 * reason if it failed, and TEST_PEERS_MISSING what was missing. `test/support/external-programs.ts` waits for that file.
 * @throws Failure after the work if the installation fails and CI is set: there, tests that need other programs must not be skipped
 */
export async function withPeersBeside(work) {
  const missing = [...missingPeers(), ...missingGenerators()].map(({ name }) => name);
  if (missing.length === 0) return work({});
  const folder = mkdtempSync(join(tmpdir(), 'muster-peers-'));
  const ending = join(folder, 'ending');
  const installed = installPeers()
    .then(
      () => ({ text: '' }),
      (error) => ({ error, text: error.message }),
    )
    .then((end) => {
      // Whoever sees the file reads all of it.
      writeFileSync(`${ending}.new`, end.text);
      renameSync(`${ending}.new`, ending);
      return end;
    });
  try {
    const result = await work({ TEST_PEERS_INSTALLED: ending, TEST_PEERS_MISSING: missing.join() });
    const { error } = await installed;
    if (error) throw error;
    return result;
  } finally {
    // Also if the work fails: an apt that is cut off leaves packages half installed.
    await Promise.allSettled([installed]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs missing packages on Debian, as root, and then the generators of clients, all at once. */
async function installPeers() {
  await installPackages();
  // Debian 12 has no version of Go that is new enough: it has to be there.
  const generators = missingGenerators().filter(({ programs }) => programs.every(isOnPath));
  await Promise.all(
    generators.map(({ name }) => {
      console.error(`Installing the generator of the client in test/system/clients/${name}…`);
      return orReport(() => installGenerator(name), `The installation of the generator ${name}`);
    }),
  );
}

async function installPackages() {
  const missing = packagesOf(missingPeers());
  if (missing.length === 0) return;
  console.error(`Installing programs for tests: ${missing.join(', ')}…`);
  // At this runlevel, Debian does not start the services of packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // Debian compiles all of a Python package when it is configured, with a Python for each: more than half of the CPU time of apt-get.
  // Tests import a small part, which Python compiles on first use. Packages are configured without a compiler, too.
  const path = mkdtempSync(join(tmpdir(), 'muster-path-'));
  symlinkSync('/bin/true', join(path, 'py3compile'));
  // Waits for the disk once, and not for each file.
  const options = [
    '-y',
    '-qq',
    '--no-install-recommends',
    '-o',
    'Dpkg::Options::=--force-unsafe-io',
    ...EXCLUDED_PATHS.flatMap((files) => ['-o', `Dpkg::Options::=--path-exclude=${files}`]),
    '-o',
    `DPkg::Path=${path}:/usr/sbin:/usr/bin:/sbin:/bin`,
    ...WAIT,
  ];
  try {
    await orReport(async () => {
      await runProgram('apt-get', ['update', '-qq'], { env });
      await runProgram('apt-get', ['install', ...options, ...missing], { env });
    }, 'The installation of programs for tests');
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** Does something that may fail outside of CI. */
async function orReport(install, name) {
  try {
    await install();
  } catch (error) {
    const sentence = `${name} failed: ${error.message}`;
    if (process.env.CI !== undefined) throw new Failure(sentence);
    console.error(sentence);
  }
}

/** Names missing programs, without which tests are skipped, and the command that installs them. */
export function reportMissingPeers() {
  const generators = missingGenerators().map(
    ({ name, programs }) => `${name} (needs ${programs.join(' and ')})`,
  );
  if (generators.length > 0)
    console.error(
      `Generators of clients that are not installed: ${generators.join(', ')}: "npm test -- --with-peers"`,
    );
  const missing = missingPeers();
  if (missing.length === 0) return;
  console.error(
    `Not installed, so tests that need them are skipped: ${missing.map(({ name }) => name).join(', ')}`,
  );
  console.error(
    `On Debian, "npm test -- --with-peers" installs them as root: apt-get install ${packagesOf(missing).join(' ')}`,
  );
}

/** What is missing, each with its package. */
function missingPeers() {
  const programs = Object.entries(PEERS).filter(([program]) => !isOnPath(program));
  const files = Object.entries(FILES).filter(([file]) => !existsSync(file));
  const outdated = isPostgresOutdated() ? [['a current PostgreSQL 15', 'postgresql-15']] : [];
  return [...programs, ...files, ...outdated].map(([name, inPackage]) => ({ name, inPackage }));
}

const packagesOf = (peers) => [...new Set(peers.map(({ inPackage }) => inPackage))];

/** Whether a PostgreSQL 15 is installed that is too old. Without one, there is no Citus either. */
function isPostgresOutdated() {
  if (!existsSync(POSTGRES)) return false;
  const [, minor] = / 15\.(\d+)/.exec(execFileSync(POSTGRES, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(minor) < MIN_POSTGRES_MINOR;
}

const isOnPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
