import { Autocomplete, Button, Code, CopyButton, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isKeyPrefix, useLoadedKeyCompletions } from '../api/variable-keys';
import { MAX_VALUES, variableValuesQuery } from '../api/variable-values';
import { useProjectId } from '../app/use-project';
import { counted } from './counted';
import { useFilterCheck } from './filter-check';
import { ErrorAlert } from './states';
import { TagsField } from './tags-field';
import { partsOfValues, type ValuePart } from './value-parts';
import { searchOf, type VariableFilter } from './variable-filters';
import {
  buildCondition,
  hintOf,
  operandsOf,
  OPERATOR_WORDS,
  operatorsFor,
  pathStep,
  type Operator,
} from './where-condition';

const TYPING_DELAY = 150;

interface Props {
  readonly onApply: (built: readonly VariableFilter[]) => void;
}

/** Builds a filter by variables: completes keys, and offers the operators and values that fit what devices resolve. */
export function FilterBuilder({ onApply }: Props) {
  const [typedKey, setKey] = useState('');
  const [path, setPath] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Operator>('=');
  const [texts, setTexts] = useState<string[]>([]);
  const key = typedKey.trim();
  const [settled] = useDebouncedValue(key, TYPING_DELAY);
  const { keys, isLoading: areKeysLoading } = useLoadedKeyCompletions(settled);
  const { parts, isLoading: arePartsLoading, error } = useParts(settled, keys.includes(settled));
  const part = parts.find((one) => one.path === path) ?? parts[0] ?? unknownPart(key);
  const operators = operatorsFor(part.types);
  const operator = operators.find((one) => one === chosen) ?? operators[0] ?? chosen;
  const built = buildCondition(part.path, operator, part, texts);
  // Fields that are enabled before it is known whether the key has values are disabled again while somebody uses them.
  const isLoading = areKeysLoading || arePartsLoading;
  const isReady = key !== '' && isKeyPrefix(key) && key === settled && !isLoading;
  const condition = isReady && 'condition' in built ? built.condition : undefined;
  const check = useFilterCheck(searchOf, onApply);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Not the form of the filter bar, which contains this one in React's tree.
        event.stopPropagation();
        if (condition !== undefined) check.mutate([{ parameter: 'where', text: condition }]);
      }}
    >
      <Stack gap="xs">
        <Autocomplete
          label="Variable"
          placeholder="kernel"
          data={keys}
          value={typedKey}
          autoFocus
          onChange={(text) => {
            setKey(text);
            setPath(null);
            setTexts([]);
          }}
          comboboxProps={{ withinPortal: false }}
        />
        {parts.length > 1 && (
          <Select
            label="Part of the value"
            description={
              part.types.size === 1 && part.types.has('object')
                ? 'A document is compared part by part.'
                : undefined
            }
            searchable
            limit={MAX_VALUES}
            data={parts.map((one) => one.path)}
            value={part.path}
            allowDeselect={false}
            onChange={(chosenPath) => {
              setPath(chosenPath);
              setTexts([]);
            }}
            comboboxProps={{ withinPortal: false }}
          />
        )}
        <Select
          label="Condition"
          description={hintOf(operator, part.types)}
          disabled={!isReady}
          data={operators.map((value) => ({ value, label: operatorLabel(value) }))}
          value={operator}
          allowDeselect={false}
          onChange={(value) => {
            setChosen(operators.find((one) => one === value) ?? operator);
          }}
          comboboxProps={{ withinPortal: false }}
        />
        <OperandField
          operator={operator}
          part={part}
          isDisabled={!isReady}
          texts={texts}
          problem={texts.length > 0 && 'problem' in built ? built.problem : undefined}
          onChange={setTexts}
        />
        {error && <ErrorAlert error={error} />}
        {check.error && <ErrorAlert error={check.error} />}
        <div role="status" aria-label="The filter">
          <Text size="xs" c="dimmed">
            {condition === undefined ? 'The filter appears here.' : 'where='}
          </Text>
          {condition !== undefined && (
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {condition}
            </Code>
          )}
        </div>
        <Group justify="flex-end" gap="xs">
          {condition !== undefined && (
            <CopyButton value={condition}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          )}
          <Button type="submit" disabled={condition === undefined} loading={check.isPending}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The words, with the operator that they stand for. */
const operatorLabel = (operator: Operator): string =>
  OPERATOR_WORDS[operator] === operator ? operator : `${OPERATOR_WORDS[operator]} · ${operator}`;

/** A variable that no device resolves, or whose values are not known: it may have any type. */
const unknownPart = (key: string): ValuePart => ({
  path: pathStep(key),
  types: new Set(),
  scalars: new Map(),
});

interface OperandProps {
  readonly operator: Operator;
  readonly part: ValuePart;
  readonly isDisabled: boolean;
  readonly texts: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (texts: string[]) => void;
}

/** The values that an operator compares with: what devices resolve is offered, and anything else can be typed. */
function OperandField({ operator, part: { scalars }, isDisabled, texts, problem, onChange }: OperandProps) {
  const operands = operandsOf(operator);
  if (operands === 'none') return null;
  const common = {
    disabled: isDisabled,
    error: problem,
    limit: MAX_VALUES,
    data: [...scalars.keys()],
    renderOption: ({ option: { value } }: { readonly option: { readonly value: string } }) =>
      `${value} · ${counted(scalars.get(value) ?? 0, 'device')}`,
    comboboxProps: { withinPortal: false },
  };
  return operands === 'several' ? (
    <TagsField
      label="Values"
      placeholder="Enter adds a value"
      {...common}
      // A text may contain a comma.
      splitChars={[]}
      value={[...texts]}
      onChange={onChange}
    />
  ) : (
    <Autocomplete
      label="Value"
      placeholder="Choose or type a value"
      {...common}
      value={texts[0] ?? ''}
      onChange={(text) => {
        onChange(text === '' ? [] : [text]);
      }}
    />
  );
}

/** The parts of the values that devices resolve. */
function useParts(key: string, isKey: boolean) {
  const projectId = useProjectId();
  const { data, isLoading, isFetchedAfterMount, error } = useQuery({
    ...variableValuesQuery(projectId, key),
    enabled: isKey,
  });
  // Documents may be large.
  const parts = useMemo(() => partsOfValues(key, data?.values ?? []), [key, data]);
  // Fields that are in use stay enabled while the values are read again after a failure.
  return { parts, isLoading: isLoading && !isFetchedAfterMount, error };
}
