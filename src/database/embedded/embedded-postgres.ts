import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../core/errors/startup-error';
import { prepareBinaries } from './binaries';
import { ensureDataDirectory, SUPERUSER } from './cluster';
import { prepareFolders, type DataFolders } from './data-folders';
import {
  claimOwnership,
  currentOwner,
  isHeld,
  type Ownership,
  type OwnershipRecord,
  type Role,
} from './ownership';
import {
  awaitEarlierServerGone,
  isServing,
  refuseForeignServer,
  startServer,
  type ServerPlan,
} from './server';
import { serverUser, type ServerUser } from './server-user';
import { serverSettings } from './settings';
import { explainFolderFailure } from './startup-failures';
import { Supervisor } from './supervisor';
import { Watchdog } from './watchdog';

/** A PostgreSQL that runs beside this process, on a socket that its user alone can reach. */
export interface EmbeddedPostgres {
  /** The socket's folder, for pg's `host`. */
  readonly host: string;
  /** For pg's `port`, which would otherwise follow PGPORT. */
  readonly port: number;
  /** The superuser of the embedded cluster. */
  readonly user: string;
  /**
   * Says that `stop` will follow, so that a next Muster waits for it instead of giving up: for the beginning of
   * a shutdown that first lets requests finish.
   */
  announceStop(): void;
  /** Shuts the server down and waits until it has ended; leaves one that belongs to a service alone. */
  stop(): Promise<void>;
}

/** How to start the embedded PostgreSQL. */
export interface EmbeddedOptions {
  /** DATA_DIR: the cluster lives in `postgres` in it. */
  readonly dataDir: string;
  /** A service owns its server alone; a command uses a live service's, or starts one for as long as it runs. */
  readonly role: Role;
  /** Whether what was committed outlasts a power failure; tests do without. Default: true. */
  readonly durable?: boolean;
  /** Further settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with a message when the server ends unexpectedly; it is restarted in any case. */
  readonly onExit?: (sentence: string) => void;
}

const PORT = 5432;
/** How long a command waits for the server of a service that is just starting; its first start makes the cluster. */
const ADOPTION_PATIENCE = 60_000;

/**
 * Starts the PostgreSQL that npm installed with Muster, or adopts a live one.
 * @throws StartupError for everything expected that stops a start
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new StartupError(
      'The embedded PostgreSQL does not run on Windows: set DATABASE_URL to a PostgreSQL.',
    );
  }
  try {
    const user = serverUser(options.dataDir);
    const folders = prepareFolders(options.dataDir, user);
    await refuseForeignServer(folders);
    for (;;) {
      const claim = await claimOwnership(folders.run, folders.dataDir, options.role);
      if ('ownership' in claim) return await startOwn(options, folders, user, claim.ownership);
      if (await becomesReady(folders, claim.owner)) return connectionTo(folders);
    }
  } catch (error) {
    throw explainFolderFailure(error, options.dataDir);
  }
}

async function startOwn(
  options: EmbeddedOptions,
  folders: DataFolders,
  user: ServerUser | undefined,
  ownership: Ownership,
): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  let watchdog: Watchdog | undefined;
  try {
    const binaries = prepareBinaries(folders, user);
    watchdog = new Watchdog(user);
    await awaitEarlierServerGone(folders);
    await ensureDataDirectory(folders, binaries, watchdog, { user, durable });
    const settings = { ...serverSettings(folders, durable), ...options.settings };
    const plan: ServerPlan = { folders, binaries, watchdog, settings };
    const supervisor = new Supervisor(plan, await startServer(plan), options.onExit ?? (() => undefined));
    const onDuty = watchdog;
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      ownership.announceStop();
      await supervisor.stop();
      await onDuty.dismiss();
      ownership.release();
    };
    return connectionTo(folders, ownership, () => (stopping ??= stop()));
  } catch (error) {
    await watchdog?.dismiss();
    ownership.release();
    throw error;
  }
}

/** Waits for a service's server; `false` if the service ends before it has one. */
async function becomesReady(folders: DataFolders, owner: OwnershipRecord): Promise<boolean> {
  const until = Date.now() + ADOPTION_PATIENCE;
  while (Date.now() < until) {
    const present = currentOwner(folders.run);
    if (present?.pid !== owner.pid || present.state !== 'running' || !isHeld(present)) return false;
    if (await isServing(folders)) return true;
    await delay(20);
  }
  throw new StartupError(
    `The Muster that is using the data folder ${folders.dataDir} (process ${owner.pid}) has no database that ` +
      `answers: look into ${folders.log}, and start that Muster again.`,
  );
}

function connectionTo(
  folders: DataFolders,
  ownership?: Ownership,
  stop: () => Promise<void> = () => Promise.resolve(),
): EmbeddedPostgres {
  const announceStop = () => ownership?.announceStop();
  return { host: folders.socket, port: PORT, user: SUPERUSER, announceStop, stop };
}
