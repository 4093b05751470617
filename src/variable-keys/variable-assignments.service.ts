import { ApiProperty } from '@nestjs/swagger';
import { cellMapping } from '../cells/cell.entity';
import { anyDeviceMapping } from '../devices/device-kind';
import { deviceKinds } from '../devices/device-kinds';
import { labelMapping } from '../labels/label.entity';
import { regionMapping } from '../regions/region.entity';
import { anyValueSchema } from '../http/api-schemas';
import { ProvenanceView } from '../variables/explanation';
import { LinkView } from '../resources/resource.view';
import { textFilter } from '../lists/list-filter';
import {
  filterConditions,
  type ListParameters,
  parseUnpagedQuery,
  type UnpagedQuery,
} from '../lists/list-query';
import { time, type Field, type ResourceMapping } from '../database/resource-mapping';
import { distinctKeys, IS_IN_INVENTORY, keyFilter, WAS_IN_INVENTORY } from './variable-keys.service';
import { Injectable } from '@nestjs/common';
import { projectMapping } from '../accounts/project.entity';
import { ResourceReader } from '../resources/resource-reader';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseId } from '../core/parameters';
import { appendMembers } from '../core/json/json-text';
import type { ListRow } from '../lists/read-page';
import { type ListPage, type ListUrl, readCursorPage, type CursorRead } from '../lists/list-page';
import { Database } from '../database/database';
import { and, join, raw, sql, type Sql } from '../database/sql';
import { jsonOf, projectRows } from '../database/resource-sql';

/** An assignment of a variable: a key of a region, cell, label or device. */
export class VariableAssignmentView extends ProvenanceView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({ example: 'region', description: '`region`, `cell`, `label`, or the kind of the device.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;

  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({ ...anyValueSchema, example: ['10.0.0.1'] })
  value!: unknown;

  @ApiProperty({ type: [LinkView], description: '`owner` is the resource that the variable is set on.' })
  links!: LinkView[];
}

/** The kinds of resources whose variables are part of the inventory. */
const owners: readonly ResourceMapping[] = [
  regionMapping,
  cellMapping,
  labelMapping,
  ...deviceKinds.map((kind) => kind.mapping),
];

/** The collection of each kind of owner. */
const collectionsByKind: ReadonlyMap<string, string> = new Map(
  owners.map(({ kind, collection }) => [kind, collection]),
);

/** An expression over the row `o` of the owner, in the table of its kind. */
function ownerField(expression: (mapping: ResourceMapping) => string): Field {
  const select = (mapping: ResourceMapping) => `(SELECT ${expression(mapping)} FROM ${mapping.table} o
    WHERE o.project_id = t.project_id AND o.id = t.object_id)`;
  const cases = [regionMapping, cellMapping, labelMapping].map(
    (mapping) => `WHEN '${mapping.kind}' THEN ${select(mapping)}`,
  );
  return { sql: `CASE t.object_type ${cases.join(' ')} ELSE ${select(anyDeviceMapping)} END` };
}

/** Hides what only change records contain from callers who cannot read them. */
const ofRecord = ({ isRestricted }: RequestContext, value: Sql): Sql =>
  isRestricted === true ? sql`NULL` : value;

/** An assignment as SQL over its correlation `t` and the change `c` that set it. */
const assignmentMapping: Pick<
  ResourceMapping<Exclude<keyof VariableAssignmentView, 'links'>>,
  'fields' | 'kind'
> = {
  kind: 'variable',
  fields: {
    key: { sql: 't.key' },
    kind: { sql: 't.object_type' },
    id: { sql: 't.object_id' },
    name: ownerField(({ nameField }) => `o.${nameField}`),
    project_id: { sql: 't.project_id' },
    value: ownerField(() => 'o.variables -> t.key'),
    set_by: { sql: 'c.actor_username', redact: ofRecord },
    set_at: time('c.created_at'),
    reason: { sql: 'c.reason', redact: ofRecord },
    change_id: { sql: 't.change_id', redact: ofRecord },
  },
};

/** The parameters of `GET /v1/variables`. */
export const assignmentParameters: ListParameters = {
  members: [...Object.keys(assignmentMapping.fields), 'links'],
  filters: [
    keyFilter,
    textFilter('kind', 'Only variables that are set on resources of this kind.', 'region', 't.object_type'),
  ],
  common: ['limit', 'sort_dir', 'fields', 'project_id'],
  others: [{ name: 'marker' }],
};

/** The position of an assignment in the list. */
interface AssignmentPosition {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
}

type Row = AssignmentPosition & Record<string, unknown>;

/** The parameters of a list that are the same for all reads. */
interface AssignmentList {
  readonly scope: ProjectScope;
  /** Conditions that bound the keys. */
  readonly keys: readonly Sql[];
  readonly assignments: readonly Sql[];
}

/** Lists the assignments of variables: where keys are set, to which values. */
@Injectable()
export class VariableAssignmentsService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
  ) {}

  /**
   * Lists a page of assignments in the order of key, kind and id.
   * @throws InventoryError 400 for a malformed query, 404 for a project that the caller cannot see
   */
  async list(ctx: RequestContext, url: ListUrl): Promise<ListPage> {
    const query = parseUnpagedQuery(url.parameters, assignmentParameters, url.body);
    const scope = await this.reader.scopeOf(ctx, projectMapping, query.projectId);
    const reader = this.database.reader(ctx);
    const list: AssignmentList = { scope, ...conditionsOf(ctx, query) };
    const members = query.members.filter((member) => Object.hasOwn(assignmentMapping.fields, member));
    const page = await readCursorPage<AssignmentPosition, Row>({
      limit: query.limit,
      descending: query.descending,
      after: await this.parseMarker(ctx, scope, query.others.get('marker')?.[0]),
      readItems: async (read) =>
        reader.rows<ListRow<Row>>(sql`
          SELECT t.key, t.object_type AS kind, t.object_id AS id, ${jsonOf(assignmentMapping, members, ctx)} AS body
          FROM (${assignmentsStatement(ctx, list, read)}) t
          JOIN changes c ON c.project_id = t.project_id AND c.id = t.change_id ${orderBy(read.descending)}`),
      readPositions: async (read) =>
        reader.rows<Row>(sql`
          SELECT t.key, t.object_type AS kind, t.object_id AS id FROM (${assignmentsStatement(ctx, list, read)}) t
          ${orderBy(read.descending)}`),
      positionOf: ({ key, kind, id }) => ({ key, kind, id }),
      formatMarker: ({ key, kind, id }) => [key, kind, id].join('/'),
    });
    const showsLinks = query.members.includes('links');
    const items = page.rows.map((row) => appendMembers(row.body, showsLinks ? [renderLinks(ctx, row)] : []));
    return { url, markers: page, items };
  }

  /** @throws InventoryError 400 for a marker that is not, and was not, an assignment which the caller can see */
  private async parseMarker(
    ctx: RequestContext,
    scope: ProjectScope,
    marker: string | undefined,
  ): Promise<AssignmentPosition | undefined> {
    if (marker === undefined) return undefined;
    const [key = '', kind = '', idText = '', ...rest] = marker.split('/');
    const id = rest.length > 0 || marker.includes('\u0000') ? undefined : parseId(idText);
    if (id === undefined)
      throw InventoryError.invalid(
        'marker',
        'invalid_format',
        'must be the key, the kind and the id of an item, separated by /',
      );
    const visibleKey = ctx.visibility.keyOrUnmatchable(key);
    const reader = this.database.reader(ctx);
    const [found] = await reader.rows(sql`
      SELECT FROM ${projectRows(projectMapping, scope)} JOIN variable_correlations t ON t.project_id = s.project_id
      WHERE t.key = ${visibleKey} AND t.object_type = ${kind} AND t.object_id = ${id}
        AND ${raw(IS_IN_INVENTORY)}`);
    if (found) return { key, kind, id };
    // Since the marker's page was read, the variable may have been removed, or its resource deleted.
    const [recorded] = await reader.rows(sql`
      SELECT FROM ${projectRows(projectMapping, scope)} JOIN change_objects o ON o.project_id = s.project_id
      WHERE o.kind = ${kind} AND o.object_id = ${id} AND o.keys @> ARRAY[${visibleKey}::text]
        AND ${raw(WAS_IN_INVENTORY)} LIMIT 1`);
    if (recorded) return { key, kind, id };
    throw InventoryError.invalid('marker', 'not_found', 'is not the position of an item in this list');
  }
}

function conditionsOf(
  ctx: RequestContext,
  query: UnpagedQuery,
): Pick<AssignmentList, 'keys' | 'assignments'> {
  const isKey = ([filter]: UnpagedQuery['filters'][number]) => filter === keyFilter;
  return {
    keys: filterConditions(ctx, { filters: query.filters.filter(isKey) }),
    assignments: filterConditions(ctx, { filters: query.filters.filter((one) => !isKey(one)) }),
  };
}

const orderBy = (descending: boolean): Sql => {
  const direction = raw(descending ? 'DESC' : 'ASC');
  return sql`ORDER BY t.key ${direction}, t.object_type ${direction}, t.object_id ${direction}`;
};

/**
 * The assignments of a read, one key after the other. So a filter by kind, or a key that the caller cannot see, does not
 * read all devices that set a key. The remaining assignments of the marker's key are read from the marker on.
 */
function assignmentsStatement(
  ctx: RequestContext,
  list: AssignmentList,
  read: CursorRead<AssignmentPosition>,
): Sql {
  const { after, descending, limit } = read;
  const operator = raw(descending ? '<' : '>');
  const page = (conditions: readonly Sql[]) => sql`SELECT t.* FROM variable_correlations t
    WHERE t.project_id = s.project_id AND ${and([raw(IS_IN_INVENTORY), ...list.assignments, ...conditions])}
    ${orderBy(descending)} LIMIT ${limit}`;
  const keys = distinctKeys(
    ctx,
    [...list.keys, ...(after ? [sql`t.key ${operator} ${after.key}`] : [])],
    descending,
  );
  const laterKeys = sql`(SELECT p.* FROM (${keys}) k CROSS JOIN LATERAL (${page([sql`t.key = k.key`])}) p
    LIMIT ${limit})`;
  // One condition for each run of rows at which an index scan can start, like `rowsAfter` of the list engine.
  const runs = after
    ? [
        sql`t.object_type = ${after.kind} AND t.object_id ${operator} ${after.id}::bigint`,
        sql`t.object_type ${operator} ${after.kind}`,
      ].map((run) => sql`(${page([sql`t.key = ${after.key}`, ...list.keys, run])})`)
    : [];
  const arms = join([...runs, laterKeys], ' UNION ALL ');
  return sql`SELECT t.* FROM ${projectRows(projectMapping, list.scope)} CROSS JOIN LATERAL (${arms}) t
    ${orderBy(descending)} LIMIT ${limit}`;
}

const renderLinks = (ctx: RequestContext, { kind, id }: AssignmentPosition): string =>
  `"links":${JSON.stringify([{ rel: 'owner', href: `${ctx.base}/v1/${collectionsByKind.get(kind) ?? kind}/${String(id)}` }])}`;
