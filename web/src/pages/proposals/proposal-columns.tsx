import type { ListedProposal } from '../../api/proposals';
import { ProposalLink } from '../../components/proposal-link';
import { ProposalState } from '../../components/proposal-state';
import type { Column } from '../../components/resource-table';
import { TIME_WIDTH, TimeStamp } from '../../components/time-stamp';

const count = new Intl.NumberFormat();

const COLUMNS: readonly Column<ListedProposal>[] = [
  {
    id: 'title',
    header: 'Proposal',
    width: 320,
    render: ({ id, title }) => <ProposalLink id={id}>{title}</ProposalLink>,
  },
  { id: 'state', header: 'State', width: 100, render: ({ state }) => <ProposalState state={state} /> },
  {
    id: 'approvals',
    header: 'Approvals',
    width: 90,
    render: ({ approvals: { given, required } }) => (
      <span>
        {count.format(given)} of {count.format(required)}
      </span>
    ),
  },
  { id: 'author', header: 'Author', width: 110, render: ({ author }) => <span>{author.username}</span> },
  { id: 'keys', header: 'Variables', width: 180, render: ({ keys }) => <code>{keys.join(', ')}</code> },
  {
    id: 'created_at',
    header: 'Proposed',
    width: TIME_WIDTH,
    render: ({ created_at }) => <TimeStamp time={created_at} />,
  },
];

/** On a narrow screen, the others are visible by scrolling. */
const NARROW_WIDTHS: Readonly<Record<string, number>> = { title: 130, state: 112, approvals: 84 };

export const proposalColumns = (isNarrow: boolean): readonly Column<ListedProposal>[] =>
  isNarrow
    ? COLUMNS.map((column) => ({ ...column, width: NARROW_WIDTHS[column.id] ?? column.width }))
    : COLUMNS;
