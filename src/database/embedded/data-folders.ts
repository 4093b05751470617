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
import { StartupError } from '../../core/errors/startup-error';
import { firstBlockedFolder, serverUser, userName, type ServerUser } from './server-user';
import { currentUser, errorCode, ifExists } from './startup-failures';

/** Where the embedded database keeps its things. */
export interface DataFolders {
  readonly dataDir: string;
  /** The cluster itself: PostgreSQL's data folder. */
  readonly cluster: string;
  /** Holds the record of who owns the server. */
  readonly run: string;
  /** Holds the socket: usually the same as `run`. */
  readonly socket: string;
  readonly log: string;
}

/** What is named so in a data folder is ours; a folder with anything else in it may be somebody's home. */
const OUR_NAMES = /^(postgres(\..*)?|run|binaries-.*|secrets\.key(\..*)?)$/;

/** In a mode: the group, or everybody, may write. */
const OTHERS_WRITE = 0o022;

/** The shortest limit of a socket's path among the systems we run on (macOS; Linux allows four more). */
const MAX_SOCKET_PATH_LENGTH = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Where the data is kept: in DATA_DIR if that is set, else in `.muster` in the project's folder. Root's own
 * project is out of reach for the user as whom PostgreSQL then runs, so its data goes to /var/lib; the place
 * depends on nothing but the project's path, so that every start and every command finds the same.
 */
export function resolveDataDir(place: { explicit: string | undefined; projectDir: string }): {
  dataDir: string;
  note?: string;
} {
  if (place.explicit !== undefined && place.explicit !== '') return { dataDir: resolve(place.explicit) };
  const projectDir = resolve(place.projectDir);
  const defaultDir = join(projectDir, '.muster');
  const user = serverUser(defaultDir);
  const blocked = firstBlockedFolder(user, projectDir);
  if (!user || blocked === undefined) return { dataDir: defaultDir };
  const hash = createHash('sha256').update(projectDir).digest('hex').slice(0, 8);
  const dataDir = `/var/lib/muster/${basename(projectDir)}-${hash}`;
  return {
    dataDir,
    note:
      `The data is kept in ${dataDir}, because PostgreSQL does not run as root and the user "${user.name}" ` +
      `cannot enter ${blocked} (DATA_DIR sets another folder).`,
  };
}

/** Makes the folders, gives them to the user as whom PostgreSQL runs, and checks that they can be used. */
export function prepareFolders(wanted: string, user: ServerUser | undefined): DataFolders {
  makeDataDir(wanted, user);
  // The system names a server's folder by the path without links; so that we can compare, we do too.
  const dataDir = realpathSync(wanted);
  const named = join(dataDir, 'postgres');
  const cluster = ifExists(() => realpathSync(named)) ?? named;
  const run = join(dataDir, 'run');
  if (!user) {
    refuseForeignCluster(dataDir, cluster);
    requirePrivateFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  }
  makePrivate(run, user);
  return {
    dataDir,
    cluster,
    run,
    socket: socketFolder(dataDir, run, user),
    log: join(dataDir, 'postgres.log'),
  };
}

/** The path of the socket in its folder. */
export function socketPath(folders: Pick<DataFolders, 'socket'>): string {
  return join(folders.socket, SOCKET_NAME);
}

function makeDataDir(dataDir: string, user: ServerUser | undefined): void {
  const made = makeFolders(resolve(dataDir));
  if (made) chmodSync(dataDir, 0o700);
  if (!user) return;
  if (!made) requirePrivateFolder(dataDir, user.uid);
  // A fresh `mktemp -d` of root's is closed to everybody else: it is ours to give away, being empty.
  if (made || (cannotEnter(user, dataDir) && holdsOnlyOurs(dataDir))) chownSync(dataDir, user.uid, user.gid);
  const blocked = firstBlockedFolder(user, dataDir);
  if (blocked === undefined) return;
  throw new StartupError(
    `The data folder ${dataDir} is out of reach, because the user "${user.name}", as whom PostgreSQL runs when ` +
      `Muster is started by root, cannot enter ${blocked}: set DATA_DIR to a folder outside it, ` +
      `or allow it with "chmod o+x ${blocked}".`,
  );
}

/**
 * Makes a folder and its parents; whether it was not there before. Not by Node's `recursive`, which goes round in
 * circles for ever under a link that leads nowhere, such as one to a disk that is not mounted.
 */
function makeFolders(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && statSync(folder).isDirectory()) return false;
    if (errorCode(error) !== 'ENOENT') throw error;
    // The parent is there, and yet nothing can be made in it.
    if (!makeFolders(dirname(folder))) throw error;
    mkdirSync(folder);
  }
  // A strict umask must not close the way to PostgreSQL's user.
  chmodSync(folder, 0o755);
  return true;
}

function cannotEnter(user: ServerUser, folder: string): boolean {
  return firstBlockedFolder(user, folder) === resolve(folder);
}

function holdsOnlyOurs(folder: string): boolean {
  return readdirSync(folder).every((name) => OUR_NAMES.test(name));
}

function refuseForeignCluster(dataDir: string, cluster: string): void {
  const uid = ifExists(() => statSync(cluster))?.uid;
  if (uid === undefined || uid === process.getuid?.()) return;
  throw new StartupError(
    `The database in ${dataDir} belongs to the user "${userName(uid)}", and this is "${currentUser()}": run ` +
      'Muster as that user or as root, or set DATA_DIR to another folder.',
  );
}

/**
 * Refuses a data folder whose contents another user may replace. Only its own permissions count: nobody replaces it in a
 * shared folder such as /tmp, which has the sticky bit.
 * @param serverUid the user as whom PostgreSQL runs where this is root; without it, the owner of the cluster
 * @throws StartupError
 */
export function requirePrivateFolder(dataDir: string, serverUid?: number): void {
  const ownUid = process.getuid?.();
  // Windows has no such permissions.
  if (ownUid === undefined) return;
  const { uid, mode } = statSync(dataDir);
  if ((mode & OTHERS_WRITE) !== 0)
    throw new StartupError(
      `Other users may write to the data folder ${dataDir} and replace what is in it: run "chmod go-w ${dataDir}", ` +
        'or set DATA_DIR to another folder.',
    );
  const clusterUid = () => ifExists(() => statSync(join(dataDir, 'postgres')))?.uid;
  const server = ownUid === 0 ? (serverUid ?? clusterUid()) : undefined;
  if ([0, ownUid, server].includes(uid)) return;
  throw new StartupError(
    `The data folder ${dataDir} belongs to the user "${userName(uid)}", who may replace what is in it: run ` +
      `"chown ${userName(server ?? ownUid)} ${dataDir}", or set DATA_DIR to another folder.`,
  );
}

/** Where the socket of a data folder is, for who wants to connect and not to start anything. */
export function socketFolderOf(wanted: string): string {
  const dataDir = realPathOf(wanted);
  return socketPlace(dataDir, join(dataDir, 'run'), serverUser(dataDir));
}

function realPathOf(wanted: string): string {
  try {
    return ifExists(() => realpathSync(wanted)) ?? wanted;
  } catch (error) {
    // Whoever may not look into the folder cannot use its socket either; a start says so better than this can.
    if (errorCode(error) === 'EACCES') return wanted;
    throw error;
  }
}

/** A long DATA_DIR leaves no room for the socket's name, so its socket lives under a short name elsewhere. */
function socketPlace(dataDir: string, run: string, user: ServerUser | undefined): string {
  if (fits(run)) return run;
  const uid = user?.uid ?? process.getuid?.() ?? 0;
  const name = `muster-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const temporary = realpathSync(tmpdir());
  return join(fits(join(temporary, name)) ? temporary : '/tmp', name);
}

function socketFolder(dataDir: string, run: string, user: ServerUser | undefined): string {
  const folder = socketPlace(dataDir, run, user);
  if (folder !== run) makePrivate(folder, user);
  return folder;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_LENGTH;
}

/**
 * A folder that its owner alone can enter. Whoever can write into it can pose as the database, and in a shared
 * temporary folder anybody may have made it before us, so one that is there already is taken only if it is
 * a real folder of the right user.
 */
function makePrivate(folder: string, user: ServerUser | undefined): void {
  const uid = user?.uid ?? process.getuid?.();
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (user) chownSync(folder, user.uid, user.gid);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  // Root may have been killed between making the folder and giving it away.
  if (user && found.isDirectory() && found.uid === 0) chownSync(folder, user.uid, user.gid);
  else if (!found.isDirectory() || found.uid !== uid) {
    throw new StartupError(
      `${folder} is meant to hold the database's socket, but it is not a folder of the user ` +
        `"${user?.name ?? currentUser()}": remove it, or set DATA_DIR to another (short) folder.`,
    );
  }
  if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}
