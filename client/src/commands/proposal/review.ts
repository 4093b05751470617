import { Command } from 'commander';
import { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import { CliError, EXIT } from '../../cli-error';
import { printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { requireConfirmation, YES_HELP } from '../confirmed-write';
import type { Row } from '../../output/rows';
import { openSession, type Session } from '../session';
import { conflictLines, conflictsOf, needsRebase, missingTexts, rebaseLines } from './conflicts';
import { describeImpactChange } from './impact-change';
import { printProposalPreview, readProposalPreview, type ProposalPreview } from './preview';
import {
  addProposalId,
  parseProposalId,
  printProposal,
  PROPOSAL,
  proposalName,
  readProposal,
} from './proposal-output';

interface ReviewOptions {
  readonly note?: string;
  readonly yes?: true;
}

const APPROVE_HELP = `
An approval stands for the impact that the preview has shown: it does not count any more if the proposal is amended, or would
have another impact. Without a terminal, look at "muster proposal preview", and use --yes.`;

/** `muster proposal approve` */
export const approveCommand = (): Command =>
  addProposalId(new Command('approve'))
    .description('Shows what a proposal would do now, asks, and approves it.')
    .option('--note <text>', 'a note for its author')
    .option('-y, --yes', YES_HELP)
    .addHelpText('after', APPROVE_HELP)
    .action(async (text: string, { note, yes }: ReviewOptions, command: Command) => {
      const id = parseProposalId(text);
      const session = openSession(command, { isNoteReason: true });
      const proposal = await readProposal(session.muster, id);
      const name = proposalName(proposal);
      const preview = await readProposalPreview(session.muster, id);
      assertMay('approve', preview, proposal);
      const devices = pluralize(preview.impact?.devices ?? 0, 'device');
      if (!yes)
        await requireConfirmation(
          `${name} would change the resolved values of ${devices}.`.replace(/^p/, 'P'),
          `approve ${name} for ${devices}`,
          () => printProposalPreview(session, id, preview),
          `"muster proposal preview ${id}"`,
        );
      const { revision, impact_digest: digest } = preview.body;
      await review(session, id, { verdict: 'approve', revision, impact_digest: digest, note });
      printStatus(`Approved revision ${String(revision)} of ${name} for ${devices}.`);
    });

/** `muster proposal reject` */
export const rejectCommand = (): Command =>
  addProposalId(new Command('reject'))
    .description('Rejects the present revision of a proposal. Its author can amend it.')
    .option('--note <text>', 'why')
    .action(async (text: string, { note }: ReviewOptions, command: Command) => {
      const id = parseProposalId(text);
      const session = openSession(command, { isNoteReason: true });
      const proposal = await readProposal(session.muster, id);
      const { revision } = proposal;
      await review(session, id, { verdict: 'reject', revision, note });
      printStatus(`Rejected revision ${String(revision)} of ${proposalName(proposal)}.`);
    });

/** @throws CliError that says why the caller cannot do it */
export function assertMay(what: 'approve' | 'apply', { body }: ProposalPreview, proposal: Row): void {
  const { [what]: isAllowed, approve } = asObject(body['may']);
  if (isAllowed === true) return;
  const id = String(proposal['id']);
  const isStale = (asObject(body['approvals'])['stale'] as unknown[]).length > 0;
  throw new CliError(`You cannot ${what} ${proposalName(proposal)} now:`, EXIT.rejected, [
    ...conflictLines(conflictsOf(body)),
    ...missingTexts(body).map((line) => `  ${line}`),
    ...(isStale
      ? [
          '  An approval does not count any more: the impact was another one.',
          ...(what === 'apply' && !needsRebase(body)
            ? [
                `  To see what is different: muster proposal apply ${id} --yes, which writes nothing before it is approved again`,
              ]
            : []),
        ]
      : []),
    ...(needsRebase(body) ? rebaseLines(proposal) : []),
    ...(what === 'apply' && approve === true
      ? [`  You can approve it: muster proposal approve ${id}`]
      : [`  To see what it would change now: muster proposal preview ${id}`]),
  ]);
}

/** Sends a review and prints the proposal. @throws CliError if its impact has changed; ApiError */
async function review({ muster, format }: Session, id: string, body: object): Promise<void> {
  try {
    const { body: proposal } = await muster.request('post', `${PROPOSAL}/reviews`, { path: { id }, body });
    if (format !== 'table') await printProposal(format, asObject(proposal));
  } catch (error) {
    throw error instanceof ApiError ? describeImpactChange(id, error) : error;
  }
}
