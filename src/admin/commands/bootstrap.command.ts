import { Command } from 'commander';
import { type CommandAction, EXIT, type ExitCode, type Terminal, printCredentials } from '../terminal';
import { withDatabase } from '../command-database';
import { REASON, withServices } from '../command-services';
import { BootstrapService } from '../../accounts/bootstrap.service';
import { CreateProject } from '../../accounts/project.dto';
import { CreateUser } from '../../accounts/user.dto';
import { StartupError } from '../../core/errors';
import { validBody } from '../../http/body-validation';
import { migrate, schemaStatus } from '../../database/migrate';

const HELP = `
Prints the project's id, the username and the API key, one per line. The key cannot be shown again. An empty database is
migrated first. A database with an older schema is not: run "muster-admin migrate". If the deployment already has a
project, nothing is changed, and the exit code is 1.`;

/** `muster-admin bootstrap` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .option('--project <name>', "the project's name", 'default')
    .option('--username <name>', "the user's name", 'root')
    .option(...REASON, 'bootstrap')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: BootstrapOptions) => perform((terminal) => bootstrap(terminal, options)));
}

interface BootstrapOptions {
  readonly project: string;
  readonly username: string;
  readonly reason: string;
  readonly json?: true;
}

/** `muster-admin bootstrap`. It fails if the deployment already has a project. */
async function bootstrap(terminal: Terminal, options: BootstrapOptions): Promise<ExitCode> {
  const { name: project } = validBody(CreateProject, { name: options.project }, '');
  const { username } = validBody(CreateUser, { username: options.username }, '');
  await withDatabase(
    terminal,
    async (session) => {
      // Migrating an empty database is safe, and saves the operator a step.
      if ((await schemaStatus(session.connection)).applied.length === 0) await migrate(session.connection);
      await withServices(session, async (services) => {
        const created = await services.get(BootstrapService).bootstrap({ project, username }, options.reason);
        if (!created)
          throw new StartupError(
            'This deployment was bootstrapped before: it has a project. "muster-admin user key new" creates a new key for a user.',
          );
        printCredentials(terminal, created, options.json === true);
      });
    },
    true,
  );
  return EXIT.done;
}
