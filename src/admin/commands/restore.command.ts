import { Command } from 'commander';
import type { BackupOptions } from './backup.actions';
import type { CommandAction } from '../exit-codes';

const HELP = `
The backup must have the same schema version, and the database must be empty. A database without a schema is migrated.
The whole file is checked first. The restore is one transaction: if it fails, the database stays empty.`;

/** `muster-admin restore` */
export function restoreCommand(perform: CommandAction): Command {
  return new Command('restore')
    .description('Restores a backup of "muster-admin backup" into an empty database.')
    .argument('<file>')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) =>
      perform(async (terminal) =>
        (await import('./restore.actions.js')).restoreBackup(terminal, file, options),
      ),
    );
}
