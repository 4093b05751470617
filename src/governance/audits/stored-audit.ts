import { visibleProjects, type RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';
import { from, inScope, namesVisibleKeys } from '../../database/resource-sql';
import { auditShape } from './audit';
import type { Expectation } from './expectation';

/** An audit as it is stored, to be run or remediated. */
export interface StoredAudit {
  readonly id: number;
  readonly projectId: string;
  readonly name: string;
  readonly kind: string | null;
  readonly vars: string | null;
  readonly expectation: Expectation;
  /** The expectation as JSON text, which keeps every digit of its numbers. */
  readonly expectationText: string;
  /** The expectation's schema as JSON text. */
  readonly schemaText: string | null;
}

interface AuditRow {
  readonly [column: string]: unknown;
  readonly project_id: string;
  readonly name: string;
  readonly kind: string | null;
  readonly vars: string | null;
  readonly expectation: Expectation;
  readonly expectation_text: string;
  readonly schema_text: string | null;
}

/** Reads an audit. @throws InventoryError 404 if the caller cannot see the audit */
export async function storedAudit(ctx: RequestContext, id: number, on: Queryable): Promise<StoredAudit> {
  const [row] = await on.rows<AuditRow>(sql`
    SELECT t.project_id, t.name, t.kind, t.vars, t.expectation, t.expectation::text AS expectation_text,
      (t.expectation -> 'schema')::text AS schema_text ${from(auditShape)}
    WHERE ${inScope(auditShape, visibleProjects(ctx))} AND ${namesVisibleKeys(auditShape, ctx)} AND t.id = ${id}`);
  if (!row) throw InventoryError.notFound(auditShape.kind, id);
  const { project_id: projectId, name, kind, vars, expectation } = row;
  const texts = { expectationText: row.expectation_text, schemaText: row.schema_text };
  return { id, projectId, name, kind, vars, expectation, ...texts };
}
