import { fromSnapshotAt, type PointInTime } from '../changes/point-in-time';
import { join, sql, type Sql } from '../database/sql';
import { deviceKinds } from './device-kinds';

/**
 * A query for devices of all kinds as of a point in time.
 * @param columns over the table `t` of `fromSnapshotAt`
 */
export function devicesAt(
  projectId: string,
  devices: readonly { readonly kind: string; readonly id: number }[],
  at: PointInTime,
  columns: Sql,
): Sql {
  const ofKinds = deviceKinds.map(({ mapping }) => {
    const ids = devices.filter(({ kind }) => kind === mapping.kind).map(({ id }) => id);
    return sql`SELECT ${columns} ${fromSnapshotAt(mapping, { project: projectId }, ids, at)}`;
  });
  return join(ofKinds, ' UNION ALL ');
}
