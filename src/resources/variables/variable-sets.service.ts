import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { variableMap } from '../../http/api-schemas';
import { JsonCheck, JsonMember, Optional } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { variablesError } from '../../core/context/variable-keys';
import { Note } from '../body-members';
import { Injectable } from '@nestjs/common';
import { assertCanWriteVariables } from '../../auth/access';
import type { LargeOperation, PartWriter } from '../../changes/large-operation';
import { chunk } from '../../database/chunks';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { PREVIEW_PARAMETERS } from '../../http/dry-run';
import type { QueryParameters } from '../../core/parameters';
import { selectionStatement } from '../../lists/selection';
import { parseBooleanValue } from '../../lists/list-filter';
import { parseUnpagedQuery, type UnpagedQuery } from '../../lists/list-query';
import { arrayParameter, raw, sql } from '../../database/sql';
import { from, isChanged, ofKind } from '../../database/resource-sql';
import type { ResourceMapping } from '../../database/resource-mapping';
import { variableKeys } from '../../variables/variables.service';
import { selectingParameters, type ResourceDefinition } from '../resource-definition';
import { ListFilterCompiler } from '../list-filter-compiler';
import { fault, type Fault } from '../../core/error-details';
import { FILTER_PARAMETERS, parseVariableFilters } from '../../variables/filter/filter-parameters';
import { matchesUnset } from '../../variables/filter/variable-filter';

const MAX_IDS = 100_000;

function idsError(value: unknown): Fault | undefined {
  const message = `must be an array of 1 to ${String(MAX_IDS)} ids`;
  if (!Array.isArray(value)) return fault('invalid_type', message);
  if (value.length === 0) return fault('too_short', message);
  if (value.length > MAX_IDS) return fault('too_long', message);
  return value.every((id) => Number.isSafeInteger(id))
    ? undefined
    : fault('invalid_type', 'must be integers');
}

/** The variables to set on many resources. */
export class SetVariables {
  @Optional()
  @JsonCheck('ids', idsError)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    example: [1, 2],
    minItems: 1,
    maxItems: MAX_IDS,
    description:
      'The ids of the resources to change. Without `ids`, the filters in the query select them; a filter that matches every resource does not count, and neither do `missing` in `where` and `without_label`, which match every resource if a name is misspelled.',
  })
  ids?: number[];

  @Note()
  note?: string | null;

  @JsonMember()
  @JsonCheck('variables', variablesError)
  @ApiProperty({
    ...variableMap,
    example: { ntp_servers: ['10.0.0.1'], rack: { row: 4 } },
    description: 'Keys and values to set. Other variables do not change.',
  })
  variables!: JsonInput;
}

/** The result of setting variables on several resources. */
export interface VariableSetResult {
  /** The number of selected resources. */
  readonly matched: number;
  readonly updated: number;
  /** The number of resources that already had these values. */
  readonly unchanged: number;
}

/** The maximum number of resources in a part of the change. */
const MAX_PART_SIZE = 500;
/** The maximum size of the variables in a part with several resources. A part is in memory twice: before and after. */
const MAX_PART_BYTES = 4 * 1024 * 1024;
/** The number of resources whose lengths are read at a time. */
const LENGTHS_PER_QUERY = 5_000;
/** The number of resources that are locked at a time. */
const LOCKS_PER_QUERY = 10_000;

/** Sets variables on many resources of a collection, selected by ids or by the filters of the list. */
@Injectable()
export class VariableSetsService {
  constructor(private readonly filters: ListFilterCompiler) {}

  /**
   * Sets the same variables on all selected resources, in one change.
   * @param query the filters of the collection's list; at least one that narrows the selection if the body has no `ids`
   * @throws InventoryError 400, 403, 404 for a filter by a resource that the caller cannot see, 405 for unknown ids
   */
  preparePut(
    ctx: RequestContext,
    definition: ResourceDefinition,
    query: QueryParameters,
    { ids, note, variables }: SetVariables,
  ): LargeOperation<VariableSetResult, PartWriter> {
    const { mapping } = definition;
    assertCanWriteVariables(ctx, mapping.collection, variableKeys(variables));
    const filters = parseSelection(definition, query, ids !== undefined);
    const run = async (change: PartWriter): Promise<VariableSetResult> => {
      const selected = filters
        ? await this.readMatching(change, definition, filters)
        : await requireAll(change, mapping, ids ?? []);
      const locked = await lockDiffering(change, mapping, selected, variables);
      const changing = filters ? await this.stillMatching(change, definition, filters, locked) : locked;
      for await (const part of splitIntoParts(change, mapping, changing))
        await setVariables(change, mapping, part, variables);
      const unchanged = selected.length - locked.length;
      return { matched: changing.length + unchanged, updated: changing.length, unchanged };
    };
    return { note, run };
  }

  /**
   * The ids that the filters select now, in order.
   * @throws InventoryError 400 for a malformed filter, 404 for a filter by a resource that the caller cannot see
   */
  private async readMatching(
    { ctx, tx, touched }: PartWriter,
    definition: ResourceDefinition,
    filters: UnpagedQuery,
  ): Promise<number[]> {
    if (touched > 0 && filtersVariables(filters))
      throw InventoryError.invalid(
        'path',
        'inconsistent',
        'must not filter by variables after other operations: their effects are not yet in the index. Let it come first',
      );
    const scope = { project: ctx.projectId };
    const selection = await this.filters.compile(ctx, definition, filters, scope, tx);
    const matching = selectionStatement(definition.mapping, scope, selection, sql`t.id`);
    const rows = await tx.rows<{ id: number }>(
      sql`SELECT m.id FROM (${matching}) AS m ORDER BY m.id`,
      'custom',
    );
    return rows.map(({ id }) => id);
  }

  /** The locked resources that the filters still select: another change may have been committed before the locks. */
  private async stillMatching(
    change: PartWriter,
    definition: ResourceDefinition,
    filters: UnpagedQuery,
    locked: readonly number[],
  ): Promise<number[]> {
    if (locked.length === 0) return [];
    const matching = new Set(await this.readMatching(change, definition, filters));
    return locked.filter((id) => matching.has(id));
  }
}

const filtersVariables = ({ others }: UnpagedQuery): boolean =>
  FILTER_PARAMETERS.some((name) => others.has(name));

/**
 * The filters in the query that select the resources; undefined if the body has ids.
 * @throws InventoryError 400 if there are both or neither, or if the filters select all resources, or would if a name in them is
 * misspelled
 */
function parseSelection(
  definition: ResourceDefinition,
  query: QueryParameters,
  hasIds: boolean,
): UnpagedQuery | undefined {
  const selecting = Object.fromEntries(
    Object.entries(query).filter(([name]) => !(PREVIEW_PARAMETERS as readonly string[]).includes(name)),
  );
  const parsed = parseUnpagedQuery(selecting, selectingParameters(definition), 'array');
  const { expansion } = definition;
  const expands = expansion && parsed.others.get(expansion.parameter);
  const isExpanded = expansion && expands ? parseBooleanValue(expansion.parameter, expands[0] ?? '') : false;
  if (hasIds) {
    // Generated clients send the default of `descendants` with every request.
    if (parsed.filters.length === 0 && !filtersVariables(parsed) && !isExpanded) return undefined;
    throw InventoryError.invalid('ids', 'inconsistent', 'cannot be combined with filters in the query');
  }
  const narrows =
    parseVariableFilters(parsed.others).some((filter) => !matchesUnset(filter)) ||
    parsed.filters.some(([filter, value]) => filter.mayMatchEveryRow?.(value) !== true);
  if (narrows) return parsed;
  throw InventoryError.invalid(
    'ids',
    'required',
    `is required, or a filter in the query that does not match all ${definition.mapping.collection}, even if a name in it is misspelled`,
  );
}

/** The distinct ids, all of which exist. @throws InventoryError 405 that names unknown ids */
async function requireAll(
  change: PartWriter,
  mapping: ResourceMapping,
  ids: readonly number[],
): Promise<number[]> {
  const distinct = [...new Set(ids)];
  const rows = await change.tx.rows<{ id: number }>(sql`
    SELECT t.id ${from(mapping)} WHERE t.project_id = ${change.projectId} AND ${ofKind(mapping)}
      AND t.id = ANY(${arrayParameter(distinct)}::bigint[])`);
  const known = new Set(rows.map(({ id }) => id));
  const missing = distinct.filter((id) => !known.has(id));
  if (missing.length === 0) return distinct.sort((a, b) => a - b);
  const some = missing.slice(0, 10).join(', ');
  throw InventoryError.validationException(
    'ids',
    'not_found',
    missing.length > 10
      ? `${String(missing.length)} of these ids do not exist in this project, including ${some}`
      : `there is no ${mapping.kind} ${some} in this project`,
  );
}

/**
 * Locks the resources whose variables change, in the order of their ids.
 */
async function lockDiffering(
  change: PartWriter,
  mapping: ResourceMapping,
  ids: readonly number[],
  { sql: variables }: JsonInput,
): Promise<number[]> {
  const locked: number[] = [];
  for (const part of chunk(ids, LOCKS_PER_QUERY))
    locked.push(
      ...(await change.lockExisting(
        mapping,
        sql`t.id = ANY(${arrayParameter(part)}::bigint[]) AND ${isChanged(sql`t.variables`, sql`t.variables || ${variables}`)}`,
      )),
    );
  return locked;
}

/** Splits resources into parts by number and by the size of their variables. */
async function* splitIntoParts(
  change: PartWriter,
  mapping: ResourceMapping,
  ids: readonly number[],
): AsyncGenerator<number[]> {
  let part: number[] = [];
  let bytes = 0;
  for (const measured of chunk(ids, LENGTHS_PER_QUERY))
    for (const { id, length } of await readLengths(change, mapping, measured)) {
      if (part.length > 0 && (part.length >= MAX_PART_SIZE || bytes + length > MAX_PART_BYTES)) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(id);
      bytes += length;
    }
  if (part.length > 0) yield part;
}

/** Reads the lengths of the variables as texts. Stored values are smaller, because they are compressed. */
const readLengths = (
  { tx, projectId }: PartWriter,
  mapping: ResourceMapping,
  ids: readonly number[],
): Promise<{ id: number; length: number }[]> =>
  tx.rows(sql`SELECT t.id, octet_length(t.variables::text) AS length FROM ${raw(mapping.table)} t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[]) ORDER BY t.id`);

async function setVariables(
  change: PartWriter,
  mapping: ResourceMapping,
  ids: readonly number[],
  { sql: variables }: JsonInput,
): Promise<void> {
  await change.inPart(async (part) => {
    const isInPart = sql`t.id = ANY(${arrayParameter(ids)}::bigint[])`;
    await part.lockAll(mapping, change.projectId, isInPart);
    await part.tx.execute(sql`
      UPDATE ${raw(mapping.table)} t SET variables = t.variables || ${variables}, ${part.nextVersion}
      WHERE t.project_id = ${change.projectId} AND ${isInPart}`);
  });
}
