import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useSearchHits } from '../api/search-hits';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { ownerKey } from './variable-write';

const TYPING_DELAY = 150;
const MAX_HITS = 100;

/** A resource that sets variables. */
export interface LevelChoice {
  readonly kind: string;
  readonly id: number;
  /** With the region of a cell: cells of several regions have the same name. */
  readonly name: string;
}

interface Props {
  readonly level: LevelChoice | undefined;
  readonly onChange: (level: LevelChoice | undefined) => void;
}

/** Chooses a region, cell, label or device by its name. */
export function LevelPicker({ level, onChange }: Props) {
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const { hits, error } = useSearchHits(query, MAX_HITS);
  const found = hits.flatMap(({ kind, id, name, member, region }): LevelChoice[] => {
    const title = kind === 'cell' && region ? `${region.name}/${name}` : name;
    return hasLevel(kind) && member !== 'variables' ? [{ kind, id: Number(id), name: title }] : [];
  });
  const choices =
    level && !found.some((one) => ownerKey(one) === ownerKey(level)) ? [level, ...found] : found;
  return (
    <Select
      label="Level"
      description="The region, cell, label or device that sets the value. Type its name."
      required
      searchable
      data={choices.map((choice) => ({ value: ownerKey(choice), label: choice.name }))}
      // The API has searched already.
      filter={({ options }) => options}
      renderOption={({ option: { value, label } }) => (
        <LevelMark level={levelOf(value.split('/')[0] ?? '')}>{label}</LevelMark>
      )}
      nothingFoundMessage={error?.message ?? (query === '' ? 'Type a name.' : 'Nothing found.')}
      // Within the dialog, which is a landmark.
      comboboxProps={{ withinPortal: false }}
      value={level ? ownerKey(level) : null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(value) => {
        onChange(choices.find((choice) => ownerKey(choice) === value));
      }}
    />
  );
}
