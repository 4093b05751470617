import { Autocomplete, type OptionsFilter } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import { guessTarget, isVariableTarget } from './column-targets';

/** How many are offered at a time; typing finds the others. */
const MAX_OFFERED = 200;

const NO_OPTIONS: readonly string[] = [];

/** Before something is typed: the field has a target, of which only those with the same letters would be offered. */
const OFFER_ALL: OptionsFilter = ({ options, limit }) => options.slice(0, limit);

interface Props {
  /** The index of the column. */
  readonly index: number;
  /** The name of the column. */
  readonly column: string;
  readonly target: string;
  readonly members: readonly string[];
  /** The targets of variables that are in use. */
  readonly variables: readonly string[];
  /** Whether the target is one of them. */
  readonly isExisting: boolean;
  readonly onChange: (index: number, text: string) => void;
}

/**
 * The field for what a column becomes: a member, a variable that is in use, or a new one. A table can have many columns, and a project
 * 10,000 variables: the field is rendered only if it changes, and has options only while they are shown.
 */
export const TargetField = memo(function TargetField(props: Props) {
  const { index, column, target, members, variables, isExisting, onChange } = props;
  const [isTyped, setTyped] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const options = useMemo(() => {
    if (!isOpen) return NO_OPTIONS;
    const own = guessTarget(column, []);
    return [...new Set([...members, ...(own === '' ? [] : [own]), ...variables])];
  }, [isOpen, column, members, variables]);
  return (
    <Autocomplete
      aria-label={`What ${column} becomes`}
      placeholder="ignored"
      inputWrapperOrder={['input', 'description']}
      description={isVariableTarget(target) && (isExisting ? 'existing variable' : 'new variable')}
      data={options}
      limit={MAX_OFFERED}
      {...(isTyped ? {} : { filter: OFFER_ALL })}
      value={target}
      onChange={(text) => {
        setTyped(true);
        onChange(index, text);
      }}
      onDropdownOpen={() => {
        setOpen(true);
      }}
      onDropdownClose={() => {
        setTyped(false);
        setOpen(false);
      }}
    />
  );
});
