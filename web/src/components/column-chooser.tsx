import { Button } from '@mantine/core';
import { MixerVerticalIcon } from '@radix-ui/react-icons';
import type { ChoicesProps } from './column-choices';
import { lazyComponent } from './lazy-component';
import { PopoverButton } from './popover-button';

const ColumnChoices = lazyComponent(
  () => import('./column-choices').then(({ ColumnChoices: component }) => component),
  {
    isOpened: true,
  },
);

/** Chooses the columns of a list: members, and any variable. */
export const ColumnChooser = (props: ChoicesProps) => (
  <PopoverButton
    width={260}
    preload={ColumnChoices.preload}
    target={(opener) => (
      <Button {...opener} variant="default" leftSection={<MixerVerticalIcon aria-hidden />}>
        Columns
      </Button>
    )}
  >
    {() => <ColumnChoices {...props} />}
  </PopoverButton>
);
