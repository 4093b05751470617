import { Command } from 'commander';
import { explainCommand } from './explain.command';
import { getCommand } from './get.command';
import { historyCommand } from './history.command';
import { keysCommand } from './keys.command';
import { setCommand } from './set.command';
import { unsetCommand } from './unset.command';
import { whereCommand } from './where.command';

/** `muster vars` */
export function varsCommand(): Command {
  return new Command('vars')
    .addCommand(getCommand())
    .addCommand(setCommand())
    .addCommand(unsetCommand())
    .addCommand(explainCommand())
    .addCommand(whereCommand())
    .addCommand(keysCommand())
    .addCommand(historyCommand());
}
