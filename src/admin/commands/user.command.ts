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
import { withDatabase } from '../command-database';
import { REASON, type ProjectOptions, runInProject, withServices } from '../command-services';
import { ChangesService } from '../../changes/changes.service';
import { committed } from '../../core/write-result';
import { commandContext } from '../../core/context/request-context';
import { AccountLookupService, type UserSummary } from '../../accounts/account-lookup.service';
import { CreateUser, NewApiKeyBody, UpdateUser } from '../../accounts/user.dto';
import { UsersService } from '../../accounts/users.service';
import { validBody } from '../../http/body-validation';
import { StartupError } from '../../core/errors';

/** `muster-admin user` */
export function configure(command: Command, perform: CommandAction): void {
  command
    .addCommand(createCommand(perform))
    .addCommand(updateCommand(perform))
    .addCommand(deleteCommand(perform))
    .addCommand(listCommand(perform))
    .addCommand(userKeyCommand(perform));
}

const ROLE_FORMS = '<collection>:write, *:write, or the key of a variable, or a prefix* of keys';

const EXPIRES = [
  '--expires <time>',
  'when the key expires, in UTC: 2030-01-01T00:00:00; default: never',
] as const;

const NOTE = ['--note <text>', 'what the key is for, as "user key list" shows it'] as const;

function createCommand(perform: CommandAction): Command {
  return new Command('create')
    .description('Creates a user and prints the API key, which cannot be shown again.')
    .argument('<username>', 'unique in the project')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--admin', 'may do everything in the project')
    .option('--root', 'may do everything in every project')
    .option('--role <role...>', ROLE_FORMS, [])
    .option(...EXPIRES)
    .option(...NOTE)
    .option(...REASON)
    .option('--json', 'print JSON')
    .action((username: string, options: CreateOptions) =>
      perform((terminal) => create(terminal, username, options)),
    );
}

function updateCommand(perform: CommandAction): Command {
  return new Command('update')
    .description('Changes what a user may do. A running service follows within three seconds.')
    .argument('<username>')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--admin', 'may do everything in the project')
    .option('--no-admin', 'is no admin any more')
    .option('--root', 'may do everything in every project')
    .option('--no-root', 'is no root user any more')
    .option('--role <role...>', `replaces all roles: ${ROLE_FORMS}`)
    .option('--no-role', 'removes all roles')
    .option(...REASON)
    .option('--json', 'print JSON')
    .action((username: string, options: UpdateOptions) =>
      perform((terminal) => update(terminal, username, options)),
    );
}

function deleteCommand(perform: CommandAction): Command {
  return new Command('delete')
    .description('Deletes a user with all keys and sessions. Change records keep the name.')
    .argument('<username>')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option(...REASON)
    .option('--json', 'print JSON')
    .action((username: string, options: ProjectOptions) =>
      perform((terminal) => deleteUser(terminal, username, options)),
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
  readonly expires?: string;
  readonly note?: string;
}

/** What is absent stays as it is. */
interface UpdateOptions extends ProjectOptions {
  readonly admin?: boolean;
  readonly root?: boolean;
  /** False: no roles. */
  readonly role?: readonly string[] | false;
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
  const newKey = validBody(NewApiKeyBody, { expires_at: options.expires, note: options.note }, '');
  return runInProject(terminal, options, async (ctx, services) => {
    const creation = services
      .get(UsersService)
      .prepareUser(ctx, body, (_, created) => Promise.resolve(created), newKey);
    const { key } = committed(await services.get(ChangesService).run(ctx, creation));
    printCredentials(terminal, { project: ctx.projectId, username, apiKey: key }, options.json === true);
    return EXIT.done;
  });
}

/** Changes a user's roles and rights, and prints the result. */
function update(terminal: Terminal, username: string, options: UpdateOptions): Promise<ExitCode> {
  const { admin, root, role } = options;
  const values = { is_admin: admin, is_root: root, roles: role === false ? [] : role };
  if (Object.values(values).every((value) => value === undefined))
    throw new StartupError(
      'Give what to change: --admin, --no-admin, --root, --no-root, --role or --no-role.',
    );
  const body = validBody(UpdateUser, values, '');
  return runInProject(terminal, options, async (ctx, services) => {
    const accounts = services.get(AccountLookupService);
    const id = await accounts.userId(ctx, username);
    const change = services.get(UsersService).prepareUpdate(ctx, id, body, undefined);
    committed(await services.get(ChangesService).update(ctx, change));
    const user = (await accounts.users(ctx, ctx.projectId)).find((one) => one.username === username);
    if (!user) throw new StartupError(`The user ${username} was deleted meanwhile.`);
    if (options.json) printJson(terminal, user);
    else
      print(
        terminal,
        `username: ${user.username}`,
        `is: ${privilege(user) || 'user'}`,
        `roles: ${user.roles.join(', ')}`,
      );
    return EXIT.done;
  });
}

/** Deletes a user. */
function deleteUser(terminal: Terminal, username: string, options: ProjectOptions): Promise<ExitCode> {
  return runInProject(terminal, options, async (ctx, services) => {
    const id = await services.get(AccountLookupService).userId(ctx, username);
    const change = services.get(UsersService).prepareDelete(ctx, id, undefined);
    committed(await services.get(ChangesService).run(ctx, change));
    if (options.json) printJson(terminal, { deleted: username });
    else print(terminal, `deleted: ${username}`);
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

/** `muster-admin user key` */
function userKeyCommand(perform: CommandAction): Command {
  return new Command('key')
    .description("A user's API keys.")
    .addCommand(newKeyCommand(perform))
    .addCommand(listKeysCommand(perform))
    .addCommand(revokeKeysCommand(perform));
}

/** The common arguments and options. */
function keyCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<username>')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--json', 'print JSON');
}

function newKeyCommand(perform: CommandAction): Command {
  return keyCommand('new', "Creates an API key for a user and prints it. Revokes the user's other keys.")
    .option(...EXPIRES)
    .option(...NOTE)
    .option('--keep', "do not revoke the user's other keys")
    .option(...REASON)
    .action((username: string, options: NewKeyOptions) =>
      perform((terminal) => createKey(terminal, username, options)),
    );
}

function listKeysCommand(perform: CommandAction): Command {
  return keyCommand('list', "Lists the ids of a user's API keys, including expired and revoked ones.").action(
    (username: string, options: ProjectOptions) =>
      perform((terminal) => listKeys(terminal, username, options)),
  );
}

function revokeKeysCommand(perform: CommandAction): Command {
  return keyCommand(
    'revoke',
    "Revokes one of a user's API keys, or all. A running service rejects them within five seconds.",
  )
    .argument('[key id]', 'as shown by "muster-admin user key list": the middle part of the key')
    .option('--all', 'every key of the user')
    .option(...REASON)
    .action((username: string, keyId: string | undefined, options: RevokeOptions) =>
      perform((terminal) => revokeKeys(terminal, username, keyId, options)),
    );
}

interface NewKeyOptions extends ProjectOptions {
  readonly expires?: string;
  readonly note?: string;
  readonly keep?: true;
}

interface RevokeOptions extends ProjectOptions {
  readonly all?: true;
}

/** Creates a key for a user and prints it. */
function createKey(terminal: Terminal, username: string, options: NewKeyOptions): Promise<ExitCode> {
  const { expires_at, note } = validBody(
    NewApiKeyBody,
    { expires_at: options.expires, note: options.note },
    '',
  );
  const wanted = { expires_at, note, keepOthers: options.keep === true };
  return runInProject(terminal, options, async (ctx, services) => {
    const id = await services.get(AccountLookupService).userId(ctx, username);
    const creation = services
      .get(UsersService)
      .prepareKey(ctx, id, wanted, (_, userAndKey) => Promise.resolve(userAndKey));
    const { key } = committed(await services.get(ChangesService).run(ctx, creation));
    printCredentials(terminal, { project: ctx.projectId, username, apiKey: key }, options.json === true);
    return EXIT.done;
  });
}

/** Lists the keys of a user, including expired and revoked ones. */
function listKeys(terminal: Terminal, username: string, options: ProjectOptions): Promise<ExitCode> {
  return runInProject(terminal, options, async (ctx, services) => {
    const directory = services.get(AccountLookupService);
    const keys = await directory.keys(ctx, await directory.userId(ctx, username));
    if (options.json) printJson(terminal, keys);
    else if (keys.length === 0) print(terminal, 'The user has no keys.');
    else
      printTable(
        terminal,
        ['KEY ID', 'STATE', 'CREATED', 'EXPIRES', 'REVOKED', 'NOTE'],
        keys.map((key) => [
          key.key_id,
          key.state,
          key.created_at,
          key.expires_at ?? '',
          key.revoked_at ?? '',
          key.note ?? '',
        ]),
      );
    return EXIT.done;
  });
}

/** Revokes one key of a user, or all. */
async function revokeKeys(
  terminal: Terminal,
  username: string,
  keyId: string | undefined,
  options: RevokeOptions,
): Promise<ExitCode> {
  if ((keyId === undefined) !== (options.all === true))
    throw new StartupError('Give the id of the key to revoke, or --all.');
  return runInProject(terminal, options, async (ctx, services) => {
    const id = await services.get(AccountLookupService).userId(ctx, username);
    const which = keyId === undefined ? 'all' : { keyId };
    const revocation = services.get(UsersService).prepareRevokeKeys(ctx, id, which);
    const revoked = committed(await services.get(ChangesService).run(ctx, revocation));
    if (options.json) printJson(terminal, { revoked });
    else print(terminal, ...revoked.map((id) => `revoked: ${id}`));
    return EXIT.done;
  });
}
