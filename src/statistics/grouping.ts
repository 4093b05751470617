import { InventoryError } from '../core/errors';
import type { Queryable } from '../database/database';
import { raw, sql, type Sql } from '../database/sql';
import { deviceLabels } from '../devices/device.entity';
import { cellMapping } from '../cells/cell.entity';
import { labelMapping } from '../labels/label.entity';
import { regionMapping } from '../regions/region.entity';
import type { ResourceMapping } from '../database/resource-mapping';

/** A property that devices are grouped by. */
export interface Grouping {
  readonly name: string;
  /** The column of the selected rows `t`, or of the assignments `a` of labels. */
  readonly column: string;
  /** The resources whose ids are in the column; absent: the column contains the property itself. */
  readonly refersTo?: ResourceMapping;
}

/** The value of a grouping that the devices of a group have in common. */
export type GroupKey = number | string | boolean | null;

const byId = (mapping: ResourceMapping, column: string): Grouping => ({
  name: mapping.kind,
  column,
  refersTo: mapping,
});

export const LABEL_GROUPING = byId(labelMapping, 'a.label_id');

/** What devices can be grouped by. */
export const GROUPINGS: readonly Grouping[] = [
  byId(regionMapping, 't.region_id'),
  byId(cellMapping, 't.cell_id'),
  LABEL_GROUPING,
  { name: 'kind', column: 't.kind' },
  { name: 'active', column: 't.active' },
  { name: 'device_type', column: 't.device_type' },
];

/** The columns of devices that groupings need. */
export const GROUPED_COLUMNS = sql`t.id, t.region_id, t.cell_id, t.kind, t.active, t.device_type`;

/**
 * Joins the labels `a` of the rows `t`, if devices are grouped by label. A device with several labels is in several
 * groups, and one without labels is in none.
 */
export const labelJoin = (groupings: readonly Grouping[], projectId: string): Sql =>
  groupings.includes(LABEL_GROUPING)
    ? sql`JOIN ${raw(deviceLabels.table)} a ON a.project_id = ${projectId} AND a.${raw(deviceLabels.owner)} = t.id`
    : sql``;

/**
 * Parses the parameter `group_by`: names joined by `,`.
 * @throws InventoryError 400 for an unknown or a repeated name
 */
export function parseGroupings(text: string | undefined, known: readonly Grouping[]): Grouping[] {
  const names = text === undefined ? [] : text.split(',');
  return names.map((name, i) => {
    const grouping = known.find((one) => one.name === name);
    if (!grouping || names.indexOf(name) !== i)
      throw InventoryError.invalid(
        'group_by',
        grouping ? 'repeated' : 'invalid_value',
        `${JSON.stringify(name)} is ${grouping ? 'repeated' : `not one of ${known.map((one) => one.name).join(', ')}`}`,
      );
    return grouping;
  });
}

/**
 * Returns a function that renders the key of a group: `{ id, name }` if it is the id of a resource.
 * @param keys the keys of all groups
 */
export async function groupRenderer(
  { refersTo }: Grouping,
  keys: readonly GroupKey[],
  projectId: string,
  on: Queryable,
): Promise<(key: GroupKey) => unknown> {
  const ids = [...new Set(keys)].filter((key) => typeof key === 'number');
  if (!refersTo || ids.length === 0) return (key) => key;
  const rows = await on.rows<{ id: number; name: string }>(
    sql`SELECT t.id, t.${raw(refersTo.nameField)} AS name FROM ${raw(refersTo.table)} t
      WHERE t.project_id = ${projectId} AND t.id = ANY(${ids}::bigint[])`,
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (key) => (typeof key === 'number' ? { id: key, name: names.get(key) } : key);
}
