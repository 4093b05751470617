import { Command } from 'commander';
import { type CommandAction, EXIT, type ExitCode, type Terminal, print, printJson } from '../terminal';
import { readEnvironment } from '../../config/environment';
import { postgresError } from '../../database/errors/postgres-error';
import { StartupError } from '../../core/errors';
import { distributeTables, type PlacedTable } from '../../database/citus/distribute-tables';
import { withOwnerConnection } from '../../database/connection/owner-connection';
import type { Connection } from '../../database/connection/connection';
import { requireMigrated } from '../../database/migrate';
import { withDatabase } from '../command-database';

const HELP = `
DATABASE_URL must name the coordinator, with the login of the tables' owner. Everything is done in one transaction, which
locks the tables: stop the service first. Existing rows are moved. Tables that are already distributed are not changed,
so the command can be run again, for example after a migration with a new table.`;

/** `muster-admin distribute` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: DistributeOptions) => perform((terminal) => distribute(terminal, options)));
}

interface DistributeOptions {
  readonly json?: true;
}

/** `muster-admin distribute`. Tables that are already distributed are not changed. */
async function distribute(terminal: Terminal, { json }: DistributeOptions): Promise<ExitCode> {
  if (readEnvironment(terminal.environment).DATABASE_URL === undefined)
    throw new StartupError('The embedded database does not support Citus: set DATABASE_URL.');
  return withDatabase(terminal, async ({ connection }) => {
    await requireMigrated(connection);
    const tables = await placeTables(connection);
    if (json) printJson(terminal, { tables });
    else print(terminal, ...tables.map(lineOf));
    return EXIT.done;
  });
}

const placeTables = (connection: Connection): Promise<PlacedTable[]> =>
  withOwnerConnection(connection, async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const tables = await distributeTables(runner);
      await runner.commitTransaction();
      return tables;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      throw toStartupError(error);
    } finally {
      await runner.release();
    }
  });

/** Citus reports unsupported operations with messages for the operator. */
function toStartupError(error: unknown): unknown {
  const dbError = postgresError(error);
  if (!dbError) return error;
  const { message, detail, hint } = dbError;
  const sentences = [message, detail, hint].filter((part) => part !== undefined && part !== '');
  return new StartupError(
    `Nothing was changed, because the database reported an error: ${sentences.join('; ')}`,
    {
      cause: error,
    },
  );
}

const lineOf = ({ table, as, wasBefore }: PlacedTable): string =>
  `${as === 'reference' ? 'on every node' : 'by project'}: ${table}${wasBefore ? ' (unchanged)' : ''}`;
