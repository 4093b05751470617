import { committed } from '../../core/change-preview';
import { commandContext } from '../../accounts/bootstrap.service';
import { AccountLookupService, type UserSummary } from '../../accounts/account-lookup.service';
import { CreateUser } from '../../accounts/user.dto';
import { UsersService } from '../../accounts/users.service';
import { validBody } from '../../http/body-validation';
import { EXIT, type ExitCode } from '../exit-codes';
import { runInProject } from '../run-in-project';
import { print, printCredentials, printJson, printTable } from '../output';
import { withDatabase, withServices } from '../session';
import type { Terminal } from '../terminal';
import type { ProjectOptions } from './user-options';

export interface CreateOptions extends ProjectOptions {
  readonly admin?: true;
  readonly root?: true;
  readonly role: readonly string[];
  readonly reason?: string;
}

export interface ListOptions {
  readonly project?: string;
  readonly json?: true;
}

/** Creates a user and prints the key. */
export function create(terminal: Terminal, username: string, options: CreateOptions): Promise<ExitCode> {
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
export function list(terminal: Terminal, options: ListOptions): Promise<ExitCode> {
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
