import { Command } from 'commander';
import type { DistributeOptions } from './distribute.actions';
import type { CommandAction } from '../exit-codes';

const HELP = `
The database is that of DATABASE_URL, which names the coordinator, as the owner of the tables. All is done in one
transaction, which keeps everybody else from the tables: stop the service first. Rows that are there are moved. What is
distributed already stays as it is, so that it may be run again, after a migration with a new table, say.`;

/** `muster-admin distribute` */
export function distributeCommand(perform: CommandAction): Command {
  return new Command('distribute')
    .description('Turns the tables of a Citus database into distributed ones, by project.')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: DistributeOptions) =>
      perform(async (terminal) => (await import('./distribute.actions.js')).distribute(terminal, options)),
    );
}
