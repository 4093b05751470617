import { getRouteApi } from '@tanstack/react-router';
import { useProjectId } from '../../app/use-project';
import { type Definition, DefinitionForm, DEFINITIONS_PATH } from '../../components/definition-form';
import { ManagedList } from '../../components/managed-list';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import { planDelete } from '../../components/resource-write';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { useSmallList } from '../../components/use-small-list';
import { VariableValue } from '../../components/variable-value';
import { Violations } from './violations';

const route = getRouteApi('/signed-in/admin');

/** The definitions of variables, or the values that violate one of them. */
export function DefinitionsSection() {
  const { id } = route.useSearch();
  return id === undefined ? <DefinitionList /> : <Violations id={id} />;
}

function DefinitionList() {
  const project_id = useProjectId();
  const list = useSmallList<Definition>(['variable-definitions', 'list'], DEFINITIONS_PATH, {
    project_id,
    sort_keys: ['key'],
  });
  return (
    <ManagedList
      label="variable definitions"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ key }) => `the definition of ${key}`}
      create="Create a definition"
      form={(props) => <DefinitionForm {...props} />}
      edit="Edit"
      planDelete={({ id, key, version }) =>
        planDelete({ title: `Delete the definition of ${key}` }, `${DEFINITIONS_PATH}/${id}`, version)
      }
      empty={
        <EmptyState title="No variable definitions">
          Every value is accepted. Create a definition to have new values of a key checked.
        </EmptyState>
      }
    />
  );
}

const COLUMNS: readonly SmallColumn<Definition>[] = [
  {
    header: 'Key',
    render: ({ id, key }) => (
      <code>
        <ResourceLink kind="variable-definition" id={id} name={key} />
      </code>
    ),
  },
  { header: 'Description', render: ({ description }) => description ?? '–' },
  { header: 'Schema', render: ({ schema }) => <VariableValue value={schema} /> },
  {
    header: 'Violations',
    render: ({ id, key }) => (
      <RouteLink
        to="/admin"
        search={{ section: 'definitions', id }}
        size="sm"
        aria-label={`Show violations of ${key}`}
      >
        Show
      </RouteLink>
    ),
  },
];
