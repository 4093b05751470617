import { Command } from 'commander';
import { resourceOf } from '../../addressing/finder';
import { allDevices } from './all-devices';
import { createCommand } from './create.command';
import { deleteCommand } from './delete.command';
import { listCommand } from './list.command';
import { showCommand } from './show.command';
import { updateCommand } from './update.command';
import { userKeyCommand } from './user-key.command';

/** `muster host`, say, with what the API tells of hosts. @param kind one of the API's, or `device` */
export function resourceCommand(kind: string): Command {
  const resource = kind === allDevices.kind ? allDevices : resourceOf(kind);
  const command = new Command(kind)
    .addCommand(listCommand(resource))
    .addCommand(showCommand(resource))
    .addCommand(createCommand(resource))
    .addCommand(updateCommand(resource))
    .addCommand(deleteCommand(resource));
  return kind === 'user' ? command.addCommand(userKeyCommand()) : command;
}
