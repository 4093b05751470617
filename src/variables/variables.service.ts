import { Injectable, type Type } from '@nestjs/common';
import { assertCanWriteVariables, type RouteAccess } from '../auth/access';
import type { Operation } from '../changes/operation';
import type { ChangeSet, VariableEdit, WrittenResource } from '../changes/change-set';
import { fromSnapshotAt, notFoundError, type PointInTime, readAsOf } from '../changes/point-in-time';
import { type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import type { JsonInput } from '../database/json-input';
import { visibleDocument } from '../core/json/visible-document';
import { Database, type Queryable } from '../database/database';
import { sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import { scopeOfRecords, scopeOfResource } from '../database/resource-scope';
import type { VariableOwnerEntity } from '../database/resource-mapping';
import type { InheritingResource, ResolutionTarget } from './levels';
import { targetColumns, VariableResolver } from './variable-resolver';
import { isObject, variableKeyError, variablesError } from '../core/context/variable-keys';

/** A collection whose resources have variables. */
export interface VariableOwner {
  readonly definition: InheritingResource;
  readonly entity: Type<VariableOwnerEntity>;
  /** The access that reading requires, if not every user of the project can read. */
  readonly reads?: RouteAccess;
}

/** The variables of a resource as JSON text, and the version of the resource. */
export interface VariablesDocument {
  readonly document: string;
  readonly version: number;
  /** Set for variables at a point in time. */
  readonly past?: true;
}

/** The own and resolved variables of regions, cells, labels, devices and users. */
@Injectable()
export class VariablesService {
  constructor(
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /**
   * @param at the point in time; undefined: now
   * @throws InventoryError 400 for a time in the future, 404 if the owner did not exist or the caller cannot see it
   */
  async get(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    resolved: boolean,
    at?: PointInTime,
  ): Promise<VariablesDocument> {
    return readAsOf(this.database.reader(ctx), at, (on) => this.read(ctx, owner, id, resolved, on, at));
  }

  /**
   * Sets variables and leaves other keys unchanged.
   * @param body an object of keys and values, or one pair as `{"key": …, "value": …}`
   * @throws InventoryError 400, 403, 404, 412
   */
  preparePut(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    body: JsonInput | undefined,
    precondition: Precondition,
  ): Operation<VariablesDocument> {
    const variables = parseVariables(body);
    return this.prepareEdit(ctx, owner, id, variableKeys(variables), { merge: variables }, precondition);
  }

  /**
   * Sets variables that are computed within the transaction of the change.
   * @param find returns an object of keys and values
   * @throws InventoryError 400, 403, 404, 412, and what `find` throws
   */
  preparePutComputed(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    find: (on: Queryable) => Promise<JsonInput>,
    precondition: Precondition,
  ): Operation<VariablesDocument> {
    const run = async (change: ChangeSet) =>
      this.preparePut(ctx, owner, id, await find(change.tx), precondition).run(change);
    return { run };
  }

  /**
   * Deletes keys. Keys that are not set are ignored.
   * @param body `{"key": …}`, optionally with a `value`, or an object or an array of keys
   * @throws InventoryError 400, 403, 404, 412
   */
  prepareDelete(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    body: JsonInput | undefined,
    precondition: Precondition,
  ): Operation<VariablesDocument> {
    const keys = parseKeysToDelete(body);
    return this.prepareEdit(ctx, owner, id, keys, { remove: keys }, precondition);
  }

  private prepareEdit(
    ctx: RequestContext,
    { definition, entity }: VariableOwner,
    id: number,
    keys: readonly string[],
    edit: VariableEdit,
    precondition: Precondition,
  ): Operation<VariablesDocument> {
    assertCanWriteVariables(ctx, definition.mapping.collection, keys);
    const run = async (change: ChangeSet) => {
      const { after } = await change.lockAndUpdate(definition.mapping, id, precondition, entity, {}, edit);
      return toVariables(ctx, after);
    };
    return { run };
  }

  private async read(
    ctx: RequestContext,
    { definition: { mapping, inheritance } }: VariableOwner,
    id: number,
    resolved: boolean,
    on: Queryable,
    at?: PointInTime,
  ): Promise<VariablesDocument> {
    const source = at
      ? fromSnapshotAt(mapping, await scopeOfRecords(ctx, mapping, id, on), [id], at)
      : sql`${from(mapping)} WHERE ${inScope(mapping, await scopeOfResource(ctx, mapping, id, on))} AND t.id = ${id}`;
    const [row] = await on.rows<ResolutionTarget & { version: number } & Record<string, unknown>>(
      sql`SELECT t.version, ${targetColumns(inheritance, at)} ${source}`,
    );
    if (!row) throw await notFoundError(ctx, mapping, id, { at, on });
    const documents = resolved
      ? this.resolver.resolve(ctx, [row], on, at)
      : this.resolver.ownDocuments(ctx, [row]);
    const [document = '{}'] = await documents;
    return { document, version: row.version, ...(at ? { past: true } : {}) };
  }
}

/** The own variables of a written resource, as far as the caller may see them. */
const toVariables = (
  ctx: RequestContext,
  { variables = '{}', version }: WrittenResource,
): VariablesDocument => ({
  document: visibleDocument(variables, ctx.visibility),
  version,
});

/** The keys of a validated object of variables. */
export const variableKeys = (variables: JsonInput | undefined): string[] =>
  isObject(variables?.parsed) ? Object.keys(variables.parsed) : [];

function parseVariables(body: JsonInput | undefined): JsonInput {
  if (body === undefined)
    throw InventoryError.invalidBody('required', 'The body must be an object of keys and values.');
  const variables = isPair(body.parsed)
    ? body.member('value', body.parsed.value).under(body.parsed.key)
    : body;
  const error = variablesError(variables.parsed);
  if (error !== undefined) throw InventoryError.faulty('variables', error);
  return variables;
}

function isPair(body: unknown): body is { key: string; value: unknown } {
  return (
    isObject(body) && Object.keys(body).length === 2 && typeof body['key'] === 'string' && 'value' in body
  );
}

function parseKeysToDelete(body: JsonInput | undefined): string[] {
  const keys = listedKeys(body?.parsed);
  if (!keys)
    throw InventoryError.invalidBody(
      body === undefined ? 'required' : 'invalid_type',
      'The body must be {"key": …}, or an object or an array of the keys to delete.',
    );
  for (const key of keys) {
    const error = variableKeyError(key);
    if (error !== undefined) throw InventoryError.faulty('key', error);
  }
  return keys;
}

function listedKeys(body: unknown): string[] | undefined {
  if (Array.isArray(body)) return body.every((key) => typeof key === 'string') ? body : undefined;
  if (!isObject(body)) return undefined;
  const members = Object.keys(body);
  const isSingleKey =
    typeof body['key'] === 'string' && members.every((member) => member === 'key' || member === 'value');
  return isSingleKey ? [body['key'] as string] : members;
}
