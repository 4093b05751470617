import { Button, Popover } from '@mantine/core';
import { MixerVerticalIcon } from '@radix-ui/react-icons';
import type { ChoicesProps } from './column-choices';
import { lazyComponent } from './lazy-component';

const ColumnChoices = lazyComponent(() =>
  import('./column-choices').then(({ ColumnChoices: component }) => component),
);

/** Chooses the columns of a list: members, and any variable. */
export function ColumnChooser(props: ChoicesProps) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={260} shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<MixerVerticalIcon aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ColumnChoices {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}
