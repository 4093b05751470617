import { and, sql, type Sql } from '../persistence/sql';
import { from, inScope } from '../resources/projection';
import { after, keyColumns, orderBy } from './keyset';
import type { ListRequest, Walk } from './list-engine';

/** How many rows are looked at for nothing where what is sought is rare: it costs a millisecond or two. */
const FIRST_LOOK = 1_000;
/** How much further the second look goes. */
const FURTHER = 8;

/**
 * Whether a list can be read by looking at its next rows one by one: the rows of one project come in the order of
 * their ids from an index, and there is a condition to ask of each.
 */
export const canLookAhead = (request: ListRequest): boolean =>
  request.match !== undefined && request.scope !== 'every project' && request.order.keys.length === 1;

/**
 * Reads the keys of a page either by looking at the next rows, or through the branches' indexes. What is frequent is
 * found soonest among the next rows, where an index would bring hundreds of thousands of rows to sort; what is rare
 * is found soonest through the indexes. Which of the two a filter is cannot be known beforehand, and the planner's
 * statistics of JSON documents are guesses. So one statement looks a little way ahead, further where that was
 * promising, and turns to the branches where it was not: none of the ways costs more than about a page.
 */
export function lookAhead(request: ListRequest, walk: Walk, throughBranches: Sql): Sql {
  const near = FIRST_LOOK + walk.limit;
  const promising = Math.ceil(walk.limit / FURTHER);
  return sql`WITH near AS MATERIALIZED (${found(request, walk, near)}),
    further AS MATERIALIZED (${found(request, walk, near * FURTHER)}),
    way AS MATERIALIZED (SELECT CASE
      WHEN seen >= ${walk.limit} OR ${isWholeList(request, walk, near)} THEN 'near'
      WHEN seen >= ${promising} THEN
        CASE WHEN (SELECT count(*) FROM further) >= ${walk.limit} THEN 'further' ELSE 'branches' END
      ELSE 'branches' END AS taken
      FROM (SELECT count(*) AS seen FROM near) AS looked)
    SELECT near.* FROM near WHERE (SELECT taken FROM way) = 'near'
    UNION ALL SELECT further.* FROM further WHERE (SELECT taken FROM way) = 'further'
    UNION ALL SELECT b.* FROM (${throughBranches}) b WHERE (SELECT taken FROM way) = 'branches'`;
}

/** The next rows, whether they belong to the list or not. */
function nextRows({ shape, scope }: ListRequest, walk: Walk): Sql {
  const runs = walk.marker === undefined ? [] : after(walk.order, walk.marker);
  return sql`${from(shape)} WHERE ${and([inScope(shape, scope), ...runs])} ${orderBy(walk.order)}`;
}

/** Those of the next rows that belong to the list. */
function found(request: ListRequest, walk: Walk, width: number): Sql {
  const belongs = and([...request.conditions, request.match ?? sql`true`]);
  return sql`SELECT t.project_id, t.id, ${keyColumns(walk.order, 'value')}
    FROM (SELECT t.* ${nextRows(request, walk)} LIMIT ${width}) t
    WHERE ${belongs} ${orderBy(walk.order)} LIMIT ${walk.limit}`;
}

const isWholeList = (request: ListRequest, walk: Walk, width: number): Sql =>
  sql`(SELECT t.id ${nextRows(request, walk)} OFFSET ${width} LIMIT 1) IS NULL`;
