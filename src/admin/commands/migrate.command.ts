import { Command } from 'commander';
import { EXIT, type CommandAction } from '../exit-codes';
import type { MigrateOptions } from './migrate.actions';

const HELP = `
Of two that migrate at once, one waits for the other. With --status nothing is changed, and the exit code is 0 if the
schema is this program's, ${String(EXIT.pending)} if migrations are pending, and ${String(EXIT.unknown)} if it has some that this program does not know.`;

/** `muster-admin migrate` */
export function migrateCommand(perform: CommandAction): Command {
  return new Command('migrate')
    .description("Brings the database's schema up to this program's.")
    .option('--status', 'only say which migrations are applied, pending or unknown')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: MigrateOptions) =>
      perform(async (terminal) => {
        const { migrateSchema: bringUp, showStatus } = await import('./migrate.actions.js');
        return options.status ? showStatus(terminal, options) : bringUp(terminal, options);
      }),
    );
}
