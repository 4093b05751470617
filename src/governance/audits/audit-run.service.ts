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

/** Which of the devices that fail are shown. */
export interface AuditPage {
  readonly limit: number;
  /** The id of the last device seen. */
  readonly marker: number | undefined;
}

/** A device that does not meet an expectation, and what it has instead. */
export interface Failure {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly key: string;
  /** As JSON text; undefined where the key is not set. */
  readonly value: string | undefined;
  /** Where in the value the fault is, where a schema says so. */
  readonly path: string | undefined;
  readonly message: string;
}

export interface AuditResult {
  readonly audit: StoredAudit;
  readonly devices: number;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** The id behind which the next page begins; undefined if there is none. */
  readonly next: number | undefined;
}

interface FailingRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  /** The place of the first condition that does not hold, from 1 on. */
  readonly failed: number;
}

/** What one answer tells of failures, in characters: a page with more ends early. */
const MOST_SHOWN = 4 * 1024 * 1024;

/**
 * Runs audits: everything is about resolved values, as far as the caller may see them, on one state of the database.
 */
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
   * @param gone ends a run whose client is not there any more
   * @param tell makes the answer's parts of what came of it
   * @throws InventoryError 400 if the marker is no device's, 404, 405 for a schema or a run that takes too long, 503 if
   * too many audits are being run
   */
  async run(
    ctx: RequestContext,
    id: number,
    page: AuditPage,
    gone: AbortSignal,
    tell: (result: AuditResult) => Iterable<string>,
  ): Promise<Iterable<string>> {
    return this.limiter.run(
      async () => tell(await withinRunTime(() => this.result(ctx, id, page, new RunTime(gone)))),
      { signal: gone },
    );
  }

  private async result(
    ctx: RequestContext,
    id: number,
    page: AuditPage,
    time: RunTime,
  ): Promise<AuditResult> {
    return this.database.reading(ctx).snapshot(async (on) => {
      await time.limit(on);
      const audit = await storedAudit(ctx, id, on);
      const population = await this.population(ctx, audit, on);
      if (page.marker !== undefined) await requireDevice(population, page.marker, on);
      const conditions = await this.conditions(ctx, audit, population, time, on);
      const passes = and(conditions.map(({ holds }) => sql`(${holds}) IS TRUE`));
      await time.limit(on);
      const counts = await counted(population, passes, on);
      await time.limit(on);
      return { audit, ...counts, ...(await failuresOf(population, conditions, page, on)) };
    });
  }

  private async population(ctx: RequestContext, audit: StoredAudit, on: Queryable): Promise<Population> {
    const { projectId, vars } = audit;
    const about = audited(audit);
    const scope = { project: projectId };
    const texts = vars === null ? [] : [vars];
    const plan = await this.filters.plan(ctx, about, texts, scope, about.ofSeveralKinds, on);
    return { ...about, projectId, plan };
  }

  /** What must hold of every device of a population. */
  private async conditions(
    ctx: RequestContext,
    { expectation, schemaText }: StoredAudit,
    population: Population,
    time: RunTime,
    on: Queryable,
  ): Promise<HeldCondition[]> {
    if ('key' in expectation) {
      const verdicts = new Verdicts(this.schemas, schemaText ?? 'true', time);
      return [await heldSchema(on, population, expectation.key, verdicts)];
    }
    const { ofSeveralKinds, projectId } = population;
    const scope = { project: projectId };
    const filters = await this.filters.conditions(
      ctx,
      population,
      expectation.vars,
      scope,
      ofSeveralKinds,
      on,
    );
    return filters.map(heldFilter);
  }
}

async function counted(
  population: Population,
  passes: Sql,
  on: Queryable,
): Promise<Pick<AuditResult, 'devices' | 'passed'>> {
  const [row] = await on.rows<{ devices: number; passed: number }>(
    sql`SELECT count(*) AS devices, count(*) FILTER (WHERE ${passes}) AS passed ${devicesOf(population, [])}`,
    'each time',
  );
  return { devices: row?.devices ?? 0, passed: row?.passed ?? 0 };
}

/** A page of the devices of which some condition does not hold, in the order of their ids, with what they have instead. */
async function failuresOf(
  population: Population,
  conditions: readonly HeldCondition[],
  { limit, marker }: AuditPage,
  on: Queryable,
): Promise<Pick<AuditResult, 'failures' | 'next'>> {
  // One more than the page has: then there is a next one.
  const rows = await on.rows<FailingRow>(
    sql`SELECT t.id, t.kind, t.name, ${firstFailed(conditions)} AS failed
      ${devicesOf(population, [sql`${firstFailed(conditions)} IS NOT NULL`, sql`t.id > ${marker ?? 0}::bigint`])}
      ORDER BY t.id LIMIT ${limit + 1}`,
    'each time',
  );
  const shown = rows.slice(0, limit);
  const asked = shown.map(({ id, failed }) => ({ id, key: conditions[failed - 1]?.key ?? '' }));
  const failures: Failure[] = [];
  let characters = 0;
  for await (const value of resolvedValues(on, population.projectId, asked)) {
    const { id, kind, name, failed } = shown[failures.length] ?? missing();
    const { key, reproach } = conditions[failed - 1] ?? missing();
    const failure = { kind, id, name, key, value, ...((await reproach(value)) ?? missing()) };
    characters += name.length + key.length + (value?.length ?? 0) + failure.message.length;
    if (characters > MOST_SHOWN && failures.length > 0) break;
    failures.push(failure);
  }
  return { failures, next: failures.length < rows.length ? failures.at(-1)?.id : undefined };
}

/** The place of the first condition that does not hold of a row `t`, from 1 on; NULL if all hold. */
const firstFailed = (conditions: readonly HeldCondition[]): Sql =>
  sql`CASE ${join(
    conditions.map(({ holds }, i) => sql`WHEN (${holds}) IS NOT TRUE THEN ${raw(String(i + 1))}`),
    ' ',
  )} END`;

function missing(): never {
  throw new Error('a device fails an audit without a reason');
}

/** @throws InventoryError 400 */
async function requireDevice({ shape, projectId }: Population, id: number, on: Queryable): Promise<void> {
  const rows = await on.rows(
    sql`SELECT ${from(shape)} WHERE ${inScope(shape, { project: projectId })} AND t.id = ${id}`,
  );
  if (rows.length === 0) throw InventoryError.invalid('marker', 'is not the id of an item in this list');
}
