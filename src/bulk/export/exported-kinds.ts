import { cellLabels, cells, type CellView } from '../../cells/cell';
import { cloudShape, type CloudView } from '../../clouds/cloud';
import { anyDeviceShape, deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { deviceLabels, type DeviceView } from '../../devices/device';
import { labels, type LabelView } from '../../labels/label';
import { regionLabels, regions, type RegionView } from '../../regions/region';
import type { RequestContext } from '../../core/context/request-context';
import { appendMembers } from '../../core/json/json-text';
import { visibleDocument } from '../../core/json/visible-document';
import type { Queryable } from '../../database/database';
import { arrayParameter, join, raw, sql, type Sql } from '../../database/sql';
import { from, jsonOf } from '../../database/resource-sql';
import type { Field, LabelTable, ResourceShape, TableShape } from '../../database/resource-shape';
import { NO_INHERITANCE, type Inheritance } from '../../variables/levels';
import type { LineMember } from '../line-members';

/** A kind of resource, and the members of its lines except `variables`, as SQL over its row `t`. */
interface ExportedKind {
  readonly kind: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** The resources of one table. They are exported in the order of their ids. */
export interface ExportedTable {
  readonly shape: TableShape;
  readonly kinds: readonly ExportedKind[];
  /** Absent if the resources have no variables. */
  readonly inheritance?: Inheritance;
}

const kindField = (kind: string): Field => ({ sql: `'${kind}'::text` });
const columnField = (column: string): Field => ({ sql: `t.${column}` });

/** The name of the resource that a column references. */
const referencedName = (table: string, column: string): Field => ({
  sql: `(SELECT n.name FROM ${table} n WHERE n.project_id = t.project_id AND n.id = t.${column})`,
});

/** The names of the assigned labels, as an array. */
const labelNames = ({ table, owner }: LabelTable): Field => ({
  sql: `COALESCE((SELECT json_agg(l.label ORDER BY l.label) FROM ${table} a
    JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.${owner} = t.id), '[]')`,
});

/** The members that a kind of device has in addition to those of all devices. */
export const kindSpecificFields = ({ fields }: ResourceShape): [string, Field][] =>
  Object.entries(fields).filter(([name]) => !Object.hasOwn(anyDeviceShape.fields, name));

/** The fields of lines about a kind of resource: all of its members. */
const fieldsOf = <V>(
  kind: string,
  members: Readonly<Record<LineMember<V>, Field>>,
): Record<string, Field> => ({
  kind: kindField(kind),
  ...members,
});

/** Devices of every kind. */
export const exportedDeviceTable: ExportedTable = {
  shape: anyDeviceShape,
  kinds: deviceKinds.map(({ shape }) => ({
    kind: shape.kind,
    fields: {
      ...fieldsOf<DeviceView>(shape.kind, {
        name: columnField('name'),
        region: referencedName('regions', 'region_id'),
        cell: referencedName('cells', 'cell_id'),
        parent: referencedName('devices', 'parent_id'),
        ip_address: { sql: 'host(t.ip_address)' },
        device_type: columnField('device_type'),
        active: columnField('active'),
        note: columnField('note'),
        labels: labelNames(deviceLabels),
      }),
      ...Object.fromEntries(kindSpecificFields(shape)),
    },
  })),
  inheritance: deviceInheritance,
};

/** All exported tables, in the order of the export: a resource follows those that it references. */
export const exportedTables: readonly ExportedTable[] = [
  {
    shape: cloudShape,
    kinds: [
      {
        kind: 'cloud',
        fields: fieldsOf<CloudView>('cloud', { name: columnField('name'), note: columnField('note') }),
      },
    ],
  },
  {
    shape: labels.shape,
    kinds: [{ kind: 'label', fields: fieldsOf<LabelView>('label', { label: columnField('label') }) }],
    inheritance: NO_INHERITANCE,
  },
  {
    shape: regions.shape,
    kinds: [
      {
        kind: 'region',
        fields: fieldsOf<RegionView>('region', {
          name: columnField('name'),
          cloud: referencedName('clouds', 'cloud_id'),
          note: columnField('note'),
          labels: labelNames(regionLabels),
        }),
      },
    ],
    inheritance: NO_INHERITANCE,
  },
  {
    shape: cells.shape,
    kinds: [
      {
        kind: 'cell',
        fields: fieldsOf<CellView>('cell', {
          region: referencedName('regions', 'region_id'),
          name: columnField('name'),
          note: columnField('note'),
          labels: labelNames(cellLabels),
        }),
      },
    ],
    inheritance: cells.inheritance,
  },
  exportedDeviceTable,
];

/** The kinds of devices, as in the member `kind`. */
export const EXPORTED_DEVICE_KINDS: readonly string[] = exportedDeviceTable.kinds.map(({ kind }) => kind);

/** All exported kinds, as in the member `kind`. */
export const EXPORTED_KINDS: readonly string[] = exportedTables.flatMap(({ kinds }) =>
  kinds.map(({ kind }) => kind),
);

/** The members of a row except `variables`, as a JSON object. */
export function exportedLine({ kinds }: ExportedTable, ctx: RequestContext): Sql {
  const bodies = kinds.map(({ kind, fields }) => jsonOf({ kind, fields }, Object.keys(fields), ctx));
  if (bodies.length === 1 && bodies[0]) return bodies[0];
  const cases = kinds.map(({ kind }, i) => sql`WHEN ${raw(`'${kind}'`)} THEN ${bodies[i] ?? sql`NULL`}`);
  return sql`CASE t.kind ${join(cases, ' ')} END`;
}

/** Reads resources of a table as lines of an export with their own variables, by id. */
export async function readExportLines(
  ctx: RequestContext,
  on: Queryable,
  tableName: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const table = exportedTables.find(({ shape }) => shape.table === tableName);
  if (!table) throw new Error(`the table ${tableName} is not exported`);
  if (ids.length === 0) return new Map();
  const variables = table.inheritance ? sql`t.variables::text` : sql`NULL::text`;
  const rows = await on.rows<{ id: number; body: string; variables: string | null }>(
    sql`SELECT t.id, ${exportedLine(table, ctx)} AS body, ${variables} AS variables ${from(table.shape)}
      WHERE t.project_id = ${ctx.projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[])`,
    'custom',
  );
  return new Map(
    rows.map((row) => {
      const members =
        row.variables === null ? [] : [`"variables":${visibleDocument(row.variables, ctx.visibility)}`];
      return [row.id, appendMembers(row.body, members)];
    }),
  );
}
