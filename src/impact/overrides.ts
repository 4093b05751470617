import { join, list, sql, type Sql } from '../database/sql';
import type { ReachingKey } from './affected-scopes';

/** Devices that do not see a key change, because something narrower sets it for them. */
interface Hider {
  /** The rows that tell of them, what must hold of these, and where in them the device's id is. */
  readonly from: Sql;
  readonly where: Sql;
  readonly id: Sql;
  /** Whether each device stands there but once. */
  readonly distinct: boolean;
}

/** What hides a key; kind by kind, because only then are ids found in order, which spares sorting and hashing them. */
function hidersOf(projectId: string, { key, own, labels, cells }: ReachingKey): Hider[] {
  const ofOwn = own.map((kind) => ({
    from: sql`variable_correlations v`,
    where: sql`v.project_id = ${projectId} AND v.key = ${key} AND v.object_type = ${kind}`,
    id: sql`v.object_id`,
    distinct: true,
  }));
  const ofLabels = {
    from: sql`device_labels a`,
    where: sql`a.project_id = ${projectId} AND a.label_id = ANY(${list(labels)}::bigint[])`,
    id: sql`a.device_id`,
    distinct: labels.length === 1,
  };
  const ofCells = {
    from: sql`devices c`,
    where: sql`c.project_id = ${projectId} AND c.cell_id = ANY(${list(cells)}::bigint[])`,
    id: sql`c.id`,
    distinct: true,
  };
  return [...ofOwn, ...(labels.length > 0 ? [ofLabels] : []), ...(cells.length > 0 ? [ofCells] : [])];
}

export const isHideable = ({ own, labels, cells }: ReachingKey): boolean =>
  own.length > 0 || labels.length > 0 || cells.length > 0;

/** Of these devices, those that do not see the key change, once each, as a query for their ids and the key. */
export function hiding(projectId: string, devices: Sql, key: ReachingKey): Sql {
  const hiders = hidersOf(projectId, key);
  const found = hiders.map(
    ({ from, where, id }) =>
      sql`SELECT ${id} AS id, ${key.key}::text AS key FROM ${from} JOIN (${devices}) AS d ON d.id = ${id} WHERE ${where}`,
  );
  const all = join(found, ' UNION ALL ');
  // A device is of one kind, and sets the key itself at most once.
  const isDistinct = hiders.every(({ distinct }) => distinct) && [1, key.own.length].includes(hiders.length);
  return isDistinct ? all : sql`SELECT DISTINCT * FROM (${all}) AS found`;
}

/** Whether a device sees the key change. @param device an expression for its id */
export const sees = (projectId: string, device: Sql, key: ReachingKey): Sql =>
  join(
    hidersOf(projectId, key).map(
      ({ from, where, id }) => sql`NOT EXISTS (SELECT FROM ${from} WHERE ${where} AND ${id} = ${device})`,
    ),
    ' AND ',
  );
