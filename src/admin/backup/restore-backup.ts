import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { isLockTimeout, isRetryable, postgresError } from '../../database/errors/postgres-error';
import { StartupError } from '../../core/errors/startup-error';
import { asOwner } from '../../database/connection/admin-connection';
import type { Connection } from '../../database/connection/connection';
import { MIGRATION_LOCK } from '../../database/migrate';
import { noteAsRestored } from '../../database/restore-epoch';
import type { Manifest } from './archive/archive-format';
import type { Archive, Contents } from './archive/archive-reader';
import {
  MIGRATIONS,
  quoted,
  refuseDistributed,
  rowsOf,
  sequencePositions,
  settleSession,
  STORED,
  storedTables,
  type StoredTable,
} from './stored-tables';
import { setAside } from './suspend-constraints';
import { explainDatabase } from './explain-database-error';
import { giveAgain, rightsOfOthers } from './table-privileges';
import { fillTables } from './fill-tables';

/** What a backup is restored into. */
export interface RestoreOptions {
  readonly connection: Connection;
  /** Whether what is there may be replaced. */
  readonly replace: boolean;
  /** Told, in a sentence, what a person should know. */
  readonly note: (sentence: string) => void;
}

/** A backup that was restored. */
export interface Restored {
  readonly rows: number;
  readonly tables: number;
  /** What brought the backup's schema up to the program's. */
  readonly migrated: readonly string[];
  /**
   * How many access secrets there are, by the fingerprints of the keys that sealed them. Answers that are kept for a day
   * are sealed with them, too, and are not counted.
   */
  readonly sealed: ReadonlyMap<string, number>;
}

/** What is there before, and goes on in what comes after. */
interface Before {
  readonly tables: readonly StoredTable[];
  readonly sequences: Readonly<Record<string, string>>;
}

/** In milliseconds: who waits for a lock keeps all who come later from it, and so gives up soon, for a while. */
const LOCK_MS = 4_000;
const PAUSE_MS = 1_000;
/** Together a minute and a half. */
const MOST_TRIES = 18;

/** Changes that are made in a second at most, by far: so many ids are left out for each second since the backup. */
const CHANGES_PER_SECOND = 1_000;

/** @throws StartupError if the program does not know all that the backup's schema was made by */
export function refuseNewer({ muster, migrations }: Manifest, known: readonly string[]): void {
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new StartupError(
      `The backup was made by a newer Muster (${muster}): its schema has ${unknown.join(', ')}. Restore it with that one.`,
    );
}

/**
 * Puts the state of a backup in place of what is there, in one transaction: whoever looks sees the one or the other, and
 * so does whoever looks after an interruption. The archive must have been checked.
 * @throws StartupError if the database is not empty, its tables are in use for too long, or it cannot be restored into
 */
export function restore(archive: Archive, contents: Contents, options: RestoreOptions): Promise<Restored> {
  return asOwner(options.connection, async (dataSource) => {
    refuseNewer(
      contents.manifest,
      dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name),
    );
    const runner = dataSource.createQueryRunner();
    const state = { isCommitting: false };
    try {
      // Programs that start meanwhile wait until it is done: they have something to migrate, as it seems.
      await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const before = await lockAll(runner, options);
      const restored = await replaceAll({
        dataSource,
        runner,
        archive,
        contents,
        before,
        note: options.note,
      });
      state.isCommitting = true;
      await runner.commitTransaction();
      return restored;
    } catch (error) {
      throw explainDatabase(
        error,
        state.isCommitting
          ? 'It has all of the backup, or what it had before: look which.'
          : 'Nothing was changed.',
      );
    } finally {
      // The connection ends with this, and with it what was begun.
      await runner.release();
    }
  });
}

/**
 * Begins the transaction, and takes all tables from everybody else: with those first for which a try had to wait too long.
 * Who writes holds one of these, and may want another that the try held; where they are taken first, it is waited for with
 * nothing in hand.
 */
async function lockAll(runner: QueryRunner, { replace }: RestoreOptions): Promise<Before> {
  const contested: string[] = [];
  for (let attempt = 1; ; attempt++) {
    let wanted: string | undefined;
    await runner.startTransaction();
    try {
      await settleSession(runner);
      await refuseDistributed(runner);
      await runner.query(`SET LOCAL lock_timeout = '${LOCK_MS}ms'`);
      const tables = await storedTables(runner);
      await lookFirst(runner, tables, replace);
      // LOCK TABLE takes the right to delete records, which their owner does not have. This alters nothing.
      for (const name of inOrder(tables, contested)) {
        wanted = name;
        await runner.query(`ALTER TABLE ${quoted(name)} OWNER TO CURRENT_USER`);
      }
      await runner.query('SET LOCAL lock_timeout = 0');
      await refuseContent(runner, tables, replace);
      return { tables, sequences: await sequencePositions(runner) };
    } catch (error) {
      await runner.rollbackTransaction();
      const said = postgresError(error);
      if (!said || !(isLockTimeout(said) || isRetryable(said))) throw error;
      if (attempt === MOST_TRIES)
        throw new StartupError(
          'The tables are in use all the time, by exports, audits or a backup, perhaps: nothing was changed. Try again when they have ended, or stop the service.',
          { cause: error },
        );
      if (wanted !== undefined) contested.unshift(wanted);
      await delay(PAUSE_MS);
    }
  }
}

/** The names of tables, those of another list first. */
const inOrder = (tables: readonly StoredTable[], first: readonly string[]): ReadonlySet<string> => {
  const names = new Set(tables.map(({ name }) => name));
  return new Set([...first.filter((name) => names.has(name)), ...names]);
};

/** What has to be refused is refused before anybody is kept waiting: these locks keep nobody, and are let go of. */
async function lookFirst(
  runner: QueryRunner,
  tables: readonly StoredTable[],
  replace: boolean,
): Promise<void> {
  await runner.query('SAVEPOINT look');
  await refuseContent(runner, tables, replace);
  await refuseTablesOfOthers(runner);
  await runner.query('ROLLBACK TO SAVEPOINT look');
}

/** Whoever makes them anew would become their owner, and could take the rights from who is it. */
async function refuseTablesOfOthers(runner: QueryRunner): Promise<void> {
  const [other] = await rowsOf<{ name: string; owner: string; login: string }>(
    runner,
    `SELECT c.relname::text AS name, pg_get_userbyid(c.relowner)::text AS owner, CURRENT_USER::text AS login
    FROM pg_class c WHERE ${STORED} AND pg_get_userbyid(c.relowner) <> CURRENT_USER ORDER BY c.relname LIMIT 1`,
  );
  if (other)
    throw new StartupError(
      `The table ${other.name} belongs to "${other.owner}", and this login is "${other.login}": name the owner's in DATABASE_OWNER_URL. Nothing was changed.`,
    );
}

async function refuseContent(
  runner: QueryRunner,
  tables: readonly StoredTable[],
  replace: boolean,
): Promise<void> {
  if (tables.length === 0) return;
  if (!tables.some(({ name }) => name === MIGRATIONS))
    throw new StartupError(
      `The database has tables, and they are not Muster's (${tables.map(({ name }) => name).join(', ')}): restore into one of its own. Nothing was changed.`,
    );
  if (replace) return;
  const filled = tables
    .filter(({ name }) => name !== MIGRATIONS)
    .map(({ name }) => `EXISTS (SELECT FROM ${quoted(name)})`);
  const [found] = await rowsOf<{ filled: boolean }>(
    runner,
    `SELECT ${filled.join(' OR ') || 'false'} AS filled`,
  );
  if (found?.filled)
    throw new StartupError(
      'The database is not empty: restore into an empty one, or let --replace put the backup in the place of all that is there. Nothing was changed.',
    );
}

/** All that is needed to put one state in the place of another, within a transaction. */
interface Replacement {
  readonly dataSource: DataSource;
  readonly runner: QueryRunner;
  readonly archive: Archive;
  readonly contents: Contents;
  readonly before: Before;
  readonly note: (sentence: string) => void;
}

async function replaceAll(replacement: Replacement): Promise<Restored> {
  const { dataSource, runner, archive, contents, before, note } = replacement;
  const { manifest, end } = contents;
  const rights = await rightsOfOthers(runner);
  if (before.tables.length > 0)
    await runner.query(`DROP TABLE ${before.tables.map(({ name }) => quoted(name)).join(', ')}`);

  await new MigrationsOf(manifest, dataSource, runner).executePendingMigrations();
  const later = await setAside(runner);
  const client = (await runner.connect()) as ClientBase;
  const filled = await fillTables(client, archive, contents, await storedTables(runner), note);
  for (const statement of later) await runner.query(statement);
  await setSequences(runner, end.sequences);

  const executed = await new MigrationExecutor(dataSource, runner).executePendingMigrations();
  await refuseForeign(runner, before.tables);
  await giveAgain(runner, rights);
  await goOn(runner, manifest, before.sequences);
  await runner.query('ANALYZE');
  return { ...filled, migrated: executed.map(({ name }) => name), sealed: await sealedBy(runner) };
}

/** Runs no others than those that a backup's schema was made by. */
class MigrationsOf extends MigrationExecutor {
  constructor(
    private readonly manifest: Manifest,
    dataSource: DataSource,
    runner: QueryRunner,
  ) {
    super(dataSource, runner);
  }

  protected override getMigrations() {
    return super.getMigrations().filter(({ name }) => this.manifest.migrations.includes(name));
  }
}

/** A table that no migration has made again is somebody else's. */
async function refuseForeign(runner: QueryRunner, before: readonly StoredTable[]): Promise<void> {
  const now = new Set((await storedTables(runner)).map(({ name }) => name));
  const foreign = before.filter(({ name }) => !now.has(name)).map(({ name }) => name);
  if (foreign.length > 0)
    throw new StartupError(
      `The database has tables that are not Muster's (${foreign.join(', ')}): restore into one of its own. Nothing was changed.`,
    );
}

/** Each goes on from there, or from where it is, if that is further. */
async function setSequences(runner: QueryRunner, positions: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, last] of Object.entries(positions))
    await runner.query(
      `SELECT setval(s.oid, GREATEST($2::bigint, pg_sequence_last_value(s.oid))) FROM pg_class s
      WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace AND s.relname = $1`,
      [name, last],
    );
}

/**
 * Sees to it that no id is given twice that somebody may remember: not those that were given here before, and no id of a
 * change that was made after the backup, wherever that was. For those who follow the changes, the records that are there
 * are a predecessor's. See ADR 36.
 */
async function goOn(
  runner: QueryRunner,
  { created_at }: Manifest,
  before: Readonly<Record<string, string>>,
): Promise<void> {
  await setSequences(runner, before);
  const [next] = await rowsOf<{ last: string }>(
    runner,
    `SELECT (COALESCE(pg_sequence_last_value('changes_id_seq'), 0) + 1
      + GREATEST(0, ceil(extract(epoch FROM clock_timestamp() - $1::timestamptz) * $2))::bigint)::text AS last`,
    [created_at, CHANGES_PER_SECOND],
  );
  if (!next) throw new Error('a query for one row found none');
  await setSequences(runner, { changes_id_seq: next.last });
  await noteAsRestored(runner, next.last);
}

async function sealedBy(runner: QueryRunner): Promise<Map<string, number>> {
  const rows = await rowsOf<{ fingerprint: string; secrets: string }>(
    runner,
    'SELECT key_fingerprint AS fingerprint, count(*) AS secrets FROM access_secrets GROUP BY key_fingerprint',
  );
  return new Map(rows.map(({ fingerprint, secrets }) => [fingerprint, Number(secrets)]));
}
