import { Command } from 'commander';
import {
  type CommandAction,
  EXIT,
  type ExitCode,
  type Terminal,
  print,
  printJson,
  printStatus,
} from '../terminal';
import { createBackup } from '../backup/write-backup';
import type { Backup } from '../backup/backup-file';
import { keyFileIn } from '../../access-secrets/key-source';
import { withDatabase } from '../session';

const HELP = `
All rows are read in one snapshot, while the service runs. The file gets its name when it is complete, and replaces an
existing file. It contains the hashes of API keys and the encrypted access secrets, but not their key: protect it like
the database. With DATABASE_URL, the login of the tables' owner is required in DATABASE_OWNER_URL.`;

/** `muster-admin backup` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((file: string, options: BackupOptions) => perform((terminal) => backup(terminal, file, options)));
}

export interface BackupOptions {
  readonly json?: true;
}

/** `muster-admin backup` */
function backup(terminal: Terminal, file: string, options: BackupOptions): Promise<ExitCode> {
  return withDatabase(terminal, async ({ environment, connection, dataDir }) => {
    const made = await createBackup(connection, file);
    printBackup(terminal, 'backed up', made, options);
    const key = environment.SECRETS_KEY === undefined ? keyFileIn(dataDir) : 'SECRETS_KEY';
    if (!options.json && (made.trailer.rows['access_secrets'] ?? 0) > 0)
      printStatus(
        terminal,
        `The backup contains encrypted access secrets: keep a copy of ${key} in another place.`,
      );
    return EXIT.done;
  });
}

/** Prints the result of a backup or a restore. */
export function printBackup(
  terminal: Terminal,
  done: 'backed up' | 'restored',
  { header: { created_at }, trailer: { rows: tables } }: Backup,
  { json }: BackupOptions,
): void {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  if (json) printJson(terminal, { created_at, rows, tables });
  else
    print(
      terminal,
      `${done}: ${String(rows)} rows of ${String(Object.keys(tables).length)} tables as of ${created_at}`,
    );
}
