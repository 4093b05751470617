import type { paths } from '@muster/api-types';
import { isScalar, jsonText } from '../api/exact-json';
import type { Locations } from '../api/locations';
import type { DeviceCollection, DeviceKind, InventoryCollection, InventoryKind } from '../api/kinds';
import { CloudName } from './cloud-name';
import { variableOf } from './variable-column';
import { DeviceState } from './device-state';
import { LabelPills } from './label-pills';
import { LevelLink } from './level-link';
import { LevelMark, levelOf } from './level-mark';
import type { MemberDescription } from './member-description';
import classes from './member-columns.module.css';
import { memberTitle } from './member-title';
import { MiddleEllipsis } from './middle-ellipsis';
import { ResourceLink, RouteLink } from './resource-link';
import type { Column } from './resource-table';
import { TIME_WIDTH, TimeStamp } from './time-stamp';
import { sortKeyOf } from './sort-key';
import type { Sortable, Unsortable } from './table-column';
import { partOf, type VariablePath } from './variable-path';
import { VariableValue } from './variable-value';

type ListItem =
  paths[`/v1/${DeviceCollection | InventoryCollection}`]['get']['responses'][200]['content']['application/json'][number];

type MemberNames<T> = T extends unknown ? keyof T : never;
type MemberValue<T, Name> = T extends unknown ? (Name extends keyof T ? Required<T>[Name] : never) : never;

/** An item of any list: its members are present if their columns are shown. */
export type ListRow = {
  readonly [Name in MemberNames<ListItem>]?: MemberValue<ListItem, Name>;
} & { readonly id: number };

/** The members of several kinds, and those whose names are no good titles, in the order of the columns. */
const TITLES: Readonly<Record<string, string>> = {
  name: 'Name',
  label: 'Name',
  cloud_id: 'Cloud',
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
  label: 220,
  cloud_id: 120,
  region_id: 130,
  cell_id: 140,
  ip_address: 130,
  device_type: 90,
  active: 84,
  labels: 190,
  note: 200,
  created_at: TIME_WIDTH,
  updated_at: TIME_WIDTH,
  id: 80,
};
const DEFAULT_WIDTH = 150;

type Kind = DeviceKind | InventoryKind;

/** The members that only a kind has: texts, numbers and what is true or false. */
function ownMembers({ update }: Kind): readonly string[] {
  const members: readonly MemberDescription[] = update;
  return members
    .filter(
      ({ name, type, refersTo }) => !(name in TITLES) && refersTo === undefined && PLAIN_TYPES.has(type),
    )
    .map(({ name }) => name);
}

const PLAIN_TYPES: ReadonlySet<string> = new Set(['string', 'integer', 'boolean']);

/** Those of a kind's members that have a column. */
export function memberColumns(kind: Kind): readonly { id: string; title: string }[] {
  const fields: readonly string[] = kind.fields;
  return [
    ...Object.entries(TITLES).flatMap(([id, title]) => (fields.includes(id) ? [{ id, title }] : [])),
    ...ownMembers(kind).map((id) => ({ id, title: memberTitle(id) })),
  ];
}

/** Whether a list of a kind has a column with an id. */
export const isColumn = (id: string, kind: Kind): boolean =>
  variableOf(id) !== undefined || memberColumns(kind).some((member) => member.id === id);

interface Context {
  readonly kind: Kind;
  readonly locations: Locations;
}

/** A column of a list by its id; undefined for one that the list does not have. */
export function memberColumn(id: string, context: Context): Column<ListRow> | undefined {
  const path = variableOf(id);
  if (path)
    return {
      id,
      header: <code>{path.text}</code>,
      sorting: unsortableVariable(path, context.kind),
      width: 200,
      render: (row) => <VariableCell row={row} path={path} kind={context.kind.kind} />,
    };
  const title = memberColumns(context.kind).find((member) => member.id === id)?.title;
  if (title === undefined) return undefined;
  return {
    id,
    header: title,
    width: WIDTHS[id] ?? DEFAULT_WIDTH,
    isSticky: id === 'name' || id === 'label',
    isNumeric: isNumeric(context.kind, id),
    sorting: sortingOf(id, title, context.kind),
    render: (row) => <MemberCell row={row} member={id} context={context} />,
  };
}

/** Why no list is sorted by a variable, and what shows its values instead. */
const unsortableVariable = ({ text, key }: VariablePath, kind: Kind): Unsortable => ({
  reason: 'Lists cannot be sorted by variables.',
  instead: (
    <>
      {/* The list of labels has no such filter. */}
      {kind.kind === 'label' ? 'See' : `Filter by ${text} instead, or see`}{' '}
      <RouteLink to="/variables/$key" params={{ key }} size="sm" underline="always">
        the values of {key}
      </RouteLink>
      , each with the number of its devices.
    </>
  ),
});

function sortingOf(member: string, title: string, kind: Kind): Sortable | Unsortable {
  const key = sortKeyOf(kind, member);
  if (key === undefined)
    return { reason: `Lists cannot be sorted by “${title}”.`, instead: 'Use a filter instead.' };
  if (!isReference(kind, member)) return { key };
  // Indexes have the order of the ids of regions and the like, and none has that of their names (ADR 4).
  const hint = `Sorts by the ids of ${title.toLowerCase()}s, not by their names.`;
  return { key, by: { text: 'by id', hint } };
}

const memberOf = ({ update }: Kind, id: string): MemberDescription | undefined => {
  const members: readonly MemberDescription[] = update;
  return members.find(({ name }) => name === id);
};

/** Whether a member is the id of another resource, which is shown by its name. */
const isReference = (kind: Kind, id: string): boolean => memberOf(kind, id)?.refersTo !== undefined;

const isNumeric = (kind: Kind, id: string): boolean =>
  id === 'id' || (memberOf(kind, id)?.type === 'integer' && !isReference(kind, id));

interface VariableCellProps {
  readonly row: ListRow;
  readonly path: VariablePath;
  readonly kind: string;
}

/**
 * The resolved value of a variable, or a part of it, behind the mark of the level that sets it; for regions and labels, their
 * own.
 */
function VariableCell({ row: { explain, variables = {} }, path: { key, steps }, kind }: VariableCellProps) {
  const own = key in variables ? { source: { kind }, value: variables[key] } : undefined;
  const explanation = explain ? explain[key] : own;
  const part = explanation && partOf(explanation.value, steps);
  if (!part) return null;
  const mark = (
    <LevelMark level={levelOf(explanation.source.kind)}>
      <VariableValue value={part.value} isBrief />
    </LevelMark>
  );
  return isNumber(part.value) ? <span className={classes.number}>{mark}</span> : mark;
}

/** Whether a value is a number, also one that JavaScript would round. */
const isNumber = (value: unknown): boolean =>
  isScalar(value) && value !== null && !['string', 'boolean'].includes(typeof value);

/** In characters. */
const CELL_TAIL = 8;

/** A cell with its region, of which the end is always shown, also of a short name: cells differ there. */
const CellLink = ({ id, title }: { readonly id: number; readonly title: string }) => (
  <LevelMark level="cell">
    <RouteLink
      to="/inventory/$collection/$id"
      params={{ collection: 'cells', id: String(id) }}
      size="sm"
      fw={500}
      title={title}
      aria-label={title}
    >
      <MiddleEllipsis text={title} tail={Math.min(CELL_TAIL, Math.floor((title.length - 1) / 2))} />
    </RouteLink>
  </LevelMark>
);

interface CellProps {
  readonly row: ListRow;
  readonly member: string;
  readonly context: Context;
}

function MemberCell({ row, member, context: { kind, locations } }: CellProps) {
  switch (member) {
    case 'name':
    case 'label':
      return <ResourceLink kind={kind.kind} id={row.id} name={row.name ?? row.label ?? null} isInTable />;
    case 'cloud_id':
      return row.cloud_id === undefined || row.cloud_id === null ? null : <CloudName id={row.cloud_id} />;
    case 'region_id':
      return row.region_id === undefined ? null : (
        <LevelLink kind="region" id={row.region_id} name={locations.regionName(row.region_id)} isInTable />
      );
    case 'cell_id':
      return row.cell_id === undefined || row.cell_id === null ? null : (
        <CellLink id={row.cell_id} title={locations.cellTitle(row.cell_id)} />
      );
    case 'active':
      return row.active === undefined ? null : <DeviceState isActive={row.active} />;
    case 'labels':
      return <LabelPills labels={row.labels ?? ''} />;
    case 'ip_address':
      return <code>{row.ip_address}</code>;
    case 'created_at':
      return row.created_at === undefined ? null : <TimeStamp time={row.created_at} />;
    case 'updated_at':
      return row.updated_at === undefined || row.updated_at === null ? null : (
        <TimeStamp time={row.updated_at} />
      );
    default:
      return <span>{textOf({ ...row }[member])}</span>;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : jsonText(value);
}
