import { Button } from '@mantine/core';
import type { components } from '@muster/api-types';
import classes from './impact-list.module.css';
import { VariableKeyLink } from './variable-key-link';
import { LevelMark } from './level-mark';
import { ResourceLink } from './resource-link';
import tableClasses from './small-table.module.css';
import { ValueChange } from './value-change';

/** A device whose values change. In a preview, it may not exist yet. */
export type AffectedDevice = components['schemas']['AffectedDevice'] &
  Pick<components['schemas']['PreviewedDevice'], 'created'>;

interface Props {
  readonly items: readonly AffectedDevice[];
  /** Loads the next page. Undefined if there is none. */
  readonly onMore: (() => void) | undefined;
  readonly isLoading: boolean;
}

/** Devices with the values that change, from what to what. */
export function ImpactList({ items, onMore, isLoading }: Props) {
  return (
    <div className={classes.list} role="region" aria-label="Affected devices">
      <table className={tableClasses.table}>
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Variable</th>
            <th scope="col">What it resolves</th>
          </tr>
        </thead>
        <tbody>
          {items.flatMap(({ kind, id, name, changes, created = false }) =>
            Object.entries(changes).map(([key, change]) => (
              <tr key={`${kind}/${id}/${key}`}>
                <td data-header="Device">
                  <LevelMark level="device">
                    {created ? name : <ResourceLink kind={kind} id={id} name={name} />}
                  </LevelMark>
                </td>
                <td data-header="Variable">
                  <VariableKeyLink name={key} />
                </td>
                <td data-header="Resolves">
                  <ValueChange change={change} name={key} />
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      {onMore && (
        <div className={classes.more}>
          <Button variant="subtle" onClick={onMore} loading={isLoading}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
