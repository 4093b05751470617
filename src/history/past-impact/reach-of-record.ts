import type { RequestContext } from '../../shared/context/request-context';
import { recordAt } from '../../changes/past-state';
import { deviceKinds } from '../../devices/device-kinds';
import type { Queryable } from '../../shared/persistence/database';
import { join, list, sql, type Sql } from '../../shared/persistence/sql';
import type { LevelKind } from '../../variables/levels';

/** A change on record. */
export interface ChangeOnRecord {
  readonly projectId: string;
  readonly id: number;
}

/** Where a change can have altered resolved variables: in devices themselves, and below levels that it altered. */
export interface ReachOfRecord {
  readonly devices: readonly number[];
  readonly levels: Readonly<Record<LevelKind, readonly number[]>>;
}

/** A part of those whom a change can have reached, in the order of ids. */
export interface Stretch {
  readonly behind: number;
  readonly most: number;
}

export const DEVICE_KINDS: readonly string[] = deviceKinds.map(({ shape }) => shape.kind);

/** What a change touched that devices resolve, as far as the caller sees the variables. */
export async function reachOfRecord(
  { visibility }: RequestContext,
  { projectId, id }: ChangeOnRecord,
  on: Queryable,
): Promise<ReachOfRecord> {
  const rows = await on.rows<{ kind: string; id: number; keys: string[]; renamed: boolean }>(sql`
    SELECT o.kind, o.object_id AS id, o.keys,
      o.kind = 'label' AND o.before -> 'label' IS DISTINCT FROM o.after -> 'label' AS renamed
    FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id = ${id} AND (o.kind = ANY(${list(DEVICE_KINDS)}::text[])
      OR o.kind IN ('region', 'cell', 'label') AND o.action = 'update')`);
  // Below what comes into being or goes away stand no devices but those that the change itself touches.
  const levels = (kind: LevelKind) =>
    rows
      .filter((row) => row.kind === kind && (row.renamed || row.keys.some((key) => visibility.sees(key))))
      .map((row) => row.id);
  return {
    devices: rows.filter(({ kind }) => DEVICE_KINDS.includes(kind)).map((row) => row.id),
    levels: { region: levels('region'), cell: levels('cell'), label: levels('label') },
  };
}

/**
 * The ids of devices that a change can have reached, in order: those that it touched, those that are below an altered
 * level by now, and those that were at its time but were touched since. Some more than those that it did reach.
 */
export async function candidates(
  change: ChangeOnRecord,
  reach: ReachOfRecord,
  { behind, most }: Stretch,
  on: Queryable,
): Promise<number[]> {
  const stretch = (id: Sql, from: Sql): Sql =>
    sql`(SELECT DISTINCT ${id} AS id ${from} AND ${id} > ${behind} ORDER BY id LIMIT ${most})`;
  const { projectId } = change;
  const { region, cell, label } = reach.levels;
  const arms = [
    stretch(sql`d.id`, sql`FROM unnest(${list(reach.devices)}::bigint[]) AS d (id) WHERE true`),
    ...(region.length > 0
      ? [
          stretch(
            sql`d.id`,
            sql`FROM devices d WHERE d.project_id = ${projectId} AND d.region_id = ANY(${list(region)}::bigint[])`,
          ),
        ]
      : []),
    ...(cell.length > 0
      ? [
          stretch(
            sql`d.id`,
            sql`FROM devices d WHERE d.project_id = ${projectId} AND d.cell_id = ANY(${list(cell)}::bigint[])`,
          ),
        ]
      : []),
    ...(label.length > 0
      ? [
          stretch(
            sql`a.device_id`,
            sql`FROM device_labels a WHERE a.project_id = ${projectId} AND a.label_id = ANY(${list(label)}::bigint[])`,
          ),
        ]
      : []),
    ...(region.length + cell.length + label.length > 0
      ? [stretch(sql`l.object_id`, touchedSince(change, reach))]
      : []),
  ];
  const rows = await on.rows<{ id: number }>(
    sql`SELECT DISTINCT c.id FROM (${join(arms, ' UNION ALL ')}) c ORDER BY c.id LIMIT ${most}`,
    'each time',
  );
  return rows.map(({ id }) => id);
}

/** The objects `l` of later changes that stood below an altered level when the change was made. */
function touchedSince({ projectId, id }: ChangeOnRecord, { levels }: ReachOfRecord): Sql {
  const { region, cell, label } = levels;
  const then = recordAt(
    { after: id },
    sql`o.project_id = l.project_id AND o.kind = l.kind AND o.object_id = l.object_id`,
  );
  return sql`FROM change_objects l CROSS JOIN LATERAL (${then}) s
    WHERE l.project_id = ${projectId} AND l.change_id > ${id} AND l.kind = ANY(${list(DEVICE_KINDS)}::text[])
      AND s.action <> 'delete' AND ((s.after ->> 'region_id')::bigint = ANY(${list(region)}::bigint[])
        OR (s.after ->> 'cell_id')::bigint = ANY(${list(cell)}::bigint[])
        OR s.labels_after && ${list(label)}::bigint[])`;
}
