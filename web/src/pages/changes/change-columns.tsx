import { ChangeLink } from '../../components/change-link';
import { ChangeSummary, type SummarizedChange } from '../../components/change-summary';
import type { Column } from '../../components/resource-table';
import { TIME_WIDTH, TimeStamp } from '../../components/time-stamp';

const count = new Intl.NumberFormat();

const COLUMNS: readonly Column<SummarizedChange>[] = [
  {
    id: 'created_at',
    header: 'Time',
    width: TIME_WIDTH,
    render: ({ id, created_at }) => (
      <ChangeLink id={id}>
        <TimeStamp time={created_at} />
      </ChangeLink>
    ),
  },
  { id: 'actor', header: 'Who', width: 110, render: ({ username }) => <span>{username}</span> },
  { id: 'objects', header: 'What', width: 300, render: (change) => <ChangeSummary change={change} /> },
  {
    id: 'reason',
    header: 'Reason',
    width: 240,
    render: ({ reason }) => <span title={reason ?? ''}>{reason}</span>,
  },
  {
    id: 'impact',
    header: 'Devices affected',
    width: 120,
    isNumeric: true,
    render: ({ devices }) => <span>{devices === null ? 'unknown' : count.format(devices)}</span>,
  },
];

/** On a narrow screen, when and what are visible first, and the others by scrolling. */
const NARROW_WIDTHS = { created_at: 250, objects: 160, reason: 160, actor: 110, impact: 120 };
const NARROW = Object.entries(NARROW_WIDTHS).flatMap(([id, width]) =>
  COLUMNS.filter((column) => column.id === id).map((column) => ({ ...column, width })),
);

export const changeColumns = (isNarrow: boolean): readonly Column<SummarizedChange>[] =>
  isNarrow ? NARROW : COLUMNS;
