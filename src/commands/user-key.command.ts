import { Command } from 'commander';
import { DirectoryService } from '../accounts/directory.service';
import { NewApiKeyBody } from '../accounts/user.dto';
import { UsersService } from '../accounts/users.service';
import { StartupError } from '../shared/errors/startup-error';
import { validBody } from '../shared/http/valid-body';
import { print, printCredentials, printJson, printTable } from './output';
import { inProject, REASON, type ProjectOptions } from './user-options';

/** `muster-admin user key` */
export function userKeyCommand(): Command {
  return new Command('key')
    .description("A user's API keys.")
    .addCommand(newCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

/** What each of them begins with: whose keys. */
function ofUser(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<username>')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--json', 'print JSON');
}

interface NewOptions extends ProjectOptions {
  readonly expires?: string;
  readonly keep?: true;
}

function newCommand(): Command {
  return ofUser('new', "Gives a user a new API key and prints it; the user's other keys end.")
    .option('--expires <time>', 'when the key ends, in UTC: 2030-01-01T00:00:00; without it, never')
    .option('--keep', "let the user's other keys live on")
    .option(...REASON)
    .action(giveKey);
}

async function giveKey(username: string, options: NewOptions): Promise<void> {
  const { expires_at = null } = validBody(NewApiKeyBody, { expires_at: options.expires }, '');
  const wanted = { expires_at, keepOthers: options.keep === true };
  await inProject(options, async (ctx, services) => {
    const id = await services.get(DirectoryService).userId(ctx, username);
    const { key } = await services
      .get(UsersService)
      .giveKey(ctx, id, wanted, (_, made) => Promise.resolve(made));
    printCredentials({ project: ctx.projectId, username, apiKey: key }, options.json === true);
  });
}

function listCommand(): Command {
  return ofUser('list', "Lists a user's API keys by their ids, with those that have ended.").action(listKeys);
}

async function listKeys(username: string, options: ProjectOptions): Promise<void> {
  await inProject(options, async (ctx, services) => {
    const directory = services.get(DirectoryService);
    const keys = await directory.keys(ctx, await directory.userId(ctx, username));
    if (options.json) printJson(keys);
    else if (keys.length === 0) print('The user has no keys.');
    else
      printTable(
        ['KEY ID', 'STATE', 'MADE', 'EXPIRES', 'REVOKED'],
        keys.map((key) => [
          key.key_id,
          key.state,
          key.created_at,
          key.expires_at ?? '',
          key.revoked_at ?? '',
        ]),
      );
  });
}

interface RevokeOptions extends ProjectOptions {
  readonly all?: true;
}

function revokeCommand(): Command {
  return ofUser(
    'revoke',
    "Ends one of a user's API keys, or all; a running service follows within five seconds.",
  )
    .argument('[key id]', 'as "muster-admin user key list" shows it: the middle part of the key')
    .option('--all', 'every key of the user')
    .option(...REASON)
    .action(revoke);
}

async function revoke(username: string, keyId: string | undefined, options: RevokeOptions): Promise<void> {
  if ((keyId === undefined) !== (options.all === true))
    throw new StartupError('Name the id of the key that is to end, or else --all.');
  await inProject(options, async (ctx, services) => {
    const id = await services.get(DirectoryService).userId(ctx, username);
    const revoked = await services
      .get(UsersService)
      .revokeKeys(ctx, id, keyId === undefined ? 'all' : { keyId });
    if (options.json) printJson({ revoked });
    else print(...revoked.map((ended) => `revoked: ${ended}`));
  });
}
