import { anyDeviceShape, deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import type { ProjectScope } from '../../shared/context/request-context';
import type { FilterPlan } from '../../variables/filter/filter-plan';
import type { Inheriting } from '../../variables/inheritance';
import { membersStatement, type ListRequest } from '../../shared/list/list-engine';
import { and, sql, type Sql } from '../../shared/persistence/sql';
import { from, inScope } from '../../shared/resources/projection';
import type { ResourceShape } from '../../shared/resources/resource-shape';
import type { StoredAudit } from './stored-audit';

/** The devices that an audit is about. */
export interface Population {
  readonly shape: ResourceShape;
  readonly scope: ProjectScope;
  /** How they are found by their variables; undefined: all of them are meant. */
  readonly plan: FilterPlan | undefined;
}

/** The devices that an audit can be about, before its filters: of one kind, or of every kind. */
export function audited({ kind }: StoredAudit): Inheriting & { readonly ofSeveralKinds: boolean } {
  const one = deviceKinds.find(({ shape }) => shape.kind === kind);
  if (one) return { ...one.listing, ofSeveralKinds: false };
  return { shape: anyDeviceShape, inheritance: deviceInheritance, ofSeveralKinds: true };
}

/** The list of a population's devices, in the order of their ids, as far as more conditions hold. */
export function listOf(
  { shape, scope, plan }: Population,
  more: readonly Sql[],
): Pick<ListRequest, 'shape' | 'scope' | 'conditions' | 'branches' | 'match' | 'order'> {
  const id = shape.fields['id']?.sort;
  if (!id) throw new Error(`${shape.kind} has no order`);
  return {
    shape,
    scope,
    conditions: [...(plan?.conditions ?? []), ...more],
    ...(plan ? { branches: plan.branches } : {}),
    ...(plan?.match ? { match: plan.match } : {}),
    order: { keys: [id], descending: false },
  };
}

/** Counts a population, and those of it for which a condition over `t` holds, in one statement. */
export function countStatement(population: Population, holds: Sql): Sql {
  const { shape, scope, plan } = population;
  const counts = sql`SELECT count(*) AS devices, count(*) FILTER (WHERE ${holds}) AS passed`;
  if (!plan) return sql`${counts} ${from(shape)} WHERE ${inScope(shape, scope)}`;
  const members = membersStatement(listOf(population, []));
  return sql`${counts} FROM (${members}) AS m JOIN devices t ON ${and([
    sql`t.project_id = m.project_id`,
    sql`t.id = m.id`,
  ])}`;
}
