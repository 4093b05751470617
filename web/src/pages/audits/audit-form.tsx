import { Autocomplete, SegmentedControl, Select, TextInput } from '@mantine/core';
import { parseJson } from '../../api/exact-json';
import { kindTitle } from '../../api/kinds';
import { deviceKinds } from '@muster/api-types';
import { useKeyCompletions } from '../../api/variable-keys';
import { FormDialog } from '../../components/form-dialog';
import { JsonField } from '../../components/json-field';
import type { FormProps } from '../../components/managed-list';
import { changedMembers, planCreate, planUpdate } from '../../components/resource-write';
import { useFields } from '../../components/use-fields';
import { editorText, jsonProblem } from '../../components/variable-write';
import type { Audit } from './audit-query';

const KINDS = [
  { value: '', label: 'Devices of every kind' },
  ...deviceKinds.map(({ kind, collection }) => ({ value: kind, label: kindTitle(collection) })),
];

const fieldsOf = (base: Audit | undefined) => ({
  name: base?.name ?? '',
  description: base?.description ?? '',
  kind: base?.kind ?? '',
  vars: base?.vars ?? '',
  condition: base?.expectation.schema === undefined ? 'vars' : 'schema',
  filters: base?.expectation.vars ?? '',
  key: base?.expectation.key ?? '',
  schema: base?.expectation.schema === undefined ? '' : editorText(base.expectation.schema),
  value: base && 'value' in base.expectation ? editorText(base.expectation.value) : '',
});

type Fields = ReturnType<typeof fieldsOf>;

/** Defines an audit: which devices, and what their resolved variables must satisfy. */
export function AuditForm({ base, onClose }: FormProps<Audit>) {
  const [fields, set] = useFields(fieldsOf(base));
  const keys = useKeyCompletions(fields.key);
  const text = (name: 'name' | 'description' | 'vars' | 'filters') => ({
    value: fields[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      set({ [name]: event.currentTarget.value });
    },
  });
  return (
    <FormDialog
      title={base ? `Edit the audit ${base.name}` : 'Create an audit'}
      plan={() => planOf(base, fields)}
      onApplied={onClose}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...text('name')} />
      <TextInput label="Description" {...text('description')} />
      <Select
        label="Audited devices"
        data={KINDS}
        value={fields.kind}
        onChange={(kind) => {
          set({ kind: kind ?? '' });
        }}
      />
      <TextInput
        label="Only devices with"
        description="Filters on resolved variables. Empty: all of them."
        placeholder={'role:"compute"'}
        {...text('vars')}
      />
      <SegmentedControl
        aria-label="Expectation"
        value={fields.condition}
        data={[
          { value: 'vars', label: 'Expect values' },
          { value: 'schema', label: 'Expect a JSON Schema' },
        ]}
        onChange={(condition) => {
          set({ condition });
        }}
      />
      {fields.condition === 'vars' ? (
        <TextInput
          label="Expected values"
          description="Filters that must all match."
          placeholder={'kernel:"6.8"'}
          required
          {...text('filters')}
        />
      ) : (
        <>
          <Autocomplete
            label="Key"
            description="The variable whose resolved value is checked. A device without it fails."
            required
            data={keys}
            value={fields.key}
            onChange={(key) => {
              set({ key });
            }}
          />
          <JsonField
            label="JSON Schema"
            description="What the value must satisfy."
            text={fields.schema}
            onChange={(schema) => {
              set({ schema });
            }}
          />
        </>
      )}
      <JsonField
        label="Value for remediation"
        description="JSON. Empty: the value that the expectation implies, if it implies one."
        text={fields.value}
        onChange={(value) => {
          set({ value });
        }}
      />
    </FormDialog>
  );
}

function planOf(base: Audit | undefined, { name, description, kind, vars, ...expected }: Fields) {
  const { condition, filters, key, schema, value } = expected;
  const schemaProblem = condition === 'schema' ? jsonProblem(schema) : undefined;
  if (schemaProblem !== undefined) return `JSON Schema: ${schemaProblem}`;
  const valueProblem = value.trim() === '' ? undefined : jsonProblem(value);
  if (valueProblem !== undefined) return `Value for remediation: ${valueProblem}`;
  const members = {
    name,
    description: description === '' ? null : description,
    kind: kind === '' ? null : kind,
    vars: vars.trim() === '' ? null : vars.trim(),
    expectation: {
      ...(condition === 'vars' ? { vars: filters.trim() } : { key, schema: parseJson(schema) }),
      ...(value.trim() === '' ? {} : { value: parseJson(value) }),
    },
  };
  if (!base) return planCreate({ title: `Create the audit ${name}` }, '/v1/audits', members);
  const changed = changedMembers(base, members);
  if (Object.keys(changed).length === 0) return 'Nothing was changed.';
  return planUpdate({ title: `Change the audit ${base.name}` }, `/v1/audits/${base.id}`, base, changed);
}
