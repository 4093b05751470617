import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseId, parseUuid } from '../core/parse-id';
import { timeValue } from '../http/parse-time';
import type { Branch } from '../list/list-request';
import { parseIdValue, parseStorableText, textFilter, type ListFilter } from '../list/list-filter';
import { raw, sql, type Sql } from '../database/sql';
import type { ResourceShape } from '../database/resource-shape';
import { revertibleKinds } from './revert/revertible-kinds';
import { canSeeObject } from './visible-change';

/** Whether the record `t` has an object `o` that meets a condition and that the caller can see. */
const hasObject = (ctx: RequestContext, condition: Sql): Sql => sql`EXISTS (SELECT FROM change_objects o
  WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${canSeeObject(ctx)} AND ${condition})`;

/**
 * The access path to the changes of one resource, through the index of change objects, which is in the order of
 * changes. A change has at most one object per resource, so the join returns no duplicates.
 */
const objectBranch = (object: Sql): Branch => ({
  join: sql`JOIN change_objects o ON o.project_id = t.project_id AND o.change_id = t.id`,
  where: object,
  idColumn: sql`o.change_id`,
});

/** The condition that the object `o` is a certain resource. A project is identified by `project_id`, as its id is a UUID. */
function isObject(kinds: Sql, id: number | string): Sql {
  // The parameter stands first, because the statement is not about that project: see `routeToProject`.
  return typeof id === 'string'
    ? sql`o.kind IN (${kinds}) AND o.object_id IS NULL AND ${id}::uuid = o.project_id`
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

/** Parses `hosts/17` (collection, as in paths) or `host/17` (kind, as in records). @throws InventoryError 400 */
function parseResource(value: string): Sql {
  const [, collection = '', idText = ''] = /^([a-z][a-z-]*)\/([0-9a-fA-F-]+)$/.exec(value) ?? [];
  const id = parseUuid(idText) ?? parseId(idText);
  if (id === undefined)
    throw InventoryError.invalid('resource', 'must be a collection or kind, "/" and an id, such as hosts/17');
  // A collection is a kind and an "s". A kind can itself end in "s", so both spellings are tried.
  return isObject(sql`${collection}, ${collection.replace(/s$/, '')}`, id);
}

const isObjectWithId = (kind: string, id: string): Sql =>
  isObject(sql`${kind}`, parseIdValue('object_id', id));

const kindFilter = textFilter(
  'kind',
  'Changes to resources of this kind. Kinds that the caller cannot read, and unknown ones, match nothing.',
  'host',
);
const keyFilter = textFilter('key', 'Changes to the variable with this key.', 'ntp_servers');
const reasonFilter = textFilter(
  'reason',
  'Changes whose reason contains this text, case-insensitive.',
  'CHG-1042',
);

export const changeFilters: readonly ListFilter[] = [
  {
    name: 'resource',
    description: 'Changes to this resource: a collection or kind, "/" and an id.',
    type: 'string',
    example: 'hosts/1',
    condition: (value, _, ctx) => hasObject(ctx, parseResource(value)),
    branch: (value) => objectBranch(parseResource(value)),
  },
  {
    ...kindFilter,
    values: revertibleKinds.map(({ shape }) => shape.kind),
    condition: (value, _, ctx) => hasObject(ctx, sql`o.kind = ${parseStorableText('kind', value)}`),
  },
  {
    name: 'object_id',
    description: 'Changes to the resource with this id. Combine it with `kind`.',
    type: 'integer',
    example: 1,
    // One object must meet both filters: a change can contain the host 7 and the label 1.
    condition: (value, given, ctx) => {
      const kind = given.get('kind');
      return hasObject(
        ctx,
        kind === undefined
          ? sql`o.object_id = ${parseIdValue('object_id', value)}`
          : isObjectWithId(kind, value),
      );
    },
    branch: (value, given) => {
      const kind = given.get('kind');
      return kind === undefined ? undefined : objectBranch(isObjectWithId(kind, value));
    },
  },
  {
    ...keyFilter,
    condition: (value, _, ctx) => {
      const key = parseStorableText('key', value);
      return hasObject(ctx, sql`o.keys @> ARRAY[${ctx.visibility.keyOrUnmatchable(key)}::text]`);
    },
  },
  textFilter('actor', 'Changes made by the user with this name.', 'operator', 't.actor_username'),
  textFilter(
    'request_id',
    'The change made by the request with this id.',
    '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10',
  ),
  {
    ...reasonFilter,
    // strpos instead of LIKE: the text has no wildcards.
    condition: (value) => sql`strpos(lower(t.reason), lower(${parseStorableText('reason', value)})) > 0`,
  },
  timeFilter('since', 'Changes made at this time (UTC) or later.', '>='),
  timeFilter('until', 'Changes made before this time (UTC).', '<'),
];

/** The condition that the object `o` is this resource. @param id the UUID for a project */
export const isResource = ({ kind, idType }: ResourceShape, id: number | string): Sql =>
  isObject(sql`${kind}`, idType === 'uuid' ? String(id) : Number(id));

/**
 * The access path to the records of one resource. Records outlive the resource: a deleted resource has a history.
 * @param id the UUID for a project
 */
export const resourceBranch = (shape: ResourceShape, id: number | string): Branch =>
  objectBranch(isResource(shape, id));
