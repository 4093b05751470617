import { TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { components } from '@muster/api-types';
import { jsonText, parseJson } from '../../api/exact-json';
import { useProjectId } from '../../app/use-project';
import { FormDialog } from '../../components/form-dialog';
import { JsonField } from '../../components/json-field';
import { ManagedList, type FormProps } from '../../components/managed-list';
import { RouteLink } from '../../components/resource-link';
import { changedMembers, planCreate, planDelete, planUpdate } from '../../components/resource-write';
import type { SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { useFields } from '../../components/use-fields';
import { useSmallList } from '../../components/use-small-list';
import { VariableValue } from '../../components/variable-value';
import { editorText, jsonProblem } from '../../components/variable-write';
import { NewViolations } from './new-violations';
import { Violations } from './violations';

type Definition = components['schemas']['VariableDefinition'];

const route = getRouteApi('/signed-in/admin');
const PATH = '/v1/variable-definitions';

/** The definitions of variables, or the values that violate one of them. */
export function DefinitionsSection() {
  const { id } = route.useSearch();
  return id === undefined ? <DefinitionList /> : <Violations id={id} />;
}

function DefinitionList() {
  const project_id = useProjectId();
  const list = useSmallList<Definition>(['variable-definitions', 'list'], PATH, {
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
        planDelete({ title: `Delete the definition of ${key}` }, `${PATH}/${id}`, version)
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
  { header: 'Key', render: ({ key }) => <code>{key}</code> },
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

function DefinitionForm({ base, onClose }: FormProps<Definition>) {
  const [fields, set] = useFields({
    key: base?.key ?? '',
    description: base?.description ?? '',
    schema: base ? editorText(base.schema) : '{\n  "type": "string"\n}',
  });
  const plan = () => {
    const problem = jsonProblem(fields.schema);
    if (problem !== undefined) return `JSON Schema: ${problem}`;
    const description = fields.description === '' ? null : fields.description;
    const members = { key: fields.key, description, schema: parseJson(fields.schema) };
    const effect = <NewViolations body={jsonText(members)} />;
    if (!base) return planCreate({ title: `Create the definition of ${fields.key}`, effect }, PATH, members);
    const changed = changedMembers(base, members);
    if (Object.keys(changed).length === 0) return 'Nothing was changed.';
    const change = { title: `Change the definition of ${base.key}`, effect };
    return planUpdate(change, `${PATH}/${base.id}`, base, changed);
  };
  return (
    <FormDialog
      title={base ? `Edit the definition of ${base.key}` : 'Create a definition'}
      plan={plan}
      onApplied={onClose}
      onClose={onClose}
    >
      <TextInput
        label="Key"
        description="A key, or a prefix followed by *."
        required
        data-autofocus
        value={fields.key}
        onChange={(event) => {
          set({ key: event.currentTarget.value });
        }}
      />
      <TextInput
        label="Description"
        value={fields.description}
        onChange={(event) => {
          set({ description: event.currentTarget.value });
        }}
      />
      <JsonField
        label="JSON Schema"
        description="Draft 2020-12. New values are checked against it; existing ones are listed as violations."
        text={fields.schema}
        onChange={(schema) => {
          set({ schema });
        }}
      />
    </FormDialog>
  );
}
