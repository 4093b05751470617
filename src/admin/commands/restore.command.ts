import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { escapeIdentifier, type ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { QueryRunner } from 'typeorm';
import { type BackupOptions, printBackup } from './backup.command';
import { type CommandAction, EXIT, type ExitCode, type Terminal } from '../terminal';
import { withDatabase } from '../command-database';
import { migrations } from '../../migrations/index';
import { StartupError } from '../../core/errors';
import { withOwnerConnection, assertSequenceAccess } from '../../database/connection/owner-connection';
import type { Connection } from '../../database/connection/connection';
import { migrate, requireMigrated, schemaStatus, UNRELEASED } from '../../database/migrate';
import { refuseDistributed } from '../../database/citus/is-distributed';
import { insertValues, scalarsIn } from '../../database/variable-values';
import { documents } from '../integrity-check/check';
import { explainFailure, readBackup, type Backup, type BackupHeader } from '../backup-file';

const HELP = `
The backup must have the same schema version, and the database must be empty. A database without a schema is migrated.
The whole file is checked first. The restore is one transaction: if it fails, the database stays empty.`;

/** `muster-admin restore` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) =>
      perform((terminal) => restoreBackup(terminal, file, options)),
    );
}

/** `muster-admin restore` */
async function restoreBackup(terminal: Terminal, file: string, options: BackupOptions): Promise<ExitCode> {
  const header = await verifyBackup(file);
  const restored = await withDatabase(terminal, ({ connection }) => restore(connection, file, header), true);
  printBackup(terminal, 'restored', restored, options);
  return EXIT.done;
}

/** Higher than in any deployment. A restore skips this many change ids for each second since the backup. */
const MAX_CHANGES_PER_SECOND = 1_000;

/**
 * Reads a backup to its end, to check it before a database is opened or created.
 * @throws StartupError if the file is not a complete backup, or has another schema version than the program
 */
async function verifyBackup(file: string): Promise<BackupHeader> {
  try {
    if (!statSync(file).isFile()) throw new StartupError(`${file} is not a regular file.`);
    const { header } = await readBackup(file, (_, rows) => finished(Readable.from(rows).resume()));
    requireSameSchema(header);
    return header;
  } catch (error) {
    const failure = explainFailure(error, 'The backup cannot be read');
    if (failure instanceof StartupError) throw failure;
    throw new StartupError(
      `${file} is not a complete backup: it is truncated or corrupted, or has another format. Nothing was restored.`,
      { cause: error },
    );
  }
}

/** Whether a backup has the last schema from before the first release. */
const isUnreleased = ({ migrations: applied }: BackupHeader): boolean => applied.at(-1) === UNRELEASED.last;

function requireSameSchema(header: BackupHeader): void {
  const known = migrations.map(({ name }) => name);
  // All unreleased migrations made the schema of the first one, with the same order of columns, apart from `FORMER_COLUMNS`.
  const applied = isUnreleased(header) ? known.slice(0, 1) : header.migrations;
  const unknown = applied.filter((name) => !known.includes(name));
  const missing = known.filter((name) => !applied.includes(name));
  if (unknown.includes(UNRELEASED.first))
    throw new StartupError(
      `The backup was made before the first release, and its schema lacks ${UNRELEASED.last}. Migrate its database with the last version before the release, and back it up again.`,
    );
  if (unknown.length > 0)
    throw new StartupError(
      `The backup was made by a newer Muster (${header.muster}): its schema has ${unknown.join(', ')}. Restore it with that version.`,
    );
  if (missing.length > 0 && applied !== header.migrations)
    throw new StartupError(
      'The backup was made before the first release. Restore it with the first release into an empty database, then run "muster-admin migrate" of this version.',
    );
  if (missing.length > 0)
    throw new StartupError(
      `The backup was made by an older Muster (${header.muster}): its schema lacks ${missing.join(', ')}. Restore it with that version into an empty database, then run "muster-admin migrate" of this version.`,
    );
}

/**
 * Restores a backup into an empty database, in one transaction. A database without a schema gets it.
 * @param header of the file, which was verified
 * @throws StartupError if the database is not empty or has another schema version, or if it fails
 */
async function restore(connection: Connection, file: string, header: BackupHeader): Promise<Backup> {
  if ((await schemaStatus(connection)).applied.length === 0) await migrate(connection);
  await requireMigrated(connection);
  return withOwnerConnection(connection, async (dataSource) => {
    await assertSequenceAccess(dataSource, 'Nothing was restored.');
    const runner = dataSource.createQueryRunner();
    let outcome = 'Nothing was restored';
    try {
      await runner.startTransaction();
      await requireEmpty(runner, header);
      const backup = await copyRows(runner, file, header);
      await addValues(runner, header);
      await setSequences(runner, backup);
      await runner.query('ANALYZE');
      outcome = 'COMMIT failed, and either everything was restored or nothing';
      await runner.commitTransaction();
      return backup;
    } catch (error) {
      throw explainFailure(error, outcome);
    } finally {
      // The data source closes the connection, which rolls back a transaction that was not committed.
      await runner.release();
    }
  });
}

/** The lock keeps others from creating a project, and without a project nothing else can be created. */
async function requireEmpty(runner: QueryRunner, { tables }: BackupHeader): Promise<void> {
  await refuseDistributed(runner, ': restore into a database without it.');
  await runner.query('LOCK TABLE projects IN SHARE ROW EXCLUSIVE MODE');
  for (const name of tables) {
    const rows = (await runner.query(`SELECT FROM ${escapeIdentifier(name)} LIMIT 1`)) as unknown[];
    if (rows.length > 0)
      throw new StartupError(
        `The database is not empty: ${name} has rows. Restore into an empty database. Nothing was restored.`,
      );
  }
}

/** The columns that a table had before the first release, if it has got others. */
const FORMER_COLUMNS: Readonly<Record<string, string>> = {
  api_keys: 'project_id, id, user_id, key_id, secret_hash, created_at, expires_at, revoked_at',
  audits:
    'project_id, id, uuid, created_at, updated_at, version, name, description, kind, vars, expectation, keys',
  changes:
    'project_id, id, created_at, actor_id, actor_username, request_id, reason, impact_devices, impact_public, impact_hiding, transaction_id',
  project_settings:
    'project_id, change_reason, private, created_at, updated_at, version, unique_addresses, restricts_readers',
};

async function copyRows(runner: QueryRunner, file: string, header: BackupHeader): Promise<Backup> {
  const former = isUnreleased(header) ? FORMER_COLUMNS : {};
  const client = (await runner.connect()) as ClientBase;
  const restored: Record<string, number> = {};
  const backup = await readBackup(file, async (table, rows) => {
    const columns = former[table];
    const target =
      columns === undefined ? escapeIdentifier(table) : `${escapeIdentifier(table)} (${columns})`;
    const copy = client.query(copyFrom(`COPY ${target} FROM STDIN`));
    await pipeline(rows, copy);
    restored[table] = copy.rowCount;
  });
  if (JSON.stringify(restored) !== JSON.stringify(backup.trailer.rows))
    throw new Error('the numbers of restored rows differ from the backup');
  return backup;
}

/** A backup from before the first release has no values: they are those of all documents. */
async function addValues(runner: QueryRunner, { tables }: BackupHeader): Promise<void> {
  if (tables.includes('variable_values')) return;
  const { text, values } = insertValues(scalarsIn(documents));
  await runner.query(text, values);
}

/**
 * Sets the sequences, except those of other programs. Ids of changes after the backup are not reused, because readers
 * of the feed can have seen these changes. For the feed, the restored records come from another cluster. See ADR 14.
 */
async function setSequences(runner: QueryRunner, { header, trailer }: Backup): Promise<void> {
  for (const [name, last] of Object.entries(trailer.sequences))
    await runner.query('SELECT setval(seqrelid, $2) FROM pg_sequence WHERE seqrelid = to_regclass($1)', [
      escapeIdentifier(name),
      last,
    ]);
  await runner.query(
    `INSERT INTO feed_restorations (last_change_id) SELECT setval('changes_id_seq', nextval('changes_id_seq')
      + GREATEST(0, ceil(extract(epoch FROM clock_timestamp() - $1::timestamptz) * $2))::bigint)`,
    [header.created_at, MAX_CHANGES_PER_SECOND],
  );
}
