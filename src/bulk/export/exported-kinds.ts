import type { RequestContext } from '../../core/context/request-context';
import { appendMembers } from '../../core/json/json-text';
import { visibleDocument } from '../../core/json/visible-document';
import type { Queryable } from '../../database/database';
import { arrayParameter, join, raw, sql, type Sql } from '../../database/sql';
import { from, jsonOf } from '../../database/resource-sql';
import type { Field, LabelTable, ResourceMapping, TableMapping } from '../../database/resource-mapping';
import { tableOf } from '../../resources/members';
import type { Inheritance } from '../../variables/levels';
import { type BulkTable, bulkTables, type LineMember, lineMembersOf } from '../line-members';

/** A kind of resource, and the members of its lines except `variables`, as SQL over its row `t`. */
interface ExportedKind {
  readonly kind: string;
  readonly fields: Readonly<Record<string, Field>>;
}

/** The resources of one table. They are exported in the order of their ids. */
export interface ExportedTable {
  readonly mapping: TableMapping;
  readonly kinds: readonly ExportedKind[];
  /** Absent if the resources have no variables. */
  readonly inheritance?: Inheritance;
}

/** The name of the resource that a column references. */
const referencedName = (column: string, { references }: Field): Field => ({
  sql: `(SELECT n.name FROM ${references ? tableOf(references.target()) : ''} n WHERE n.project_id = t.project_id AND n.id = t.${column})`,
});

/** The names of the assigned labels, as an array. */
const labelNames = ({ table, owner }: LabelTable): Field => ({
  sql: `COALESCE((SELECT json_agg(l.label ORDER BY l.label) FROM ${table} a
    JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.${owner} = t.id), '[]')`,
});

function fieldOf({ name, type, field }: LineMember, { labels }: ResourceMapping, isTable: boolean): Field {
  if (type === 'labels' && labels) return labelNames(labels);
  if (type === 'json' && isTable) return { sql: `${field.sql}::text` };
  return type === 'reference' ? referencedName(name, field) : field;
}

/** The members of lines, by name. Those that identify the resource come first. */
function exportedKinds({ identity, kinds }: BulkTable, isTable: boolean): ExportedKind[] {
  return kinds.map(({ mapping, entity }) => {
    const members = lineMembersOf(entity);
    const identifying = identity.flatMap((name) => members.find(({ lineName }) => lineName === name) ?? []);
    const inOrder = [...new Set([...identifying, ...members])];
    return {
      kind: mapping.kind,
      fields: {
        kind: { sql: `'${mapping.kind}'::text` },
        ...Object.fromEntries(inOrder.map((member) => [member.lineName, fieldOf(member, mapping, isTable)])),
      },
    };
  });
}

/** @param isTable whether it is exported as a table, in which JSON is text */
const exportedTable = (table: BulkTable, isTable = false): ExportedTable => ({
  mapping: table.mapping,
  kinds: exportedKinds(table, isTable),
  ...(table.mapping.carriesVariables ? { inheritance: table.inheritance } : {}),
});

const { devices, ...others } = bulkTables;

/** Devices of every kind. */
const exportedDeviceTable: ExportedTable = exportedTable(devices);

/** The same as a table. */
export const deviceCsvTable: ExportedTable = exportedTable(devices, true);

/** All exported tables, in the order of the export. */
export const exportedTables: readonly ExportedTable[] = [
  ...Object.values(others).map((table) => exportedTable(table)),
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
  const table = exportedTables.find(({ mapping }) => mapping.table === tableName);
  if (!table) throw new Error(`the table ${tableName} is not exported`);
  if (ids.length === 0) return new Map();
  const variables = table.inheritance ? sql`t.variables::text` : sql`NULL::text`;
  const rows = await on.rows<{ id: number; body: string; variables: string | null }>(
    sql`SELECT t.id, ${exportedLine(table, ctx)} AS body, ${variables} AS variables ${from(table.mapping)}
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
