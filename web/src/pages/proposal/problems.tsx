import type { Proposal, ProposalPreview } from '../../api/proposals';
import { Notice } from '../../components/notice';
import { problemText } from './operation-title';

/** Answered by the three values of a conflict. */
const IN_CONFLICTS = 'version_mismatch';

interface Props {
  readonly proposal: Proposal;
  readonly preview: ProposalPreview;
  readonly isAuthor: boolean;
}

/** Why the proposal cannot be applied as it is, apart from conflicts and missing approvals. */
export function Problems({ proposal, preview: { problems, conflicts }, isAuthor }: Props) {
  const shown = problems.filter(({ code }) => conflicts.length === 0 || code !== IN_CONFLICTS);
  if (shown.length === 0) return null;
  return (
    <Notice kind="warning" title="It cannot be applied as it is">
      {shown.map((problem, i) => (
        <div key={i}>{problemText(problem, proposal)}</div>
      ))}
      {isAuthor && <div>Amend it, or withdraw it.</div>}
    </Notice>
  );
}
