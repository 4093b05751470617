import { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { StartupError } from '../../core/errors';
import { refuseDistributed } from '../../database/citus/is-distributed';
import { withOwnerConnection } from '../../database/connection/owner-connection';
import { postgresError } from '../../database/errors/postgres-error';
import { requireMigrated } from '../../database/migrate';
import { missingIndexes, type OptionalIndex } from '../../database/missing-indexes';
import { withDatabase } from '../command-database';
import { type CommandAction, EXIT, type ExitCode, print, printJson, type Terminal } from '../terminal';

const HELP = `
Filters by variables and the search are faster with the extensions btree_gin and pg_trgm of PostgreSQL. Migrations create them, and
the indexes that need them, if the server has them. If they were installed later, this command creates both, while the service
reads and writes. Restart the service afterwards. An interrupted command can be repeated. With DATABASE_URL, the login of the
tables' owner is required in DATABASE_OWNER_URL. With --status, nothing is changed, and the exit code is ${String(EXIT.pending)} if indexes are missing.`;

interface IndexesOptions {
  readonly status?: true;
  readonly json?: true;
}

/** `muster-admin indexes` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--status', 'only list missing indexes')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: IndexesOptions) => perform((terminal) => indexes(terminal, options)));
}

function indexes(terminal: Terminal, { status, json }: IndexesOptions): Promise<ExitCode> {
  return withDatabase(terminal, async ({ connection }) => {
    await requireMigrated(connection);
    return withOwnerConnection(connection, async (dataSource) => {
      const missing = await missingIndexes(dataSource);
      if (!status) await createIndexes(dataSource, missing);
      const names = missing.map(({ name }) => name);
      if (json) printJson(terminal, status ? { missing: names } : { created: names });
      else if (missing.length === 0) print(terminal, 'No index is missing.');
      else if (status)
        print(
          terminal,
          ...missing.map(
            ({ name, extensions, without }) =>
              `missing: ${name} (needs ${extensions.join(' and ')}; ${without})`,
          ),
        );
      else print(terminal, ...names.map((name) => `created: ${name}`), 'Restart the service to use them.');
      return status && missing.length > 0 ? EXIT.pending : EXIT.done;
    });
  });
}

/** @throws StartupError if an extension is missing and cannot be created */
async function createIndexes(dataSource: DataSource, missing: readonly OptionalIndex[]): Promise<void> {
  await refuseDistributed(
    dataSource,
    ', and extensions have to be installed on every server of it: see "Shards" in docs/scaling.md.',
  );
  for (const extension of new Set(missing.flatMap(({ extensions }) => extensions)))
    await createExtension(dataSource, extension);
  for (const { name, definition, substitute } of missing) {
    // Not in a transaction, so that changes of devices proceed. An interrupted creation leaves an index that is invalid.
    await dataSource.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await dataSource.query(`CREATE INDEX CONCURRENTLY ${name} ${definition}`);
    if (substitute !== undefined) await dataSource.query(`DROP INDEX CONCURRENTLY IF EXISTS ${substitute}`);
  }
}

async function createExtension(dataSource: DataSource, name: string): Promise<void> {
  const found = await dataSource.query<{ installed: string | null }[]>(
    'SELECT installed_version AS installed FROM pg_available_extensions WHERE name = $1',
    [name],
  );
  const [extension] = found;
  if (!extension)
    throw new StartupError(
      `The server does not have the extension ${name}: install the additional modules of PostgreSQL there (the package postgresql-contrib, in many distributions). No index was created.`,
    );
  if (extension.installed !== null) return;
  try {
    await dataSource.query(`CREATE EXTENSION ${name}`);
  } catch (error) {
    throw new StartupError(
      `The login of the owner cannot create the extension ${name} (${postgresError(error)?.message ?? String(error)}): let a superuser run "CREATE EXTENSION ${name}" in this database. No index was created.`,
      { cause: error },
    );
  }
}
