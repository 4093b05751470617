import { Command } from 'commander';
import type { CommandAction } from '../exit-codes';
import type { SecretsOptions } from './secrets.actions';

const ROTATE_HELP = `
With SECRETS_KEY, data that is encrypted with a key of SECRETS_KEY_OTHERS is re-encrypted with SECRETS_KEY. If the key is
stored in DATA_DIR, a new one is created first. The former key stays in the file, for decryption, until "muster-admin
secrets forget". Secrets in the legacy format (see "status") are converted to the current one. The service can run. An
interrupted rotation can be repeated. The exit code is 1 if something cannot be decrypted by any key.
Earlier backups require the former key: keep a copy of it for as long as you keep them.`;

const FORGET_HELP = `
Backups from before the rotation require the removed key: first store a copy of it in another place, for as long as you
keep these backups.`;

/** `muster-admin secrets` */
export function secretsCommand(perform: CommandAction): Command {
  const work = (which: 'status' | 'rotate' | 'forget') => (options: SecretsOptions) =>
    perform(async (terminal) => (await import('./secrets.actions.js'))[which](terminal, options));
  return new Command('secrets')
    .description('Manages the encryption keys of access secrets and stored responses.')
    .addCommand(
      new Command('status')
        .description('Shows how much is encrypted with which key, and how much in the legacy format.')
        .option('--json', 'print JSON')
        .action(work('status')),
    )
    .addCommand(
      new Command('rotate')
        .description('Re-encrypts everything with the newest key.')
        .option('--json', 'print JSON')
        .addHelpText('after', ROTATE_HELP)
        .action(work('rotate')),
    )
    .addCommand(
      new Command('forget')
        .description('Removes unused former keys from the file in DATA_DIR.')
        .option('--json', 'print JSON')
        .addHelpText('after', FORGET_HELP)
        .action(work('forget')),
    );
}
