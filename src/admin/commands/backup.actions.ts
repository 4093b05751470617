import { backUp, type MadeBackup } from '../backup/write-backup';
import { fileTarget, outputTarget, type Target } from '../backup/files/backup-target';
import type { Environment } from '../../config/environment';
import { keyFileIn } from '../../access-secrets/key-source';
import { StartupError } from '../../core/errors/startup-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { print, printJson, say } from '../output';
import { withDatabase } from '../session';
import { amount, bytesText, secondsSince, sumOf } from '../format-quantities';
import type { Terminal } from '../terminal';

export interface BackupOptions {
  readonly json?: true;
}

/** @param file `-` for the output */
export async function backup(terminal: Terminal, file: string, { json }: BackupOptions): Promise<ExitCode> {
  if (file === '-' && json)
    throw new StartupError('The standard output is the backup: --json has no place there.');
  const began = Date.now();
  const interrupted = terminal.interruption();
  return withDatabase(terminal, async ({ environment, connection, dataDir }) => {
    const target = file === '-' ? outputTarget(terminal.output) : await fileTarget(file);
    const made = await backUp(connection, target, interrupted);
    if (json) printJson(terminal, reportOf(made, target, began));
    else (file === '-' ? say : print)(terminal, lineOf(made, target, began));
    if (!json && (made.rows['access_secrets'] ?? 0) > 0)
      say(
        terminal,
        `Access secrets are in it as they are sealed: keep ${keyPlace(environment, dataDir)}, too, at another place.`,
      );
    return EXIT.done;
  });
}

const keyPlace = (environment: Environment, dataDir: string): string =>
  environment.SECRETS_KEY === undefined ? keyFileIn(dataDir) : 'the SECRETS_KEY that is set';

const lineOf = ({ rows, bytes }: MadeBackup, { name }: Target, began: number): string =>
  `backed up: ${amount(sumOf(Object.values(rows)), 'row')} of ${amount(Object.keys(rows).length, 'table')}, ${bytesText(bytes)}, in ${secondsSince(began)} s, to ${name}`;

const reportOf = ({ manifest, rows, bytes }: MadeBackup, { name }: Target, began: number) => ({
  file: name,
  created_at: manifest.created_at,
  rows: sumOf(Object.values(rows)),
  tables: rows,
  bytes,
  seconds: Number(secondsSince(began)),
});
