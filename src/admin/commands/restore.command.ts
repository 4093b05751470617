import { Command } from 'commander';
import { type BackupOptions, printBackup } from './backup.command';
import { type CommandAction, EXIT, type ExitCode, type Terminal } from '../terminal';
import { restore, verifyBackup } from '../backup/restore-backup';
import { withDatabase } from '../session';

const HELP = `
The backup must have the same schema version, and the database must be empty. A database without a schema is migrated.
The whole file is checked first. The restore is one transaction: if it fails, the database stays empty.`;

/** `muster-admin restore` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) =>
      perform((terminal) => restoreBackup(terminal, file, options)),
    );
}

/** `muster-admin restore` */
async function restoreBackup(terminal: Terminal, file: string, options: BackupOptions): Promise<ExitCode> {
  const header = await verifyBackup(file);
  const restored = await withDatabase(terminal, ({ connection }) => restore(connection, file, header), true);
  printBackup(terminal, 'restored', restored, options);
  return EXIT.done;
}
