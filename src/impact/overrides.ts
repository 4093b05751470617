import { join, list, sql, type Sql } from '../database/sql';
import type { ReachingKey } from './affected-scopes';

/** Devices for which a key does not change, because a narrower level defines it, as parts of a query. */
interface Override {
  readonly from: Sql;
  readonly where: Sql;
  /** The id of the device. */
  readonly id: Sql;
  /** Whether each device has at most one row. */
  readonly isDistinct: boolean;
}

/** The overrides of a key. Own values are split by kind, because an index then returns ids in order without a sort. */
function overridesOf(projectId: string, overridden: ReachingKey): Override[] {
  const { key, labels, cells } = overridden;
  const ofOwn = overridden.own.map((kind) => ({
    from: sql`variable_correlations v`,
    where: sql`v.project_id = ${projectId} AND v.key = ${key} AND v.object_type = ${kind}`,
    id: sql`v.object_id`,
    isDistinct: true,
  }));
  const ofLabels = {
    from: sql`device_labels a`,
    where: sql`a.project_id = ${projectId} AND a.label_id = ANY(${list(labels)}::bigint[])`,
    id: sql`a.device_id`,
    isDistinct: labels.length === 1,
  };
  const ofCells = {
    from: sql`devices c`,
    where: sql`c.project_id = ${projectId} AND c.cell_id = ANY(${list(cells)}::bigint[])`,
    id: sql`c.id`,
    isDistinct: true,
  };
  return [...ofOwn, ...(labels.length > 0 ? [ofLabels] : []), ...(cells.length > 0 ? [ofCells] : [])];
}

/** Whether any level can override a key. */
export const isHideable = (key: ReachingKey): boolean =>
  key.own.length > 0 || key.labels.length > 0 || key.cells.length > 0;

/** The devices that override a key, each once, as a query for `id` and `key`. */
export function hiding(projectId: string, devices: Sql, key: ReachingKey): Sql {
  const overrides = overridesOf(projectId, key);
  const found = overrides.map(
    ({ from, where, id }) =>
      sql`SELECT ${id} AS id, ${key.key}::text AS key FROM ${from} JOIN (${devices}) AS d ON d.id = ${id} WHERE ${where}`,
  );
  const all = join(found, ' UNION ALL ');
  // A device has one kind and at most one own value of the key, so own values of several kinds are distinct, too.
  const isDistinct =
    overrides.every((override) => override.isDistinct) && [1, key.own.length].includes(overrides.length);
  return isDistinct ? all : sql`SELECT DISTINCT * FROM (${all}) AS found`;
}

/** Whether a device does not override a key, as a condition. @param device an expression for the id of the device */
export const sees = (projectId: string, device: Sql, key: ReachingKey): Sql =>
  join(
    overridesOf(projectId, key).map(
      ({ from, where, id }) => sql`NOT EXISTS (SELECT FROM ${from} WHERE ${where} AND ${id} = ${device})`,
    ),
    ' AND ',
  );
