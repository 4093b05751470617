import { usePlaces } from '../../api/places';
import type { components } from '../../api/schema';
import { Member, MemberList } from '../../components/member-list';
import { LevelMark } from '../../components/level-mark';
import { RouteLink, type DeviceCollection } from '../../components/resource-link';
import { TimeStamp } from '../../components/time-stamp';
import { VariableValue } from '../../components/variable-value';
import { ParentLink } from './parent-link';
import classes from './device-page.module.css';

/** A device of any kind. */
export type DeviceView = components['schemas']['HostView'] | components['schemas']['NetworkDeviceView'];

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
  readonly device: DeviceView;
  readonly collection: DeviceCollection;
}

/** The members of a device: first those that every kind has, then those of its kind. */
export function DeviceMembers({ device, collection }: Props) {
  const places = usePlaces();
  const labels = device.labels === '' ? [] : device.labels.split(',');
  const others = Object.entries(device).filter(([name]) => !KNOWN.has(name) && !SHOWN_ELSEWHERE.has(name));
  const up = device.links.find(({ rel }) => rel === 'up')?.href;
  return (
    <MemberList label="Members">
      <Member name="Region">
        <LevelMark level="region">
          <RouteLink to="/devices" search={{ collection, region_id: device.region_id }} size="sm">
            {places.regionName(device.region_id)}
          </RouteLink>
        </LevelMark>
      </Member>
      {device.cell_id !== null && (
        <Member name="Cell">
          <LevelMark level="cell">
            <RouteLink to="/devices" search={{ collection, cell_id: device.cell_id }} size="sm">
              {places.cellName(device.cell_id)}
            </RouteLink>
          </LevelMark>
        </Member>
      )}
      {device.parent_id !== null && (
        <Member name="Parent">
          <ParentLink href={up} id={device.parent_id} />
        </Member>
      )}
      <Member name="Labels">
        <span className={classes.labels}>
          {labels.length === 0 && 'none'}
          {labels.map((label) => (
            <LevelMark key={label} level="label">
              <RouteLink to="/devices" search={{ collection, label: [label] }} size="sm">
                {label}
              </RouteLink>
            </LevelMark>
          ))}
        </span>
      </Member>
      <Member name="Address">
        <code>{device.ip_address}</code>
      </Member>
      <Member name="Type">{device.device_type}</Member>
      {others.map(([name, value]) => (
        <Member key={name} name={titleOf(name)}>
          {typeof value === 'string' ? value : <VariableValue value={value} />}
        </Member>
      ))}
      {device.note !== null && <Member name="Note">{device.note}</Member>}
      <Member name="Created">
        <TimeStamp time={device.created_at} />
      </Member>
      {device.updated_at !== null && (
        <Member name="Updated">
          <TimeStamp time={device.updated_at} />
        </Member>
      )}
    </MemberList>
  );
}

const titleOf = (member: string): string =>
  member.charAt(0).toUpperCase() + member.slice(1).replaceAll('_', ' ');
