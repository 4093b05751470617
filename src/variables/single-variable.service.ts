import { Injectable } from '@nestjs/common';
import { assertCanWriteVariables } from '../auth/access';
import type { ChangeSet, VariableEdit } from '../changes/change-set';
import { type Operation, RecordedResult } from '../changes/operation';
import {
  fromSnapshotAt,
  notFoundError,
  type PointInTime,
  readAsOf,
  variablesAt,
} from '../changes/point-in-time';
import type { LockedResource } from '../changes/resource-snapshot';
import { type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { membersOf } from '../core/json/json-text';
import { isWeakMatch, type Precondition, WEAK_TAG } from '../http/preconditions';
import type { JsonInput } from '../database/json-input';
import { Database, type Queryable } from '../database/database';
import { and, sql, type Sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import { scopeOfRecords, scopeOfResource } from '../database/resource-scope';
import type { ResourceMapping } from '../database/resource-mapping';
import { variableKeyError, variablesError } from '../core/context/variable-keys';
import type { VariableOwner } from './variables.service';

/** One variable that is set. */
export interface Variable {
  readonly key: string;
  /** As JSON text. */
  readonly value: string;
  /** The entity tag of the variable. It changes whenever the value changes. */
  readonly tag: string;
}

/** One variable at a point in time. It has no tag, because it cannot be written. */
export type PastVariable = Pick<Variable, 'key' | 'value'>;

/** The preconditions of a write of one variable. */
interface VariablePreconditions {
  readonly ifMatch: Precondition;
  /** Whether the write fails if the variable is set. */
  readonly onlyIfUnset: boolean;
}

/** Identifies a variable of a resource. */
interface VariableAddress {
  readonly owner: VariableOwner;
  readonly id: number;
  readonly key: string;
}

/** Single own variables. Each has its own entity tag, so writes of different variables do not conflict. */
@Injectable()
export class SingleVariableService {
  constructor(private readonly database: Database) {}

  /**
   * @param at the point in time; undefined: now
   * @throws InventoryError 400, 404 also for a variable that is not set or that the caller cannot see
   */
  async get(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    key: string,
    at?: PointInTime,
  ): Promise<Variable | PastVariable> {
    assertKey(key);
    const address = { owner, id, key };
    const reader = this.database.reader(ctx);
    if (!at) return this.read(ctx, address, reader);
    return readAsOf(reader, at, (on) => this.readPast(ctx, address, at, on));
  }

  /** @throws InventoryError 400, 403, 404, 412 */
  preparePut(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    key: string,
    value: JsonInput,
    conditions: VariablePreconditions,
  ): Operation<Variable | PastVariable> {
    assertKey(key);
    const variables = value.under(key);
    const error = variablesError(variables.parsed);
    if (error !== undefined) throw InventoryError.faulty('value', error);
    const address = { owner, id, key };
    const edit = this.prepareEdit(ctx, address, { merge: variables }, conditions);
    const run = async (change: ChangeSet) => {
      const resource = await edit.run(change);
      const written = await this.readRow(ctx, address, change.tx);
      const isAltered = variableOf(change.touched.stateAtStart(resource), key) !== written.value;
      // The tag contains the id of the change record, which exists only then. Without a record, operations of the same change
      // have undone this one.
      return new RecordedResult<Variable | PastVariable>(({ changeId }) =>
        Promise.resolve(
          isAltered && changeId === undefined
            ? { key, value: written.value }
            : toVariable(key, isAltered ? { ...written, changeId } : written),
        ),
      );
    };
    return { run };
  }

  /** Without a precondition, it also succeeds if the variable is not set. @throws InventoryError 400, 403, 404, 412 */
  prepareDelete(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    key: string,
    ifMatch: Precondition,
  ): Operation<void> {
    assertKey(key);
    const conditions = { ifMatch, onlyIfUnset: false };
    const edit = this.prepareEdit(ctx, { owner, id, key }, { remove: [key] }, conditions);
    return {
      run: async (change) => {
        await edit.run(change);
      },
    };
  }

  private prepareEdit(
    ctx: RequestContext,
    { owner: { definition, entity }, id, key }: VariableAddress,
    edit: VariableEdit,
    conditions: VariablePreconditions,
  ): { readonly run: (change: ChangeSet) => Promise<LockedResource> } {
    const { mapping } = definition;
    assertCanWriteVariables(ctx, mapping.collection, [key]);
    const run = async (change: ChangeSet) => {
      const resource = await change.lock(mapping, id);
      assertPreconditions(conditions, key, await this.currentTag(change, resource, key));
      await change.update(resource, entity, {}, edit);
      return resource;
    };
    return { run };
  }

  /** The tag that a precondition refers to; undefined if the variable is not set. */
  private async currentTag(
    change: ChangeSet,
    resource: LockedResource,
    key: string,
  ): Promise<string | undefined> {
    const value = variableOf(resource, key);
    if (value === variableOf(change.touched.stateAtStart(resource), key))
      return this.readTag(resource.mapping, resource, key, change.tx);
    return value === undefined ? undefined : UNASSIGNED_TAG;
  }

  private async readTag(
    mapping: ResourceMapping,
    { projectId, id }: LockedResource,
    key: string,
    on: Queryable,
  ): Promise<string | undefined> {
    const [row] = await on.rows<{ change_id: number }>(sql`
      SELECT v.change_id FROM variable_correlations v
      WHERE v.project_id = ${projectId} AND v.object_type = ${mapping.kind} AND v.object_id = ${id} AND v.key = ${key}`);
    return row && formatTag(row.change_id);
  }

  private async read(ctx: RequestContext, address: VariableAddress, on: Queryable): Promise<Variable> {
    return toVariable(address.key, await this.readRow(ctx, address, on));
  }

  private async readRow(
    ctx: RequestContext,
    { owner, id, key }: VariableAddress,
    on: Queryable,
  ): Promise<VariableRow> {
    const { mapping } = owner.definition;
    const searched = ctx.visibility.keyOrUnmatchable(key);
    const [row] = await on.rows<{ value: string | null; change_id: number | null }>(sql`
      SELECT (t.variables -> ${searched}::text)::text AS value, ${lastChange(mapping, searched)} AS change_id ${from(mapping)}
      WHERE ${and([inScope(mapping, await scopeOfResource(ctx, mapping, id, on)), sql`t.id = ${id}`])}`);
    if (!row) throw InventoryError.notFound(mapping.kind, id);
    const { value, change_id: changeId } = row;
    if (value === null) throw notSetError(mapping, id, key);
    return { value, changeId: changeId ?? undefined };
  }

  private async readPast(
    ctx: RequestContext,
    { owner, id, key }: VariableAddress,
    at: PointInTime,
    on: Queryable,
  ): Promise<PastVariable> {
    const { mapping } = owner.definition;
    const [row] = await on.rows<{ value: string | null }>(sql`
      SELECT (${variablesAt}::jsonb -> ${ctx.visibility.keyOrUnmatchable(key)}::text)::text AS value
      ${fromSnapshotAt(mapping, await scopeOfRecords(ctx, mapping, id, on), [id], at)}`);
    if (!row) throw await notFoundError(ctx, mapping, id, { at, on });
    if (row.value === null) throw notSetError(mapping, id, key);
    return { key, value: row.value };
  }
}

/** The value of a variable, as JSON text, and the last change that set it. */
interface VariableRow {
  readonly value: string;
  readonly changeId: number | undefined;
}

function toVariable(key: string, { value, changeId }: VariableRow): Variable {
  if (changeId === undefined) throw new Error(`no change is known to have set ${key}`);
  return { key, value, tag: formatTag(changeId) };
}

/** The value of a variable in a state of its resource, as JSON text; undefined if it is not set. */
const variableOf = (state: Pick<LockedResource, 'variables'> | undefined, key: string): string | undefined =>
  [...membersOf(state?.variables ?? '{}')].find(([name]) => JSON.parse(name) === key)?.[1];

/** The tag of a variable that the same change has set before. No `If-Match` contains it, because it is no entity tag. */
const UNASSIGNED_TAG = 'that of this change';

/** The last change that set a key of `t`. */
const lastChange = (mapping: ResourceMapping, key: string): Sql => sql`(
  SELECT v.change_id FROM variable_correlations v WHERE v.project_id = t.project_id
    AND v.object_type = ${mapping.kind} AND v.object_id = t.id AND v.key = ${key})`;

/** The prefix distinguishes the tag from the version of a resource. */
const formatTag = (changeId: number): string => `"c${String(changeId)}"`;

function assertKey(key: string): void {
  const error = variableKeyError(key);
  if (error !== undefined) throw InventoryError.faulty('key', error);
}

const notSetError = (mapping: ResourceMapping, id: number, key: string): InventoryError =>
  new InventoryError('not_found', `The ${mapping.kind} ${String(id)} has no variable ${key}.`, [
    { field: 'key', code: 'not_found', message: 'is not set' },
  ]);

/** @throws InventoryError 412 */
function assertPreconditions(conditions: VariablePreconditions, key: string, tag: string | undefined): void {
  const { ifMatch, onlyIfUnset } = conditions;
  if (onlyIfUnset && tag !== undefined)
    throw preconditionFailed(
      `The variable ${key} is already set.`,
      'If-None-Match',
      `the current tag is ${tag}`,
    );
  if (ifMatch === undefined) return;
  if (tag === undefined)
    throw preconditionFailed(`The variable ${key} is not set.`, 'If-Match', 'the variable is not set');
  if (ifMatch !== '*' && !ifMatch.includes(tag))
    throw preconditionFailed(
      isWeakMatch(ifMatch, tag)
        ? `The If-Match of the variable ${key} does not match.${WEAK_TAG}`
        : `The variable ${key} was changed by another request. Read it again and retry.`,
      'If-Match',
      `the current tag is ${tag}`,
    );
}

const preconditionFailed = (message: string, field: string, reason: string): InventoryError =>
  new InventoryError('version_mismatch', message, [
    { field, code: 'version_mismatch', message: `precondition failed: ${reason}` },
  ]);
