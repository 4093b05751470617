import type { Places } from '../../api/places';
import type { components } from '../../api/schema';
import { variableOf } from '../../components/column-chooser';
import { LevelMark, levelOf } from '../../components/level-mark';
import { RouteLink, type DeviceCollection } from '../../components/resource-link';
import type { Column } from '../../components/resource-table';
import { TimeStamp } from '../../components/time-stamp';
import { VariableValue } from '../../components/variable-value';
import { DeviceState } from '../../components/device-state';

type Host = components['schemas']['HostListItem'];
type NetworkDevice = components['schemas']['NetworkDeviceListItem'];

/** A device of a list: its members are present if its columns are shown. */
export type DeviceRow = Partial<Host & NetworkDevice> & { readonly id: number };

/** The members that every kind of device has, in the order of their columns. */
const TITLES: Readonly<Record<string, string>> = {
  name: 'Name',
  region_id: 'Region',
  cell_id: 'Cell',
  ip_address: 'Address',
  device_type: 'Type',
  active: 'State',
  labels: 'Labels',
  note: 'Note',
  model_name: 'Model',
  os_version: 'OS version',
  created_at: 'Created',
  updated_at: 'Updated',
  id: 'Id',
};

const WIDTHS: Readonly<Record<string, number>> = {
  name: 180,
  region_id: 130,
  cell_id: 110,
  ip_address: 130,
  device_type: 90,
  active: 84,
  labels: 200,
  created_at: 190,
  updated_at: 190,
  id: 80,
};
const DEFAULT_WIDTH = 150;

export const DEFAULT_COLUMNS = [
  'name',
  'region_id',
  'cell_id',
  'ip_address',
  'device_type',
  'active',
  'labels',
];

/** The members of a kind of device that have a column. */
export const memberColumns = (fields: readonly string[]): readonly { id: string; title: string }[] => [
  ...Object.entries(TITLES).flatMap(([id, title]) => (fields.includes(id) ? [{ id, title }] : [])),
];

interface Context {
  readonly collection: DeviceCollection;
  readonly places: Places;
  readonly sortKeys: readonly string[];
}

/** A column of the list by its id; undefined for one that this kind of device does not have. */
export function deviceColumn(id: string, context: Context): Column<DeviceRow> | undefined {
  const key = variableOf(id);
  if (key !== undefined)
    return {
      id,
      header: <code>{key}</code>,
      width: 200,
      render: (row) => <VariableCell row={row} name={key} />,
    };
  const title = TITLES[id];
  if (title === undefined) return undefined;
  return {
    id,
    header: title,
    width: WIDTHS[id] ?? DEFAULT_WIDTH,
    ...(context.sortKeys.includes(id) ? { sortKey: id } : {}),
    render: (row) => <MemberCell row={row} member={id} context={context} />,
  };
}

/** The resolved value of a variable behind the mark of the level that sets it. */
function VariableCell({ row, name }: { readonly row: DeviceRow; readonly name: string }) {
  const explanation = row.explain?.[name];
  if (!explanation) return null;
  const { source, value } = explanation;
  return (
    <LevelMark level={levelOf(source.kind)}>
      <VariableValue value={value} isBrief />
    </LevelMark>
  );
}

interface CellProps {
  readonly row: DeviceRow;
  readonly member: string;
  readonly context: Context;
}

function MemberCell({ row, member, context: { collection, places } }: CellProps) {
  switch (member) {
    case 'name':
      return (
        <RouteLink
          to="/devices/$collection/$id"
          params={{ collection, id: String(row.id) }}
          tabIndex={-1}
          size="sm"
          fw={500}
        >
          {row.name}
        </RouteLink>
      );
    case 'region_id':
      return row.region_id === undefined ? null : (
        <LevelMark level="region">{places.regionName(row.region_id)}</LevelMark>
      );
    case 'cell_id':
      return row.cell_id === undefined || row.cell_id === null ? null : (
        <LevelMark level="cell">{places.cellName(row.cell_id)}</LevelMark>
      );
    case 'active':
      return row.active === undefined ? null : <DeviceState isActive={row.active} />;
    case 'labels':
      return <span>{row.labels?.replaceAll(',', ', ')}</span>;
    case 'ip_address':
      return <code>{row.ip_address}</code>;
    case 'created_at':
      return row.created_at === undefined ? null : <TimeStamp time={row.created_at} />;
    case 'updated_at':
      return row.updated_at === undefined || row.updated_at === null ? null : (
        <TimeStamp time={row.updated_at} />
      );
    case 'device_type':
      return <span>{row.device_type}</span>;
    case 'note':
      return <span>{row.note}</span>;
    case 'model_name':
      return <span>{row.model_name}</span>;
    case 'os_version':
      return <span>{row.os_version}</span>;
    default:
      return <span>{row.id}</span>;
  }
}
