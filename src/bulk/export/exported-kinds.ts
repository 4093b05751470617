import { cellLabels, cells } from '../../cells/cell';
import { cloudShape } from '../../clouds/cloud';
import { anyDeviceShape, deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { deviceLabels } from '../../devices/device';
import { labels } from '../../labels/label';
import { regionLabels, regions } from '../../regions/region';
import type { RequestContext } from '../../core/context/request-context';
import { join, raw, sql, type Sql } from '../../database/sql';
import { jsonOf } from '../../database/resource-sql';
import type { Field, LabelTable, ResourceShape, TableShape } from '../../database/resource-shape';
import { OWN_ONLY, type Inheritance } from '../../variables/inheritance';

/** What a line tells of a resource of one kind, but for its variables: each member as SQL over its row `t`. */
interface ExportedKind {
  readonly kind: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** Resources that are exported one after the other, in the order of their ids: those of one table. */
export interface ExportedTable {
  readonly shape: TableShape;
  /** The kinds of it. */
  readonly kinds: readonly ExportedKind[];
  /** Absent: it carries no variables. */
  readonly inheritance?: Inheritance;
}

const kindWord = (kind: string): Field => ({ sql: `'${kind}'::text` });
const text = (column: string): Field => ({ sql: `t.${column}` });

/** The name of what a column refers to, within the project. */
const nameOf = (table: string, column: string): Field => ({
  sql: `(SELECT n.name FROM ${table} n WHERE n.project_id = t.project_id AND n.id = t.${column})`,
});

/** The names of the labels that it carries, as an array. */
const labelArray = ({ table, owner }: LabelTable): Field => ({
  sql: `COALESCE((SELECT json_agg(l.label ORDER BY l.label) FROM ${table} a
    JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.${owner} = t.id), '[]')`,
});

/** The members that a kind of device has beyond every device's. */
export const membersOfKind = ({ fields }: ResourceShape): [string, Field][] =>
  Object.entries(fields).filter(([name]) => !Object.hasOwn(anyDeviceShape.fields, name));

/** Devices of every kind. */
export const deviceTable: ExportedTable = {
  shape: anyDeviceShape,
  kinds: deviceKinds.map(({ shape }) => ({
    kind: shape.kind,
    fields: {
      kind: kindWord(shape.kind),
      name: text('name'),
      region: nameOf('regions', 'region_id'),
      cell: nameOf('cells', 'cell_id'),
      parent: nameOf('devices', 'parent_id'),
      ip_address: { sql: 'host(t.ip_address)' },
      device_type: text('device_type'),
      active: text('active'),
      note: text('note'),
      labels: labelArray(deviceLabels),
      ...Object.fromEntries(membersOfKind(shape)),
    },
  })),
  inheritance: deviceInheritance,
};

/** Everything that is exported, in the order in which it is: what is referred to comes first. */
export const exportedTables: readonly ExportedTable[] = [
  {
    shape: cloudShape,
    kinds: [{ kind: 'cloud', fields: { kind: kindWord('cloud'), name: text('name'), note: text('note') } }],
  },
  {
    shape: labels.shape,
    kinds: [{ kind: 'label', fields: { kind: kindWord('label'), label: text('label') } }],
    inheritance: OWN_ONLY,
  },
  {
    shape: regions.shape,
    kinds: [
      {
        kind: 'region',
        fields: {
          kind: kindWord('region'),
          name: text('name'),
          cloud: nameOf('clouds', 'cloud_id'),
          note: text('note'),
          labels: labelArray(regionLabels),
        },
      },
    ],
    inheritance: OWN_ONLY,
  },
  {
    shape: cells.shape,
    kinds: [
      {
        kind: 'cell',
        fields: {
          kind: kindWord('cell'),
          region: nameOf('regions', 'region_id'),
          name: text('name'),
          note: text('note'),
          labels: labelArray(cellLabels),
        },
      },
    ],
    inheritance: cells.inheritance,
  },
  deviceTable,
];

/** The kinds of devices, as lines name them. */
export const DEVICE_KINDS: readonly string[] = deviceTable.kinds.map(({ kind }) => kind);

/** Every kind that is exported, as lines name them. */
export const EXPORTED_KINDS: readonly string[] = exportedTables.flatMap(({ kinds }) =>
  kinds.map(({ kind }) => kind),
);

/** A row's line, but for its variables, as JSON text. */
export function lineOf({ kinds }: ExportedTable, ctx: RequestContext): Sql {
  const bodies = kinds.map(({ kind, fields }) => jsonOf({ kind, fields }, Object.keys(fields), ctx));
  if (bodies.length === 1 && bodies[0]) return bodies[0];
  const cases = kinds.map(({ kind }, i) => sql`WHEN ${raw(`'${kind}'`)} THEN ${bodies[i] ?? sql`NULL`}`);
  return sql`CASE t.kind ${join(cases, ' ')} END`;
}
