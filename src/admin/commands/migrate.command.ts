import { Command } from 'commander';
import { EXIT, type CommandAction } from '../exit-codes';
import type { MigrateOptions } from './migrate.actions';

const HELP = `
If two processes migrate at the same time, one waits for the other. With --status, nothing is changed, and the exit code
is 0 if the schema is up to date, ${String(EXIT.pending)} if migrations are pending, and ${String(EXIT.unknown)} if it has migrations that this program does not know.`;

/** `muster-admin migrate` */
export function migrateCommand(perform: CommandAction): Command {
  return new Command('migrate')
    .description("Migrates the database's schema to the version of this program.")
    .option('--status', 'only list applied, pending and unknown migrations')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: MigrateOptions) =>
      perform(async (terminal) => {
        const { migrateSchema, showStatus } = await import('./migrate.actions.js');
        return options.status ? showStatus(terminal, options) : migrateSchema(terminal, options);
      }),
    );
}
