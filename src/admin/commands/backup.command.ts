import { Command } from 'commander';
import type { BackupOptions } from './backup.actions';
import type { CommandAction } from '../exit-codes';

const HELP = `
All rows are read in one snapshot, while the service runs. The file gets its name when it is complete, and replaces an
existing file. It contains the hashes of API keys and the encrypted access secrets, but not their key: protect it like
the database. With DATABASE_URL, the login of the tables' owner is required in DATABASE_OWNER_URL.`;

/** `muster-admin backup` */
export function backupCommand(perform: CommandAction): Command {
  return new Command('backup')
    .description('Writes all stored data to one file, while the service runs.')
    .argument('<file>')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) =>
      perform(async (terminal) => (await import('./backup.actions.js')).backup(terminal, file, options)),
    );
}
