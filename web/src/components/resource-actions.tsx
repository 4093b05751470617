import { Button } from '@mantine/core';
import { CaretDownIcon } from '@radix-ui/react-icons';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deviceKind, kindWords, type DeviceKind, type InventoryKind } from '../api/kinds';
import { lazyDialog } from './lazy-component';
import { copiedMembers } from './copied-members';
import type { DeviceLocation } from './device-location';
import { useOpener } from './use-opener';
import { PreviewedWrite } from './previewed-write';
import { planDelete } from './resource-write';

const CreateDialog = lazyDialog(() =>
  import('./create-dialog').then(({ CreateDialog: component }) => component),
);
const ActionMenu = lazyDialog(() => import('./anchored-menu').then(({ ActionMenu: component }) => component));
const MoveDialog = lazyDialog(() => import('./move-dialog').then(({ MoveDialog: component }) => component));

interface Props {
  readonly kind: DeviceKind | InventoryKind;
  /** Its name; that of a cell with its region. */
  readonly name: string;
  /** As it was read. */
  readonly resource: { readonly id: number; readonly version: number };
}

type Action = 'copy' | 'move' | 'delete';

const isPlaced = (resource: object): resource is DeviceLocation =>
  'region_id' in resource && 'cell_id' in resource;

/** What can be done with a resource besides editing it: copy it, move it if it is a device, and delete it. */
export function ResourceActions({ kind, name, resource }: Props) {
  const [action, setAction] = useState<Action>();
  const navigate = useNavigate();
  const { collection } = kind;
  const { id, version } = resource;
  const close = () => {
    setAction(undefined);
  };
  const item = (one: Action, title: string) => ({
    title,
    onChoose: () => {
      setAction(one);
    },
  });
  const [opener, anchor] = useOpener('menu', ActionMenu.preload);
  return (
    <>
      <Button {...opener} variant="default" rightSection={<CaretDownIcon aria-hidden />}>
        More
      </Button>
      {anchor && (
        <ActionMenu
          {...anchor}
          items={[
            item('copy', 'Copy…'),
            ...(isPlaced(resource) ? [item('move', 'Move…')] : []),
            item('delete', 'Delete…'),
          ]}
        />
      )}
      {action === 'copy' && (
        <CreateDialog kind={kind} copied={name} initial={copiedMembers(resource)} onClose={close} />
      )}
      {action === 'move' && isPlaced(resource) && (
        <MoveDialog
          owner={{ kind: kind.kind, collection, id, name }}
          device={{ ...resource, version }}
          onClose={close}
        />
      )}
      {action === 'delete' && (
        <PreviewedWrite
          write={planDelete(
            {
              title: `Delete ${kindWords(kind.kind)} ${name}`,
              command: ['muster', kind.kind, 'delete', name],
            },
            `/v1/${collection}/${id}`,
            version,
          )}
          onClose={close}
          onWritten={() =>
            void (deviceKind(kind.kind)
              ? navigate({ to: '/devices', search: { collection: deviceKind(kind.kind)?.collection } })
              : navigate({ to: '/inventory/$collection', params: { collection }, search: {} }))
          }
        />
      )}
    </>
  );
}
