import { Command } from 'commander';
import { migrate, schemaStatus } from '../shared/persistence/migrate';
import { print, printJson } from './output';
import { withDatabase } from './session';

interface Options {
  readonly status?: true;
  readonly json?: true;
}

/** The exit codes of `--status`, besides 0: a schema that lacks something, and one that has more than we know. */
const EXIT = { pending: 3, unknown: 4 } as const;

const HELP = `
Of two that migrate at once, one waits for the other. With --status nothing is changed, and the exit code is 0 if the
schema is this program's, ${String(EXIT.pending)} if migrations are pending, and ${String(EXIT.unknown)} if it has some that this program does not know.`;

/** `muster-admin migrate` */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description("Brings the database's schema up to this program's.")
    .option('--status', 'only say which migrations are applied, pending or unknown')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: Options) => (options.status ? showStatus(options) : run(options)));
}

async function run({ json }: Options): Promise<void> {
  await withDatabase(async ({ connection }) => {
    const migrated = await migrate(connection);
    if (json) printJson({ migrated });
    else if (migrated.length === 0) print('The schema is up to date.');
    else print(...migrated.map((name) => `migrated: ${name}`));
  }, true);
}

async function showStatus({ json }: Options): Promise<void> {
  await withDatabase(async ({ connection }) => {
    const status = await schemaStatus(connection);
    if (json) printJson(status);
    else
      print(
        ...status.applied.filter((name) => !status.unknown.includes(name)).map((name) => `applied: ${name}`),
        ...status.pending.map((name) => `pending: ${name}`),
        ...status.unknown.map((name) => `unknown: ${name}`),
      );
    if (status.unknown.length > 0) process.exitCode = EXIT.unknown;
    else if (status.pending.length > 0) process.exitCode = EXIT.pending;
  });
}
