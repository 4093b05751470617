import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { escapeIdentifier, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { removeDrafts, syncFolder } from '../../core/temporary-files';
import { StartupError } from '../../core/errors/startup-error';
import { CITUS_TABLES } from '../distribute/distribute-tables';
import { withOwnerConnection } from '../../database/connection/admin-connection';
import { projectDir, type Connection } from '../../database/connection/connection';
import { MIGRATION_LOCK, requireMigrated } from '../../database/migrate';
import { assertSequenceAccess } from '../../database/roles/schema-owner';
import { isDistributed } from '../../database/restore-epoch';
import {
  explainFailure,
  FORMAT,
  SECTION_END,
  type Backup,
  type BackupHeader,
  type BackupTrailer,
} from './backup-file';

/** Nearly the compression of the default level, in a third of the time. */
const COMPRESSION_LEVEL = 3;

/**
 * All tables except TypeORM's, whose content is in the header, and sessions, which a restore would revive. Referenced
 * tables precede the tables that refer to them.
 */
const TABLES = [
  ...CITUS_TABLES.reference,
  ...CITUS_TABLES.distributed.filter((table) => table !== 'sessions'),
  'feed_restorations',
];

/**
 * Writes the rows of all tables, from one snapshot, to a file that only its owner may read. The file gets its name when
 * it is complete and flushed, and then replaces an existing file. Only migrations wait for a backup.
 * @throws StartupError if the database cannot be read or the file cannot be written
 */
export async function createBackup(connection: Connection, file: string): Promise<Backup> {
  const partial = `${file}.${String(process.pid)}.partial`;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new StartupError(`${file} is not a regular file.`);
    removeDrafts(file, '.partial');
    const backup = await withOwnerConnection(connection, (dataSource) =>
      writeBackup(connection, dataSource, partial),
    );
    await rename(partial, file);
    syncFolder(dirname(file));
    return backup;
  } catch (error) {
    await rm(partial, { force: true });
    throw explainFailure(error, 'No backup was made');
  }
}

async function writeBackup(connection: Connection, dataSource: DataSource, file: string): Promise<Backup> {
  // Without the sequences, a restored database would reuse ids.
  await assertSequenceAccess(dataSource, 'No backup was made.');
  const runner = dataSource.createQueryRunner();
  try {
    if (await isDistributed(runner))
      throw new StartupError(
        'The tables are distributed by Citus, and no snapshot spans its servers. Use the backup of Citus or of its provider.',
      );
    const client = (await runner.connect()) as ClientBase;
    const header = await beginSnapshot(connection, client);
    const trailer: BackupTrailer = { rows: {}, sequences: {} };
    await pipeline(
      contentOf(client, header, trailer),
      createGzip({ level: COMPRESSION_LEVEL }),
      createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    );
    return { header, trailer };
  } finally {
    // The data source closes the connection, and with it the transaction, even during a COPY.
    await runner.release();
  }
}

/** Begins the transaction. The tables are locked before the snapshot, so that no migration runs in between. */
async function beginSnapshot(connection: Connection, client: ClientBase): Promise<BackupHeader> {
  await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  await requireMigrated(connection);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // The output of COPY must not depend on settings.
  await client.query(`SET LOCAL DateStyle = 'ISO'; SET LOCAL idle_in_transaction_session_timeout = 0`);
  await client.query(`LOCK TABLE ${TABLES.map(escapeIdentifier).join(', ')} IN ACCESS SHARE MODE`);
  const {
    rows: [snapshot],
  } = await client.query<Pick<BackupHeader, 'created_at' | 'migrations'>>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at,
      ARRAY(SELECT name::text FROM migrations ORDER BY id) AS migrations`,
  );
  if (!snapshot) throw new Error('the query for the snapshot returned no row');
  await client.query('SELECT pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  return { format: FORMAT, muster: programVersion(), ...snapshot, tables: TABLES };
}

/** The sections of the backup. Completes the trailer. */
async function* contentOf(
  client: ClientBase,
  header: BackupHeader,
  trailer: BackupTrailer,
): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(header, null, 2)}\n${SECTION_END}`;
  for (const table of header.tables) {
    const rows = client.query(copyTo(`COPY ${escapeIdentifier(table)} TO STDOUT`));
    yield* rows as AsyncIterable<Buffer>;
    trailer.rows[table] = rows.rowCount;
    yield SECTION_END;
  }
  // Sequences are not transactional. Read after the rows, they are beyond all ids in the rows.
  const sequences = await client.query<{ name: string; last: string }>(
    `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL AND sequencename <> 'migrations_id_seq'`,
  );
  for (const { name, last } of sequences.rows) trailer.sequences[name] = last;
  yield `${JSON.stringify(trailer, null, 2)}\n${SECTION_END}`;
}

const programVersion = (): string =>
  (JSON.parse(readFileSync(join(projectDir(), 'package.json'), 'utf8')) as { version: string }).version;
