import { Command } from 'commander';
import { commandContext } from '../accounts/command-context';
import { DirectoryService, type ListedUser } from '../accounts/directory.service';
import { CreateUser } from '../accounts/user.dto';
import { UsersService } from '../accounts/users.service';
import { validBody } from '../shared/http/valid-body';
import { print, printCredentials, printJson, printTable } from './output';
import { withDatabase, withServices } from './session';
import { inProject, REASON, type ProjectOptions } from './user-options';
import { userKeyCommand } from './user-key.command';

/** `muster-admin user` */
export function userCommand(): Command {
  return new Command('user')
    .description('Makes and lists users, and gives them API keys.')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(userKeyCommand());
}

interface CreateOptions extends ProjectOptions {
  readonly admin?: true;
  readonly root?: true;
  readonly role: readonly string[];
  readonly reason?: string;
}

function createCommand(): Command {
  return new Command('create')
    .description('Makes a user and prints the API key, which cannot be shown again.')
    .argument('<username>', 'unique in the project')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--admin', 'may do everything in the project')
    .option('--root', 'may do everything in every project')
    .option(
      '--role <role...>',
      '<collection>:write, *:write, or a variable or prefix* that may be written',
      [],
    )
    .option(...REASON)
    .option('--json', 'print JSON')
    .action(create);
}

async function create(username: string, options: CreateOptions): Promise<void> {
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
  await inProject(options, async (ctx, services) => {
    const { key } = await services.get(UsersService).make(ctx, body, (_, made) => Promise.resolve(made));
    printCredentials({ project: ctx.projectId, username, apiKey: key }, options.json === true);
  });
}

interface ListOptions {
  readonly project?: string;
  readonly json?: true;
}

function listCommand(): Command {
  return new Command('list')
    .description('Lists users, of every project or of one.')
    .option('--project <id or name>', 'only the users of this project')
    .option('--json', 'print JSON')
    .action(list);
}

async function list(options: ListOptions): Promise<void> {
  await withDatabase((session) =>
    withServices(session, async (services) => {
      const ctx = commandContext(undefined);
      const directory = services.get(DirectoryService);
      const project =
        options.project === undefined ? undefined : await directory.project(ctx, options.project);
      const users = await directory.users(ctx, project?.id);
      if (options.json) printJson(users);
      else if (users.length === 0) print('There are no users.');
      else
        printTable(
          ['PROJECT', 'USERNAME', 'IS', 'ROLES', 'KEYS IN USE'],
          users.map((user) => [
            user.project,
            user.username,
            standing(user),
            user.roles.join(','),
            String(user.keys),
          ]),
        );
    }),
  );
}

const standing = ({ is_root, is_admin }: ListedUser): string => (is_root ? 'root' : is_admin ? 'admin' : '');
