import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import { requireVariableWrite } from '../auth/access';
import { Changes } from '../changes/changes.service';
import type { VariableEdit } from '../changes/change-set';
import { readingAt, type Moment } from '../changes/point-in-time';
import { fromPast, variablesUpTo } from '../changes/past-state';
import type { Locked } from '../changes/tracked-resource';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import type { Precondition } from '../http/etag';
import type { JsonInput } from '../database/json-input';
import { Database, type Queryable } from '../database/database';
import { and, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import { keyFault, variablesFault } from '../core/context/variable-key';
import type { VariableOwner } from './variables.service';

/** One variable that is set. */
export interface Variable {
  readonly key: string;
  /** As JSON text. */
  readonly value: string;
  /** Its entity tag: another one whenever it is set to something else. */
  readonly tag: string;
}

/** One variable as it was set: nothing can be written to it, so it has no tag. */
export type PastVariable = Pick<Variable, 'key' | 'value'>;

/** What must hold of one variable before it is written. */
export interface VariableConditions {
  readonly ifMatch: Precondition;
  /** Whether it must not be set. */
  readonly onlyIfUnset: boolean;
}

/** Which variable, of which resource. */
interface Address {
  readonly owner: VariableOwner;
  readonly id: number;
  readonly key: string;
}

/** Own variables one by one: each has an entity tag of its own, so that those who write different ones do not meet. */
@Injectable()
export class SingleVariableService {
  constructor(
    private readonly changes: Changes,
    private readonly database: Database,
  ) {}

  /**
   * @param at as of which moment; undefined: by now
   * @throws InventoryError 400, 404 also for a variable that is not set, or hidden from the caller
   */
  async get(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    key: string,
    at?: Moment,
  ): Promise<Variable | PastVariable> {
    requireKey(key);
    const address = { owner, id, key };
    const reading = this.database.reading(ctx);
    if (!at) return this.set(ctx, address, reading);
    return readingAt(reading, at, (on) => this.wasSet(ctx, address, at, on));
  }

  /** @throws InventoryError 400, 403, 404, 412 */
  async put(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    key: string,
    value: JsonInput,
    conditions: VariableConditions,
  ): Promise<WriteResult<Variable>> {
    requireKey(key);
    const variables = value.under(key);
    const fault = variablesFault(variables.parsed);
    if (fault !== undefined) throw InventoryError.invalid('value', fault);
    const address = { owner, id, key };
    return this.edit(ctx, address, { merge: variables }, conditions, (on) => this.set(ctx, address, on));
  }

  /** One that is not set is no error, unless it was to be. @throws InventoryError 400, 403, 404, 412 */
  async delete(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    key: string,
    ifMatch: Precondition,
  ): Promise<WriteResult<void>> {
    requireKey(key);
    const conditions = { ifMatch, onlyIfUnset: false };
    return this.edit(ctx, { owner, id, key }, { remove: [key] }, conditions, () => Promise.resolve());
  }

  private async edit<T>(
    ctx: RequestContext,
    { owner: { listing, entity }, id, key }: Address,
    edit: VariableEdit,
    conditions: VariableConditions,
    answer: (on: Queryable) => Promise<T>,
  ): Promise<WriteResult<T>> {
    const { shape } = listing;
    requireVariableWrite(ctx, shape.collection, [key]);
    return this.changes.writeThen(
      ctx,
      undefined,
      async (change) => {
        const resource = await change.lock(shape, id);
        requireConditions(conditions, key, await this.tagOf(shape, resource, key, change.tx));
        await change.update(resource, entity, {}, edit);
      },
      // After the record, because it is what the tag is made of.
      ({ tx }) => answer(tx),
    );
  }

  private async tagOf(
    shape: ResourceShape,
    { projectId, id }: Locked,
    key: string,
    on: Queryable,
  ): Promise<string | undefined> {
    const [row] = await on.rows<{ change_id: number }>(sql`
      SELECT v.change_id FROM variable_correlations v
      WHERE v.project_id = ${projectId} AND v.object_type = ${shape.kind} AND v.object_id = ${id} AND v.key = ${key}`);
    return row && tagOfChange(row.change_id);
  }

  private async set(ctx: RequestContext, { owner, id, key }: Address, on: Queryable): Promise<Variable> {
    const { shape } = owner.listing;
    const searched = ctx.visibility.searchableKey(key);
    const [row] = await on.rows<{ value: string | null; change_id: number | null }>(sql`
      SELECT (t.variables -> ${searched}::text)::text AS value, ${setBy(shape, searched)} AS change_id ${from(shape)}
      WHERE ${and([inScope(shape, visibleProjects(ctx)), sql`t.id = ${id}`])}`);
    if (!row) throw InventoryError.notFound(shape.kind, id);
    const { value, change_id: changeId } = row;
    if (value === null || changeId === null) throw notSet(shape, id, key);
    return { key, value, tag: tagOfChange(changeId) };
  }

  private async wasSet(
    ctx: RequestContext,
    { owner, id, key }: Address,
    at: Moment,
    on: Queryable,
  ): Promise<PastVariable> {
    const { shape } = owner.listing;
    const [row] = await on.rows<{ value: string | null }>(sql`
      SELECT (${variablesUpTo}::jsonb -> ${ctx.visibility.searchableKey(key)}::text)::text AS value
      ${fromPast(shape, visibleProjects(ctx), [id], at)}`);
    if (!row) throw InventoryError.notFound(shape.kind, id);
    if (row.value === null) throw notSet(shape, id, key);
    return { key, value: row.value };
  }
}

/** The change that was the last to set a key of `t`. */
const setBy = (shape: ResourceShape, key: string): Sql => sql`(
  SELECT v.change_id FROM variable_correlations v WHERE v.project_id = t.project_id
    AND v.object_type = ${shape.kind} AND v.object_id = t.id AND v.key = ${key})`;

/** Not the number alone, which would look like a resource's version, and could be taken for one. */
const tagOfChange = (changeId: number): string => `"c${String(changeId)}"`;

function requireKey(key: string): void {
  const fault = keyFault(key);
  if (fault !== undefined) throw InventoryError.invalid('key', fault);
}

const notSet = (shape: ResourceShape, id: number, key: string): InventoryError =>
  new InventoryError('not_found', `The ${shape.kind} ${String(id)} has no variable ${key}.`, [
    { field: 'key', message: 'is not set' },
  ]);

/** @throws InventoryError 412 */
function requireConditions(conditions: VariableConditions, key: string, tag: string | undefined): void {
  const { ifMatch, onlyIfUnset } = conditions;
  if (onlyIfUnset && tag !== undefined)
    throw mismatch(`The variable ${key} is set by now.`, 'If-None-Match', `the tag is ${tag}`);
  if (ifMatch === undefined) return;
  if (tag === undefined)
    throw mismatch(`The variable ${key} is not set.`, 'If-Match', 'the variable is not set');
  if (ifMatch !== '*' && !ifMatch.includes(tag))
    throw mismatch(`The variable ${key} was set by somebody else.`, 'If-Match', `the tag is ${tag}`);
}

const mismatch = (message: string, field: string, by: string): InventoryError =>
  new InventoryError('version_mismatch', message, [{ field, message: `does not hold: ${by}` }]);
