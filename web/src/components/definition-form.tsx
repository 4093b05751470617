import type { components } from '@muster/api-types';
import { jsonText, parseJson } from '../api/exact-json';
import { FormDialog } from './form-dialog';
import { FormTextInput } from './form-text-input';
import { JsonField } from './json-field';
import type { FormProps } from './managed-list';
import { changedMembers, planCreate, planUpdate } from './resource-write';
import { useFields } from './use-fields';
import { editorText, schemaProblem } from './variable-write';
import { NewViolations } from './new-violations';

export type Definition = components['schemas']['VariableDefinition'];

/** The collection. */
export const DEFINITIONS_PATH = '/v1/variable-definitions';

interface Props extends FormProps<Definition> {
  /** The key of a new definition, until another one is entered. */
  readonly initialKey?: string;
}

/** Creates a definition, or changes one. The preview says what would violate it. */
export function DefinitionForm({ base, initialKey = '', onClose }: Props) {
  const [fields, set] = useFields({
    key: base?.key ?? initialKey,
    description: base?.description ?? '',
    schema: base ? editorText(base.schema) : '{\n  "type": "string"\n}',
  });
  const plan = () => {
    const problem = schemaProblem(fields.schema);
    if (problem !== undefined) return { field: 'schema', message: problem };
    const description = fields.description === '' ? null : fields.description;
    const members = { key: fields.key, description, schema: parseJson(fields.schema) };
    const extraPreview = <NewViolations body={jsonText(members)} />;
    if (!base)
      return planCreate(
        { title: `Create the definition of ${fields.key}`, extraPreview },
        DEFINITIONS_PATH,
        members,
      );
    const changed = changedMembers(base, members);
    if (Object.keys(changed).length === 0) return 'Nothing was changed.';
    const title = `Change the definition of ${base.key}`;
    // Finding violations takes time. Another description makes none.
    const changesValues = changed.key !== undefined || changed.schema !== undefined;
    const change = changesValues ? { title, extraPreview } : { title };
    return planUpdate(change, `${DEFINITIONS_PATH}/${base.id}`, base, changed);
  };
  return (
    <FormDialog
      title={base ? `Edit the definition of ${base.key}` : 'Create a definition'}
      plan={plan}
      onApplied={onClose}
      onClose={onClose}
    >
      <FormTextInput
        name="key"
        isFirst={initialKey === ''}
        label="Key"
        description="A key, or a prefix followed by *."
        required
        value={fields.key}
        onChange={(event) => {
          set({ key: event.currentTarget.value });
        }}
      />
      <FormTextInput
        name="description"
        label="Description"
        value={fields.description}
        onChange={(event) => {
          set({ description: event.currentTarget.value });
        }}
      />
      <JsonField
        name="schema"
        isFirst={initialKey !== ''}
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
