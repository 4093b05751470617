import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Props {
  /** The number of filters in effect. */
  readonly count: number;
  readonly children: ReactNode;
}

/** The filters of a list. On a phone, where they would take half of the page, they are behind a button. */
export function CollapsibleFilters({ count, children }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        Filters{count > 0 && ` (${count})`}
      </Button>
      <Stack gap="xs" {...(!isOpen && { visibleFrom: 'xs' })}>
        {children}
      </Stack>
    </>
  );
}
