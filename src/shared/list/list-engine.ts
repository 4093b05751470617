import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { ProjectScope } from '../context/request-context';
import { InventoryError } from '../errors/inventory-error';
import { Database, type Planning, type Queryable } from '../persistence/database';
import { and, join, raw, sql, type Sql } from '../persistence/sql';
import { from, inScope, ofKind, projectsOf } from '../resources/projection';
import type { ResourceShape, TableShape } from '../resources/resource-shape';
import { canLookAhead, lookAhead } from './look-ahead';
import { after, keyColumns, orderBy, orderByKeys, reversed, type KeyValues, type SortOrder } from './keyset';

/**
 * One way in which a row can belong to a list. A list with several is their union: they must not overlap, and each
 * is read through an index of its own, in the list's order, no further than a page.
 */
export interface Branch {
  /** Rows `s (project_id, …)` that lead to `t`, for each of which a page is read; absent: the projects in scope. */
  readonly drivers?: Sql;
  /** What else to join to `t`, as SQL that follows `FROM … t`. */
  readonly join?: Sql;
  readonly where: Sql;
  /** Another column that equals `t.id`, by which the branch's index is ordered: a late page is entered there. */
  readonly sameAsId?: Sql;
  /** The branch's index knows no order: all that it finds is read and sorted. For what is rare. */
  readonly unordered?: true;
}

/** What to list. */
export interface ListRequest {
  readonly shape: ResourceShape;
  readonly scope: ProjectScope;
  readonly conditions: readonly Sql[];
  /** Absent: every row that meets the conditions. */
  readonly branches?: readonly Branch[];
  /** Whether a row belongs to any of the branches, as one condition over `t`. */
  readonly match?: Sql;
  readonly order: SortOrder;
  readonly limit: number;
  /** The id of the last item seen. */
  readonly marker?: string;
  /** The shown members of `t` as one JSON text: what is not asked for is not computed. */
  readonly body: Sql;
  /** Columns of `t` that the caller needs beside the shown members. */
  readonly columns: Sql;
}

/** A row of a page: its shown members as JSON text, and what the caller asked for beside them. */
export type Listed<R> = R & { readonly body: string };

/** A page, and the markers of its neighbours: `null` is the first page, `undefined` that there is none. */
export interface Page<R> {
  readonly rows: Listed<R>[];
  readonly next: string | undefined;
  readonly previous: string | null | undefined;
  readonly last: string | undefined;
}

/** So many items in this order, after the marker. */
export interface Walk {
  readonly order: SortOrder;
  readonly marker: KeyValues | undefined;
  readonly limit: number;
}

/** Reads keyset pages of any collection: page 30,000 costs what page 1 costs, and nothing is ever counted. */
@Injectable()
export class ListEngine {
  constructor(private readonly database: Database) {}

  /** @throws InventoryError 400 if the marker names nothing that the caller can see */
  async page<R extends QueryResultRow>(
    request: ListRequest,
    on: Queryable = this.database,
  ): Promise<Page<R>> {
    const { order, limit } = request;
    const marker =
      request.marker === undefined ? undefined : await this.markerKeys(request, request.marker, on);
    const rows = await on.rows<Listed<R> & { list_id: string }>(
      pageStatement(request, { order, marker, limit: limit + 1 }),
      planning(request),
    );
    const more = rows.length > limit;
    if (more) rows.pop();
    const neighbours = await this.neighbours(request, marker, more, on);
    return {
      rows,
      next: more ? rows.at(-1)?.list_id : undefined,
      previous: marker === undefined ? undefined : neighbours.previous,
      last: more ? (neighbours.last ?? undefined) : undefined,
    };
  }

  private async markerKeys(request: ListRequest, marker: string, on: Queryable): Promise<KeyValues> {
    const { shape, order, scope } = request;
    const [row] = await on.rows<Record<string, string | null>>(
      sql`SELECT ${keyColumns(order, 'text')} ${from(shape)}
          WHERE ${inScope(shape, scope)} AND t.id = ${marker}::${raw(shape.idType)}`,
    );
    if (!row) throw InventoryError.invalid('marker', 'is not the id of an item in this list');
    return order.keys.map((_, i) => row[`k${String(i)}`] ?? null);
  }

  private async neighbours(
    request: ListRequest,
    marker: KeyValues | undefined,
    more: boolean,
    on: Queryable,
  ) {
    if (marker === undefined && !more) return { previous: null, last: null };
    const order = reversed(request.order);
    const nothing = sql`NULL`;
    // Walking back from the marker over the page that ends in it, the next item is the marker of that page.
    const previous = marker ? idStatement(request, { order, marker, limit: request.limit }) : nothing;
    const last = more
      ? idStatement(request, { order, marker: undefined, limit: request.limit + 1 })
      : nothing;
    const [row] = await on.rows<{ previous: string | null; last: string | null }>(
      sql`SELECT ${previous} AS previous, ${last} AS last`,
      planning(request),
    );
    return row ?? { previous: null, last: null };
  }
}

/** Which branch, and which index, is worth its while depends on what is sought. */
const planning = (request: ListRequest): Planning => (request.branches ? 'each time' : 'once');

/** Project and id of everything that a list holds, whatever the page. */
export function membersStatement(
  request: Pick<ListRequest, 'scope' | 'conditions' | 'branches'> & { readonly shape: TableShape },
): Sql {
  const { shape, scope, conditions } = request;
  const scoped = inScope(shape, scope);
  const arms = (request.branches ?? [{ where: sql`true` }]).map((branch: Branch) => {
    const where = and([scoped, ...conditions, branch.where]);
    const joined = branch.join ?? sql``;
    return branch.drivers === undefined
      ? sql`SELECT t.project_id, t.id ${from(shape)} ${joined} WHERE ${where}`
      : sql`SELECT t.project_id, t.id FROM ${branch.drivers} JOIN ${raw(shape.table)} t ON t.project_id = s.project_id
          ${joined} WHERE ${where}`;
  });
  return arms.length === 0
    ? sql`SELECT t.project_id, t.id ${from(shape)} WHERE false`
    : join(arms, ' UNION ALL ');
}

function pageStatement(request: ListRequest, walk: Walk): Sql {
  const { shape, body, columns } = request;
  const shown = sql`t.id::text AS list_id, ${columns}, ${body} AS body`;
  const arms = armsOf(request, walk);
  if (arms.length === 1 && arms[0] && isPlain(request)) {
    const { where, join: joined } = arms[0];
    return sql`SELECT ${shown} ${from(shape)} ${joined} WHERE ${where} ${orderBy(walk.order)} LIMIT ${walk.limit}`;
  }
  return sql`SELECT ${shown} FROM (${keyStatement(request, walk)}) k
    JOIN ${raw(shape.table)} t ON t.project_id = k.project_id AND t.id = k.id ${orderBy(walk.order)}`;
}

/** The id of the last of `walk.limit` items, or null if there are fewer. */
function idStatement(request: ListRequest, walk: Walk): Sql {
  return sql`(SELECT n.id::text FROM (${keyStatement(request, walk)}) n OFFSET ${walk.limit - 1} LIMIT 1)`;
}

interface Arm {
  readonly drivers: Sql | undefined;
  readonly join: Sql;
  readonly where: Sql;
  readonly unordered: boolean;
}

/** Every way into the list, times every run of rows after the marker. */
function armsOf(request: ListRequest, walk: Walk): Arm[] {
  const { shape, scope, conditions } = request;
  const runs = walk.marker === undefined ? [sql`true`] : after(walk.order, walk.marker);
  const branches = request.branches ?? [{ where: sql`true` }];
  // Where the rows come project by project, the drivers name it.
  const scoped = scope === 'every project' ? ofKind(shape) : inScope(shape, scope);
  return branches.flatMap((branch: Branch) =>
    runs.map((run) => ({
      drivers: branch.drivers,
      join: branch.join ?? sql``,
      where: and([scoped, ...conditions, branch.where, run, ...entry(branch, walk)]),
      // Where nothing was looked at before, it may be frequent: then the planner has to guess.
      unordered: branch.unordered === true && canLookAhead(request),
    })),
  );
}

/** PostgreSQL knows that the other column equals the id, but not that it is then beyond the marker, too. */
function entry({ sameAsId }: Branch, { order, marker }: Walk): Sql[] {
  const [id] = marker ?? [];
  if (sameAsId === undefined || id === undefined || id === null || order.keys.length > 1) return [];
  return [sql`${sameAsId} ${raw(order.descending ? '<' : '>')} ${id}::bigint`];
}

const isPlain = (request: ListRequest): boolean =>
  request.scope !== 'every project' &&
  request.match === undefined &&
  (request.branches ?? []).every((branch) => branch.drivers === undefined);

/** Project, id and sort keys of the items of a walk, in its order. */
function keyStatement(request: ListRequest, walk: Walk): Sql {
  const throughBranches = branchStatement(request, walk);
  return canLookAhead(request) ? lookAhead(request, walk, throughBranches) : throughBranches;
}

function branchStatement(request: ListRequest, walk: Walk): Sql {
  const { shape, scope } = request;
  const keys = sql`t.project_id, t.id, ${keyColumns(walk.order, 'value')}`;
  const end = sql`${orderBy(walk.order)} LIMIT ${walk.limit}`;
  const projects = sql`(${projectsOf(shape)}) AS s`;
  const arms = armsOf(request, walk).map(({ drivers, join: joined, where, unordered }) => {
    const plain = drivers === undefined && scope !== 'every project';
    // OFFSET 0 keeps the planner from walking in order until enough is found, which for what is rare is for ever.
    if (plain && unordered)
      return sql`(SELECT ${keys} FROM (SELECT t.* ${from(shape)} ${joined} WHERE ${where} OFFSET 0) t ${end})`;
    if (plain) return sql`(SELECT ${keys} ${from(shape)} ${joined} WHERE ${where} ${end})`;
    return sql`(SELECT a.* FROM ${drivers ?? projects} CROSS JOIN LATERAL (SELECT ${keys} ${from(shape)} ${joined}
      WHERE t.project_id = s.project_id AND ${where} ${end}) a)`;
  });
  if (arms.length === 0) return sql`SELECT ${keys} ${from(shape)} WHERE false`;
  return sql`SELECT u.* FROM (${join(arms, ' UNION ALL ')}) u ${orderByKeys(walk.order, 'u')} LIMIT ${walk.limit}`;
}
