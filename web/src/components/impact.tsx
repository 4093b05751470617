import { Text } from '@mantine/core';
import { counted } from './counted';
import { type ImpactGroup, ImpactGroups } from './impact-groups';
import { type AffectedDevice, ImpactList } from './impact-list';

interface Props {
  /** The number of devices that resolve another value. */
  readonly devices: number;
  /** The largest groups; undefined if they are not known. */
  readonly groups: readonly ImpactGroup[] | undefined;
  readonly groupsTotal: number | undefined;
  /** The devices that have been read, with their changes. */
  readonly items: readonly AffectedDevice[];
  /** Loads more devices. Undefined if there are none. */
  readonly onMore: (() => void) | undefined;
  readonly isLoading: boolean;
}

/** What a change does to devices: first how many get which value instead of which, then each of them. */
export function Impact({ devices, groups, groupsTotal, items, onMore, isLoading }: Props) {
  if (devices === 0) return null;
  return (
    <>
      {groups && groups.length > 0 && <ImpactGroups groups={groups} total={groupsTotal ?? groups.length} />}
      <section aria-label="Devices">
        <Text size="sm" fw={600}>
          {counted(devices, 'device')}
        </Text>
        <ImpactList items={items} onMore={onMore} isLoading={isLoading} />
      </section>
    </>
  );
}
