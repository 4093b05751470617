import { Group, Text } from '@mantine/core';
import { counted } from './counted';
import { LevelLink } from './level-link';
import type { WrittenResource } from './planned-write';

/** How many are shown. */
const MAX_SHOWN = 20;

/** The resources that a write is about, if its dry run only counts them. */
export function WrittenResources({ resources }: { readonly resources: readonly WrittenResource[] }) {
  const others = resources.length - MAX_SHOWN;
  return (
    <Group gap="xs" role="group" aria-label="Changed resources">
      {resources.slice(0, MAX_SHOWN).map(({ kind, id, name }) => (
        <LevelLink key={id} kind={kind} id={id} name={name} />
      ))}
      {others > 0 && (
        <Text span size="sm">
          and {counted(others, 'more', 'more')}
        </Text>
      )}
    </Group>
  );
}
