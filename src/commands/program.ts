import 'reflect-metadata';
import { Command } from 'commander';
import { REASON_FIELD } from '../changes/change-reason';
import { inventoryErrorOfDatabase } from '../shared/errors/database-refusal';
import { InventoryError } from '../shared/errors/inventory-error';
import { postgresError } from '../shared/errors/postgres-error';
import { StartupError } from '../shared/errors/startup-error';
import { backupCommand } from './backup.command';
import { bootstrapCommand } from './bootstrap.command';
import { distributeCommand } from './distribute.command';
import { migrateCommand } from './migrate.command';
import { say } from './output';
import { restoreCommand } from './restore.command';
import { secretsCommand } from './secrets.command';
import { userCommand } from './user.command';
import { verifyCommand } from './verify.command';

const DATABASE = `
The database is that of DATABASE_URL. Without it, the embedded one in DATA_DIR: that of the Muster that is running
there, or else it is started for as long as the command runs. The exit code is 0 on success and 1 on failure, unless
the command says more.`;

/** Runs the command line; whatever is to be expected to stop it is said in one sentence, and the exit code is 1. */
export function run(): void {
  // Whoever reads the output may have seen enough (`| head`).
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  program()
    .parseAsync()
    .catch((error: unknown) => {
      say(sentenceOf(error));
      process.exitCode = 1;
    });
}

function program(): Command {
  return new Command('muster-admin')
    .description('Administers a deployment of Muster, on its database.')
    .addHelpText('after', DATABASE)
    .addCommand(bootstrapCommand())
    .addCommand(migrateCommand())
    .addCommand(distributeCommand())
    .addCommand(userCommand())
    .addCommand(secretsCommand())
    .addCommand(verifyCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand());
}

function sentenceOf(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof InventoryError)
    return isOfReason(error) ? `${error.message}. A command takes it as --reason.` : error.message;
  const refusal = inventoryErrorOfDatabase(error);
  if (refusal) return refusal.message;
  const said = postgresError(error);
  if (said && isOfDeployment(said)) return `The database refuses: ${said.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isOfReason = ({ details }: InventoryError): boolean =>
  details.some(({ field }) => field === REASON_FIELD);

/** A right that the database's user lacks, or room that the server lacks: nothing that a stack would explain. */
const isOfDeployment = ({ code = '' }: { readonly code?: string | undefined }): boolean =>
  code === '42501' || code.startsWith('53');
