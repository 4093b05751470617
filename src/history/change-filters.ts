import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseId, parseUuid } from '../core/parse-id';
import { timeValue } from '../http/parse-time';
import type { Branch } from '../list/list-request';
import { idValue, storableText, textFilter, type ListFilter } from '../list/list-filter';
import { raw, sql, type Sql } from '../database/sql';
import type { ResourceShape } from '../database/resource-shape';
import { seesObject } from './visible-change';

/** Whether the record `t` has an object that meets a condition over `o`, of those that the caller may see. */
const touches = (ctx: RequestContext, condition: Sql): Sql => sql`EXISTS (SELECT FROM change_objects o
  WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${seesObject(ctx)} AND ${condition})`;

/**
 * The way to what touches one resource: through the index of the objects, which is in the order of the changes. A
 * change touches a resource once, so no change is found twice.
 */
const leading = (object: Sql): Branch => ({
  join: sql`JOIN change_objects o ON o.project_id = t.project_id AND o.change_id = t.id`,
  where: object,
  sameAsId: sql`o.change_id`,
});

/** One resource, among the objects of changes: a project's id is not that of an object, but its project's. */
function objectIs(kinds: Sql, id: number | string): Sql {
  return typeof id === 'string'
    ? sql`o.kind IN (${kinds}) AND o.object_id IS NULL AND o.project_id = ${id}::uuid`
    : sql`o.kind IN (${kinds}) AND o.object_id = ${id}::bigint`;
}

function timeFilter(name: string, description: string, operator: '>=' | '<'): ListFilter {
  return {
    name,
    description,
    type: 'string',
    example: '2017-02-16T14:28:55.000000',
    condition: (value) => sql`t.created_at ${raw(operator)} ${timeValue(name, value)}::timestamptz`,
  };
}

/** `hosts/17`, as paths name a resource, or `host/17`, as records do. @throws InventoryError 400 */
function resourceNamed(value: string): Sql {
  const [, collection = '', idText = ''] = /^([a-z][a-z-]*)\/([0-9a-fA-F-]+)$/.exec(value) ?? [];
  const id = parseUuid(idText) ?? parseId(idText);
  if (id === undefined)
    throw InventoryError.invalid('resource', 'must be a collection or kind, "/" and an id, as in hosts/17');
  // A collection is its kind and an "s"; a kind may end in one, too.
  return objectIs(sql`${collection}, ${collection.replace(/s$/, '')}`, id);
}

const objectOf = (kind: string, id: string): Sql => objectIs(sql`${kind}`, idValue('object_id', id));

const kindFilter = textFilter(
  'kind',
  'Touching resources of this kind; none of a kind that the caller may not read.',
  'host',
);
const keyFilter = textFilter('key', 'Touching the variable of this key.', 'ntp_servers');
const reasonFilter = textFilter('reason', 'With this text in the reason, whatever its case.', 'CHG-1042');

export const changeFilters: readonly ListFilter[] = [
  {
    name: 'resource',
    description: 'Touching this resource: a collection or kind, and an id.',
    type: 'string',
    example: 'hosts/1',
    condition: (value, _, ctx) => touches(ctx, resourceNamed(value)),
    branch: (value) => leading(resourceNamed(value)),
  },
  {
    ...kindFilter,
    condition: (value, _, ctx) => touches(ctx, sql`o.kind = ${storableText('kind', value)}`),
  },
  {
    name: 'object_id',
    description: 'Touching the resource with this id; together with `kind`.',
    type: 'integer',
    example: 1,
    // The same object must be of the kind: a change may touch a host 7 and a label 1.
    condition: (value, given, ctx) => {
      const kind = given.get('kind');
      return touches(
        ctx,
        kind === undefined ? sql`o.object_id = ${idValue('object_id', value)}` : objectOf(kind, value),
      );
    },
    branch: (value, given) => {
      const kind = given.get('kind');
      return kind === undefined ? undefined : leading(objectOf(kind, value));
    },
  },
  {
    ...keyFilter,
    condition: (value, _, ctx) => {
      const key = storableText('key', value);
      return touches(ctx, sql`o.keys @> ARRAY[${ctx.visibility.searchableKey(key)}::text]`);
    },
  },
  textFilter('actor', 'Made by the user of this name.', 'operator', 't.actor_username'),
  textFilter('request_id', 'Made by this request.', '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10'),
  {
    ...reasonFilter,
    // Not LIKE: what is sought has no wildcards.
    condition: (value) => sql`strpos(lower(t.reason), lower(${storableText('reason', value)})) > 0`,
  },
  timeFilter('since', 'Made at this time or later, UTC.', '>='),
  timeFilter('until', 'Made before this time, UTC.', '<'),
];

/** One resource among the objects `o` of changes. @param id a project's is its UUID */
export const isResource = ({ kind, idType }: ResourceShape, id: number | string): Sql =>
  objectIs(sql`${kind}`, idType === 'uuid' ? String(id) : Number(id));

/**
 * The records that touch one resource. A record outlives what it tells of: a resource that was deleted has a history.
 * @param id a project's is its UUID
 */
export const touching = (shape: ResourceShape, id: number | string): Branch => leading(isResource(shape, id));
