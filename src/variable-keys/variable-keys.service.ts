import { ApiProperty } from '@nestjs/swagger';
import { deviceKinds } from '../devices/device-kinds';
import { cellMapping } from '../cells/cell.entity';
import { labelMapping } from '../labels/label.entity';
import { regionMapping } from '../regions/region.entity';
import { filterConditions, type ListParameters, parseUnpagedQuery } from '../lists/list-query';
import { Injectable } from '@nestjs/common';
import { projectMapping } from '../accounts/project.entity';
import { ResourceReader } from '../resources/resource-reader';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseUuid } from '../core/parameters';
import type { ListRow } from '../lists/read-page';
import { type ListPage, type ListUrl, readCursorPage, type CursorRead } from '../lists/list-page';
import { Database, type Queryable } from '../database/database';
import { raw, sql, type Sql, and } from '../database/sql';
import { projectRows, isVisible } from '../database/resource-sql';
import { countResolvingDevices, countByKind, type ProjectKey } from './key-counts';
import type { ListFilter } from '../lists/list-filter';
import { variableKeyError } from '../core/context/variable-keys';

/** Excludes the variables of users, which no device inherits. */
export const IS_IN_INVENTORY = "t.object_type <> 'user'";
/** The same over a change record `o`. */
export const WAS_IN_INVENTORY = "o.kind <> 'user'";

/** The last code point. No key contains it, so it ends the range of a prefix. */
const LAST_CODE_POINT = '\u{10ffff}';

/** A filter by a key or a prefix of keys. The condition is over a row `t` of `variable_correlations`. */
export const keyFilter: ListFilter = {
  name: 'key',
  description: 'Only this key. With `*` at the end: all keys with this prefix.',
  type: 'string',
  example: 'ntp_*',
  condition: (value, _, { visibility }) => {
    const prefix = value.endsWith('*') ? value.slice(0, -1) : undefined;
    if (prefix === '') return sql`true`;
    const error = variableKeyError(prefix ?? value);
    if (error !== undefined) throw InventoryError.faulty('key', error);
    // Two bounds, which an index can serve in a generic plan; a LIKE pattern would need a custom plan. A single key has
    // two bounds, too: with an equality, the planner ignores the order of keys and can choose a sequential scan.
    const key = visibility.keyOrUnmatchable(value);
    return prefix === undefined
      ? sql`t.key >= ${key} AND t.key <= ${key}`
      : sql`t.key >= ${prefix} AND t.key < ${prefix + LAST_CODE_POINT}`;
  },
};

/**
 * The distinct keys in project `s`, as a query for `key`, in order. A recursive query finds each key by one index
 * lookup after the previous key (a loose index scan), even if many levels and devices set it. It stops when a `LIMIT` is reached.
 * @param conditions bounds of the keys, over rows `t` of `variable_correlations`
 */
export function distinctKeys(ctx: RequestContext, conditions: readonly Sql[], descending: boolean): Sql {
  const bounds = and(conditions);
  const [operator, direction] = descending ? [raw('<'), raw('DESC')] : [raw('>'), raw('ASC')];
  return sql`WITH RECURSIVE chain (key) AS (
      (SELECT t.key FROM variable_correlations t
        WHERE t.project_id = s.project_id AND ${bounds} ORDER BY t.key ${direction} LIMIT 1)
      UNION ALL
      SELECT (SELECT t.key FROM variable_correlations t
        WHERE t.project_id = s.project_id AND t.key ${operator} chain.key AND ${bounds} ORDER BY t.key ${direction} LIMIT 1)
      FROM chain WHERE chain.key IS NOT NULL
    ) SELECT chain.key FROM chain
    WHERE chain.key IS NOT NULL AND ${isVisible(ctx.visibility, sql`chain.key`)}`;
}

/** A key of a project, with the number of resources that set it in each collection, including all kinds of devices. */
export class VariableKeyView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({
    type: 'integer',
    example: 1250,
    description: 'How many devices resolve the key to a value, own or inherited.',
  })
  resolved_by!: number;
}

/** The kinds of resources that set keys, and the members that count them. */
const countedKinds: readonly (readonly [kind: string, collection: string])[] = [
  regionMapping,
  cellMapping,
  labelMapping,
  ...deviceKinds.map(({ mapping }) => mapping),
].map(({ kind, collection }) => [kind, collection]);

for (const [, collection] of countedKinds)
  ApiProperty({ type: 'integer', example: 3, description: `How many ${collection} set it.` })(
    VariableKeyView.prototype,
    collection,
  );

/** The parameters of `GET /v1/variable-keys`. */
export const keyParameters: ListParameters = {
  members: ['key', 'project_id', ...countedKinds.map(([, collection]) => collection), 'resolved_by'],
  filters: [keyFilter],
  common: ['limit', 'sort_dir', 'fields', 'project_id'],
  others: [{ name: 'marker' }],
};

type Row = ProjectKey & Record<string, unknown>;

/** Lists the keys that are set in projects, with counts. */
@Injectable()
export class VariableKeysService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
  ) {}

  /**
   * Lists a page of keys in order. A key that is set in several projects has one item for each of them.
   * @throws InventoryError 400 for a malformed query, 404 for a project that the caller cannot see
   */
  async list(ctx: RequestContext, url: ListUrl): Promise<ListPage> {
    const query = parseUnpagedQuery(url.parameters, keyParameters, url.body);
    const scope = await this.reader.scopeOf(ctx, projectMapping, query.projectId);
    const conditions = filterConditions(ctx, query);
    // The snapshot keeps keys and counts consistent.
    return this.database.reader(ctx).snapshot(async (on) => {
      const readKeys = async (read: CursorRead<ProjectKey>) =>
        on.rows<Row>(keysStatement(ctx, scope, conditions, read));
      const page = await readCursorPage<ProjectKey, ProjectKey>({
        limit: query.limit,
        descending: query.descending,
        after: await this.parseMarker(ctx, scope, query.others.get('marker')?.[0], on),
        readItems: async (read) =>
          (await readKeys(read)).map((row): ListRow<ProjectKey> => ({ ...row, body: '' })),
        readPositions: readKeys,
        positionOf: ({ key, project_id }) => ({ key, project_id }),
        formatMarker: ({ key, project_id }) => `${key}/${project_id}`,
      });
      return { url, markers: page, items: await renderKeys(page.rows, query.members, on) };
    });
  }

  /** @throws InventoryError 400 for a marker that is not, and was not, a key which the caller can see */
  private async parseMarker(
    ctx: RequestContext,
    scope: ProjectScope,
    marker: string | undefined,
    on: Queryable,
  ): Promise<ProjectKey | undefined> {
    if (marker === undefined) return undefined;
    const [key = '', projectText = '', ...rest] = marker.split('/');
    const project_id = rest.length > 0 || marker.includes('\u0000') ? undefined : parseUuid(projectText);
    if (project_id === undefined)
      throw InventoryError.invalid(
        'marker',
        'invalid_format',
        'must be the key and the project_id of an item, separated by /',
      );
    const visibleKey = ctx.visibility.keyOrUnmatchable(key);
    const [found] = await on.rows(sql`
      SELECT FROM ${projectRows(projectMapping, scope)} JOIN variable_correlations t ON t.project_id = s.project_id
      WHERE t.project_id = ${project_id} AND t.key = ${visibleKey}
        AND ${raw(IS_IN_INVENTORY)} ORDER BY t.object_type, t.object_id LIMIT 1`);
    if (found) return { key, project_id };
    // Since the marker's page was read, the key may have been removed everywhere.
    const [recorded] = await on.rows(sql`
      SELECT FROM ${projectRows(projectMapping, scope)} JOIN change_objects o ON o.project_id = s.project_id
      WHERE o.project_id = ${project_id} AND o.keys @> ARRAY[${visibleKey}::text]
        AND ${raw(WAS_IN_INVENTORY)} LIMIT 1`);
    if (recorded) return { key, project_id };
    throw InventoryError.invalid('marker', 'not_found', 'is not the key of an item in this list');
  }
}

/** The keys of a read, in all projects in scope. */
function keysStatement(
  ctx: RequestContext,
  scope: ProjectScope,
  conditions: readonly Sql[],
  { after, descending, limit }: CursorRead<ProjectKey>,
): Sql {
  const [operator, inclusive, direction] = descending
    ? [raw('<'), raw('<='), raw('DESC')]
    : [raw('>'), raw('>='), raw('ASC')];
  const fromKey = after ? [sql`t.key ${inclusive} ${after.key}`] : [];
  const isAfterMarker = after
    ? sql`(k.key, s.project_id) ${operator} (${after.key}, ${after.project_id}::uuid)`
    : sql`true`;
  // ORDER BY forces one index lookup for each key; without it, the planner can choose a sequential scan.
  const isSet = sql`(SELECT FROM variable_correlations t
    WHERE t.project_id = s.project_id AND t.key = k.key AND ${raw(IS_IN_INVENTORY)}
    ORDER BY t.object_type, t.object_id LIMIT 1) AS found`;
  return sql`SELECT n.project_id, n.key FROM ${projectRows(projectMapping, scope)} CROSS JOIN LATERAL (
      SELECT s.project_id, k.key FROM (${distinctKeys(ctx, [...conditions, ...fromKey], descending)}) k
      CROSS JOIN LATERAL ${isSet} WHERE ${isAfterMarker} LIMIT ${limit}) n
    ORDER BY n.key ${direction}, n.project_id ${direction} LIMIT ${limit}`;
}

/** Renders items as JSON texts. Counts that are not shown are not computed. */
async function renderKeys(
  keys: readonly ProjectKey[],
  members: readonly string[],
  on: Queryable,
): Promise<string[]> {
  const showsResolved = members.includes('resolved_by');
  const needsCounts = showsResolved || countedKinds.some(([, collection]) => members.includes(collection));
  const counts = needsCounts ? await countByKind(keys, on) : [];
  const resolved = showsResolved ? await countResolvingDevices(keys, counts, on) : [];
  return keys.map(({ key, project_id }, i) => {
    const byKind = counts[i];
    const all: Record<string, unknown> = {
      key,
      project_id,
      ...Object.fromEntries(countedKinds.map(([kind, collection]) => [collection, byKind?.get(kind) ?? 0])),
      resolved_by: resolved[i] ?? 0,
    };
    return JSON.stringify(Object.fromEntries(members.map((member) => [member, all[member]])));
  });
}
