import { Autocomplete, Button, Code, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { isScalar, jsonText } from '../api/exact-json';
import { useKeyCompletions } from '../api/variable-keys';
import { useProjectId } from '../app/use-project';
import { counted } from './counted';
import { ErrorAlert } from './states';
import { varsFilter } from './vars-filter';

const TYPING_DELAY = 150;
/** How many values of a key are offered, the most frequent ones first. */
const MAX_VALUES = 100;

interface Props {
  /** The filter so far. */
  readonly vars: string;
  readonly onApply: (vars: string) => void;
}

/** Builds a filter by variables: completes keys, and offers what devices resolve. */
export function VarsBuilder({ vars, onApply }: Props) {
  const [key, setKey] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [settled] = useDebouncedValue(key.trim(), TYPING_DELAY);
  const keys = useKeyCompletions(settled);
  const isKey = keys.includes(settled);
  const { options, error } = useFilters(settled, isKey);
  const result = [vars.trim(), chosen ?? ''].filter((part) => part !== '').join(',');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Not the form of the filter bar, which contains this one in React's tree.
        event.stopPropagation();
        if (chosen !== null) onApply(result);
      }}
    >
      <Stack gap="xs">
        <Autocomplete
          label="Variable"
          placeholder="kernel"
          data={keys}
          value={key}
          autoFocus
          onChange={(text) => {
            setKey(text);
            setChosen(null);
          }}
          comboboxProps={{ withinPortal: false }}
        />
        <Select
          label="Resolves to"
          placeholder={isKey ? 'Choose a value' : 'Choose a variable first'}
          disabled={!isKey}
          searchable
          limit={MAX_VALUES}
          data={options}
          value={chosen}
          onChange={setChosen}
          nothingFoundMessage="No device resolves such a value"
          comboboxProps={{ withinPortal: false }}
        />
        {error && <ErrorAlert error={error} />}
        <div role="status" aria-label="The filter">
          <Text size="xs" c="dimmed">
            {result === '' ? 'The filter appears here.' : 'vars='}
          </Text>
          {result !== '' && (
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {result}
            </Code>
          )}
        </div>
        <Group justify="flex-end">
          <Button type="submit" disabled={chosen === null}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The filters that the resolved values of a key allow. */
function useFilters(key: string, isKey: boolean) {
  const project_id = useProjectId();
  const { data, error } = useQuery({
    queryKey: ['variable-values', project_id, key, MAX_VALUES],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/variable-keys/{key}/values', {
          params: { path: { key }, query: { project_id, limit: MAX_VALUES } },
          signal,
        }),
      ),
    enabled: isKey,
    staleTime: 60_000,
  });
  const found = new Map<string, number>();
  for (const { value, devices } of data?.values ?? [])
    for (const filter of new Set(filtersOfValue(key, [], value)))
      found.set(filter, (found.get(filter) ?? 0) + devices);
  const options = [...found].map(([value, devices]) => ({
    value,
    label: `${value} · ${counted(devices, 'device')}`,
  }));
  return { options, error };
}

/** A filter for each scalar in a value: members by their paths, elements of an array as the array itself. */
function filtersOfValue(key: string, path: readonly string[], value: unknown): string[] {
  if (isScalar(value)) return isFilterable(value) ? [varsFilter(key, path, value)] : [];
  // Only elements that are scalars can be compared with the array.
  if (Array.isArray(value))
    return value.filter(isScalar).flatMap((element) => filtersOfValue(key, path, element));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, part]) => filtersOfValue(key, [...path, member], part));
}

/** The syntax has no escape for the separators. */
const isFilterable = (scalar: unknown): boolean =>
  typeof scalar !== 'string' || !/[:,]/.test(jsonText(scalar));
