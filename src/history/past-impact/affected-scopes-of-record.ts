import type { RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { list, sql } from '../../database/sql';
import { DEVICE_KINDS } from '../../impact/key-definitions';
import type { LevelKind } from '../../variables/levels';
import type { ChangeOnRecord } from '../find-change';

/** Where a change can have altered resolved variables: its devices, and the levels whose descendants it affects. */
export interface ReachOfRecord {
  /** Undefined if there are more than `MAX_DEVICES_IN_MEMORY`. */
  readonly devices: readonly number[] | undefined;
  readonly levels: Readonly<Record<LevelKind, readonly number[]>>;
}

const MAX_DEVICES_IN_MEMORY = 10_000;

/** Reads the devices and levels that a change touched. Levels whose altered variables are all hidden are left out. */
export async function reachOfRecord(
  { visibility }: RequestContext,
  { projectId, id }: ChangeOnRecord,
  on: Queryable,
): Promise<ReachOfRecord> {
  const rows = await on.rows<{ kind: string; id: number; keys: string[]; renamed: boolean }>(sql`
    SELECT o.kind, o.object_id AS id, o.keys,
      o.kind = 'label' AND o.before -> 'label' IS DISTINCT FROM o.after -> 'label' AS renamed
    FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id = ${id}
      AND o.kind IN ('region', 'cell', 'label') AND o.action = 'update'`);
  // Only updates: all devices below a created or deleted level are objects of the change themselves.
  const levels = (kind: LevelKind) =>
    rows
      .filter((row) => row.kind === kind && (row.renamed || row.keys.some((key) => visibility.sees(key))))
      .map((row) => row.id);
  const devices = await on.rows<{ id: number }>(sql`
    SELECT o.object_id AS id FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id = ${id}
      AND o.kind = ANY(${list(DEVICE_KINDS)}::text[]) ORDER BY o.ordinal LIMIT ${MAX_DEVICES_IN_MEMORY + 1}`);
  return {
    devices: devices.length > MAX_DEVICES_IN_MEMORY ? undefined : devices.map((row) => row.id),
    levels: { region: levels('region'), cell: levels('cell'), label: levels('label') },
  };
}
