import { useProjectId } from '../../app/use-project';
import { ManagedList } from '../../components/managed-list';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { planDelete } from '../../components/resource-write';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { useSmallList } from '../../components/use-small-list';
import { AuditForm } from './lazy-forms';
import type { Audit } from '../../api/audits';
import { AuditVerdict, LastRunOf } from './audit-verdict';
import { expectedText, filterTexts, kindText } from './audit-texts';
import { RunAll } from './run-all';

const nameOf = ({ name }: Audit): string => name;

/** The audits of the project, each with the verdict of its last run. */
export function AuditsPage() {
  const project_id = useProjectId();
  const list = useSmallList<Audit>(
    ['audits', 'list'],
    '/v1/audits',
    { project_id, sort_keys: ['name'] },
    { nameOf },
  );
  return (
    <>
      <PageTitle title="Audits" />
      <ManagedList
        label="audits"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        create="Create an audit"
        form={(props) => <AuditForm {...props} />}
        edit="Edit"
        planDelete={({ id, name, version }) =>
          planDelete({ title: `Delete the audit ${name}` }, `/v1/audits/${id}`, version)
        }
        toolbar={<RunAll audits={list.rows} />}
        empty={
          <EmptyState title="No audits">
            Create one to find the devices whose variables are not as they should be.
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: readonly SmallColumn<Audit>[] = [
  {
    header: 'Audit',
    render: ({ id, name }) => (
      <RouteLink to="/audits/$id" params={{ id: String(id) }} size="sm">
        {name}
      </RouteLink>
    ),
  },
  {
    header: 'Devices',
    render: (audit) => {
      const filters = filterTexts(audit).join(' and ');
      return (
        <>
          {kindText(audit.kind)} {filters !== '' && <code>{filters}</code>}
        </>
      );
    },
  },
  { header: 'Expectation', render: (audit) => <code>{expectedText(audit)}</code> },
  { header: 'Verdict', render: ({ id, name }) => <AuditVerdict id={id} name={name} /> },
  { header: 'Last run', render: ({ id }) => <LastRunOf id={id} /> },
];
