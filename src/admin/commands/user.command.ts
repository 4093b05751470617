import { Command } from 'commander';
import {
  type CommandAction,
  EXIT,
  type ExitCode,
  type Terminal,
  print,
  printCredentials,
  printJson,
  printTable,
} from '../terminal';
import { REASON, type ProjectOptions, runInProject, withDatabase, withServices } from '../session';
import { userKeyCommand } from './user-key.command';
import { committed } from '../../core/change-preview';
import { commandContext } from '../../accounts/bootstrap.service';
import { AccountLookupService, type UserSummary } from '../../accounts/account-lookup.service';
import { CreateUser } from '../../accounts/user';
import { UsersService } from '../../accounts/users.service';
import { validBody } from '../../http/body-validation';

/** `muster-admin user` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .addCommand(createCommand(perform))
    .addCommand(listCommand(perform))
    .addCommand(userKeyCommand(perform));
}

function createCommand(perform: CommandAction): Command {
  return new Command('create')
    .description('Creates a user and prints the API key, which cannot be shown again.')
    .argument('<username>', 'unique in the project')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--admin', 'may do everything in the project')
    .option('--root', 'may do everything in every project')
    .option(
      '--role <role...>',
      '<collection>:write, *:write, or the key of a variable, or a prefix* of keys',
      [],
    )
    .option(...REASON)
    .option('--json', 'print JSON')
    .action((username: string, options: CreateOptions) =>
      perform((terminal) => create(terminal, username, options)),
    );
}

function listCommand(perform: CommandAction): Command {
  return new Command('list')
    .description('Lists the users of all projects, or of one project.')
    .option('--project <id or name>', 'only the users of this project')
    .option('--json', 'print JSON')
    .action((options: ListOptions) => perform((terminal) => list(terminal, options)));
}

interface CreateOptions extends ProjectOptions {
  readonly admin?: true;
  readonly root?: true;
  readonly role: readonly string[];
  readonly reason?: string;
}

interface ListOptions {
  readonly project?: string;
  readonly json?: true;
}

/** Creates a user and prints the key. */
function create(terminal: Terminal, username: string, options: CreateOptions): Promise<ExitCode> {
  const body = validBody(
    CreateUser,
    {
      username,
      is_admin: options.admin === true,
      is_root: options.root === true,
      roles: options.role,
    },
    '',
  );
  return runInProject(terminal, options, async (ctx, services) => {
    const users = services.get(UsersService);
    const { key } = committed(await users.createUser(ctx, body, (_, created) => Promise.resolve(created)));
    printCredentials(terminal, { project: ctx.projectId, username, apiKey: key }, options.json === true);
    return EXIT.done;
  });
}

/** Lists users, with the numbers of their active keys. */
function list(terminal: Terminal, options: ListOptions): Promise<ExitCode> {
  return withDatabase(terminal, (session) =>
    withServices(session, async (services) => {
      const ctx = commandContext(undefined);
      const directory = services.get(AccountLookupService);
      const project =
        options.project === undefined ? undefined : await directory.project(ctx, options.project);
      const users = await directory.users(ctx, project?.id);
      if (options.json) printJson(terminal, users);
      else if (users.length === 0) print(terminal, 'There are no users.');
      else
        printTable(
          terminal,
          ['PROJECT', 'USERNAME', 'IS', 'ROLES', 'KEYS IN USE'],
          users.map((user) => [
            user.project,
            user.username,
            privilege(user),
            user.roles.join(','),
            String(user.keys),
          ]),
        );
      return EXIT.done;
    }),
  );
}

const privilege = ({ is_root, is_admin }: UserSummary): string =>
  is_root ? 'root' : is_admin ? 'admin' : '';
