import { anyDeviceMapping, deviceInheritance } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import type { InheritingResource } from '../../variables/levels';
import { type Selection, selectionStatement } from '../../lists/selection';
import { and, sql, type Sql } from '../../database/sql';
import { from, inScope, hasVisibleKeys } from '../../database/resource-sql';
import { scopeOfResource } from '../../database/resource-scope';
import { type RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { Queryable } from '../../database/database';
import { auditMapping } from './audit.entity';
import type { Expectation } from './expectation';

/** An audit as it is stored, to be run or remediated. */
export interface StoredAudit {
  readonly id: number;
  readonly projectId: string;
  readonly name: string;
  readonly kind: string | null;
  readonly vars: string | null;
  readonly where: readonly string[] | null;
  readonly expectation: Expectation;
  /** The expectation as JSON text, which keeps every digit of its numbers. */
  readonly expectationText: string;
  /** The expectation's schema as JSON text. */
  readonly schemaText: string | null;
  /**
   * The hash of what it checks: runs of another definition cannot be compared. The `value` of its expectation is not part of it:
   * remediation sets that value, but runs do not compare with it.
   */
  readonly definition: string;
}

interface AuditRow {
  readonly [column: string]: unknown;
  readonly project_id: string;
  readonly name: string;
  readonly kind: string | null;
  readonly vars: string | null;
  readonly where: readonly string[] | null;
  readonly expectation: Expectation;
  readonly expectation_text: string;
  readonly schema_text: string | null;
  readonly definition: string;
}

/** Reads an audit. @throws InventoryError 404 if the caller cannot see the audit */
export async function readAudit(ctx: RequestContext, id: number, on: Queryable): Promise<StoredAudit> {
  const [row] = await on.rows<AuditRow>(sql`
    SELECT t.project_id, t.name, t.kind, t.vars, t.where, t.expectation, t.expectation::text AS expectation_text,
      (t.expectation -> 'schema')::text AS schema_text,
      encode(sha256(convert_to(ROW(t.kind, t.vars, t.where, t.expectation - 'value')::text, 'UTF8')), 'hex') AS definition
    ${from(auditMapping)}
    WHERE ${inScope(auditMapping, await scopeOfResource(ctx, auditMapping, id, on))} AND ${hasVisibleKeys(auditMapping, ctx)} AND t.id = ${id}`);
  if (!row) throw InventoryError.notFound(auditMapping.kind, id);
  const { project_id: projectId, name, kind, vars, where, expectation, definition } = row;
  const texts = { expectationText: row.expectation_text, schemaText: row.schema_text };
  return { id, projectId, name, kind, vars, where, expectation, definition, ...texts };
}

/** The devices that an audit targets, before its filters: one kind of device, or all kinds. */
interface TargetKinds extends InheritingResource {
  readonly hasSeveralKinds: boolean;
}

/** The devices that an audit targets. */
export interface AuditTarget extends TargetKinds {
  readonly projectId: string;
  /** The devices that the filters match; undefined if the audit has no filters. */
  readonly selection: Selection | undefined;
  /** Further conditions on the devices. */
  readonly conditions: readonly Sql[];
}

/** The kinds of devices that an audit targets. */
export function targetKindsOf({ kind }: StoredAudit): TargetKinds {
  const deviceKind = deviceKinds.find(({ mapping }) => mapping.kind === kind);
  if (deviceKind) return { ...deviceKind.definition, hasSeveralKinds: false };
  return { mapping: anyDeviceMapping, inheritance: deviceInheritance, hasSeveralKinds: true };
}

/**
 * The `FROM` and `WHERE` clauses of a query for the targeted devices `t`.
 * @param further further conditions
 * @param joined further joins, which follow `FROM … t`
 */
export function fromTarget(
  { mapping, projectId, selection, conditions: ofTarget }: AuditTarget,
  further: readonly Sql[],
  joined: Sql = sql``,
): Sql {
  const conditions = [...ofTarget, ...further];
  const scope = { project: projectId };
  if (!selection)
    return sql`${from(mapping)} ${joined} WHERE ${and([inScope(mapping, scope), ...conditions])}`;
  return sql`FROM (${selectionStatement(mapping, scope, selection, sql`t.*`)}) AS t ${joined} WHERE ${and(conditions)}`;
}
