import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import { printStatus } from '../../output/console';
import { openSession } from '../session';
import { addProposalId, parseProposalId, printProposal, PROPOSAL, proposalName } from './proposal-output';

/** `muster proposal withdraw` */
export const withdrawCommand = (): Command =>
  addProposalId(new Command('withdraw'))
    .description('Withdraws a proposal, which is final. For its author and admins.')
    .action(async (text: string, _, command: Command) => {
      const id = parseProposalId(text);
      const { muster, format } = openSession(command, { isNoteReason: true });
      const { body } = await muster.request('post', `${PROPOSAL}/withdraw`, { path: { id } });
      const proposal = asObject(body);
      if (format !== 'table') await printProposal(format, proposal);
      printStatus(`Withdrew ${proposalName(proposal)}.`);
    });
