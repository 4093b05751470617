import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installGenerator, missingGenerators } from './client-generators.mjs';
import { Failure } from './project.mjs';

/** Other programs that tests run, and their Debian packages. */
const PEERS = {
  'ansible-inventory': 'ansible-core',
  'keystone-manage': 'python3-keystone',
  prometheus: 'prometheus',
  tmux: 'tmux',
  promtool: 'prometheus',
  openssl: 'openssl',
  curl: 'curl',
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
 * Installs missing packages on Debian, as root, and then the generators of clients.
 * @throws Failure if that fails and CI is set: there, tests that need other programs must not be skipped
 */
export function installPeers() {
  installPackages();
  for (const { name, programs } of missingGenerators()) {
    // Debian 12 has no version of Go that is new enough: it has to be there.
    if (!programs.every(isOnPath)) continue;
    console.error(`Installing the generator of the client in test/system/clients/${name}…`);
    orReport(() => installGenerator(name), `The installation of the generator ${name}`);
  }
}

function installPackages() {
  const missing = packagesOf(missingPeers());
  if (missing.length === 0) return;
  console.error(`Installing programs for tests: ${missing.join(', ')}…`);
  // At this runlevel, Debian does not start the services of packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { stdio: ['ignore', 2, 2], env };
  orReport(() => {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
  }, 'The installation of programs for tests');
}

/** Does something that may fail outside of CI. */
function orReport(install, name) {
  try {
    install();
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
  const outdated = isPostgresOutdated() ? [[`PostgreSQL 15.${MIN_POSTGRES_MINOR}`, 'postgresql-15']] : [];
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
