import { Command } from 'commander';
import type { CommandAction } from '../exit-codes';
import type { SecretsOptions } from './secrets.actions';

const ROTATE_HELP = `
With SECRETS_KEY, everything is sealed with it that one of SECRETS_KEY_OTHERS opens. Where the key is kept in DATA_DIR,
a new one is made first; the former one stays beside it, and opens, until "muster-admin secrets forget". Secrets in the
legacy format (see "status") are sealed in the present one. The service may run. What was begun and broken off goes on
where it was. The exit code is 1 if something cannot be opened by any key.
Backups of before open with the former key alone: keep a copy of it for as long as you keep them.`;

const FORGET_HELP = `
Backups that were made before the rotation open with the key that is taken out, and with no other: have a copy of it at
another place, first, for as long as you keep them.`;

/** `muster-admin secrets` */
export function secretsCommand(perform: CommandAction): Command {
  const work = (which: 'status' | 'rotate' | 'forget') => (options: SecretsOptions) =>
    perform(async (terminal) => (await import('./secrets.actions.js'))[which](terminal, options));
  return new Command('secrets')
    .description('The keys that seal access secrets, and answers that are kept.')
    .addCommand(
      new Command('status')
        .description('Tells how much is sealed with which key, and how much in the legacy format.')
        .option('--json', 'print JSON')
        .action(work('status')),
    )
    .addCommand(
      new Command('rotate')
        .description('Seals everything with the newest key.')
        .option('--json', 'print JSON')
        .addHelpText('after', ROTATE_HELP)
        .action(work('rotate')),
    )
    .addCommand(
      new Command('forget')
        .description('Takes keys that seal nothing any more out of the file in DATA_DIR.')
        .option('--json', 'print JSON')
        .addHelpText('after', FORGET_HELP)
        .action(work('forget')),
    );
}
