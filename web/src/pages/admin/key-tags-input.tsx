import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useKeyCompletions } from '../../api/variable-keys';
import { TagsField } from '../../components/tags-field';

const TYPING_DELAY = 150;

interface Props {
  readonly label: string;
  readonly description: string;
  /** Completions besides the keys of variables. */
  readonly words?: readonly string[];
  readonly values: readonly string[];
  readonly onChange: (values: string[]) => void;
}

/** Keys of variables, or prefixes of them; completed while typing. */
export function KeyTagsInput({ words = [], values, onChange, ...texts }: Props) {
  const [text, setText] = useState('');
  const [prefix] = useDebouncedValue(text, TYPING_DELAY);
  const keys = useKeyCompletions(prefix);
  return (
    <TagsField
      {...texts}
      data={[...words, ...keys.filter((key) => !words.includes(key))]}
      value={[...values]}
      searchValue={text}
      onSearchChange={setText}
      onChange={onChange}
    />
  );
}
