import { Command, InvalidArgumentError } from 'commander';
import type { CommandAction } from '../exit-codes';
import type { VerifyOptions } from './verify.actions';

const HELP = `
Everything is read from one state of the database, so that whatever is written meanwhile does no harm; the service may
run. Each check is printed with how many things it looked at, and each fault with where it is. The exit code is 1 if
there is a fault. With DATABASE_URL, the login is that of the tables' owner, in DATABASE_OWNER_URL; the service's own is
refused.`;

/** `muster-admin verify` */
export function verifyCommand(perform: CommandAction): Command {
  return new Command('verify')
    .description('Checks that the stored data agrees with itself.')
    .option('--faults <most>', 'print at most this many faults of each check', positive, 100)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: VerifyOptions) =>
      perform(async (terminal) => (await import('./verify.actions.js')).verify(terminal, options)),
    );
}

function positive(text: string): number {
  const most = Number(text);
  if (/^\d{1,9}$/.test(text) && most > 0) return most;
  throw new InvalidArgumentError('It is a number above zero.');
}
