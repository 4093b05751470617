import type { Type } from '@nestjs/common';
import { cellLabels, cellShape, type CellView } from '../../cells/cell';
import { cloudShape, type CloudView } from '../../clouds/cloud';
import { deviceLabels, type DeviceView } from '../../devices/device';
import { anyDeviceShape } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { labelShape, type LabelView } from '../../labels/label';
import { regionLabels, regionShape, type RegionView } from '../../regions/region';
import { addressSql } from '../../core/ip-address';
import type { LabelTable, ResourceShape } from '../../database/resource-shape';
import { CellLine, CloudLine, createDeviceLine, LabelLine, RegionLine } from './import-line.dto';
import type { ColumnMember, ReferenceMember } from '../line-members';
import type { CsvRecord } from '../csv/csv-reader';
import type { LineEntry } from './line-file';

/** A kind of resource that lines can describe. */
export interface LineKind {
  readonly shape: ResourceShape;
  readonly group: LineGroup;
  /** The DTO of its lines. */
  readonly dto: Type<object>;
}

/** A column that a member of a line is written to. */
interface LineColumn {
  readonly column: string;
  /** The member, as SQL over the line `l.body`. */
  readonly value: string;
  /** The stored value to compare with, as SQL over its row `t`; by default the column itself. */
  readonly stored?: string;
  /** The value for a new resource whose line does not have the member. */
  readonly default?: string;
}

/** A column that references another resource. Lines contain its name. */
interface LineReference {
  readonly member: string;
  readonly column: string;
}

/** The kinds of one table. Their lines are written together. */
export interface LineGroup {
  readonly table: string;
  /** The member with the name of the resource. The column has the same name. */
  readonly name: 'name' | 'label';
  /** The members that identify the resource of a line. */
  readonly identity: readonly string[];
  /** The members that a line of a new resource must have. */
  readonly required: readonly string[];
  readonly columns: readonly LineColumn[];
  readonly references: readonly LineReference[];
  readonly carriesVariables: boolean;
  readonly labels?: LabelTable;
  /** Whether the table contains several kinds. */
  readonly hasSeveralKinds: boolean;
}

/** The columns for all members of a view that lines contain as they are. */
const columnsFor = <V>(values: Readonly<Record<ColumnMember<V>, Omit<LineColumn, 'column'>>>): LineColumn[] =>
  Object.entries<Omit<LineColumn, 'column'>>(values).map(([column, value]) => ({ column, ...value }));

const text = (column: string): Omit<LineColumn, 'column'> => ({ value: `l.body ->> '${column}'` });
const noteColumn = { note: text('note') };

/** The columns for all members of a view that lines contain by name. */
const referencesFor = <V>(members: Readonly<Record<ReferenceMember<V>, true>>): LineReference[] =>
  Object.keys(members).map((member) => ({ member, column: `${member}_id` }));

const clouds: LineGroup = {
  table: cloudShape.table,
  name: 'name',
  identity: ['name'],
  required: [],
  columns: columnsFor<CloudView>(noteColumn),
  references: referencesFor<CloudView>({}),
  carriesVariables: false,
  hasSeveralKinds: false,
};

const labels: LineGroup = {
  table: labelShape.table,
  name: 'label',
  identity: ['label'],
  required: [],
  columns: columnsFor<LabelView>({}),
  references: referencesFor<LabelView>({}),
  carriesVariables: true,
  hasSeveralKinds: false,
};

const regions: LineGroup = {
  table: regionShape.table,
  name: 'name',
  identity: ['name'],
  required: [],
  columns: columnsFor<RegionView>(noteColumn),
  references: referencesFor<RegionView>({ cloud: true }),
  carriesVariables: true,
  labels: regionLabels,
  hasSeveralKinds: false,
};

const cells: LineGroup = {
  table: cellShape.table,
  name: 'name',
  identity: ['region', 'name'],
  required: [],
  columns: columnsFor<CellView>(noteColumn),
  references: referencesFor<CellView>({ region: true }),
  carriesVariables: true,
  labels: cellLabels,
  hasSeveralKinds: false,
};

/** The columns that only some kinds of devices have. The DTO of each kind accepts only its own columns. */
const kindSpecificColumns = (): LineColumn[] =>
  deviceKinds.flatMap(({ shape }) =>
    Object.entries(shape.fields).flatMap(([member, { sort }]): LineColumn[] => {
      if (Object.hasOwn(anyDeviceShape.fields, member)) return [];
      return [
        sort
          ? { column: member, value: `(l.body ->> '${member}')::${sort.type}` }
          : {
              column: member,
              // A write of one resource stores an unset member as SQL NULL and a null as JSON null. Both are shown as
              // null.
              value: `NULLIF(l.body -> '${member}', 'null')`,
              stored: `NULLIF(t.${member}, 'null')`,
            },
      ];
    }),
  );

const devices: LineGroup = {
  table: anyDeviceShape.table,
  name: 'name',
  identity: ['name'],
  required: ['region', 'ip_address', 'device_type'],
  columns: [
    ...columnsFor<DeviceView>({
      ip_address: { value: addressSql(`l.body ->> 'ip_address'`) },
      device_type: text('device_type'),
      active: { value: `(l.body ->> 'active')::boolean`, default: 'true' },
      ...noteColumn,
    }),
    ...kindSpecificColumns(),
  ],
  references: referencesFor<DeviceView>({ region: true, cell: true, parent: true }),
  carriesVariables: true,
  labels: deviceLabels,
  hasSeveralKinds: true,
};

/** In the order of the write: a resource follows those that it references. */
export const lineGroups = { clouds, labels, regions, cells, devices };

const allKinds: readonly LineKind[] = [
  { shape: cloudShape, group: clouds, dto: CloudLine },
  { shape: labelShape, group: labels, dto: LabelLine },
  { shape: regionShape, group: regions, dto: RegionLine },
  { shape: cellShape, group: cells, dto: CellLine },
  ...deviceKinds.map((kind): LineKind => ({
    shape: kind.shape,
    group: devices,
    dto: createDeviceLine(kind),
  })),
];

/** Every kind of line, by its `kind`. */
export const lineKinds: ReadonlyMap<string, LineKind> = new Map(
  allKinds.map((kind) => [kind.shape.kind, kind]),
);

/** The member of a line that lists the variables to unset. */
export const UNSET_KEYS = 'unset_variables';

/** The member of a staged record with its numbers in scientific notation, by key: the database does not keep the notation. */
export const SCIENTIFIC_NUMBERS = 'scientific_numbers';

/** Adds what a record of a table says in addition to its validated line. */
export function withRecord(
  text: string,
  { unsetKeys, scientificNumbers }: Pick<CsvRecord, 'unsetKeys' | 'scientificNumbers'>,
): string {
  const members = [
    ...(unsetKeys.length === 0 ? [] : [[UNSET_KEYS, unsetKeys] as const]),
    ...(scientificNumbers.size === 0
      ? []
      : [[SCIENTIFIC_NUMBERS, Object.fromEntries(scientificNumbers)] as const]),
  ];
  return `${text.slice(0, -1)}${members.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')}}`;
}

/** A validated line. */
export interface ImportLine extends LineEntry {
  readonly kind: LineKind;
  /** The parsed text. Numbers can have lost digits, so values are written from `text`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parses a line that has been validated. */
export function parseLine(entry: LineEntry): ImportLine {
  const body = JSON.parse(entry.text) as Record<string, unknown>;
  const kind = lineKinds.get(String(body['kind']));
  if (!kind) throw new Error(`line ${String(entry.line)} was staged without a valid kind`);
  return { ...entry, kind, body };
}

/** The name of the resource of a line. */
export const lineName = ({ kind, body }: ImportLine): string => String(body[kind.group.name]);
