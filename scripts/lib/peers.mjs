import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
};
/** Other files that tests use, and their Debian packages. */
const FILES = { '/usr/share/bash-completion/bash_completion': 'bash-completion' };

/** The Citus that tests start is built for this minor version of PostgreSQL 15, and does not load into an older one. */
const MIN_POSTGRES_MINOR = 20;
const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';

/** Installs missing packages as root on Debian. Elsewhere, the tests that need them are skipped. */
export function installPeers() {
  const missing = missingPackages();
  if (missing.length === 0 || process.getuid?.() !== 0 || !isOnPath('apt-get')) return;
  console.error(`Installing programs for tests: ${missing.join(', ')}…`);
  // At this runlevel, Debian does not start the services of packages.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { stdio: ['ignore', 2, 2], env };
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
  } catch (error) {
    console.error(
      `The installation failed (${error.message}); the tests that need these programs are skipped.`,
    );
  }
}

function missingPackages() {
  const programs = Object.entries(PEERS).filter(([program]) => !isOnPath(program));
  const files = Object.entries(FILES).filter(([file]) => !existsSync(file));
  const outdated = isPostgresOutdated() ? ['postgresql-15'] : [];
  return [...new Set([...programs, ...files].map(([, name]) => name)), ...outdated];
}

/** Whether a PostgreSQL 15 is installed that is too old. Without one, the script that starts Citus installs it. */
function isPostgresOutdated() {
  if (!existsSync(POSTGRES)) return false;
  const [, minor] = / 15\.(\d+)/.exec(execFileSync(POSTGRES, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(minor) < MIN_POSTGRES_MINOR;
}

const isOnPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
