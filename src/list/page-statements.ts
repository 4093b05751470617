import { and, join, list, raw, sql, type Sql } from '../database/sql';
import { from, inScope, ofKind, projectsOf } from '../database/resource-sql';
import type { TableShape } from '../database/resource-shape';
import { after, keyColumns, orderBy, orderByKeys } from './keyset';
import type { Branch, ListRequest, Place, Walk } from './list-request';

/** How many ids are a block of the indexes that know blocks: see the migration that makes them. */
export const BLOCK_IDS = 4096;

/** A stretch of ids, up to and with `last` in the order of the walk, and the first and last of its blocks. */
export interface IdWindow {
  readonly blocks: readonly [number, number];
  readonly last: number;
}

/** Project and id of everything that a list holds, whatever the page. */
export function membersStatement(
  request: Pick<ListRequest, 'scope' | 'conditions' | 'branches' | 'members'> & {
    readonly shape: TableShape;
  },
): Sql {
  const { shape, scope, conditions, members } = request;
  const scoped = inScope(shape, scope);
  if (members)
    return sql`SELECT t.project_id, t.id FROM (${members}) m JOIN ${raw(shape.table)} t
      ON t.project_id = m.project_id AND t.id = m.id WHERE ${and([scoped, ...conditions])}`;
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

/**
 * The places of several walks through a list whose members have to be found as a whole: once for all of them.
 * @returns rows with the number of the walk, the project and the id, in order
 */
export function walksStatement(request: ListRequest, members: Sql, walks: readonly Walk[]): Sql {
  const { shape, scope, conditions } = request;
  // OFFSET 0: looked up one by one, and in the order of ids no further than a page.
  const rows = sql`SELECT t.* ${from(shape)} WHERE t.project_id = m.project_id AND t.id = m.id
    AND ${and([inScope(shape, scope), ...conditions])} OFFSET 0`;
  const arms = walks.map(({ order, marker, limit }, number) => {
    const runs = marker === undefined ? [] : after(order, marker);
    const further = runs.length === 0 ? sql`true` : sql`(${join(runs, ' OR ')})`;
    const found =
      order.keys.length === 1
        ? sql`(SELECT t.* FROM members t WHERE ${further} ${orderBy(order)}) m CROSS JOIN LATERAL (${rows}) t
            ORDER BY m.id ${raw(order.descending ? 'DESC' : 'ASC')}`
        : sql`members m CROSS JOIN LATERAL (${rows}) t WHERE ${further} ${orderBy(order)}`;
    return sql`(SELECT ${number}::integer AS walk, t.project_id, t.id::text AS list_id FROM ${found} LIMIT ${limit})`;
  });
  return sql`WITH members AS MATERIALIZED (${members}) ${join(arms, ' UNION ALL ')}`;
}

const shown = ({ body, columns }: ListRequest): Sql =>
  sql`t.id::text AS list_id, ${columns}, ${body} AS body`;

/**
 * A power of ten that is at least the limit. PostgreSQL guesses of a `LIMIT` that is a parameter that it lets a tenth
 * through; of all rows that is so much that it plans the statement anew each time, which costs more than a short page.
 */
const boundOf = (limit: number): number => 10 ** Math.ceil(Math.log10(Math.max(limit, 10)));

export function pageStatement(request: ListRequest, walk: Walk): Sql {
  const { shape } = request;
  const arms = armsOf(request, walk);
  if (arms.length === 1 && arms[0] && isPlain(request)) {
    const { where, join: joined } = arms[0];
    const end = sql`${orderBy(walk.order)} LIMIT ${walk.limit}`;
    if (joined.sql !== '' || request.conditions.length > 0)
      return sql`SELECT ${shown(request)} ${from(shape)} ${joined} WHERE ${where} ${end}`;
    return sql`SELECT ${shown(request)} FROM (SELECT t.* ${from(shape)} WHERE ${where} ${orderBy(walk.order)}
      LIMIT ${raw(String(boundOf(walk.limit)))}) t ${end}`;
  }
  return sql`SELECT ${shown(request)} FROM (${branchStatement(request, walk)}) k
    JOIN ${raw(shape.table)} t ON t.project_id = k.project_id AND t.id = k.id ${orderBy(walk.order)}`;
}

/** The rows at places that are known, in their order. */
export function rowsStatement(request: ListRequest, places: readonly Place[]): Sql {
  const projects = list(places.map((place) => place.projectId));
  const ids = list(places.map((place) => place.id));
  return sql`SELECT ${shown(request)} FROM unnest(${projects}::uuid[], ${ids}::bigint[])
      WITH ORDINALITY AS k (project_id, id, place)
    JOIN ${raw(request.shape.table)} t ON t.project_id = k.project_id AND t.id = k.id ORDER BY k.place`;
}

/** The id of the last of `walk.limit` items, or null if there are fewer. */
export function idStatement(request: ListRequest, walk: Walk): Sql {
  return sql`(SELECT n.id::text FROM (${branchStatement(request, walk)}) n OFFSET ${walk.limit - 1} LIMIT 1)`;
}

interface Arm {
  readonly drivers: Sql | undefined;
  readonly join: Sql;
  readonly where: Sql;
  readonly unordered: Branch['unordered'];
}

/** Every way into the list, times every run of rows after the marker. */
function armsOf(request: ListRequest, walk: Walk, window?: IdWindow): Arm[] {
  const { shape, scope, conditions } = request;
  const runs = walk.marker === undefined ? [sql`true`] : after(walk.order, walk.marker);
  const branches = request.branches ?? [{ where: sql`true` }];
  // Where the rows come project by project, the drivers name it.
  const scoped = scope === 'every project' ? ofKind(shape) : inScope(shape, scope);
  return branches.flatMap((branch: Branch) =>
    runs.map((run) => ({
      drivers: branch.drivers,
      join: branch.join ?? sql``,
      where: and([scoped, ...conditions, branch.where, run, ...bounds(branch, walk, window)]),
      unordered: branch.unordered,
    })),
  );
}

/** PostgreSQL knows that the other column equals the id, but not that it is then beyond the marker, too. */
function bounds({ sameAsId }: Branch, { order, marker }: Walk, window: IdWindow | undefined): Sql[] {
  const columns = [...(window ? [sql`t.id`] : []), ...(sameAsId ? [sameAsId] : [])];
  const upto = raw(order.descending ? '>=' : '<=');
  const ends = window ? columns.map((column) => sql`${column} ${upto} ${window.last}::bigint`) : [];
  const [id] = marker ?? [];
  if (sameAsId === undefined || id === undefined || id === null || order.keys.length > 1) return ends;
  return [...ends, sql`${sameAsId} ${raw(order.descending ? '<' : '>')} ${id}::bigint`];
}

const isPlain = (request: ListRequest): boolean =>
  request.scope !== 'every project' &&
  (request.branches ?? []).every((branch) => branch.drivers === undefined);

/** What is known of a list before its branches are asked. */
export interface Looked {
  /** The only ids to be looked for. */
  readonly window?: IdWindow;
}

/**
 * Project, id and sort keys of the items of a walk, in its order, through all branches.
 * @param looked set where what is sought was found not to be frequent; else the planner has to guess
 */
export function branchStatement(request: ListRequest, walk: Walk, looked?: Looked): Sql {
  const keys = sql`t.project_id, t.id, ${keyColumns(walk.order, 'value')}`;
  const arms = armsOf(request, walk, looked?.window).map((arm) => armStatement(request, walk, arm, looked));
  if (arms.length === 0) return sql`SELECT ${keys} ${from(request.shape)} WHERE false`;
  return sql`SELECT u.* FROM (${join(arms, ' UNION ALL ')}) u ${orderByKeys(walk.order, 'u')} LIMIT ${walk.limit}`;
}

function armStatement({ shape, scope }: ListRequest, walk: Walk, arm: Arm, looked?: Looked): Sql {
  const { drivers, join: joined, where, unordered } = arm;
  const { order, limit } = walk;
  const keys = sql`t.project_id, t.id, ${keyColumns(order, 'value')}`;
  const isFenced = looked !== undefined && (unordered !== undefined || order.keys.length > 1);
  const rows = (also: Sql): Sql => {
    const found = sql`${from(shape)} ${joined} WHERE ${where} AND ${also}`;
    // OFFSET 0 keeps the planner from walking in order until enough is found, which for what is rare is for ever.
    const source = isFenced ? sql`FROM (SELECT t.* ${found} OFFSET 0) t` : found;
    return sql`SELECT ${keys} ${source} ${orderBy(order)} LIMIT ${limit}`;
  };
  if (drivers !== undefined || scope === 'every project')
    return sql`(SELECT a.* FROM ${drivers ?? sql`(${projectsOf(shape)}) AS s`}
      CROSS JOIN LATERAL (${rows(sql`t.project_id = s.project_id`)}) a)`;
  if (!looked?.window || unordered !== 'in blocks') return sql`(${rows(sql`true`)})`;
  const [first, last] = looked.window.blocks;
  const block = sql`generate_series(${first}::bigint, ${last}::bigint, ${first <= last ? 1 : -1}::bigint) AS block (number)`;
  const inBlock = sql`t.id / ${raw(String(BLOCK_IDS))} = block.number`;
  // Block by block, each in order, until there are enough.
  return sql`(SELECT a.* FROM ${block} CROSS JOIN LATERAL (${rows(inBlock)}) a LIMIT ${limit})`;
}
