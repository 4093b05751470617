import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { Database, type Queryable } from '../../database/database';
import { and, join, arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { from, inScope, lookUp } from '../../database/resource-sql';
import { anyDeviceMapping } from '../../devices/device-kind';
import { lastLabelValue, narrowestValue } from '../../variables/key-levels';
import { filterConditions } from '../../lists/list-query';
import { ListFilterCompiler } from '../../resources/list-filter-compiler';
import { VariableFilterCompiler } from '../../variables/filter/variable-filter-compiler';
import { JsonSchemaValidator } from '../schemas/schema-validation';
import {
  chunkedValue,
  type ExpectationPredicate,
  filterPredicate,
  schemaPredicate,
  ValidationCache,
} from './expectation-predicate';
import { type AuditTarget, fromTarget, readAudit, type StoredAudit, targetKindsOf } from './audit-target';
import { filtersOf } from './written-filters';
import { impliedRemediation } from './implied-remediation';
import { deletionOf } from '../../database/deleted-resources';
import { deviceLabels } from '../../devices/device.entity';
import { deviceKinds } from '../../devices/device-kinds';
import { RunBudget, convertRunTimeout } from './run-budget';
import { PastRunsService, type LocationCounts, type RunCounts } from './past-runs.service';
import { type FailureSource, findSources } from './failure-sources';
import type { RunQuery } from './run-query';
import { VariableResolver } from '../../variables/variable-resolver';
import { ConcurrencyLimiter, sharesOf } from '../../core/concurrency';

/** A device and the variable to resolve for it. */
export interface DeviceKey {
  readonly id: number;
  readonly key: string;
}

interface ResolvedValueRow {
  readonly [column: string]: unknown;
  readonly n: number;
  /** NULL if the value is long or not set. */
  readonly value: string | null;
  readonly is_set: boolean;
}

/**
 * The resolved values of devices as JSON text, in the order of the requests; undefined if a key is not set. A long
 * value is read when the iteration reaches it, so a caller that stops early does not read the rest.
 */
async function* readResolvedValues(
  on: Queryable,
  projectId: string,
  requests: readonly DeviceKey[],
): AsyncGenerator<string | undefined> {
  const rows = await on.rows<ResolvedValueRow>(sql`
    SELECT f.n, ${chunkedValue} AS value, o.value IS NOT NULL AS is_set ${resolvedValuesFrom(projectId, requests)} ORDER BY f.n`);
  for (const { n, value, is_set: isSet } of rows) {
    const request = requests.slice(n - 1, n);
    yield value ?? (isSet ? await readLongValue(on, projectId, request) : undefined);
  }
}

async function readLongValue(
  on: Queryable,
  projectId: string,
  request: readonly DeviceKey[],
): Promise<string> {
  const [row] = await on.rows<{ value: string }>(
    sql`SELECT o.value ${resolvedValuesFrom(projectId, request)}`,
  );
  if (!row) throw new Error('a device disappeared within a snapshot');
  return row.value;
}

/** The `FROM` clause that resolves the keys of devices. */
const resolvedValuesFrom = (projectId: string, requests: readonly DeviceKey[]): Sql => sql`
  FROM (SELECT ${projectId}::uuid AS project_id, u.* FROM unnest(${arrayParameter(requests.map(({ id }) => id))}::bigint[],
    ${arrayParameter(requests.map(({ key }) => key))}::text[]) WITH ORDINALITY AS u (id, key, n) OFFSET 0) f
  ${lookUp(anyDeviceMapping, sql`f.project_id`, sql`f.id`)}
  CROSS JOIN LATERAL (SELECT (${narrowestValue({
    own: { value: sql`t.variables -> f.key` },
    label: { value: lastLabelValue(sql`f.key`, deviceLabels) },
    cell: {
      value: sql`(SELECT c.variables -> f.key FROM cells c WHERE c.project_id = t.project_id AND c.id = t.cell_id)`,
    },
    region: {
      value: sql`(SELECT r.variables -> f.key FROM regions r WHERE r.project_id = t.project_id AND r.id = t.region_id)`,
    },
  })})::text AS value OFFSET 0) o`;

/** A device that does not meet an expectation, with its actual value. */
export interface AuditFailure {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly key: string;
  /** The resolved value as JSON text; undefined if the key is not set. */
  readonly value: string | undefined;
  /** What sets the value; undefined if the key is not set. */
  readonly source: FailureSource | undefined;
  /** The location of the violation in the value; only for an expectation with a schema. */
  readonly path: string | undefined;
  readonly message: string;
}

/** An `ImpliedRemediation` with its value as JSON text. */
interface RenderedRemediation {
  readonly key: string;
  readonly value: string | undefined;
}

export interface AuditResult extends RunCounts {
  /** Undefined if the audit covers several variables. */
  readonly remediation: RenderedRemediation | undefined;
  readonly failures: readonly AuditFailure[];
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

/** The maximum number of concurrent runs per process. */
const MAX_CONCURRENT_RUNS = 4;

/** How long the response waits for the storage of its counts. */
const MAX_STORING_MS = 2_000;

/** Runs audits on resolved values that the caller can see, in one database snapshot. */
@Injectable()
export class AuditRunService {
  /** Each run needs a connection and the processor for seconds. Queued runs need neither. */
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: MAX_CONCURRENT_RUNS,
    queue: { maxLength: 40, timeoutMs: 10_000 },
    message: 'Too many audits are being run. Try again.',
    retryAfterSeconds: 5,
    shares: { ...sharesOf(MAX_CONCURRENT_RUNS), callsName: 'audit runs' },
  });

  constructor(
    private readonly database: Database,
    private readonly filters: VariableFilterCompiler,
    private readonly listFilters: ListFilterCompiler,
    private readonly schemas: JsonSchemaValidator,
    private readonly resolver: VariableResolver,
    private readonly pastRuns: PastRunsService,
  ) {}

  /**
   * Runs an audit, and stores its counts if the query says so.
   * @param disconnected cancels the run when its client disconnects
   * @param render converts the result to the chunks of the response body
   * @throws InventoryError 400 if the marker is not the id of a device, 404, also for a location, 405 if a schema or the run exceeds its
   * timeout, 503 if too many audits are running
   */
  async run(
    ctx: RequestContext,
    id: number,
    query: RunQuery,
    disconnected: AbortSignal,
    render: (result: AuditResult) => Iterable<string>,
  ): Promise<Iterable<string>> {
    const result = await this.limiter.run(
      () => convertRunTimeout(() => this.result(ctx, id, query, new RunBudget(disconnected))),
      { caller: ctx, signal: disconnected },
    );
    // Others run meanwhile: the storage can wait for a lock.
    if (query.isStored) await this.pastRuns.store(ctx, result, new RunBudget(disconnected, MAX_STORING_MS));
    return render(result);
  }

  private async result(
    ctx: RequestContext,
    id: number,
    query: RunQuery,
    budget: RunBudget,
  ): Promise<AuditResult> {
    return this.database.reader(ctx).snapshot(async (on) => {
      await budget.limitStatements(on);
      const audit = await readAudit(ctx, id, on);
      const target = await this.target(ctx, audit, query, on);
      if (query.marker !== undefined) await requireDevice(target, query.marker, on);
      const predicates = await this.predicates(ctx, audit, target, budget, on);
      const passes = and(predicates.map(({ holds }) => sql`(${holds}) IS TRUE`));
      await budget.limitStatements(on);
      const counts = await countDevices(target, passes, on);
      await budget.limitStatements(on);
      const { failures, next } = await readFailures(target, predicates, query, on);
      const sources = await findSources(this.resolver, on, audit.projectId, failures);
      return {
        audit,
        ...counts,
        remediation: await readRemediation(audit, on),
        failures: failures.map((failure, i) => ({ ...failure, source: sources[i] })),
        next,
      };
    });
  }

  private async target(
    ctx: RequestContext,
    audit: StoredAudit,
    query: RunQuery,
    on: Queryable,
  ): Promise<AuditTarget> {
    const { projectId } = audit;
    const devices = targetKindsOf(audit);
    const scope = { project: projectId };
    const filters = filtersOf(audit);
    const selection = await this.filters.select(ctx, devices, filters, scope, devices.hasSeveralKinds, on);
    const conditions = filterConditions(ctx, query, scope);
    await this.listFilters.assertReferencesVisible(ctx, query, on);
    return { ...devices, projectId, selection, conditions };
  }

  /** The predicates that every targeted device must meet. */
  private async predicates(
    ctx: RequestContext,
    { expectation, schemaText }: StoredAudit,
    target: AuditTarget,
    budget: RunBudget,
    on: Queryable,
  ): Promise<ExpectationPredicate[]> {
    if ('key' in expectation) {
      const validations = new ValidationCache(this.schemas, schemaText ?? 'true', budget);
      return [await schemaPredicate(on, target, expectation.key, validations)];
    }
    const { hasSeveralKinds, projectId } = target;
    const scope = { project: projectId };
    const filters = filtersOf(expectation);
    const conditions = await this.filters.conditions(ctx, target, filters, scope, hasSeveralKinds, on);
    return conditions.map(filterPredicate);
  }
}

async function readRemediation(audit: StoredAudit, on: Queryable): Promise<RenderedRemediation | undefined> {
  const { key, value } = impliedRemediation(audit) ?? {};
  if (key === undefined) return undefined;
  const [row] = value ? await on.rows<{ text: string }>(sql`SELECT ${value.sql}::text AS text`) : [];
  return { key, value: row?.text };
}

async function countDevices(
  target: AuditTarget,
  passes: Sql,
  on: Queryable,
): Promise<Omit<RunCounts, 'audit'>> {
  const locations = await on.rows<LocationCounts & Record<string, unknown>>(
    sql`SELECT t.region_id, t.cell_id, count(*) AS devices,
      count(*) FILTER (WHERE NOT (${passes})) AS failed
      ${fromTarget(target, [])} GROUP BY t.region_id, t.cell_id`,
    'custom',
  );
  const sum = (member: 'devices' | 'failed') =>
    locations.reduce((total, counts) => total + counts[member], 0);
  const devices = sum('devices');
  return { devices, passed: devices - sum('failed'), locations };
}

/** A page of the devices that fail a predicate, ordered by id, with their values. */
async function readFailures(
  target: AuditTarget,
  predicates: readonly ExpectationPredicate[],
  { limit, marker }: RunQuery,
  on: Queryable,
): Promise<{
  readonly failures: readonly Omit<AuditFailure, 'source'>[];
  readonly next: number | undefined;
}> {
  // One row more than the page has: it tells whether there is a next page.
  const rows = await on.rows<FailingRow>(
    sql`SELECT t.id, t.kind, t.name, ${firstFailed(predicates)} AS failed
      ${fromTarget(target, [sql`${firstFailed(predicates)} IS NOT NULL`, sql`t.id > ${marker ?? 0}::bigint`])}
      ORDER BY t.id LIMIT ${limit + 1}`,
    'custom',
  );
  const pageRows = rows.slice(0, limit);
  const requested = pageRows.map(({ id, failed }) => ({ id, key: predicates[failed - 1]?.key ?? '' }));
  const failures: Omit<AuditFailure, 'source'>[] = [];
  let characters = 0;
  for await (const value of readResolvedValues(on, target.projectId, requested)) {
    const { id, kind, name, failed } = pageRows[failures.length] ?? unexplainedFailure();
    const predicate = predicates[failed - 1] ?? unexplainedFailure();
    const { key } = predicate;
    const violation = (await predicate.explain(value)) ?? unexplainedFailure();
    const failure = { kind, id, name, key, value, ...violation };
    characters += name.length + key.length + (value?.length ?? 0) + failure.message.length;
    if (characters > MAX_PAGE_CHARACTERS && failures.length > 0) break;
    failures.push(failure);
  }
  return { failures, next: failures.length < rows.length ? failures.at(-1)?.id : undefined };
}

/** The index of the first predicate that does not hold for a row `t`, counted from 1; NULL if all hold. */
const firstFailed = (predicates: readonly ExpectationPredicate[]): Sql =>
  sql`CASE ${join(
    predicates.map(({ holds }, i) => sql`WHEN (${holds}) IS NOT TRUE THEN ${raw(String(i + 1))}`),
    ' ',
  )} END`;

function unexplainedFailure(): never {
  throw new Error('an audit reported a failing device without a violation');
}

/** A marker can be the id of a device that was deleted. @throws InventoryError 400 */
async function requireDevice(
  { mapping, projectId, hasSeveralKinds }: AuditTarget,
  id: number,
  on: Queryable,
): Promise<void> {
  const projects = { project: projectId };
  const kinds = hasSeveralKinds ? deviceKinds.map((kind) => kind.mapping.kind) : [mapping.kind];
  const rows = await on.rows(
    sql`SELECT ${from(mapping)} WHERE ${inScope(mapping, projects)} AND t.id = ${id}
      UNION ALL (${deletionOf({ kinds, projects, id, idType: mapping.idType })})`,
  );
  if (rows.length === 0)
    throw InventoryError.invalid('marker', 'not_found', 'is not the id of an item in this list');
}
