import { Command } from 'commander';
import {
  EXIT,
  type CommandAction,
  type ExitCode,
  type Terminal,
  print,
  printJson,
  printStatus,
} from '../terminal';
import { StartupError } from '../../core/errors';
import type { Connection } from '../../database/connection/connection';
import { withOwnerConnection } from '../../database/connection/owner-connection';
import { migrate, schemaStatus } from '../../database/migrate';
import { missingIndexes, missingIndexesWarning } from '../../database/missing-indexes';
import { prepareServiceLogin } from '../../database/roles/service-role';
import { withDatabase } from '../command-database';

const HELP = `
If two processes migrate at the same time, one waits for the other. With DATABASE_OWNER_URL, the login of DATABASE_URL is
enabled, too, so that the service can start without the owner's login. With --status, nothing is changed, and the exit code
is 0 if the schema is up to date, ${String(EXIT.pending)} if migrations are pending, and ${String(EXIT.unknown)} if it has migrations that this program does not know.`;

/** `muster-admin migrate` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--status', 'only list applied, pending and unknown migrations')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: MigrateOptions) =>
      perform((terminal) => {
        return options.status ? showStatus(terminal, options) : migrateSchema(terminal, options);
      }),
    );
}

interface MigrateOptions {
  readonly status?: true;
  readonly json?: true;
}

/** `muster-admin migrate` */
function migrateSchema(terminal: Terminal, { json }: MigrateOptions): Promise<ExitCode> {
  return withDatabase(
    terminal,
    async ({ connection }) => {
      const migrated = await migrate(connection);
      await enableServiceLogin(terminal, connection);
      const missing = missingIndexesWarning(await withOwnerConnection(connection, missingIndexes));
      if (missing !== undefined) printStatus(terminal, missing);
      if (json) printJson(terminal, { migrated });
      else if (migrated.length === 0) print(terminal, 'The schema is up to date.');
      else print(terminal, ...migrated.map((name) => `migrated: ${name}`));
      return EXIT.done;
    },
    true,
  );
}

/** The migration succeeded in any case, and an administrator can create the login of the service later. */
async function enableServiceLogin(terminal: Terminal, connection: Connection): Promise<void> {
  try {
    await prepareServiceLogin(connection);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    printStatus(terminal, error.message);
  }
}

/** `muster-admin migrate --status`. The exit code says whether the schema has the version of this program. */
function showStatus(terminal: Terminal, { json }: MigrateOptions): Promise<ExitCode> {
  return withDatabase(terminal, async ({ connection }) => {
    const status = await schemaStatus(connection);
    if (json) printJson(terminal, status);
    else
      print(
        terminal,
        ...status.applied.filter((name) => !status.unknown.includes(name)).map((name) => `applied: ${name}`),
        ...status.pending.map((name) => `pending: ${name}`),
        ...status.unknown.map((name) => `unknown: ${name}`),
      );
    if (status.unknown.length > 0) return EXIT.unknown;
    return status.pending.length > 0 ? EXIT.pending : EXIT.done;
  });
}
