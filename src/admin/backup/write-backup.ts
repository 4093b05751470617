import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { QueryRunner } from 'typeorm';
import { isObject } from '../../core/context/variable-key';
import { postgresError } from '../../database/errors/postgres-error';
import { StartupError } from '../../core/errors/startup-error';
import { asOwner } from '../../database/connection/admin-connection';
import { projectDir, type Connection } from '../../database/connection/connection';
import { requireSequences } from '../../database/roles/schema-owner';
import { FORMAT, type Manifest } from './archive/archive-format';
import { ArchiveWriter } from './archive/archive-writer';
import {
  MIGRATIONS,
  migrationsRun,
  quoted,
  refuseDistributed,
  rowsOf,
  sequencePositions,
  settleSession,
  storedTables,
  type StoredTable,
} from './stored-tables';
import { explainDatabase } from './explain-database-error';
import type { Target } from './files/backup-target';

/** A backup that was made. */
export interface MadeBackup {
  readonly manifest: Manifest;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Of the archive. */
  readonly bytes: number;
}

/** A schema that changes under one's hands does so seldom; so often one begins anew. */
const MOST_TRIES = 5;

/**
 * Writes all tables, as they stood together at one moment. Nobody waits for it but who wants to alter the schema.
 * @param interrupted gives up; nothing is left
 * @throws StartupError if the database cannot be read or the target cannot be written
 */
export function backUp(
  connection: Connection,
  target: Target,
  interrupted: AbortSignal,
): Promise<MadeBackup> {
  return asOwner(connection, async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    const writer = new ArchiveWriter(target.sink, interrupted);
    const work = async () => {
      const made = await write(runner, await snapshot(runner), writer);
      await target.complete();
      await runner.commitTransaction();
      return made;
    };
    try {
      return await Promise.race([work(), interruptionOf(interrupted)]);
    } catch (error) {
      await writer.abandon();
      await target.abandon();
      throw explainDatabase(target.explain(error), 'There is no backup.');
    } finally {
      // The connection ends with this, whatever it waits for.
      await runner.release();
    }
  });
}

/** Fails when somebody wants an end of it: who waits for a lock would not hear of it. */
const interruptionOf = (interrupted: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const refuse = () => {
      reject(new StartupError('The backup was interrupted: there is none.'));
    };
    if (interrupted.aborted) refuse();
    else interrupted.addEventListener('abort', refuse, { once: true });
  });

/**
 * Begins the transaction, with a state of the database whose tables nobody alters meanwhile. Whoever makes a table anew
 * between the choice of a state and the lock would have it empty in that state: so the locks come first.
 */
async function snapshot(runner: QueryRunner): Promise<StoredTable[]> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    const wanted = await storedTables(runner);
    if (!wanted.some(({ name }) => name === MIGRATIONS))
      throw new StartupError('The database has no schema of Muster: there is nothing to back up.');
    await runner.startTransaction('REPEATABLE READ');
    try {
      await runner.query('SET TRANSACTION READ ONLY');
      await settleSession(runner);
      const names = wanted.map(({ name }) => quoted(name)).join(', ');
      await runner.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
      const found = await storedTables(runner);
      if (JSON.stringify(found) === JSON.stringify(wanted)) return found;
    } catch (error) {
      // One of them is gone by now.
      if (postgresError(error)?.code !== '42P01') throw error;
    }
    await runner.rollbackTransaction();
  }
  throw new StartupError(
    'The schema changes again and again: make the backup when nobody migrates or restores.',
  );
}

async function write(
  runner: QueryRunner,
  all: readonly StoredTable[],
  writer: ArchiveWriter,
): Promise<MadeBackup> {
  await refuseDistributed(runner);
  // Before anything is written: restored without them, ids would be given again.
  await requireSequences(runner, 'There is no backup.');
  const tables = all.filter(({ name }) => name !== MIGRATIONS);
  const manifest = await manifestOf(runner, tables);
  await writer.begin(manifest);
  const client = (await runner.connect()) as ClientBase;
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table.name] = await writeTable(client, table, writer);
  // After the rows: whatever id they have was drawn before.
  await writer.end({ rows, sequences: await sequencePositions(runner) });
  return { manifest, rows, bytes: writer.length };
}

async function manifestOf(runner: QueryRunner, tables: readonly StoredTable[]): Promise<Manifest> {
  const [server] = await rowsOf<{ version: string; now: string }>(
    runner,
    `SELECT current_setting('server_version') AS version,
      to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`,
  );
  if (!server) throw new Error('a query for one row found none');
  return {
    format: FORMAT,
    muster: programVersion(),
    created_at: server.now,
    postgresql: server.version,
    migrations: await migrationsRun(runner),
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  };
}

/** @returns how many rows it has */
async function writeTable(client: ClientBase, { name, columns }: StoredTable, writer: ArchiveWriter) {
  const rows = client.query(copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`));
  // Whoever iterates hears of errors; of a connection that is cut after that, nobody has to.
  rows.on('error', () => undefined);
  await writer.table(name, rows as AsyncIterable<Buffer>);
  return rows.rowCount;
}

function programVersion(): string {
  const description: unknown = JSON.parse(readFileSync(join(projectDir(), 'package.json'), 'utf8'));
  if (isObject(description) && typeof description.version === 'string') return description.version;
  throw new Error('package.json has no version');
}
