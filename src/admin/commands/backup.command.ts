import { Command } from 'commander';
import type { BackupOptions } from './backup.actions';
import type { Perform } from '../exit-codes';

const HELP = `
Everything is read from one state of the database; the service may run, and nobody waits. The file gets its name when it
is whole, and a file of that name is replaced then. It holds the whole inventory with its history, the hashes of API
keys, and access secrets as they are sealed: keep it as you keep the database. The key that opens the secrets is not in
it. With DATABASE_URL, the login is that of the tables' owner, in DATABASE_OWNER_URL; the service's own is refused.`;

/** `muster-admin backup` */
export function backupCommand(perform: Perform): Command {
  return new Command('backup')
    .description('Writes all that is stored into one file, while the service runs.')
    .argument('<file>', '"-" for the standard output')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) =>
      perform(async (terminal) => (await import('./backup.actions.js')).backup(terminal, file, options)),
    );
}
