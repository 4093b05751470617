import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of others that tests use for real, and the packages of Debian that have them. */
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
/** The same for what is no program. */
const FILES = { '/usr/share/bash-completion/bash_completion': 'bash-completion' };

/** Installs what is missing where that is possible: as root of a Debian. Elsewhere the tests that want it are skipped. */
export function installPeers() {
  const missing = missingPackages();
  if (missing.length === 0 || process.getuid?.() !== 0 || !isOnPath('apt-get')) return;
  console.error(`Installing what tests use for real: ${missing.join(', ')}…`);
  // At this level Debian starts no service that a package brings.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { stdio: ['ignore', 2, 2], env };
  try {
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
  } catch (error) {
    console.error(`They could not be installed (${error.message}); the tests that use them are left out.`);
  }
}

function missingPackages() {
  const programs = Object.entries(PEERS).filter(([program]) => !isOnPath(program));
  const files = Object.entries(FILES).filter(([file]) => !existsSync(file));
  return [...new Set([...programs, ...files].map(([, name]) => name))];
}

const isOnPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
