import { Command } from 'commander';
import { backUp, type MadeBackup } from '../backup/backup';
import { fileTarget, outputTarget, type Target } from '../backup/files/target';
import type { Environment } from '../config/environment';
import { keyFileIn } from '../config/secrets-key';
import { StartupError } from '../shared/errors/startup-error';
import { print, printJson, say } from './output';
import { withDatabase } from './session';
import { amount, bytesText, secondsSince, sumOf } from './quantities';

interface Options {
  readonly json?: true;
}

const HELP = `
Everything is read from one state of the database; the service may run, and nobody waits. The file gets its name when it
is whole, and a file of that name is replaced then. It holds the whole inventory with its history, the hashes of API
keys, and access secrets as they are sealed: keep it as you keep the database. The key that opens the secrets is not in
it. With DATABASE_URL, the login is that of the tables' owner, in DATABASE_OWNER_URL; the service's own is refused.`;

/** `muster-admin backup` */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Writes all that is stored into one file, while the service runs.')
    .argument('<file>', '"-" for the standard output')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(run);
}

async function run(file: string, { json }: Options): Promise<void> {
  if (file === '-' && json)
    throw new StartupError('The standard output is the backup: --json has no place there.');
  const began = Date.now();
  const interrupted = interruption();
  await withDatabase(async ({ environment, connection, dataDir }) => {
    const target = file === '-' ? outputTarget() : await fileTarget(file);
    const made = await backUp(connection, target, interrupted);
    if (json) printJson(reportOf(made, target, began));
    else (file === '-' ? say : print)(lineOf(made, target, began));
    if (!json && (made.rows['access_secrets'] ?? 0) > 0)
      say(
        `Access secrets are in it as they are sealed: keep ${keyPlace(environment, dataDir)}, too, at another place.`,
      );
  });
}

/** Somebody wants the command to end: then it leaves nothing that is not whole. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      controller.abort();
    });
  return controller.signal;
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
