import { Command } from 'commander';
import { AccountLookupService } from '../../accounts/account-lookup.service';
import { UserSessionsService } from '../../accounts/sessions/user-sessions.service';
import { commandContext } from '../../core/context/request-context';
import { StartupError } from '../../core/errors';
import { withDatabase } from '../command-database';
import { runInProject, type ProjectOptions, withServices } from '../command-services';
import {
  EXIT,
  print,
  printJson,
  printTable,
  type CommandAction,
  type ExitCode,
  type Terminal,
} from '../terminal';

/** `muster-admin session` */
export function configure(command: Command, perform: CommandAction): void {
  command.addCommand(listCommand(perform)).addCommand(endCommand(perform));
}

interface ListOptions {
  readonly project?: string;
  readonly json?: true;
}

interface EndOptions extends ProjectOptions {
  readonly all?: true;
}

function listCommand(perform: CommandAction): Command {
  return new Command('list')
    .description('Lists the sessions of browsers, of all projects or of one.')
    .option('--project <id or name>', 'only sessions of the users of this project')
    .option('--json', 'print JSON')
    .action((options: ListOptions) => perform((terminal) => list(terminal, options)));
}

function endCommand(perform: CommandAction): Command {
  return new Command('end')
    .description(
      'Ends all sessions of a user, or of all users of a project. A running service rejects them within five seconds. A user of an OpenID provider loses those in other projects, too.',
    )
    .argument('[username]')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--all', 'the sessions of every user of the project')
    .option('--json', 'print JSON')
    .action((username: string | undefined, options: EndOptions) =>
      perform((terminal) => end(terminal, username, options)),
    );
}

/** Prints the sessions that have not expired. */
function list(terminal: Terminal, options: ListOptions): Promise<ExitCode> {
  return withDatabase(terminal, (database) =>
    withServices(database, async (services) => {
      const directory = services.get(AccountLookupService);
      const project =
        options.project === undefined
          ? undefined
          : await directory.project(commandContext(undefined), options.project);
      const sessions = await services.get(UserSessionsService).list(project?.id);
      if (options.json) printJson(terminal, sessions);
      else if (sessions.length === 0) print(terminal, 'There are no sessions.');
      else
        printTable(
          terminal,
          ['PROJECT', 'USERNAME', 'METHOD', 'SIGNED IN', 'LAST USED', 'EXPIRES'],
          sessions.map(({ project, username, method, created_at, used_at, expires_at }) => [
            project,
            username,
            method,
            created_at,
            used_at,
            expires_at,
          ]),
        );
      return EXIT.done;
    }),
  );
}

/** Ends sessions and prints how many. */
async function end(terminal: Terminal, username: string | undefined, options: EndOptions): Promise<ExitCode> {
  if ((username === undefined) !== (options.all === true))
    throw new StartupError('Give the name of a user, or --all.');
  return runInProject(terminal, options, async (ctx, services) => {
    const userId =
      username === undefined ? undefined : await services.get(AccountLookupService).userId(ctx, username);
    const ended = await services.get(UserSessionsService).end(ctx.projectId, userId);
    if (options.json) printJson(terminal, { ended });
    else print(terminal, `ended: ${String(ended)}`);
    return EXIT.done;
  });
}
