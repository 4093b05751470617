import { Command } from 'commander';
import type { DistributeOptions } from './distribute.actions';
import type { CommandAction } from '../exit-codes';

const HELP = `
DATABASE_URL must name the coordinator, with the login of the tables' owner. Everything is done in one transaction, which
locks the tables: stop the service first. Existing rows are moved. Tables that are already distributed are not changed,
so the command can be run again, for example after a migration with a new table.`;

/** `muster-admin distribute` */
export function distributeCommand(perform: CommandAction): Command {
  return new Command('distribute')
    .description('Distributes the tables of a Citus database by project.')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: DistributeOptions) =>
      perform(async (terminal) => (await import('./distribute.actions.js')).distribute(terminal, options)),
    );
}
