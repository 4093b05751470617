import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PipelineOptions, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Command } from 'commander';
import { escapeIdentifier, type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import {
  type CommandAction,
  EXIT,
  type ExitCode,
  type Terminal,
  print,
  printJson,
  printStatus,
} from '../terminal';
import {
  type Backup,
  explainFailure,
  FORMAT,
  SECTION_END,
  type BackupHeader,
  type BackupTrailer,
} from '../backup-file';
import { keyFileIn } from '../../access-secrets/key-source';
import { withDatabase } from '../command-database';
import { removeDrafts, syncFolder } from '../../core/temporary-files';
import { StartupError } from '../../core/errors';
import { withOwnerConnection, assertSequenceAccess } from '../../database/connection/owner-connection';
import { projectDir, type Connection } from '../../database/connection/connection';
import { MIGRATION_LOCK, requireMigrated } from '../../database/migrate';
import { refuseDistributed } from '../../database/citus/is-distributed';
import { PROJECT_TABLES } from '../../database/tables';

const HELP = `
All rows are read in one snapshot, while the service runs. The file gets its name when it is complete, and replaces an
existing file. With "-", the backup is written to standard output, and messages to standard error. It contains the hashes of API keys and the encrypted access secrets, but not their key: protect it like
the database. With DATABASE_URL, the login of the tables' owner is required in DATABASE_OWNER_URL.`;

/** `muster-admin backup` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) => perform((terminal) => backup(terminal, file, options)));
}

/** The name of the file that stands for standard output. */
const STANDARD_OUTPUT = '-';

export interface BackupOptions {
  readonly json?: true;
}

/** `muster-admin backup` */
function backup(terminal: Terminal, file: string, options: BackupOptions): Promise<ExitCode> {
  const toOutput = file === STANDARD_OUTPUT;
  if (toOutput && terminal.output.isTTY === true)
    throw new StartupError('Standard output is a terminal: redirect it to a file. No backup was made.');
  return withDatabase(terminal, async ({ environment, connection, dataDir }) => {
    const made = toOutput
      ? await streamBackup(connection, terminal.output)
      : await createBackup(connection, file);
    printBackup(toOutput ? { ...terminal, output: terminal.errors } : terminal, 'backed up', made, options);
    const key = environment.SECRETS_KEY === undefined ? keyFileIn(dataDir) : 'SECRETS_KEY';
    if (!options.json && (made.trailer.rows['access_secrets'] ?? 0) > 0)
      printStatus(
        terminal,
        `The backup contains encrypted access secrets: keep a copy of ${key} in another place.`,
      );
    return EXIT.done;
  });
}

/** Prints the result of a backup or a restore. */
export function printBackup(
  terminal: Terminal,
  done: 'backed up' | 'restored',
  { header: { created_at }, trailer: { rows: tables } }: Backup,
  { json }: BackupOptions,
): void {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  if (json) printJson(terminal, { created_at, rows, tables });
  else
    print(
      terminal,
      `${done}: ${String(rows)} rows of ${String(Object.keys(tables).length)} tables as of ${created_at}`,
    );
}

/** Nearly the compression of the default level, in a third of the time. */
const COMPRESSION_LEVEL = 3;

/**
 * All tables except TypeORM's, whose content is in the header, and sessions, which a restore would revive. Referenced
 * tables precede the tables that refer to them.
 */
const TABLES = ['projects', ...PROJECT_TABLES.filter((table) => table !== 'sessions'), 'feed_restorations'];

/**
 * Writes the rows of all tables, from one snapshot, to a file that only its owner may read. The file gets its name when
 * it is complete and flushed, and then replaces an existing file. Only migrations wait for a backup.
 * @throws StartupError if the database cannot be read or the file cannot be written
 */
async function createBackup(connection: Connection, file: string): Promise<Backup> {
  const partial = `${file}.${String(process.pid)}.partial`;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new StartupError(`${file} is not a regular file.`);
    removeDrafts(file, '.partial');
    const backup = await withOwnerConnection(connection, (dataSource) =>
      writeBackup(connection, dataSource, () =>
        createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      ),
    );
    await rename(partial, file);
    syncFolder(dirname(file));
    return backup;
  } catch (error) {
    await rm(partial, { force: true });
    throw explainFailure(error, 'No backup was made');
  }
}

/**
 * The same to a stream, which stays open. What reads it cannot see from the stream whether the backup is complete: the exit
 * code says so, and a restore checks it.
 */
async function streamBackup(connection: Connection, output: Writable): Promise<Backup> {
  try {
    return await withOwnerConnection(connection, (dataSource) =>
      writeBackup(connection, dataSource, () => output, { end: false }),
    );
  } catch (error) {
    throw explainFailure(error, 'The backup is incomplete');
  }
}

/** @param open opens what the backup is written to, once the snapshot exists */
async function writeBackup(
  connection: Connection,
  dataSource: DataSource,
  open: () => Writable,
  options: PipelineOptions = {},
): Promise<Backup> {
  // Without the sequences, a restored database would reuse ids.
  await assertSequenceAccess(dataSource, 'No backup was made.');
  const runner = dataSource.createQueryRunner();
  try {
    await refuseDistributed(
      runner,
      ', and no snapshot spans its servers. Use the backup of Citus or of its provider.',
    );
    const client = (await runner.connect()) as ClientBase;
    const header = await beginSnapshot(connection, client);
    const trailer: BackupTrailer = { rows: {}, sequences: {} };
    await pipeline(
      contentOf(client, header, trailer),
      createGzip({ level: COMPRESSION_LEVEL }),
      open(),
      options,
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

/** The content of the backup. Completes the trailer. */
async function* contentOf(
  client: ClientBase,
  header: BackupHeader,
  trailer: BackupTrailer,
): AsyncGenerator<string | Buffer> {
  const hash = createHash('sha256');
  for await (const part of sectionsOf(client, header, trailer)) {
    hash.update(part);
    yield part;
  }
  // Sequences are not transactional. Read after the rows, they are beyond all ids in the rows.
  const sequences = await client.query<{ name: string; last: string }>(
    `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL AND sequencename <> 'migrations_id_seq'`,
  );
  for (const { name, last } of sequences.rows) trailer.sequences[name] = last;
  yield `${JSON.stringify({ ...trailer, sha256: hash.digest('hex') }, null, 2)}\n${SECTION_END}`;
}

/** The header and the rows. Counts the rows. */
async function* sectionsOf(
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
}

const programVersion = (): string =>
  (JSON.parse(readFileSync(join(projectDir(), 'package.json'), 'utf8')) as { version: string }).version;
