import { Command } from 'commander';
import { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import { readOptional } from '../../api/optional-read';
import type { ApiResponse } from '../../api/muster';
import { printBatchResults } from '../batch';
import { deletionsOf, parseChangeRecord, summarizeChange } from '../change';
import { confirmImpact, YES_HELP } from '../confirmed-write';
import { reportChange } from '../report-write';
import type { Row } from '../../output/rows';
import { addOverrideOption } from '../propose';
import { openSession, type Session } from '../session';
import { needsRebase, outdatedError } from './conflicts';
import { describeImpactChange } from './impact-change';
import { readProposalPreview } from './preview';
import { addProposalId, parseProposalId, PROPOSAL, proposalName, readProposal } from './proposal-output';
import { assertMay } from './review';

interface ApplyOptions {
  readonly yes?: true;
  readonly override?: string;
}

/** `muster proposal apply` */
export const applyCommand = (): Command =>
  addOverrideOption(addProposalId(new Command('apply')))
    .description(
      'Applies a proposal: does its operations in one change, if its impact is still the approved one.',
    )
    .option('-y, --yes', YES_HELP)
    .action(async (text: string, { yes, override }: ApplyOptions, command: Command) => {
      const id = parseProposalId(text);
      const session = openSession(command, { isNoteReason: true });
      const { muster, format } = session;
      const proposal = await readProposal(muster, id);
      const name = proposalName(proposal);
      if (!yes) await confirm(session, id, proposal, override !== undefined);
      const response = await apply(session, id, proposal);
      const result = asObject(response.body);
      if (format !== 'table') await printBatchResults(format, result);
      await reportChange(session, `Applied ${name}`, response);
    });

/**
 * Shows the impact, and asks if it is on more than one device, or resources are deleted.
 * @param isOverridden whether it is applied without approvals
 * @throws CliError
 */
async function confirm(session: Session, id: string, proposal: Row, isOverridden: boolean): Promise<void> {
  const preview = await readProposalPreview(session.muster, id);
  if (!isOverridden) assertMay('apply', preview, proposal);
  const { impact, body } = preview;
  if (!impact) return;
  const change = parseChangeRecord(body['change']);
  await confirmImpact(
    impact,
    `apply ${proposalName(proposal)} (${summarizeChange(change)})`,
    deletionsOf(change),
  );
}

/** @throws CliError if its impact is not the approved one, or others have changed what it writes; ApiError */
async function apply({ muster }: Session, id: string, proposal: Row): Promise<ApiResponse> {
  try {
    return await muster.request('post', `${PROPOSAL}/apply`, { path: { id } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 'conflict' && error.code !== 'version_mismatch') throw describeImpactChange(id, error);
    const preview = await readOptional(muster, (reader) => readProposalPreview(reader, id));
    throw preview && needsRebase(preview.body) ? outdatedError(preview.body, proposal, error) : error;
  }
}
