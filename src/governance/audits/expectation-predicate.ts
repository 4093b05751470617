import { anyDeviceMapping } from '../../devices/device-kind';
import { inChunks } from '../../database/chunks';
import type { Queryable } from '../../database/database';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { matchesUnset } from '../../variables/filter/variable-filter';
import { byKind, type KeyLevel, keyLevels, keysOf, LEVEL_TABLES } from '../../variables/key-levels';
import { matchConditionByLevels } from '../../variables/filter/match-condition';
import type { FilterCondition } from '../../variables/filter/variable-filter-compiler';
import { fromTarget, type AuditTarget } from './audit-target';
import { mismatchText } from './expectation';
import { InventoryError } from '../../core/errors';
import type { SchemaViolation } from '../schemas/compile-schema';
import { JsonSchemaValidator, ValidationTimeoutError } from '../schemas/schema-validation';
import type { RunBudget } from './run-budget';

/** Limits on the number and the length of cached values. */
const MAX_CACHED_VALUES = 5_000;
const MAX_CACHED_LENGTH = 2_000;
/** Limits on the values that are validated before the event loop runs other work. */
const MAX_SLICE_VALUES = 200;
const MAX_SLICE_CHARACTERS = 64 * 1024;

/** Validates values against one schema and caches the results, because many values are equal. */
export class ValidationCache {
  private readonly cached = new Map<string, SchemaViolation | undefined>();

  constructor(
    private readonly schemas: JsonSchemaValidator,
    private readonly schema: string,
    private readonly budget: RunBudget,
  ) {}

  /**
   * @returns the violation of each value, in order; undefined for a valid value
   * @throws InventoryError 405 if a value or the run exceeds its timeout
   */
  async violationsOf(values: readonly string[]): Promise<(SchemaViolation | undefined)[]> {
    await this.budget.yieldToEventLoop();
    const validated = new Map<string, SchemaViolation | undefined>();
    const uncached = [...new Set(values)].filter((value) => !this.cached.has(value));
    for (const slice of slices(uncached)) {
      const violations = await this.validate(slice);
      for (const [i, value] of slice.entries()) {
        validated.set(value, violations[i]);
        if (this.cached.size < MAX_CACHED_VALUES && value.length <= MAX_CACHED_LENGTH)
          this.cached.set(value, violations[i]);
      }
      await this.budget.yieldToEventLoop();
    }
    return values.map((value) => (validated.has(value) ? validated.get(value) : this.cached.get(value)));
  }

  private async validate(values: readonly string[]): Promise<readonly (SchemaViolation | undefined)[]> {
    try {
      return await this.schemas.validate(values.map((value) => ({ schema: this.schema, value })));
    } catch (error) {
      if (!(error instanceof ValidationTimeoutError)) throw error;
      throw InventoryError.validationException('expectation', 'limit_exceeded', error.message);
    }
  }
}

function* slices(values: readonly string[]): Generator<string[]> {
  let slice: string[] = [];
  let characters = 0;
  for (const value of values) {
    slice.push(value);
    characters += value.length;
    if (slice.length < MAX_SLICE_VALUES && characters < MAX_SLICE_CHARACTERS) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Why a resolved value does not meet an expectation; for a schema, with the location in the value. */
export interface Violation {
  readonly path: string | undefined;
  readonly message: string;
}

/** A condition on devices that PostgreSQL evaluates, and the explanation for a device that fails it. */
export interface ExpectationPredicate {
  readonly key: string;
  /** A condition on a device row `t`. It can be NULL. */
  readonly holds: Sql;
  /** @param value the resolved value as JSON text; undefined if the key is not set */
  readonly explain: (value: string | undefined) => Promise<Violation | undefined>;
}

/** The predicate of a filter. */
export function filterPredicate({ filter, holds }: FilterCondition): ExpectationPredicate {
  const explain = (value: string | undefined): Promise<Violation> =>
    Promise.resolve({
      path: undefined,
      message: value === undefined && !matchesUnset(filter) ? 'is not set' : mismatchText(filter),
    });
  return { key: filter.key, holds, explain };
}

/** A level or a device that sets the key, with the value as JSON text; NULL if the value is long. */
type SetValue = Readonly<Record<string, unknown>> &
  (KeyLevel<string | null> | { readonly kind: 'device'; readonly id: number; readonly value: string | null });

/** Values are read in chunks, and longer ones one at a time, so that a chunk takes a few megabytes at most. */
const CHUNK_SIZE = 1_000;
const MAX_CHUNKED_BYTES = 4_096;

/**
 * The predicate of a schema. PostgreSQL cannot validate JSON Schemas, so the process validates each value that a level
 * or a device sets, once. PostgreSQL then resolves the results for all devices, in the same way as for a filter.
 * @param on a snapshot
 * @throws InventoryError 405 if the schema exceeds its timeout
 */
export async function schemaPredicate(
  on: Queryable,
  target: AuditTarget,
  key: string,
  validations: ValidationCache,
): Promise<ExpectationPredicate> {
  const { projectId, inheritance } = target;
  const levels: KeyLevel<boolean>[] = [];
  const own = { passing: [] as number[], failing: [] as number[] };
  for (const statement of [levelsThatSet(projectId, key), devicesThatSet(target, key)])
    for await (const chunk of inChunks<SetValue>(on, statement, CHUNK_SIZE))
      for (const [i, passes] of (await validateChunk(on, projectId, key, chunk, validations)).entries()) {
        const owner = chunk[i];
        if (owner?.kind === 'device') own[passes ? 'passing' : 'failing'].push(owner.id);
        else if (owner) levels.push({ ...owner, value: passes });
      }
  const isSetByDevices = own.passing.length + own.failing.length > 0;
  return {
    key,
    holds: matchConditionByLevels(
      { ...byKind(levels), own: isSetByDevices ? [key] : [] },
      key,
      devicesHold(key, own),
      inheritance,
    ),
    explain: async (value) => {
      if (value === undefined) return { path: undefined, message: 'is not set' };
      return (await validations.violationsOf([value]))[0];
    },
  };
}

/** The condition on devices that set the key themselves. It lists the shorter of the two sets of ids. */
function devicesHold(
  key: string,
  { passing, failing }: Readonly<Record<'passing' | 'failing', number[]>>,
): Sql {
  const isOneOf = (ids: readonly number[]) => sql`t.id = ANY(${arrayParameter(ids)}::bigint[])`;
  return passing.length <= failing.length
    ? isOneOf(passing)
    : sql`(t.variables ? ${key} AND NOT ${isOneOf(failing)})`;
}

/** Whether each value of a chunk is valid, in order. */
async function validateChunk(
  on: Queryable,
  projectId: string,
  key: string,
  chunk: readonly SetValue[],
  validations: ValidationCache,
): Promise<boolean[]> {
  const short = chunk.filter(({ value }) => value !== null);
  const violations = await validations.violationsOf(short.flatMap(({ value }) => value ?? []));
  const failing = new Set(short.filter((_, i) => violations[i]));
  const passes: boolean[] = [];
  for (const owner of chunk) {
    const long = owner.value === null ? await readValue(on, projectId, key, owner) : undefined;
    passes.push(
      long === undefined ? !failing.has(owner) : (await validations.violationsOf([long]))[0] === undefined,
    );
  }
  return passes;
}

async function readValue(
  on: Queryable,
  projectId: string,
  key: string,
  { kind, id }: SetValue,
): Promise<string> {
  const { table } = kind === 'device' ? anyDeviceMapping : LEVEL_TABLES[kind];
  const [row] = await on.rows<{ value: string }>(sql`
    SELECT (t.variables -> ${key}::text)::text AS value FROM ${raw(table)} t
    WHERE t.project_id = ${projectId} AND t.id = ${id}`);
  if (!row) throw new Error(`${kind} ${String(id)} disappeared within a snapshot`);
  return row.value;
}

/** `o.value`, or NULL if that is too long to be read in a chunk. */
export const chunkedValue = sql`CASE WHEN octet_length(o.value) <= ${raw(String(MAX_CHUNKED_BYTES))} THEN o.value END`;

const levelsThatSet = (projectId: string, key: string): Sql =>
  keyLevels({
    keys: keysOf(projectId, [key]),
    value: sql`(SELECT ${chunkedValue} FROM (SELECT (t.variables -> k.key)::text AS value OFFSET 0) o)`,
  });

const devicesThatSet = (target: AuditTarget, key: string): Sql => sql`
  SELECT 'device' AS kind, t.id, ${chunkedValue} AS value ${fromTarget(
    target,
    [sql`t.variables ? ${key}`],
    // OFFSET 0 prevents PostgreSQL from extracting the value twice.
    sql`CROSS JOIN LATERAL (SELECT (t.variables -> ${key}::text)::text AS value OFFSET 0) o`,
  )}`;
