import { Button } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { kindWords, type DeviceKind, type InventoryKind } from '../api/kinds';
import { lazyDialog, preloading } from './lazy-component';
import type { Values } from './member-description';

const CreateDialog = lazyDialog(() =>
  import('./create-dialog').then(({ CreateDialog: component }) => component),
);

interface Props {
  readonly kind: DeviceKind | InventoryKind;
  /** Members to begin with. */
  readonly initial: Values;
  /** Whether the form is open: a search parameter. */
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The button of a list that creates a resource, and the form. */
export const CreateButton = ({ kind, initial, isOpen, onOpen }: Props) => (
  <>
    <Button
      {...preloading(CreateDialog)}
      leftSection={<PlusIcon aria-hidden />}
      onClick={() => {
        onOpen(true);
      }}
    >
      New {kindWords(kind.kind)}
    </Button>
    {isOpen && (
      <CreateDialog
        kind={kind}
        initial={initial}
        onClose={() => {
          onOpen(false);
        }}
      />
    )}
  </>
);
