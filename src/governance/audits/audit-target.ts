import { anyDeviceShape, deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import type { FilterPlan } from '../../variables/filter/filter-plan';
import type { Inheriting } from '../../variables/inheritance';
import { membersStatement } from '../../list/page-statements';
import { and, sql, type Sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { StoredAudit } from './stored-audit';

/** The devices that an audit targets, before its filters: one kind of device, or all kinds. */
interface TargetKinds extends Inheriting {
  readonly hasSeveralKinds: boolean;
}

/** The devices that an audit targets. */
export interface Population extends TargetKinds {
  readonly projectId: string;
  /** How the filters find the devices; undefined if the audit has no filters. */
  readonly plan: FilterPlan | undefined;
}

/** The kinds of devices that an audit targets. */
export function audited({ kind }: StoredAudit): TargetKinds {
  const deviceKind = deviceKinds.find(({ shape }) => shape.kind === kind);
  if (deviceKind) return { ...deviceKind.listing, hasSeveralKinds: false };
  return { shape: anyDeviceShape, inheritance: deviceInheritance, hasSeveralKinds: true };
}

/**
 * The `FROM` and `WHERE` clauses of a query for the targeted devices `t`.
 * @param conditions further conditions
 * @param joined further joins, which follow `FROM … t`
 */
export function devicesOf(
  { shape, projectId, plan }: Population,
  conditions: readonly Sql[],
  joined: Sql = sql``,
): Sql {
  const scope = { project: projectId };
  if (!plan) return sql`${from(shape)} ${joined} WHERE ${and([inScope(shape, scope), ...conditions])}`;
  const members = membersStatement({ shape, scope, ...plan });
  return sql`FROM (${members}) AS m JOIN devices t ON t.project_id = m.project_id AND t.id = m.id ${joined}
    WHERE ${and([sql`t.project_id = ${projectId}`, ...conditions])}`;
}
