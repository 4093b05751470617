import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Database, type Queryable } from '../../database/database';
import { and, join, raw, sql, type Sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import { VariableFilters } from '../../variables/filter/variable-filters';
import { JsonSchemas } from '../schemas/schema-validation';
import { heldFilter, heldSchema, type HeldCondition } from './expectation-predicate';
import { audited, devicesOf, type Population } from './audit-target';
import { resolvedValues } from './resolved-values';
import { RunTime, withinRunTime } from './run-budget';
import { AuditRunLimiter } from './audit-run-limiter';
import { storedAudit, type StoredAudit } from './stored-audit';
import { Verdicts } from './validation-cache';

/** Selects a page of the failing devices. */
export interface AuditPage {
  readonly limit: number;
  /** The id of the last device of the previous page. */
  readonly marker: number | undefined;
}

/** A device that does not meet an expectation, with its actual value. */
export interface Failure {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly key: string;
  /** The resolved value as JSON text; undefined if the key is not set. */
  readonly value: string | undefined;
  /** The location of the violation in the value; only for an expectation with a schema. */
  readonly path: string | undefined;
  readonly message: string;
}

export interface AuditResult {
  readonly audit: StoredAudit;
  readonly devices: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** The id after which the next page begins; undefined on the last page. */
  readonly next: number | undefined;
}

interface FailingRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  /** The index of the first predicate that does not hold, counted from 1. */
  readonly failed: number;
}

/** Limit on the failures of one response, in characters. A page that exceeds it ends early. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Runs audits on resolved values that the caller can see, in one database snapshot. */
@Injectable()
export class AuditRunService {
  constructor(
    private readonly database: Database,
    private readonly filters: VariableFilters,
    private readonly schemas: JsonSchemas,
    private readonly limiter: AuditRunLimiter,
  ) {}

  /**
   * Runs an audit.
   * @param disconnected cancels the run when its client disconnects
   * @param render converts the result to the chunks of the response body
   * @throws InventoryError 400 if the marker is not the id of a device, 404, 405 if a schema or the run exceeds its
   * timeout, 503 if too many audits are running
   */
  async run(
    ctx: RequestContext,
    id: number,
    page: AuditPage,
    disconnected: AbortSignal,
    render: (result: AuditResult) => Iterable<string>,
  ): Promise<Iterable<string>> {
    return this.limiter.run(
      async () => render(await withinRunTime(() => this.result(ctx, id, page, new RunTime(disconnected)))),
      { signal: disconnected },
    );
  }

  private async result(
    ctx: RequestContext,
    id: number,
    page: AuditPage,
    budget: RunTime,
  ): Promise<AuditResult> {
    return this.database.reading(ctx).snapshot(async (on) => {
      await budget.limit(on);
      const audit = await storedAudit(ctx, id, on);
      const target = await this.target(ctx, audit, on);
      if (page.marker !== undefined) await requireDevice(target, page.marker, on);
      const predicates = await this.predicates(ctx, audit, target, budget, on);
      const passes = and(predicates.map(({ holds }) => sql`(${holds}) IS TRUE`));
      await budget.limit(on);
      const counts = await countDevices(target, passes, on);
      await budget.limit(on);
      return { audit, ...counts, ...(await readFailures(target, predicates, page, on)) };
    });
  }

  private async target(ctx: RequestContext, audit: StoredAudit, on: Queryable): Promise<Population> {
    const { projectId, vars } = audit;
    const devices = audited(audit);
    const scope = { project: projectId };
    const texts = vars === null ? [] : [vars];
    const plan = await this.filters.plan(ctx, devices, texts, scope, devices.hasSeveralKinds, on);
    return { ...devices, projectId, plan };
  }

  /** The predicates that every targeted device must meet. */
  private async predicates(
    ctx: RequestContext,
    { expectation, schemaText }: StoredAudit,
    target: Population,
    budget: RunTime,
    on: Queryable,
  ): Promise<HeldCondition[]> {
    if ('key' in expectation) {
      const validations = new Verdicts(this.schemas, schemaText ?? 'true', budget);
      return [await heldSchema(on, target, expectation.key, validations)];
    }
    const { hasSeveralKinds, projectId } = target;
    const scope = { project: projectId };
    const filters = await this.filters.conditions(ctx, target, expectation.vars, scope, hasSeveralKinds, on);
    return filters.map(heldFilter);
  }
}

async function countDevices(
  target: Population,
  passes: Sql,
  on: Queryable,
): Promise<Pick<AuditResult, 'devices' | 'passed'>> {
  const [row] = await on.rows<{ devices: number; passed: number }>(
    sql`SELECT count(*) AS devices, count(*) FILTER (WHERE ${passes}) AS passed ${devicesOf(target, [])}`,
    'each time',
  );
  return { devices: row?.devices ?? 0, passed: row?.passed ?? 0 };
}

/** A page of the devices that fail a predicate, ordered by id, with their values. */
async function readFailures(
  target: Population,
  predicates: readonly HeldCondition[],
  { limit, marker }: AuditPage,
  on: Queryable,
): Promise<Pick<AuditResult, 'failures' | 'next'>> {
  // One row more than the page has: it tells whether there is a next page.
  const rows = await on.rows<FailingRow>(
    sql`SELECT t.id, t.kind, t.name, ${firstFailed(predicates)} AS failed
      ${devicesOf(target, [sql`${firstFailed(predicates)} IS NOT NULL`, sql`t.id > ${marker ?? 0}::bigint`])}
      ORDER BY t.id LIMIT ${limit + 1}`,
    'each time',
  );
  const pageRows = rows.slice(0, limit);
  const requested = pageRows.map(({ id, failed }) => ({ id, key: predicates[failed - 1]?.key ?? '' }));
  const failures: Failure[] = [];
  let characters = 0;
  for await (const value of resolvedValues(on, target.projectId, requested)) {
    const { id, kind, name, failed } = pageRows[failures.length] ?? unexplainedFailure();
    const predicate = predicates[failed - 1] ?? unexplainedFailure();
    const { key } = predicate;
    const violation = (await predicate.reproach(value)) ?? unexplainedFailure();
    const failure = { kind, id, name, key, value, ...violation };
    characters += name.length + key.length + (value?.length ?? 0) + failure.message.length;
    if (characters > MAX_PAGE_CHARACTERS && failures.length > 0) break;
    failures.push(failure);
  }
  return { failures, next: failures.length < rows.length ? failures.at(-1)?.id : undefined };
}

/** The index of the first predicate that does not hold for a row `t`, counted from 1; NULL if all hold. */
const firstFailed = (predicates: readonly HeldCondition[]): Sql =>
  sql`CASE ${join(
    predicates.map(({ holds }, i) => sql`WHEN (${holds}) IS NOT TRUE THEN ${raw(String(i + 1))}`),
    ' ',
  )} END`;

function unexplainedFailure(): never {
  throw new Error('an audit reported a failing device without a violation');
}

/** @throws InventoryError 400 */
async function requireDevice({ shape, projectId }: Population, id: number, on: Queryable): Promise<void> {
  const rows = await on.rows(
    sql`SELECT ${from(shape)} WHERE ${inScope(shape, { project: projectId })} AND t.id = ${id}`,
  );
  if (rows.length === 0) throw InventoryError.invalid('marker', 'is not the id of an item in this list');
}
