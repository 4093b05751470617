import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { paths } from '@muster/api-types';
import { useLocations } from '../../api/locations';
import type { DeviceCollection } from '../../api/kinds';
import { DeviceReference } from '../../components/device-reference';
import { lazyDialog, preloading } from '../../components/lazy-component';
import { LevelMark } from '../../components/level-mark';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import { memberTitle } from '../../components/member-title';
import { LabelsMember, Member, Members, MembersOfTime } from '../../components/resource-members';
import { VariableValue } from '../../components/variable-value';
import type { VariableOwner } from '../../components/variable-write';

const MoveDialog = lazyDialog(() =>
  import('../../components/move-dialog').then(({ MoveDialog: component }) => component),
);

/** A device of any kind. */
export type DeviceView =
  paths[`/v1/${DeviceCollection}/{id}`]['get']['responses'][200]['content']['application/json'];

/** Members with a place of their own on the page. */
const SHOWN_ELSEWHERE = new Set([
  'id',
  'name',
  'active',
  'variables',
  'links',
  'project_id',
  'version',
  'uuid',
]);
/** Members with a row of their own below. */
const KNOWN = new Set([
  ...['region_id', 'cell_id', 'parent_id', 'labels', 'ip_address', 'device_type', 'note'],
  ...['access_secret_id', 'created_at', 'updated_at'],
]);

interface Props {
  readonly owner: VariableOwner;
  readonly device: DeviceView;
  readonly collection: DeviceCollection;
  /** Otherwise, the past is shown. */
  readonly isEditable: boolean;
}

/** The members of a device that are set: first those that every kind has, then those of its kind. */
export function DeviceMembers({ owner, device, collection, isEditable }: Props) {
  const locations = useLocations();
  const others = Object.entries(device).filter(
    ([name, value]) => !KNOWN.has(name) && !SHOWN_ELSEWHERE.has(name) && value !== null,
  );
  return (
    <Members>
      <Member name="Region">
        <LevelMark level="region">
          <ResourceLink kind="region" id={device.region_id} name={locations.regionName(device.region_id)} />
        </LevelMark>
        {isEditable && <MoveButton owner={owner} device={device} />}
      </Member>
      {device.cell_id !== null && (
        <Member name="Cell">
          <LevelMark level="cell">
            <ResourceLink kind="cell" id={device.cell_id} name={locations.cellTitle(device.cell_id)} />
          </LevelMark>
        </Member>
      )}
      {device.parent_id !== null && (
        <Member name="Parent">
          <DeviceReference id={device.parent_id} />
        </Member>
      )}
      <LabelsMember labels={device.labels}>
        {(label) => (
          <RouteLink to="/devices" search={{ collection, label: [label] }} size="sm">
            {label}
          </RouteLink>
        )}
      </LabelsMember>
      <Member name="Address">
        <code>{device.ip_address}</code>
      </Member>
      <Member name="Type">{device.device_type}</Member>
      {others.map(([name, value]) => (
        <Member key={name} name={memberTitle(name)}>
          {typeof value === 'string' ? value : <VariableValue value={value} />}
        </Member>
      ))}
      {device.note !== null && <Member name="Note">{device.note}</Member>}
      <MembersOfTime {...device} />
    </Members>
  );
}

/** A button that moves the device to another region or cell. */
function MoveButton({ owner, device }: Pick<Props, 'owner' | 'device'>) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      {' '}
      <Button {...preloading(MoveDialog)} variant="subtle" size="compact-sm" onClick={open}>
        Move…
      </Button>
      {isOpen && <MoveDialog owner={owner} device={device} onClose={close} />}
    </>
  );
}
