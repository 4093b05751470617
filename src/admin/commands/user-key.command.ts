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
      perform(async (terminal) =>
        (await import('./user-key.actions.js')).createKey(terminal, username, options),
      ),
    );
}

function listCommand(perform: CommandAction): Command {
  return keyCommand('list', "Lists the ids of a user's API keys, including expired and revoked ones.").action(
    (username: string, options: ProjectOptions) =>
      perform(async (terminal) =>
        (await import('./user-key.actions.js')).listKeys(terminal, username, options),
      ),
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
      perform(async (terminal) =>
        (await import('./user-key.actions.js')).revoke(terminal, username, keyId, options),
      ),
    );
}
