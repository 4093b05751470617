import { restore, verifyBackup } from '../backup/restore-backup';
import { printBackup, type BackupOptions } from './backup.actions';
import { EXIT, type ExitCode } from '../exit-codes';
import { withDatabase } from '../session';
import type { Terminal } from '../terminal';

/** `muster-admin restore` */
export async function restoreBackup(
  terminal: Terminal,
  file: string,
  options: BackupOptions,
): Promise<ExitCode> {
  const header = await verifyBackup(file);
  const restored = await withDatabase(terminal, ({ connection }) => restore(connection, file, header), true);
  printBackup(terminal, 'restored', restored, options);
  return EXIT.done;
}
