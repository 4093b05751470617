import { Command } from 'commander';
import type { BootstrapOptions } from './bootstrap.actions';
import type { CommandAction } from '../exit-codes';
import { REASON } from './user-options';

const HELP = `
Prints the project's id, the username and the API key, one per line. The key cannot be shown again. An empty database is
migrated first. A database with an older schema is not: run "muster-admin migrate". If the deployment already has a
project, nothing is changed, and the exit code is 1.`;

/** `muster-admin bootstrap` */
export function bootstrapCommand(perform: CommandAction): Command {
  return new Command('bootstrap')
    .description('Creates the first project and its root user.')
    .option('--project <name>', "the project's name", 'default')
    .option('--username <name>', "the user's name", 'root')
    .option(...REASON, 'bootstrap')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: BootstrapOptions) =>
      perform(async (terminal) => (await import('./bootstrap.actions.js')).bootstrap(terminal, options)),
    );
}
