import { useNavigate } from '@tanstack/react-router';
import type { components } from '@muster/api-types';
import { api } from '../../api/client';
import { unwrapPage } from '../../api/pages';
import { useProjectId } from '../../app/use-project';
import { ChangeLink } from '../../components/change-link';
import type { FetchPage } from '../../components/keyset-pages';
import { PAGE_SIZE } from '../../components/list-page';
import { LevelLink } from '../../components/level-link';
import { pageOf } from '../../components/resource-link';
import { ResourceTable, type Column } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { TIME_WIDTH, TimeStamp } from '../../components/time-stamp';
import { VariableValue } from '../../components/variable-value';

/** A level that sets the key. Its id is its marker. */
interface Assignment {
  readonly id: string;
  readonly assignment: components['schemas']['VariableAssignmentListItem'];
}

/** The regions, cells, labels and devices that set a key. */
export function Assignments({ name }: { readonly name: string }) {
  const project_id = useProjectId();
  const navigate = useNavigate();
  return (
    <ResourceTable
      label="assignments"
      queryKey={['variables', project_id, name]}
      fetchPage={fetchPageOf(project_id, name)}
      columns={columnsOf(name)}
      onOpen={({ assignment: { kind = '', id = 0, name: owner = '' } }) => {
        const page = pageOf({ kind, id, name: owner });
        if (page) void navigate(page);
      }}
      offersNewer
      empty={<EmptyState title="Not set">No region, cell, label or device sets this key.</EmptyState>}
    />
  );
}

const fetchPageOf =
  (project_id: string, key: string): FetchPage<Assignment> =>
  async (marker, signal) => {
    const query = { project_id, key, limit: PAGE_SIZE, ...(marker === undefined ? {} : { marker }) };
    const { body, next } = await unwrapPage(api.GET('/v1/variables', { params: { query }, signal }));
    return {
      body: body.map((assignment) => ({
        id: `${key}/${assignment.kind ?? ''}/${assignment.id ?? 0}`,
        assignment,
      })),
      next,
    };
  };

const columnsOf = (name: string): readonly Column<Assignment>[] => [
  {
    id: 'owner',
    header: 'Where',
    width: 180,
    render: ({ assignment: { kind = '', id = 0, name = '' } }) => (
      <LevelLink kind={kind} id={id} name={name} isInTable />
    ),
  },
  {
    id: 'value',
    header: 'Value',
    width: 240,
    render: ({ assignment: { value } }) => <VariableValue value={value} name={name} isBrief />,
  },
  { id: 'set_by', header: 'Who', width: 100, render: ({ assignment: { set_by } }) => <span>{set_by}</span> },
  {
    id: 'set_at',
    header: 'When',
    width: TIME_WIDTH,
    render: ({ assignment: { set_at = '', change_id } }) =>
      typeof change_id === 'number' ? (
        <ChangeLink id={change_id}>
          <TimeStamp time={set_at} />
        </ChangeLink>
      ) : (
        <TimeStamp time={set_at} />
      ),
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 220,
    render: ({ assignment: { reason } }) => <span title={reason ?? ''}>{reason}</span>,
  },
];
