import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import type { DataFolders } from './data-folders';
import type { ServerUser } from './server-user';
import {
  diskFullError,
  EmbeddedPostgresError,
  ifExists,
  isDiskFullMessage,
  lastLines,
} from './startup-failures';
import type { Watchdog } from './watchdog';

/** The superuser of the embedded cluster. */
export const SUPERUSER = 'postgres';

/** Creates the cluster on the first start. On later starts, checks that this PostgreSQL can read it. */
export async function ensureDataDirectory(
  folders: DataFolders,
  binaries: Binaries,
  watchdog: Watchdog,
  options: { user: ServerUser | undefined; durable: boolean },
): Promise<void> {
  removeUnfinished(folders.dataDir);
  if (hasCluster(folders, binaries)) return;

  // The final name is assigned last, so that a start that is killed leaves no incomplete cluster.
  const unfinished = `${folders.cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  mkdirSync(unfinished, { mode: 0o700 });
  if (options.user) chownSync(unfinished, options.user.uid, options.user.gid);
  try {
    await initdb(unfinished, folders, binaries, watchdog, options.durable);
    renameSync(unfinished, folders.cluster);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
  if (options.durable) syncFolder(folders.dataDir);
}

function hasCluster({ cluster }: DataFolders, { major }: Binaries): boolean {
  const version = ifExists(() => readFileSync(join(cluster, 'PG_VERSION'), 'utf8'))?.trim();
  if (version === undefined) {
    const contents = ifExists(() => readdirSync(cluster)) ?? [];
    if (contents.length === 0) return false;
    throw new EmbeddedPostgresError(
      `The folder ${cluster} is not empty and is not a PostgreSQL cluster: move it away, or set DATA_DIR to ` +
        'another folder.',
    );
  }
  if (version === major) return true;
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was created by PostgreSQL ${version}. This version includes PostgreSQL ${major}, which ` +
      `cannot read it: start the version that created it, or set DATA_DIR to another folder.`,
  );
}

async function initdb(
  target: string,
  folders: DataFolders,
  binaries: Binaries,
  watchdog: Watchdog,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${target}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    // With checksums, hint bits are written to the WAL, too, which is most of a test's.
    ...(durable ? [] : ['--no-sync', '--no-data-checksums']),
  ];
  const child = watchdog.launch('initdb', binaries.initdb, args, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-10_000)));
  }
  const ending = await new Promise<string>((settle, reject) => {
    child.once('error', reject);
    // `exit` can precede the last output; `close` cannot.
    child.once('close', (code, signal) => settle(signal ?? String(code)));
  });
  if (ending === '0') return;
  if (isDiskFullMessage(output)) throw diskFullError(folders.dataDir);
  throw new EmbeddedPostgresError(
    `The database could not be created in ${folders.dataDir}; initdb exited with ${ending}: ${lastLines(output)}`,
  );
}

/** Removes what interrupted first starts left. This process owns the data folder, so nothing else uses them. */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!/^postgres\.new-/.test(name)) continue;
    // Retries, because its initdb can still be exiting and write another file.
    rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Flushes a folder to disk, so that a rename in it survives a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
