import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { lazyDialog, preloading } from '../../components/lazy-component';
import { ErrorAlert } from '../../components/states';
import type { SelectedDevice } from './bulk-change';
import classes from './device-list-page.module.css';

const BulkDialog = lazyDialog(() => import('./bulk-dialog').then(({ BulkDialog: component }) => component));

interface Props {
  readonly kind: string;
  readonly devices: readonly SelectedDevice[];
  /** The number of devices that the list shows; undefined while it is counted. */
  readonly total: number | undefined;
  /** Selects all devices that the list shows, up to the limit. */
  readonly onSelectAll: () => void;
  /** The state of a read of devices to select. */
  readonly selectAll: { readonly isPending: boolean; readonly error: Error | null };
  readonly onClear: () => void;
}

/** What can be done with the selected devices. */
export function DeviceSelection({ kind, devices, total, onSelectAll, selectAll, onClear }: Props) {
  const [isChanging, setChanging] = useState(false);
  const all = Math.min(total ?? 0, MAX_SELECTED);
  return (
    <Group gap="xs" role="group" aria-label="Selection" className={classes.selection}>
      <Text size="sm" fw={600} role="status">
        {devices.length.toLocaleString()} selected
      </Text>
      <Button
        {...preloading(BulkDialog)}
        onClick={() => {
          setChanging(true);
        }}
      >
        Change…
      </Button>
      <Button variant="default" onClick={onClear}>
        Clear
      </Button>
      {devices.length < all && (
        <Button variant="default" loading={selectAll.isPending} onClick={onSelectAll}>
          {total === all ? `Select all ${all.toLocaleString()}` : `Select the first ${all.toLocaleString()}`}
        </Button>
      )}
      {selectAll.error && <ErrorAlert error={selectAll.error} />}
      {isChanging && (
        <BulkDialog
          kind={kind}
          devices={devices}
          onClose={() => {
            setChanging(false);
          }}
          onApplied={onClear}
        />
      )}
    </Group>
  );
}

/** The largest number of devices that are changed at once: a preview takes as long as the change. */
export const MAX_SELECTED = 5_000;
