import { ApiProperty } from '@nestjs/swagger';
import { RECORDED_PROJECTS } from '../database/tables';
import { type Sql, sql, raw } from '../database/sql';
import { column, json, timestamp, type ResourceMapping } from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import { ChangeView } from '../resources/change.view';
import type { ResourceDefinition } from '../resources/resource-definition';
import {
  visibleImpact,
  visibleObjects,
  visibleTotal,
  canSeeRecord,
  type ObjectSelection,
  canSeeObject,
} from './visible-change';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Queryable } from '../database/database';
import { containsIgnoringCase, from, inScope, isReadable } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';
import { parseId, parseUuid, timeValue } from '../core/parameters';
import type { JoinSource } from '../lists/selection';
import {
  parseBooleanValue,
  parseIdValue,
  parseStorableText,
  textFilter,
  type ListFilter,
} from '../lists/list-filter';
import { proposalMapping } from '../proposals/proposal.entity';
import { revertibleKinds } from './revert/revertible-kinds';
import { TimeProperty } from '../http/time-property';

/** Whether the record `t` has an object `o` that meets a condition and that the caller can see. */
const hasObject = (ctx: RequestContext, condition: Sql): Sql => sql`EXISTS (SELECT FROM change_objects o
  WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${canSeeObject(ctx)} AND ${condition})`;

/**
 * The changes of one resource, through the index of change objects, which is in the order of changes. A change has at most
 * one object per resource, so the join returns no duplicates.
 */
const objectSource = (object: Sql): JoinSource => ({
  kind: 'join',
  drivingRows: undefined,
  joined: {
    table: sql`change_objects o`,
    projectColumn: sql`o.project_id`,
    idColumn: sql`o.change_id`,
    where: object,
  },
  where: sql`true`,
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
    throw InventoryError.invalid(
      'resource',
      'invalid_format',
      'must be a collection or kind, "/" and an id, such as hosts/17',
    );
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

const changeFilters: readonly ListFilter[] = [
  {
    name: 'resource',
    description: 'Changes to this resource: a collection or kind, "/" and an id.',
    type: 'string',
    example: 'hosts/1',
    condition: (value, _, ctx) => hasObject(ctx, parseResource(value)),
    sources: (value) => [objectSource(parseResource(value))],
  },
  {
    ...kindFilter,
    values: [...revertibleKinds.map(({ mapping }) => mapping.kind), proposalMapping.kind],
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
    sources: (value, given) => {
      const kind = given.get('kind');
      return kind === undefined ? [] : [objectSource(isObjectWithId(kind, value))];
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
    condition: (value) => containsIgnoringCase(sql`t.reason`, parseStorableText('reason', value)),
  },
  {
    name: 'override',
    description: 'Whether an admin passed the rules for approvals: see `X-Change-Override`.',
    type: 'boolean',
    example: true,
    condition: (value) =>
      parseBooleanValue('override', value) ? sql`t.override IS NOT NULL` : sql`t.override IS NULL`,
  },
  timeFilter('since', 'Changes made at this time (UTC) or later.', '>='),
  timeFilter('until', 'Changes made before this time (UTC).', '<'),
];

/** The condition that the object `o` is this resource. @param id the UUID for a project */
export const isResource = ({ kind, idType }: ResourceMapping, id: number | string): Sql =>
  isObject(sql`${kind}`, idType === 'uuid' ? String(id) : Number(id));

/**
 * The records of one resource. They outlive the resource: a deleted resource has a history.
 * @param id the UUID for a project
 */
export const recordsOf = (mapping: ResourceMapping, id: number | string): JoinSource =>
  objectSource(isResource(mapping, id));

export class ChangeRecordView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    example: [],
    description:
      'The ids of the changes that reverted it. A change whose revert was reverted has this revert, too.',
  })
  reverted_by!: number[];

  @TimeProperty()
  created_at!: string;
}

/** The ids of the records `r` that meet a condition and that the caller can see, as a JSON array. */
const visibleIds = (ctx: RequestContext, condition: Sql, order = sql`r.id`): Sql => sql`COALESCE((
  SELECT json_agg(r.id ORDER BY ${order})
  FROM changes r WHERE r.project_id = t.project_id AND ${condition} AND ${canSeeRecord(ctx, 'r')}), '[]')`;

/** Limits on the objects that a record shows: in lists, and as a single resource. `…/objects` lists all of them. */
const MAX_OBJECTS_IN_LISTS = 100;
const MAX_OBJECTS = 1_000;

const changeMapping = (selection: ObjectSelection): ResourceMapping<keyof ChangeRecordView> => ({
  kind: 'change',
  collection: 'changes',
  table: 'changes',
  projects: RECORDED_PROJECTS,
  idType: 'bigint',
  nameField: 'id',
  fields: {
    id: column('id', 'bigint'),
    project_id: column('project_id', 'uuid'),
    created_at: timestamp('created_at'),
    actor: { sql: `json_build_object('id', t.actor_id, 'username', t.actor_username)` },
    request_id: column('request_id', 'text'),
    reason: {
      sql: 't.reason',
      // The column has the collation of the database.
      sort: { column: '(t.reason COLLATE "C")', type: 'text', nullable: true },
    },
    override: { sql: 't.override' },
    proposal: json('proposal'),
    reverts: {
      sql: 'NULL',
      redact: (ctx) => visibleIds(ctx, sql`r.id = ANY(t.reverts)`, sql`array_position(t.reverts, r.id)`),
    },
    // For the index of reverts, which serves this operator only.
    reverted_by: { sql: 'NULL', redact: (ctx) => visibleIds(ctx, sql`r.reverts @> ARRAY[t.id]`) },
    impact: { sql: 'NULL', redact: visibleImpact },
    objects_total: { sql: 'NULL', redact: visibleTotal },
    objects: { sql: 'NULL', redact: (ctx) => visibleObjects(ctx, selection) },
  },
  carriesVariables: false,
  readableBy: (ctx) => canSeeRecord(ctx),
  usedBy: [],
});

const changeListing = (selection: ObjectSelection): ResourceDefinition => ({
  mapping: changeMapping(selection),
  inheritance: NO_INHERITANCE,
  filters: changeFilters,
  showsVariables: false,
  filtersVariables: false,
  isPresentOnly: true,
});

/** Change records in lists. */
export const changeRecords = changeListing({ maxObjects: MAX_OBJECTS_IN_LISTS });

/** A single change record. */
export const changeRecord = changeListing({ maxObjects: MAX_OBJECTS });

/** The change records of one resource. Each shows the object of that resource. @param resource a condition on `o` */
export const changeRecordsOf = (resource: Sql): ResourceDefinition =>
  changeListing({ maxObjects: MAX_OBJECTS_IN_LISTS, pinned: resource });

/** Identifies a recorded change. */
export interface ChangeId {
  readonly projectId: string;
  readonly id: number;
}

/** Finds a change that the caller can see. @throws InventoryError 404 */
export async function findChange(ctx: RequestContext, id: number, on: Queryable): Promise<ChangeId> {
  const { mapping } = changeRecords;
  const [row] = await on.rows<{ project_id: string }>(sql`SELECT t.project_id ${from(mapping)}
    WHERE ${inScope(mapping, await scopeOfResource(ctx, mapping, id, on))} AND ${isReadable(mapping, ctx)} AND t.id = ${id}`);
  if (!row) throw InventoryError.notFound(mapping.kind, id);
  return { projectId: row.project_id, id };
}
