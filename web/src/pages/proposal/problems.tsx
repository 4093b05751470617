import type { ProposalPreview } from '../../api/proposals';
import { Notice } from '../../components/notice';

/** Answered by the three values of a conflict. */
const IN_CONFLICTS = 'precondition_failed';

interface Props {
  readonly preview: ProposalPreview;
  readonly isAuthor: boolean;
}

/** Why the proposal cannot be applied as it is, apart from conflicts and missing approvals. */
export function Problems({ preview: { problems, conflicts }, isAuthor }: Props) {
  const shown = problems.filter(({ code }) => conflicts.length === 0 || code !== IN_CONFLICTS);
  if (shown.length === 0) return null;
  return (
    <Notice kind="warning" title="It cannot be applied as it is">
      {shown.map(({ message }, i) => (
        <div key={i}>{message}</div>
      ))}
      {isAuthor && <div>Amend it, or withdraw it.</div>}
    </Notice>
  );
}
