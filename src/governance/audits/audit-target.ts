import { anyDeviceShape, deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import type { FilterPlan } from '../../variables/filter/filter-plan';
import type { Inheriting } from '../../variables/inheritance';
import { membersStatement } from '../../list/page-statements';
import { and, sql, type Sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import type { StoredAudit } from './stored-audit';

/** What an audit is about, before its filters: devices of one kind, or of every kind. */
interface Audited extends Inheriting {
  readonly ofSeveralKinds: boolean;
}

/** The devices that an audit is about. */
export interface Population extends Audited {
  readonly projectId: string;
  /** How they are found by their variables; undefined: all of them are meant. */
  readonly plan: FilterPlan | undefined;
}

/** The devices that an audit can be about. */
export function audited({ kind }: StoredAudit): Audited {
  const one = deviceKinds.find(({ shape }) => shape.kind === kind);
  if (one) return { ...one.listing, ofSeveralKinds: false };
  return { shape: anyDeviceShape, inheritance: deviceInheritance, ofSeveralKinds: true };
}

/**
 * The devices `t` of a population, as what follows the columns of a `SELECT`.
 * @param conditions what else must hold of them
 * @param joined what else is read of each, as SQL that follows `FROM … t`
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
