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
import { REASON, type ProjectOptions, runInProject } from '../session';
import { committed } from '../../core/change-preview';
import { AccountLookupService } from '../../accounts/account-lookup.service';
import { NewApiKeyBody } from '../../accounts/user';
import { UsersService } from '../../accounts/users.service';
import { StartupError } from '../../core/errors/startup-error';
import { validBody } from '../../http/body-validation';

/** `muster-admin user key` */
export function userKeyCommand(perform: CommandAction): Command {
  return new Command('key')
    .description("A user's API keys.")
    .addCommand(newCommand(perform))
    .addCommand(listCommand(perform))
    .addCommand(revokeCommand(perform));
}

/** The common arguments and options. */
function keyCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<username>')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--json', 'print JSON');
}

function newCommand(perform: CommandAction): Command {
  return keyCommand('new', "Creates an API key for a user and prints it. Revokes the user's other keys.")
    .option('--expires <time>', 'when the key expires, in UTC: 2030-01-01T00:00:00; default: never')
    .option('--keep', "do not revoke the user's other keys")
    .option(...REASON)
    .action((username: string, options: NewKeyOptions) =>
      perform((terminal) => createKey(terminal, username, options)),
    );
}

function listCommand(perform: CommandAction): Command {
  return keyCommand('list', "Lists the ids of a user's API keys, including expired and revoked ones.").action(
    (username: string, options: ProjectOptions) =>
      perform((terminal) => listKeys(terminal, username, options)),
  );
}

function revokeCommand(perform: CommandAction): Command {
  return keyCommand(
    'revoke',
    "Revokes one of a user's API keys, or all. A running service rejects them within five seconds.",
  )
    .argument('[key id]', 'as shown by "muster-admin user key list": the middle part of the key')
    .option('--all', 'every key of the user')
    .option(...REASON)
    .action((username: string, keyId: string | undefined, options: RevokeOptions) =>
      perform((terminal) => revoke(terminal, username, keyId, options)),
    );
}

interface NewKeyOptions extends ProjectOptions {
  readonly expires?: string;
  readonly keep?: true;
}

interface RevokeOptions extends ProjectOptions {
  readonly all?: true;
}

/** Creates a key for a user and prints it. */
function createKey(terminal: Terminal, username: string, options: NewKeyOptions): Promise<ExitCode> {
  const { expires_at = null } = validBody(NewApiKeyBody, { expires_at: options.expires }, '');
  const wanted = { expires_at, keepOthers: options.keep === true };
  return runInProject(terminal, options, async (ctx, services) => {
    const id = await services.get(AccountLookupService).userId(ctx, username);
    const created = await services
      .get(UsersService)
      .issueKey(ctx, id, wanted, (_, userAndKey) => Promise.resolve(userAndKey));
    const { key } = committed(created);
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
        ['KEY ID', 'STATE', 'CREATED', 'EXPIRES', 'REVOKED'],
        keys.map((key) => [
          key.key_id,
          key.state,
          key.created_at,
          key.expires_at ?? '',
          key.revoked_at ?? '',
        ]),
      );
    return EXIT.done;
  });
}

/** Revokes one key of a user, or all. */
async function revoke(
  terminal: Terminal,
  username: string,
  keyId: string | undefined,
  options: RevokeOptions,
): Promise<ExitCode> {
  if ((keyId === undefined) !== (options.all === true))
    throw new StartupError('Give the id of the key to revoke, or --all.');
  return runInProject(terminal, options, async (ctx, services) => {
    const id = await services.get(AccountLookupService).userId(ctx, username);
    const users = services.get(UsersService);
    const revoked = committed(await users.revokeKeys(ctx, id, keyId === undefined ? 'all' : { keyId }));
    if (options.json) printJson(terminal, { revoked });
    else print(terminal, ...revoked.map((id) => `revoked: ${id}`));
    return EXIT.done;
  });
}
