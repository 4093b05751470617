import { Injectable } from '@nestjs/common';
import { requireVariableWrite } from '../../auth/access';
import { Changes } from '../../changes/changes.service';
import type { PartedChange } from '../../changes/batched-change';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Answer } from '../../http/response';
import { PREVIEW_PARAMETERS } from '../../http/query.guard';
import type { QueryParameters } from '../../core/query-parameters';
import type { JsonInput } from '../../database/json-input';
import { membersStatement } from '../../list/page-statements';
import { parseUnpaged } from '../../list/list-query';
import { list, raw, sql, type Sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import type { ResourceShape } from '../../database/resource-shape';
import { keysOf } from '../variables.service';
import { selectingParameters, type Listing } from '../../resources/resource-definition';
import { Selections } from '../../resources/list-filter-compiler';
import type { SetVariables } from './variable-sets.dto';

/** What came of setting variables on several resources. */
export interface SetOutcome {
  /** How many were meant. */
  readonly matched: number;
  readonly updated: number;
  /** How many had these values already; nothing happened to them. */
  readonly unchanged: number;
}

/** So many resources are changed at a time … */
const MOST_TOGETHER = 500;
/** … and, where it is more than one, so many bytes of their variables: a part is held in memory, before and after. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of so many the length is asked at a time. */
const MEASURED_TOGETHER = 5_000;

/** Sets variables on many resources of a collection: on named ones, or on all that a list's filters find. */
@Injectable()
export class VariableSets {
  constructor(
    private readonly changes: Changes,
    private readonly selections: Selections,
  ) {}

  /**
   * Lays the same variables over those of all that are meant, in one change.
   * @param query the filters of the collection's list; without `ids` in the body at least one
   * @throws InventoryError 400, 403, 404 for a filter by what the caller cannot see, 405 for ids that are not there
   */
  async put(
    ctx: RequestContext,
    listing: Listing,
    query: QueryParameters,
    { ids, note, variables }: SetVariables,
  ): Promise<SetOutcome> {
    const { shape } = listing;
    requireVariableWrite(ctx, shape.collection, keysOf(variables));
    const members = await this.meant(ctx, listing, query, ids);
    const preview = (outcome: SetOutcome, { body }: { readonly body: string }) =>
      Answer.ok(`${JSON.stringify({ dry_run: true, ...outcome }).slice(0, -1)},"impact":${body}}`);
    const work = async (change: PartedChange): Promise<SetOutcome> => {
      const matched = ids ? await requireAll(change, shape, ids) : await count(change, members);
      const held = await holdDiffering(change, shape, members, variables);
      for await (const ids of parts(change, shape, held)) await setOn(change, shape, ids, variables);
      return { matched, updated: held.length, unchanged: Math.max(0, matched - held.length) };
    };
    return this.changes.writeInParts(ctx, note, work, preview);
  }

  /** The resources that are meant, as a query for `project_id` and `id`. */
  private async meant(
    ctx: RequestContext,
    listing: Listing,
    query: QueryParameters,
    ids: readonly number[] | undefined,
  ): Promise<Sql> {
    const given = Object.fromEntries(
      Object.entries(query).filter(([name]) => !(PREVIEW_PARAMETERS as readonly string[]).includes(name)),
    );
    const scope = { project: ctx.projectId };
    const isFiltered = Object.keys(given).length > 0;
    if (isFiltered === (ids !== undefined))
      throw InventoryError.invalid(
        'ids',
        isFiltered
          ? 'and filters in the query exclude each other'
          : `or a filter in the query must say which ${listing.shape.collection} are meant`,
      );
    const selection = ids
      ? { conditions: [sql`t.id = ANY(${list(ids)}::bigint[])`] }
      : await this.selections.of(
          ctx,
          listing,
          parseUnpaged(given, selectingParameters(listing), 'array'),
          scope,
        );
    return membersStatement({ shape: listing.shape, scope, ...selection });
  }
}

/** @throws InventoryError 405 naming ids that the project does not have */
async function requireAll(
  change: PartedChange,
  shape: ResourceShape,
  ids: readonly number[],
): Promise<number> {
  const distinct = [...new Set(ids)];
  const rows = await change.tx.rows<{ id: number }>(sql`
    SELECT t.id ${from(shape)} WHERE t.project_id = ${change.projectId} AND ${ofKind(shape)}
      AND t.id = ANY(${list(distinct)}::bigint[])`);
  const known = new Set(rows.map(({ id }) => id));
  const missing = distinct.filter((id) => !known.has(id));
  if (missing.length === 0) return distinct.length;
  const some = missing.slice(0, 10).join(', ');
  throw InventoryError.forbiddenByInventory(
    'ids',
    missing.length > 10
      ? `${String(missing.length)} of them are not in this project, ${some} among them`
      : `there is no ${shape.kind} ${some} in this project`,
  );
}

async function count({ tx }: PartedChange, members: Sql): Promise<number> {
  const [row] = await tx.rows<{ n: number }>(
    sql`SELECT count(*) AS n FROM (${members}) AS meant`,
    'each time',
  );
  return row?.n ?? 0;
}

/** Digit by digit: `1.0` over `1` is a change, though the database holds the numbers equal. */
const holdDiffering = (
  change: PartedChange,
  shape: ResourceShape,
  members: Sql,
  { sql: variables }: JsonInput,
): Promise<number[]> =>
  change.hold(
    shape,
    sql`(t.project_id, t.id) IN (${members}) AND (t.variables || ${variables})::text <> t.variables::text`,
  );

/** Resources that are changed together: a few where their variables are long. */
async function* parts(
  change: PartedChange,
  shape: ResourceShape,
  ids: readonly number[],
): AsyncGenerator<number[]> {
  let part: number[] = [];
  let bytes = 0;
  for (let at = 0; at < ids.length; at += MEASURED_TOGETHER)
    for (const { id, length } of await lengthsOf(change, shape, ids.slice(at, at + MEASURED_TOGETHER))) {
      if (part.length > 0 && (part.length >= MOST_TOGETHER || bytes + length > MOST_BYTES)) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(id);
      bytes += length;
    }
  if (part.length > 0) yield part;
}

/** As texts: what is stored is compressed, and a number of many digits takes a few bytes. */
const lengthsOf = (
  { tx, projectId }: PartedChange,
  shape: ResourceShape,
  ids: readonly number[],
): Promise<{ id: number; length: number }[]> =>
  tx.rows(sql`SELECT t.id, octet_length(t.variables::text) AS length FROM ${raw(shape.table)} t
    WHERE t.project_id = ${projectId} AND t.id = ANY(${list(ids)}::bigint[]) ORDER BY t.id`);

async function setOn(
  change: PartedChange,
  shape: ResourceShape,
  ids: readonly number[],
  { sql: variables }: JsonInput,
): Promise<void> {
  await change.part(async (part) => {
    const these = sql`t.id = ANY(${list(ids)}::bigint[])`;
    await part.lockAll(shape, change.projectId, these);
    await part.tx.execute(sql`
      UPDATE ${raw(shape.table)} t SET variables = t.variables || ${variables}, ${part.nextVersion}
      WHERE t.project_id = ${change.projectId} AND ${these}`);
  });
}
