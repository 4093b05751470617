import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError, ifExists } from './startup-failures';

/** The user of the PostgreSQL server if the program runs as root. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** In order of preference. The second is the name on macOS. */
const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so root runs it as another user: as the owner of an existing cluster, which
 * PostgreSQL requires, else as `postgres` or `nobody`. `undefined`: as the current user.
 */
export function serverUser(dataDir: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  const cluster = ifExists(() => statSync(join(dataDir, 'postgres')));
  if (cluster && cluster.uid !== 0) {
    const owner = accounts.find((account) => account.uid === cluster.uid);
    return owner ?? { name: String(cluster.uid), uid: cluster.uid, gid: cluster.gid };
  }
  for (const name of CANDIDATES) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid > 0);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody": start the ' +
      'program as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** The name of the user with this id, or the id. */
export function userName(uid: number): string {
  return readAccounts().find((account) => account.uid === uid)?.name ?? String(uid);
}

/**
 * The outermost parent of a folder, or the folder itself, that the user cannot enter. It tries to enter them as that
 * user, because permission bits do not include access lists and group memberships.
 */
export function firstBlockedFolder(user: ServerUser | undefined, folder: string): string | undefined {
  if (!user) return undefined;
  const chain: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    chain.unshift(at);
    if (at === dirname(at)) break;
  }
  const script = 'for d; do cd "$d" 2>/dev/null || { printf %s "$d"; exit; }; done';
  return runAs(user, '/bin/sh', ['-c', script, 'sh', ...chain]).output || undefined;
}

/** Runs a short program as this user, with a clean environment. */
export function runAs(
  user: ServerUser | undefined,
  command: string,
  args: readonly string[],
): { ok: boolean; output: string; errors: string } {
  const result = spawnSync(command, args, {
    ...identityOf(user),
    cwd: '/',
    env: PLAIN_ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.error) return { ok: false, output: '', errors: result.error.message };
  return { ok: result.status === 0, output: result.stdout, errors: result.stderr };
}

/** The options of `spawn` for this user. */
export function identityOf(user: ServerUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

/**
 * The environment of child processes. PGDATA, PGOPTIONS, LD_LIBRARY_PATH and others of the caller would change the
 * behaviour of PostgreSQL. Messages are in English, because they are parsed.
 */
export const PLAIN_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

function readAccounts(): ServerUser[] {
  const text = ifExists(() => readFileSync('/etc/passwd', 'utf8')) ?? '';
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && Number.isInteger(uid) && Number.isInteger(gid));
}
