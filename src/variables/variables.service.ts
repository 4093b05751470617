import { Injectable, type Type } from '@nestjs/common';
import { requireVariableWrite } from '../auth/access';
import { Changes } from '../changes/changes.service';
import type { ChangeSet, VariableEdit } from '../changes/change-set';
import { visibleProjects, type RequestContext } from '../shared/context/request-context';
import { InventoryError } from '../shared/errors/inventory-error';
import type { Precondition } from '../shared/http/etag';
import type { JsonInput } from '../shared/json/json-input';
import { Database, type Queryable } from '../shared/persistence/database';
import { and, sql } from '../shared/persistence/sql';
import { from, inScope } from '../shared/resources/projection';
import type { VariableOwnerEntity } from '../shared/resources/resource.entity';
import type { Inheriting } from './inheritance';
import type { Subject } from './levels';
import { subjectColumns, VariableResolver } from './variable-resolver';
import { isObject, keyFault, variablesFault } from './variable-key';

/** A collection whose resources carry variables. */
export interface VariableOwner {
  readonly listing: Inheriting;
  readonly entity: Type<VariableOwnerEntity>;
}

/** A resource's variables as JSON text, and the version of the resource that they belong to. */
export interface Variables {
  readonly document: string;
  readonly version: number;
}

/** The variables of regions, cells, labels, devices and users: their own, and resolved. */
@Injectable()
export class VariablesService {
  constructor(
    private readonly changes: Changes,
    private readonly resolver: VariableResolver,
    private readonly database: Database,
  ) {}

  /** @throws InventoryError 404 if the caller cannot see the owner */
  async get(ctx: RequestContext, owner: VariableOwner, id: number, resolved: boolean): Promise<Variables> {
    return this.read(ctx, owner, id, resolved, this.database);
  }

  /**
   * Lays variables over what is there, key by key.
   * @param body an object of keys and values, or one pair as `{"key": …, "value": …}`
   * @throws InventoryError 400, 403, 404, 412
   */
  async put(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    body: JsonInput | undefined,
    precondition: Precondition,
  ): Promise<Variables> {
    const variables = variablesOf(body);
    return this.edit(ctx, owner, id, keysOf(variables), { merge: variables }, precondition, (change) =>
      this.read(ctx, owner, id, false, change.tx),
    );
  }

  /**
   * Takes keys away; one that is not set is no error.
   * @param body `{"key": …}`, perhaps with a `value`, or an object or an array of keys
   * @throws InventoryError 400, 403, 404, 412
   */
  async delete(
    ctx: RequestContext,
    owner: VariableOwner,
    id: number,
    body: JsonInput | undefined,
    precondition: Precondition,
  ): Promise<void> {
    const keys = keysToDelete(body);
    await this.edit(ctx, owner, id, keys, { remove: keys }, precondition, () => Promise.resolve());
  }

  private async edit<T>(
    ctx: RequestContext,
    { listing, entity }: VariableOwner,
    id: number,
    keys: readonly string[],
    edit: VariableEdit,
    precondition: Precondition,
    answer: (change: ChangeSet) => Promise<T>,
  ): Promise<T> {
    requireVariableWrite(ctx, listing.shape.collection, keys);
    return this.changes.write(ctx, undefined, async (change) => {
      const resource = await change.lock(listing.shape, id, precondition);
      await change.update(resource, entity, {}, edit);
      return answer(change);
    });
  }

  private async read(
    ctx: RequestContext,
    { listing: { shape, inheritance } }: VariableOwner,
    id: number,
    resolved: boolean,
    on: Queryable,
  ): Promise<Variables> {
    const condition = and([inScope(shape, visibleProjects(ctx)), sql`t.id = ${id}`]);
    const [row] = await on.rows<Subject & { version: number } & Record<string, unknown>>(
      sql`SELECT t.version, ${subjectColumns(inheritance)} ${from(shape)} WHERE ${condition}`,
    );
    if (!row) throw InventoryError.notFound(shape.kind, id);
    const documents = resolved ? this.resolver.resolve(ctx, [row], on) : this.resolver.own(ctx, [row]);
    const [document = '{}'] = await documents;
    return { document, version: row.version };
  }
}

/** The keys of a checked object of variables. */
export const keysOf = (variables: JsonInput | undefined): string[] =>
  isObject(variables?.parsed) ? Object.keys(variables.parsed) : [];

function variablesOf(body: JsonInput | undefined): JsonInput {
  if (body === undefined)
    throw new InventoryError('invalid_request', 'The body must be an object of keys and values.');
  const variables = isPair(body.parsed)
    ? body.member('value', body.parsed.value).under(body.parsed.key)
    : body;
  const fault = variablesFault(variables.parsed);
  if (fault !== undefined) throw InventoryError.invalid('variables', fault);
  return variables;
}

function isPair(body: unknown): body is { key: string; value: unknown } {
  return (
    isObject(body) && Object.keys(body).length === 2 && typeof body['key'] === 'string' && 'value' in body
  );
}

function keysToDelete(body: JsonInput | undefined): string[] {
  const keys = namedKeys(body?.parsed);
  if (!keys)
    throw new InventoryError(
      'invalid_request',
      'The body must be {"key": …}, or an object or an array of the keys to delete.',
    );
  for (const key of keys) {
    const fault = keyFault(key);
    if (fault !== undefined) throw InventoryError.invalid('key', fault);
  }
  return keys;
}

function namedKeys(body: unknown): string[] | undefined {
  if (Array.isArray(body)) return body.every((key) => typeof key === 'string') ? body : undefined;
  if (!isObject(body)) return undefined;
  const members = Object.keys(body);
  const isOne =
    typeof body['key'] === 'string' && members.every((member) => member === 'key' || member === 'value');
  return isOne ? [body['key'] as string] : members;
}
