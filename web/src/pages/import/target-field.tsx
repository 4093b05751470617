import { Autocomplete, Text, type OptionsFilter } from '@mantine/core';
import { useState } from 'react';
import { guessTarget, isVariableTarget, keyOf, variableTarget } from './column-targets';

/** How many are offered at a time; typing finds the others. */
const MAX_OFFERED = 200;

/** Before something is typed: the field has a target, of which only those with the same letters would be offered. */
const OFFER_ALL: OptionsFilter = ({ options, limit }) => options.slice(0, limit);

interface Props {
  /** The name of the column. */
  readonly column: string;
  readonly target: string;
  readonly members: readonly string[];
  /** Those of variables that are in use. */
  readonly keys: ReadonlySet<string>;
  readonly onChange: (text: string) => void;
}

/** The field for what a column becomes: a member, a variable that is in use, or a new one. */
export function TargetField({ column, target, members, keys, onChange }: Props) {
  const [isTyped, setTyped] = useState(false);
  const own = guessTarget(column, []);
  const variables = [...keys].map(variableTarget);
  return (
    <>
      <Autocomplete
        aria-label={`What ${column} becomes`}
        placeholder="ignored"
        data={[...new Set([...members, ...(own === '' ? [] : [own]), ...variables])]}
        limit={MAX_OFFERED}
        {...(isTyped ? {} : { filter: OFFER_ALL })}
        value={target}
        onChange={(text) => {
          setTyped(true);
          onChange(text);
        }}
        onDropdownClose={() => {
          setTyped(false);
        }}
      />
      {isVariableTarget(target) && (
        <Text size="xs" c="dimmed">
          {keys.has(keyOf(target)) ? 'existing variable' : 'new variable'}
        </Text>
      )}
    </>
  );
}
