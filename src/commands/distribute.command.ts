import { Command } from 'commander';
import { readEnvironment } from '../config/environment';
import { postgresError } from '../shared/errors/postgres-error';
import { StartupError } from '../shared/errors/startup-error';
import { distributeTables, type PlacedTable } from '../shared/persistence/citus/distribute';
import { asOwner } from '../shared/persistence/connected-as';
import type { Connection } from '../shared/persistence/connection';
import { requireMigrated } from '../shared/persistence/migrate';
import { print, printJson } from './output';
import { withDatabase } from './session';

interface Options {
  readonly json?: true;
}

const HELP = `
The database is that of DATABASE_URL, which names the coordinator, as the owner of the tables. All is done in one
transaction, which keeps everybody else from the tables: stop the service first. Rows that are there are moved. What is
distributed already stays as it is, so that it may be run again, after a migration with a new table, say.`;

/** `muster-admin distribute` */
export function distributeCommand(): Command {
  return new Command('distribute')
    .description('Turns the tables of a Citus database into distributed ones, by project.')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(run);
}

async function run({ json }: Options): Promise<void> {
  if (readEnvironment().DATABASE_URL === undefined)
    throw new StartupError('The embedded database is not one of Citus: set DATABASE_URL.');
  await withDatabase(async ({ connection }) => {
    await requireMigrated(connection);
    const tables = await distribute(connection);
    if (json) printJson({ tables });
    else print(...tables.map(lineOf));
  });
}

const distribute = (connection: Connection): Promise<PlacedTable[]> =>
  asOwner(connection, async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const tables = await distributeTables(runner);
      await runner.commitTransaction();
      return tables;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      throw refusalOf(error);
    } finally {
      await runner.release();
    }
  });

/** What Citus says when it cannot do something is for a person. */
function refusalOf(error: unknown): unknown {
  const said = postgresError(error);
  if (!said) return error;
  const { message, detail, hint } = said;
  const sentences = [message, detail, hint].filter((part) => part !== undefined && part !== '');
  return new StartupError(`Nothing was changed, for the database refuses: ${sentences.join('; ')}`, {
    cause: error,
  });
}

const lineOf = ({ table, as, wasBefore }: PlacedTable): string =>
  `${as === 'reference' ? 'on every node' : 'by project'}: ${table}${wasBefore ? ' (it was before)' : ''}`;
