import { Command } from 'commander';
import { amendCommand } from './amend';
import { applyCommand } from './apply';
import { commentCommand } from './comment';
import { listCommand } from './list';
import { previewCommand } from './preview';
import { approveCommand, rejectCommand } from './review';
import { showCommand } from './show';
import { withdrawCommand } from './withdraw';

/** `muster proposal` */
export const proposalCommand = (): Command =>
  new Command('proposal')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(previewCommand())
    .addCommand(amendCommand())
    .addCommand(commentCommand())
    .addCommand(approveCommand())
    .addCommand(rejectCommand())
    .addCommand(withdrawCommand())
    .addCommand(applyCommand());
