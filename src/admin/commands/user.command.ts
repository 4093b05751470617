import { Command } from 'commander';
import type { CommandAction } from '../exit-codes';
import { REASON } from './user-options';
import { userKeyCommand } from './user-key.command';
import type { CreateOptions, ListOptions } from './user.actions';

/** `muster-admin user` */
export function userCommand(perform: CommandAction): Command {
  return new Command('user')
    .description('Creates and lists users, and manages their API keys.')
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
      perform(async (terminal) => (await import('./user.actions.js')).create(terminal, username, options)),
    );
}

function listCommand(perform: CommandAction): Command {
  return new Command('list')
    .description('Lists the users of all projects, or of one project.')
    .option('--project <id or name>', 'only the users of this project')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      perform(async (terminal) => (await import('./user.actions.js')).list(terminal, options)),
    );
}
