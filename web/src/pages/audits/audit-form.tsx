import { Autocomplete, Button, SegmentedControl, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { parseJson } from '../../api/exact-json';
import { kindTitle } from '../../api/kinds';
import { deviceKinds } from '@muster/api-types';
import { definitionsQuery, describesKey } from '../../api/variable-definitions';
import { useKeyCompletions } from '../../api/variable-keys';
import { present } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { FormDialog } from '../../components/form-dialog';
import { FormTextInput } from '../../components/form-text-input';
import { JsonField } from '../../components/json-field';
import type { FormProps } from '../../components/managed-list';
import { changedMembers, planCreate, planUpdate } from '../../components/resource-write';
import { RightsHint } from '../../components/rights';
import { useFields } from '../../components/use-fields';
import { filtersInLines, searchOf } from '../../components/variable-filters';
import { EnteredNote } from '../../components/entered-note';
import { enteredValue } from '../../components/typed-text';
import { editorText, schemaProblem } from '../../components/variable-write';
import type { Audit } from '../../api/audits';
import { type Filters, filterTexts, searchOf as storedFilters } from './audit-texts';

const KINDS = [
  { value: '', label: 'Devices of every kind' },
  ...deviceKinds.map(({ kind, collection }) => ({ value: kind, label: kindTitle(collection) })),
];

/** Members of the API that the form has fields for. */
const SCHEMA = 'expectation.schema';
const VALUE = 'expectation.value';

/** A field with a filter on each line. */
const LINES = { autosize: true, minRows: 1, maxRows: 16, spellCheck: false } as const;

/** The value for remediation, as the form shows it at first. */
const valueText = (base: Audit | undefined): string =>
  base && 'value' in base.expectation ? editorText(base.expectation.value) : '';

const fieldsOf = (base: Audit | undefined) => ({
  name: base?.name ?? '',
  description: base?.description ?? '',
  kind: base?.kind ?? '',
  /** One filter on each line. */
  filters: base ? filterTexts(base).join('\n') : '',
  condition: base?.expectation.schema === undefined ? 'vars' : 'schema',
  expected: base ? filterTexts(base.expectation).join('\n') : '',
  key: base?.expectation.key ?? '',
  schema: base?.expectation.schema === undefined ? '' : editorText(base.expectation.schema),
  value: valueText(base),
});

type Fields = ReturnType<typeof fieldsOf>;

/** Defines an audit: which devices, and what their resolved variables must satisfy. */
export function AuditForm({ base, onClose }: FormProps<Audit>) {
  const [fields, set] = useFields(fieldsOf(base));
  const keys = useKeyCompletions(fields.key);
  const text = (name: 'name' | 'description' | 'filters' | 'expected') => ({
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
      <RightsHint collection="audits" />
      <FormTextInput name="name" isFirst label="Name" required {...text('name')} />
      <FormTextInput name="description" label="Description" {...text('description')} />
      <Select
        label="Audited devices"
        data={KINDS}
        value={fields.kind}
        onChange={(kind) => {
          set({ kind: kind ?? '' });
        }}
      />
      <Textarea
        label="Only devices with"
        description="Filters on resolved variables, one on each line. Empty: all of them."
        placeholder={'role = "compute"'}
        {...LINES}
        {...text('filters')}
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
        <Textarea
          label="Expected values"
          description="Filters that must all match, one on each line."
          placeholder={'kernel >= "6.8"'}
          required
          {...LINES}
          {...text('expected')}
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
            name={SCHEMA}
            label="JSON Schema"
            description="What the value must satisfy."
            text={fields.schema}
            onChange={(schema) => {
              set({ schema });
            }}
          />
          <DefinedSchemas
            name={fields.key}
            schema={fields.schema}
            onChoose={(schema) => {
              set({ schema });
            }}
          />
        </>
      )}
      <JsonField
        name={VALUE}
        label="Value for remediation"
        description="Empty: the value that the expectation implies, if it implies one."
        text={fields.value}
        onChange={(value) => {
          set({ value });
        }}
      />
      <EnteredNote entered={enteredValue(fields.value, valueText(base))} />
    </FormDialog>
  );
}

interface DefinedSchemasProps {
  /** The key of the variable. */
  readonly name: string;
  /** The text that is entered. */
  readonly schema: string;
  readonly onChoose: (schema: string) => void;
}

/** Offers the schemas of the definitions that describe the variable, so that nobody types them again. */
function DefinedSchemas({ name, schema: entered, onChoose }: DefinedSchemasProps) {
  const { data = [] } = useQuery(definitionsQuery(useProjectId()));
  return data
    .filter(({ key = '' }) => describesKey(key, name))
    .map(({ key = '', schema }) => ({ key, text: editorText(schema) }))
    .filter(({ text }) => text !== entered)
    .map(({ key, text }) => (
      <Button
        key={key}
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          onChoose(text);
        }}
      >
        Use the schema of the definition of {key}
      </Button>
    ));
}

/** The filters of a text. What was not edited stays as it is stored: the past runs of another definition are not comparable. */
const filtersOf = (text: string, base: Filters = {}) =>
  text === filterTexts(base).join('\n') ? storedFilters(base) : searchOf(filtersInLines(text));

function planOf(base: Audit | undefined, { name, description, kind, filters, ...expectation }: Fields) {
  const { condition, expected, key, schema, value } = expectation;
  const problem = condition === 'schema' ? schemaProblem(schema) : undefined;
  if (problem !== undefined) return { field: SCHEMA, message: problem };
  const entered = value.trim() === '' ? undefined : enteredValue(value, valueText(base));
  if (entered && 'problem' in entered) return { field: VALUE, message: entered.problem };
  const targets = filtersOf(filters, base);
  const members = {
    name,
    description: description === '' ? null : description,
    kind: kind === '' ? null : kind,
    vars: targets.vars ?? null,
    where: targets.where ?? null,
    expectation: {
      ...(condition === 'vars'
        ? present(filtersOf(expected, base?.expectation))
        : { key, schema: parseJson(schema) }),
      ...(entered ? { value: parseJson(entered.json) } : {}),
    },
  };
  if (!base) return planCreate({ title: `Create the audit ${name}` }, '/v1/audits', members);
  const changed = changedMembers(base, members);
  if (Object.keys(changed).length === 0) return 'Nothing was changed.';
  return planUpdate({ title: `Change the audit ${base.name}` }, `/v1/audits/${base.id}`, base, changed);
}
