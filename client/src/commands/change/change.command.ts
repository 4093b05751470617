import { Command } from 'commander';
import { listChanges } from './list.command';
import { showChange } from './show.command';
import { undoChange } from './undo.command';

/** `muster change` */
export function changeCommand(): Command {
  return new Command('change').addCommand(listChanges()).addCommand(showChange()).addCommand(undoChange());
}
