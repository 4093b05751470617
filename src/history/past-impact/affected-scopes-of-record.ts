import type { RequestContext } from '../../core/context/request-context';
import { deviceKinds } from '../../devices/device-kinds';
import type { Queryable } from '../../database/database';
import { list, sql } from '../../database/sql';
import type { LevelKind } from '../../variables/levels';
import type { ChangeOnRecord } from '../find-change';

/** Where a change can have altered resolved variables: in devices themselves, and below levels that it altered. */
export interface ReachOfRecord {
  /** Undefined where they are more than are worth being held in memory. */
  readonly devices: readonly number[] | undefined;
  readonly levels: Readonly<Record<LevelKind, readonly number[]>>;
}

export const DEVICE_KINDS: readonly string[] = deviceKinds.map(({ shape }) => shape.kind);

/** So many devices of a record are held in memory. */
const FEW_DEVICES = 10_000;

/** What a change touched that devices resolve, as far as the caller sees the variables. */
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
  // Below what comes into being or goes away stand no devices but those that the change itself touches.
  const levels = (kind: LevelKind) =>
    rows
      .filter((row) => row.kind === kind && (row.renamed || row.keys.some((key) => visibility.sees(key))))
      .map((row) => row.id);
  const devices = await on.rows<{ id: number }>(sql`
    SELECT o.object_id AS id FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id = ${id}
      AND o.kind = ANY(${list(DEVICE_KINDS)}::text[]) ORDER BY o.ordinal LIMIT ${FEW_DEVICES + 1}`);
  return {
    devices: devices.length > FEW_DEVICES ? undefined : devices.map((row) => row.id),
    levels: { region: levels('region'), cell: levels('cell'), label: levels('label') },
  };
}
