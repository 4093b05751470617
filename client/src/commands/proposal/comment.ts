import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import { printOne } from '../../output/formats';
import { printStatus } from '../../output/console';
import { openSession } from '../session';
import { addProposalId, parseProposalId, PROPOSAL } from './proposal-output';

/** `muster proposal comment` */
export const commentCommand = (): Command =>
  addProposalId(new Command('comment'))
    .description('Comments on a proposal.')
    .argument('<text>', 'the comment')
    .action(async (idText: string, text: string, _, command: Command) => {
      const id = parseProposalId(idText);
      const { muster, format } = openSession(command, { isNoteReason: true });
      const { body } = await muster.request('post', `${PROPOSAL}/comments`, { path: { id }, body: { text } });
      if (format !== 'table') await printOne(format, asObject(body), 'id', ['id', 'text', 'created_at']);
      printStatus(`Commented on proposal ${id}.`);
    });
