import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { firstBlockedFolder, serverUser, userName, type ServerUser } from './server-user';
import { currentUser, EmbeddedPostgresError, errorCode, ifExists } from './startup-failures';

/** The folders and files of the embedded database. */
export interface DataFolders {
  readonly dataDir: string;
  /** The cluster: PostgreSQL's data directory. */
  readonly cluster: string;
  /** Contains the ownership records. */
  readonly run: string;
  /** Contains the socket. Usually the same as `run`. */
  readonly socket: string;
  readonly log: string;
}

/** The names of the files of this package. A folder with other files can be a home folder, for example. */
const OWN_FILES = /^(postgres(\..*)?|run|binaries-.*)$/;

/** The mode bits for writing by the group and by others. */
const WRITABLE_BY_OTHERS = 0o022;

/** The limit of macOS, the lowest of the supported systems. Linux allows four more. */
const MAX_SOCKET_PATH_LENGTH = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Resolves the data folder: DATA_DIR if it is set, else `.<program>` in the project's folder. If the program runs as root
 * and the server user cannot enter the project's folder, the data is stored in /var/lib. The result depends only on the
 * path of the project, so every start and every command finds the same folder.
 */
export function resolveDataDir(options: {
  program: string;
  explicit: string | undefined;
  projectDir: string;
}): { dataDir: string; note?: string } {
  if (options.explicit !== undefined && options.explicit !== '')
    return { dataDir: resolve(options.explicit) };
  const projectDir = resolve(options.projectDir);
  const defaultDir = join(projectDir, `.${options.program}`);
  const user = serverUser(defaultDir);
  const blocked = firstBlockedFolder(user, projectDir);
  if (!user || blocked === undefined) return { dataDir: defaultDir };
  const hash = createHash('sha256').update(projectDir).digest('hex').slice(0, 8);
  const dataDir = `/var/lib/${options.program}/${basename(projectDir)}-${hash}`;
  return {
    dataDir,
    note:
      `The data is stored in ${dataDir}, because PostgreSQL does not run as root and the user "${user.name}" ` +
      `cannot enter ${blocked} (DATA_DIR sets another folder).`,
  };
}

/**
 * Creates the folders, makes the server user their owner, and checks that they are usable.
 * @param programFiles the names of the files that the program itself stores in the data folder
 */
export function prepareFolders(
  wanted: string,
  user: ServerUser | undefined,
  programFiles?: RegExp,
): DataFolders {
  createDataDir(wanted, user, programFiles);
  // Without symbolic links, because the path is compared with the working directory of server processes.
  const dataDir = realpathSync(wanted);
  const clusterPath = join(dataDir, 'postgres');
  const cluster = ifExists(() => realpathSync(clusterPath)) ?? clusterPath;
  const run = join(dataDir, 'run');
  if (!user) {
    assertOwnCluster(dataDir, cluster);
    requirePrivateFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  }
  createPrivateFolder(run, user);
  return {
    dataDir,
    cluster,
    run,
    socket: prepareSocketFolder(dataDir, run, user),
    log: join(dataDir, 'postgres.log'),
  };
}

/** The path of the socket in its folder. */
export function socketPath(folders: Pick<DataFolders, 'socket'>): string {
  return join(folders.socket, SOCKET_NAME);
}

function createDataDir(dataDir: string, user: ServerUser | undefined, programFiles?: RegExp): void {
  const isNew = createFolders(resolve(dataDir));
  if (isNew) chmodSync(dataDir, 0o700);
  if (!user) return;
  if (!isNew) requirePrivateFolder(dataDir, user.uid);
  // Only root can enter a folder that root created with `mktemp -d`. It changes its owner if it has no other files.
  if (isNew || (cannotEnter(user, dataDir) && containsOnlyKnownFiles(dataDir, programFiles)))
    chownSync(dataDir, user.uid, user.gid);
  const blocked = firstBlockedFolder(user, dataDir);
  if (blocked === undefined) return;
  throw new EmbeddedPostgresError(
    `The data folder ${dataDir} cannot be used, because the user "${user.name}", as which PostgreSQL runs when ` +
      `the program is started by root, cannot enter ${blocked}: set DATA_DIR to a folder outside of it, ` +
      `or allow it with "chmod o+x ${blocked}".`,
  );
}

/**
 * Creates a folder and its parents. It does not use the `recursive` option of Node, which loops forever under a broken
 * symbolic link, such as one to a disk that is not mounted.
 * @returns whether the folder did not exist
 */
function createFolders(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && statSync(folder).isDirectory()) return false;
    if (errorCode(error) !== 'ENOENT') throw error;
    // The parent exists, but nothing can be created in it.
    if (!createFolders(dirname(folder))) throw error;
    mkdirSync(folder);
  }
  // With a strict umask, the server user could not enter the folder.
  chmodSync(folder, 0o755);
  return true;
}

function cannotEnter(user: ServerUser, folder: string): boolean {
  return firstBlockedFolder(user, folder) === resolve(folder);
}

function containsOnlyKnownFiles(folder: string, programFiles?: RegExp): boolean {
  return readdirSync(folder).every((name) => OWN_FILES.test(name) || programFiles?.test(name) === true);
}

function assertOwnCluster(dataDir: string, cluster: string): void {
  const uid = ifExists(() => statSync(cluster))?.uid;
  if (uid === undefined || uid === process.getuid?.()) return;
  throw new EmbeddedPostgresError(
    `The database in ${dataDir} belongs to the user "${userName(uid)}", and this is "${currentUser()}": run ` +
      'the program as that user or as root, or set DATA_DIR to another folder.',
  );
}

/**
 * Rejects a data folder whose contents another user may replace. It does not check the parent folders: shared folders
 * such as /tmp have the sticky bit.
 * @param serverUid the server user, if the program runs as root. The default is the owner of the cluster
 * @throws EmbeddedPostgresError
 */
export function requirePrivateFolder(dataDir: string, serverUid?: number): void {
  const ownUid = process.getuid?.();
  // Windows has no user ids.
  if (ownUid === undefined) return;
  const { uid, mode } = statSync(dataDir);
  if ((mode & WRITABLE_BY_OTHERS) !== 0)
    throw new EmbeddedPostgresError(
      `Other users may write to the data folder ${dataDir} and replace what is in it: run "chmod go-w ${dataDir}", ` +
        'or set DATA_DIR to another folder.',
    );
  const clusterUid = () => ifExists(() => statSync(join(dataDir, 'postgres')))?.uid;
  const server = ownUid === 0 ? (serverUid ?? clusterUid()) : undefined;
  if ([0, ownUid, server].includes(uid)) return;
  throw new EmbeddedPostgresError(
    `The data folder ${dataDir} belongs to the user "${userName(uid)}", who may replace what is in it: run ` +
      `"chown ${userName(server ?? ownUid)} ${dataDir}", or set DATA_DIR to another folder.`,
  );
}

/** The folder of the socket of a data folder, for connecting without starting a server. */
export function socketFolderOf(wanted: string): string {
  const dataDir = realPathOf(wanted);
  return resolveSocketFolder(dataDir, join(dataDir, 'run'), serverUser(dataDir));
}

function realPathOf(wanted: string): string {
  try {
    return ifExists(() => realpathSync(wanted)) ?? wanted;
  } catch (error) {
    // Without access to the folder, connecting fails, too. A start reports the reason.
    if (errorCode(error) === 'EACCES') return wanted;
    throw error;
  }
}

/** With a long DATA_DIR, the path of the socket would be too long, so the socket is in a temporary folder. */
function resolveSocketFolder(dataDir: string, run: string, user: ServerUser | undefined): string {
  if (fits(run)) return run;
  const uid = user?.uid ?? process.getuid?.() ?? 0;
  const name = `postgres-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const temporary = realpathSync(tmpdir());
  return join(fits(join(temporary, name)) ? temporary : '/tmp', name);
}

function prepareSocketFolder(dataDir: string, run: string, user: ServerUser | undefined): string {
  const folder = resolveSocketFolder(dataDir, run, user);
  if (folder !== run) createPrivateFolder(folder, user);
  return folder;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_LENGTH;
}

/**
 * Creates a folder that only its owner can enter, because another user who can write into it could impersonate the
 * database. In a shared temporary folder, another user can have created the name first, so an existing one must be a
 * real folder of the right user.
 */
function createPrivateFolder(folder: string, user: ServerUser | undefined): void {
  const uid = user?.uid ?? process.getuid?.();
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (user) chownSync(folder, user.uid, user.gid);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  // An earlier start as root can have been killed between `mkdir` and `chown`.
  if (user && found.isDirectory() && found.uid === 0) chownSync(folder, user.uid, user.gid);
  else if (!found.isDirectory() || found.uid !== uid) {
    throw new EmbeddedPostgresError(
      `${folder} must contain the database's socket, but it is not a folder of the user ` +
        `"${user?.name ?? currentUser()}": remove it, or set DATA_DIR to another (short) folder.`,
    );
  }
  if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}
