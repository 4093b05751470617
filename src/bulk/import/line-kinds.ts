import type { Type } from '@nestjs/common';
import { cellLabels, cellShape } from '../../cells/cell';
import { cloudShape } from '../../clouds/cloud';
import { deviceLabels } from '../../devices/device';
import { anyDeviceShape } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { labelShape } from '../../labels/label';
import { regionLabels, regionShape } from '../../regions/region';
import type { LabelTable, ResourceShape } from '../../database/resource-shape';
import { CellLine, CloudLine, deviceLine, LabelLine, RegionLine } from './line-types';

/** A kind of resource that lines tell of. */
export interface LineKind {
  readonly shape: ResourceShape;
  readonly group: LineGroup;
  /** What a line of it may have. */
  readonly line: Type<object>;
}

/** A column of a table that a line's members are written to. */
interface LineColumn {
  readonly column: string;
  /** The member, as SQL over the line `l.body`. */
  readonly value: string;
  /** What the column holds, as SQL over its row `t`, where the same may stand there in two ways; usually it is itself. */
  readonly held?: string;
  /** What it is for something new that a line does not say it of. */
  readonly usual?: string;
}

/** A column that refers to another resource, which lines name. */
interface LineReference {
  readonly member: string;
  readonly column: string;
}

/** Kinds that are written together: those of one table. */
export interface LineGroup {
  readonly table: string;
  /** The member that names it, which is also the column. */
  readonly name: 'name' | 'label';
  /** The members that tell which resource a line is of. */
  readonly identity: readonly string[];
  /** The members that a line of something new must have. */
  readonly required: readonly string[];
  readonly columns: readonly LineColumn[];
  readonly references: readonly LineReference[];
  readonly carriesVariables: boolean;
  readonly labels?: LabelTable;
  /** Whether several kinds stand in the table. */
  readonly isKinds: boolean;
}

const text = (column: string): LineColumn => ({ column, value: `l.body ->> '${column}'` });
const note = text('note');

const reference = (member: string): LineReference => ({ member, column: `${member}_id` });

const clouds: LineGroup = {
  table: cloudShape.table,
  name: 'name',
  identity: ['name'],
  required: [],
  columns: [note],
  references: [],
  carriesVariables: false,
  isKinds: false,
};

const labels: LineGroup = {
  table: labelShape.table,
  name: 'label',
  identity: ['label'],
  required: [],
  columns: [],
  references: [],
  carriesVariables: true,
  isKinds: false,
};

const regions: LineGroup = {
  table: regionShape.table,
  name: 'name',
  identity: ['name'],
  required: [],
  columns: [note],
  references: [reference('cloud')],
  carriesVariables: true,
  labels: regionLabels,
  isKinds: false,
};

const cells: LineGroup = {
  table: cellShape.table,
  name: 'name',
  identity: ['region', 'name'],
  required: [],
  columns: [note],
  references: [reference('region')],
  carriesVariables: true,
  labels: cellLabels,
  isKinds: false,
};

/** The columns that some kinds of devices have, and not all: each kind's lines have no others than its own. */
const ownColumns = (): LineColumn[] =>
  deviceKinds.flatMap(({ shape }) =>
    Object.entries(shape.fields).flatMap(([member, { sort }]): LineColumn[] => {
      if (Object.hasOwn(anyDeviceShape.fields, member)) return [];
      return [
        sort
          ? { column: member, value: `(l.body ->> '${member}')::${sort.type}` }
          : {
              column: member,
              // Single writes leave what is not set as NULL, and what is set to null as JSON's: both are shown as null.
              value: `NULLIF(l.body -> '${member}', 'null')`,
              held: `NULLIF(t.${member}, 'null')`,
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
    { column: 'ip_address', value: `(l.body ->> 'ip_address')::inet` },
    text('device_type'),
    { column: 'active', value: `(l.body ->> 'active')::boolean`, usual: 'true' },
    note,
    ...ownColumns(),
  ],
  references: [reference('region'), reference('cell'), reference('parent')],
  carriesVariables: true,
  labels: deviceLabels,
  isKinds: true,
};

/** In the order in which they are written: what is referred to comes first. */
export const lineGroups = { clouds, labels, regions, cells, devices };

/** Every kind of line, by the word that it begins with. */
export const lineKinds: ReadonlyMap<string, LineKind> = new Map(
  [
    { shape: cloudShape, group: clouds, line: CloudLine },
    { shape: labelShape, group: labels, line: LabelLine },
    { shape: regionShape, group: regions, line: RegionLine },
    { shape: cellShape, group: cells, line: CellLine },
    ...deviceKinds.map((kind) => ({ shape: kind.shape, group: devices, line: deviceLine(kind) })),
  ].map((kind: LineKind) => [kind.shape.kind, kind]),
);
