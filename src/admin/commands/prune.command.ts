import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { DataSource } from 'typeorm';
import { refuseDistributed } from '../../database/citus/is-distributed';
import { Database } from '../../database/database';
import { isLockTimeout, postgresError } from '../../database/errors/postgres-error';
import {
  deleteUnusedValues,
  FIRST_HASH,
  hashesAfter,
  type HashedValue,
} from '../../database/variable-values';
import { withDatabase } from '../command-database';
import { withServices } from '../command-services';
import { kinds } from '../integrity-check/check';
import {
  type CommandAction,
  EXIT,
  type ExitCode,
  print,
  printJson,
  printStatus,
  type Terminal,
} from '../terminal';

const HELP = `
Filters that compare (such as kernel < "6.12") look for values in a table that has each value of each variable once, and keeps
it when no resource has it any more. A variable whose values change daily makes this table grow, and its filters slower. The
service can run and write: each chunk waits until no change is being written and the table is not being vacuumed. Changes wait for it, a
fraction of a second.
An interrupted command can be repeated.`;

/** `muster-admin prune` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: PruneOptions) => perform((terminal) => prune(terminal, options)));
}

interface PruneOptions {
  readonly json?: true;
}

/** How many values are looked at, and at most deleted, in one transaction. */
const CHUNK_SIZE = 2_000;
/** The pause (ms) in which changes proceed that have waited behind a lock. */
const PAUSE_MS = 1_000;

const kindsWithVariables = kinds.filter(({ carriesVariables }) => carriesVariables).map(({ kind }) => kind);

/** `muster-admin prune` */
async function prune(terminal: Terminal, { json }: PruneOptions): Promise<ExitCode> {
  const removed = await withDatabase(terminal, (session) =>
    withServices(session, async (services) => {
      await refuseDistributed(services.get(DataSource), ', where values cannot be removed.');
      return removeUnusedValues(services.get(Database), () => {
        printStatus(terminal, 'Waiting for a change, or for a vacuum of the table, to end.');
      });
    }),
  );
  if (json) printJson(terminal, { removed_values: removed });
  else
    print(terminal, `Removed ${String(removed)} ${removed === 1 ? 'value' : 'values'} that no resource has.`);
  return EXIT.done;
}

/** @param onWait called once, if another transaction makes this wait */
async function removeUnusedValues(database: Database, onWait: () => void): Promise<number> {
  let removed = 0;
  let hasWaited = false;
  let last: HashedValue | undefined = FIRST_HASH;
  while (last) {
    const page: (HashedValue & { readonly is_unused: boolean })[] = await database.rows(
      hashesAfter(kindsWithVariables, last, CHUNK_SIZE),
    );
    last = page.at(-1);
    const unused = page.filter(({ is_unused }) => is_unused);
    if (unused.length === 0) continue;
    let deleted = await tryToDelete(database, unused);
    while (deleted === undefined) {
      if (!hasWaited) onWait();
      hasWaited = true;
      await delay(PAUSE_MS);
      deleted = await tryToDelete(database, unused);
    }
    removed += deleted;
  }
  return removed;
}

/** Deletes the values that are still unused. @returns undefined if another transaction holds a lock for too long */
async function tryToDelete(database: Database, values: readonly HashedValue[]): Promise<number | undefined> {
  try {
    return await database.transaction(async (tx) => {
      const [timeout, lock, deletion] = deleteUnusedValues(kindsWithVariables, values);
      await tx.execute(timeout);
      await tx.execute(lock);
      return tx.execute(deletion);
    });
  } catch (error) {
    const cause = postgresError(error);
    if (cause && isLockTimeout(cause)) return undefined;
    throw error;
  }
}
