import { Command } from 'commander';
import type { CommandAction } from '../exit-codes';
import { REASON, type ProjectOptions } from './user-options';
import type { NewKeyOptions, RevokeOptions } from './user-key.actions';

/** `muster-admin user key` */
export function userKeyCommand(perform: CommandAction): Command {
  return new Command('key')
    .description("A user's API keys.")
    .addCommand(newCommand(perform))
    .addCommand(listCommand(perform))
    .addCommand(revokeCommand(perform));
}

/** What each of them begins with: whose keys. */
function ofUser(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<username>')
    .requiredOption('--project <id or name>', 'the project that the user belongs to')
    .option('--json', 'print JSON');
}

function newCommand(perform: CommandAction): Command {
  return ofUser('new', "Gives a user a new API key and prints it; the user's other keys end.")
    .option('--expires <time>', 'when the key ends, in UTC: 2030-01-01T00:00:00; without it, never')
    .option('--keep', "let the user's other keys live on")
    .option(...REASON)
    .action((username: string, options: NewKeyOptions) =>
      perform(async (terminal) =>
        (await import('./user-key.actions.js')).giveKey(terminal, username, options),
      ),
    );
}

function listCommand(perform: CommandAction): Command {
  return ofUser('list', "Lists a user's API keys by their ids, with those that have ended.").action(
    (username: string, options: ProjectOptions) =>
      perform(async (terminal) =>
        (await import('./user-key.actions.js')).listKeys(terminal, username, options),
      ),
  );
}

function revokeCommand(perform: CommandAction): Command {
  return ofUser(
    'revoke',
    "Ends one of a user's API keys, or all; a running service follows within five seconds.",
  )
    .argument('[key id]', 'as "muster-admin user key list" shows it: the middle part of the key')
    .option('--all', 'every key of the user')
    .option(...REASON)
    .action((username: string, keyId: string | undefined, options: RevokeOptions) =>
      perform(async (terminal) =>
        (await import('./user-key.actions.js')).revoke(terminal, username, keyId, options),
      ),
    );
}
