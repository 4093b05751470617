import { Command, InvalidArgumentError } from 'commander';
import type { CommandAction } from '../exit-codes';
import type { VerifyOptions } from './verify.actions';

const HELP = `
All data is read from one snapshot, so the service can run and write. Each check is printed with the number of checked
items, and each fault with its location. The exit code is 1 if there are faults. With DATABASE_URL, the login of the
tables' owner is required in DATABASE_OWNER_URL.`;

/** `muster-admin verify` */
export function verifyCommand(perform: CommandAction): Command {
  return new Command('verify')
    .description('Checks the consistency of the stored data.')
    .option('--faults <max>', 'print at most this many faults of each check', positive, 100)
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: VerifyOptions) =>
      perform(async (terminal) => (await import('./verify.actions.js')).verify(terminal, options)),
    );
}

function positive(text: string): number {
  const max = Number(text);
  if (/^\d{1,9}$/.test(text) && max > 0) return max;
  throw new InvalidArgumentError('It must be a positive integer.');
}
