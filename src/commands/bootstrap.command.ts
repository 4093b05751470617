import { Command } from 'commander';
import { BootstrapService } from '../accounts/bootstrap.service';
import { CreateProject } from '../accounts/project.dto';
import { CreateUser } from '../accounts/user.dto';
import { StartupError } from '../shared/errors/startup-error';
import { validBody } from '../shared/http/valid-body';
import { migrate, schemaStatus } from '../shared/persistence/migrate';
import { printCredentials } from './output';
import { withDatabase, withServices } from './session';
import { REASON } from './user-options';

interface Options {
  readonly project: string;
  readonly username: string;
  readonly reason: string;
  readonly json?: true;
}

const HELP = `
Prints the project's id, the username and the API key, each on a line of its own. The key cannot be shown again. An
empty database is given its schema first; one with an older schema is left alone: run "muster-admin migrate". Where
there is a project already, nothing is done, and the exit code is 1.`;

/** `muster-admin bootstrap` */
export function bootstrapCommand(): Command {
  return new Command('bootstrap')
    .description('Makes the first project and its root user.')
    .option('--project <name>', "the project's name", 'default')
    .option('--username <name>', "the user's name", 'root')
    .option(...REASON, 'bootstrap')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(bootstrap);
}

async function bootstrap(options: Options): Promise<void> {
  const { name: project } = validBody(CreateProject, { name: options.project }, '');
  const { username } = validBody(CreateUser, { username: options.username }, '');
  await withDatabase(async (session) => {
    // Who begins on an empty database has nothing that a migration could harm, and one step less to know of.
    if ((await schemaStatus(session.connection)).applied.length === 0) await migrate(session.connection);
    await withServices(session, async (services) => {
      const made = await services.get(BootstrapService).bootstrap({ project, username }, options.reason);
      if (!made)
        throw new StartupError(
          'This deployment was bootstrapped before: it has a project. "muster-admin user key new" gives a user a new key.',
        );
      printCredentials(made, options.json === true);
    });
  }, true);
}
