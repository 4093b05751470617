import { Command } from 'commander';
import type { Perform } from '../exit-codes';
import type { RestoreOptions } from './restore.actions';

const HELP = `
The whole file is checked before anything is written. The database is made if it is not there; one that holds anything
is refused, unless --replace puts the backup in the place of all of it. That is one transaction: whoever looks sees
what was, or what is restored, also after an interruption. The service may run meanwhile; its requests wait, and those
that have waited for long are answered with 503. A backup from an older Muster is brought up to this one's schema.`;

/** `muster-admin restore` */
export function restoreCommand(perform: Perform): Command {
  return new Command('restore')
    .description('Restores what "muster-admin backup" has written, into an empty database.')
    .argument('<file>', '"-" for the standard input')
    .option('--replace', 'in the place of all that the database holds')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: RestoreOptions) =>
      perform(async (terminal) =>
        (await import('./restore.actions.js')).restoreBackup(terminal, file, options),
      ),
    );
}
