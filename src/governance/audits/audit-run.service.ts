import { Injectable } from '@nestjs/common';
import { Changes } from '../../changes/changes.service';
import type { RequestContext } from '../../shared/context/request-context';
import { InventoryError } from '../../shared/errors/inventory-error';
import { ListEngine, type ListRequest } from '../../shared/list/list-engine';
import { Database, type Queryable } from '../../shared/persistence/database';
import { and, raw, sql, type Sql } from '../../shared/persistence/sql';
import { from, inScope } from '../../shared/resources/projection';
import { textOf } from '../../variables/filter/filter-parser';
import { VariableFilters, type FilterCondition } from '../../variables/filter/variable-filters';
import type { Subject } from '../../variables/levels';
import { subjectColumns, VariableResolver } from '../../variables/variable-resolver';
import type { Fault } from '../schemas/json-schema';
import { JsonSchemas, TooHard } from '../schemas/json-schemas';
import { audited, countStatement, listOf, type Population } from './population';
import { storedAudit, type StoredAudit } from './stored-audit';

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

interface AuditedRow extends Subject {
  readonly [column: string]: unknown;
  readonly device_id: number;
  readonly kind: string;
  readonly name: string;
}

/** Devices are held against a schema so many at a time. */
const BATCH = 2_000;
/** Values that are remembered with what is wrong with them, and how long they may be. */
const MOST_REMEMBERED = 5_000;
const LONGEST_REMEMBERED = 2_000;

/**
 * Runs audits: everything is about resolved values, as far as the caller may see them, on one state of the database.
 */
@Injectable()
export class AuditRunService {
  constructor(
    private readonly changes: Changes,
    private readonly database: Database,
    private readonly engine: ListEngine,
    private readonly filters: VariableFilters,
    private readonly resolver: VariableResolver,
    private readonly schemas: JsonSchemas,
  ) {}

  /**
   * Runs an audit. The same request under the same `Idempotency-Key` gets the same answer, without another run.
   * @param tell makes the answer's parts of what came of it
   * @throws InventoryError 400 if the marker is no device's, 404, 405 for a schema that takes too long, or an answer
   * that is too long to be kept, 409 for the key of another request
   */
  async run(
    ctx: RequestContext,
    id: number,
    page: AuditPage,
    tell: (result: AuditResult) => Iterable<string>,
  ): Promise<Iterable<string>> {
    return this.changes.answerOnce(ctx, async () => tell(await this.result(ctx, id, page)));
  }

  private async result(ctx: RequestContext, id: number, page: AuditPage): Promise<AuditResult> {
    return this.database.snapshot(async (on) => {
      const audit = await storedAudit(ctx, id, on);
      const scope = { project: audit.projectId };
      const about = audited(audit);
      const { expectation, vars } = audit;
      const several = about.ofSeveralKinds;
      const plan = await this.filters.plan(ctx, about, vars === null ? [] : [vars], scope, several, on);
      const population = { shape: about.shape, inheritance: about.inheritance, scope, plan };
      if ('key' in expectation)
        return this.heldAgainstSchema(ctx, audit, expectation.key, population, page, on);
      const conditions = await this.filters.conditions(ctx, about, expectation.vars, scope, several, on);
      return this.heldAgainstFilters(ctx, audit, conditions, population, page, on);
    });
  }

  private async heldAgainstFilters(
    ctx: RequestContext,
    audit: StoredAudit,
    expected: readonly FilterCondition[],
    population: Population & AuditedShape,
    { limit, marker }: AuditPage,
    on: Queryable,
  ): Promise<AuditResult> {
    const passes = and(expected.map(({ holds }) => sql`(${holds}) IS TRUE`));
    const [counted] = await on.rows<{ devices: number; passed: number }>(
      countStatement(population, passes),
      'each time',
    );
    const held = expected.map(({ holds }, i) => sql`, (${holds}) IS TRUE AS ${raw(`holds_${String(i)}`)}`);
    const { rows, next } = await this.engine.page<AuditedRow>(
      {
        ...listOf(population, [sql`NOT (${passes})`]),
        ...rowsOf(population, held),
        limit,
        ...(marker === undefined ? {} : { marker: String(marker) }),
      },
      on,
    );
    const values = await this.values(ctx, rows, on);
    const failures = rows.flatMap((row, i) => {
      const failed = expected.find((_, n) => row[`holds_${String(n)}`] === false);
      if (!failed) return [];
      const { key } = failed.filter;
      const value = values(i, key);
      const message = value === undefined ? 'is not set' : `is not ${textOf(failed.filter)}`;
      return [{ ...identityOf(row), key, value, path: undefined, message }];
    });
    const { devices = 0, passed = 0 } = counted ?? {};
    return { audit, devices, passed, failures, next: next === undefined ? undefined : Number(next) };
  }

  /** Only the process can hold a value against a schema: it looks at every device, some at a time. */
  private async heldAgainstSchema(
    ctx: RequestContext,
    audit: StoredAudit,
    key: string,
    population: Population & AuditedShape,
    { limit, marker }: AuditPage,
    on: Queryable,
  ): Promise<AuditResult> {
    if (marker !== undefined) await requireDevice(population, marker, on);
    const verdicts = new Verdicts(this.schemas, audit.schemaText ?? 'true');
    const failures: Failure[] = [];
    let devices = 0;
    let failed = 0;
    let last: string | undefined;
    do {
      const request: ListRequest = {
        ...listOf(population, []),
        ...rowsOf(population, []),
        limit: BATCH,
        ...(last === undefined ? {} : { marker: last }),
      };
      const { rows, next } = await this.engine.page<AuditedRow>(request, on);
      const valueOf = await this.values(ctx, rows, on);
      const values = rows.map((_, i) => valueOf(i, key));
      const faults = verdicts.of(values);
      devices += rows.length;
      for (const [i, row] of rows.entries()) {
        const fault = faults[i];
        if (!fault) continue;
        failed++;
        // One more than the page has: then there is a next one.
        if (failures.length <= limit && row.device_id > (marker ?? 0))
          failures.push({ ...identityOf(row), key, value: values[i], ...fault });
      }
      last = next;
    } while (last !== undefined);
    const shown = failures.slice(0, limit);
    const next = failures.length > limit ? shown.at(-1)?.id : undefined;
    return { audit, devices, passed: devices - failed, failures: shown, next };
  }

  /** The resolved values of rows as JSON texts, by the row's place and the key. */
  private async values(
    ctx: RequestContext,
    rows: readonly AuditedRow[],
    on: Queryable,
  ): Promise<(row: number, key: string) => string | undefined> {
    const levels = await this.resolver.levels(ctx, rows, on);
    return (i, key) => {
      const row = rows[i];
      if (!row) return undefined;
      const member = JSON.stringify(key);
      return levels.own(row).get(member) ?? levels.inheritedBy(row).get(member);
    };
  }
}

type AuditedShape = Pick<ReturnType<typeof audited>, 'inheritance'>;

/** What is read of each device, beside what the list engine needs. */
const rowsOf = (
  { inheritance }: AuditedShape,
  more: readonly Sql[],
): Pick<ListRequest, 'body' | 'columns'> => ({
  body: sql`NULL::text`,
  columns: sql`t.id AS device_id, t.kind, t.name, ${subjectColumns(inheritance)}${more.reduce((all, one) => sql`${all}${one}`, sql``)}`,
});

const identityOf = ({ kind, device_id: id, name }: AuditedRow) => ({ kind, id, name });

/** @throws InventoryError 400 */
async function requireDevice({ shape, scope }: Population, id: number, on: Queryable): Promise<void> {
  const rows = await on.rows(sql`SELECT ${from(shape)} WHERE ${inScope(shape, scope)} AND t.id = ${id}`);
  if (rows.length === 0) throw InventoryError.invalid('marker', 'is not the id of an item in this list');
}

/** What a schema says of values. Devices inherit, so most have one of few. */
class Verdicts {
  private readonly known = new Map<string, Fault | undefined>();

  constructor(
    private readonly schemas: JsonSchemas,
    private readonly schema: string,
  ) {}

  of(values: readonly (string | undefined)[]): (Fault | { path: undefined; message: string } | undefined)[] {
    const now = new Map<string, Fault | undefined>();
    const unknown = new Set(values.filter((value) => value !== undefined && !this.known.has(value)));
    const asked = [...unknown].filter((value) => value !== undefined);
    const faults = this.faults(asked);
    for (const [i, value] of asked.entries()) {
      now.set(value, faults[i]);
      if (this.known.size < MOST_REMEMBERED && value.length <= LONGEST_REMEMBERED)
        this.known.set(value, faults[i]);
    }
    return values.map((value) => {
      if (value === undefined) return { path: undefined, message: 'is not set' };
      return now.has(value) ? now.get(value) : this.known.get(value);
    });
  }

  private faults(values: readonly string[]): (Fault | undefined)[] {
    try {
      return this.schemas.faults(values.map((value) => ({ schema: this.schema, value })));
    } catch (error) {
      if (!(error instanceof TooHard)) throw error;
      throw InventoryError.forbiddenByInventory('expectation', error.message);
    }
  }
}
