import type { Queryable } from '../database/database';
import { from, inScope } from '../database/resource-sql';
import { arrayParameter, join, raw, sql, type Sql } from '../database/sql';
import { positionColumns, toPositions, type PositionRow } from './adaptive-scan';
import type { KeysetRead, ListRequest, RowPosition } from './list-request';
import { branchStatement, keyColumns, orderByKeys } from './page-statements';

/** Beyond this many positions, those after the end of a read are discarded before further projects are read. */
const MAX_POSITIONS = 50_000;

/**
 * Finds the positions for several reads of a list of several projects. A distributed database only supports statements
 * about one project, so one statement for each project finds its positions, and a last one for each read merges them.
 * @param requests the list of each project
 * @returns the positions of each read, in its order
 */
export async function findMergedPositions(
  requests: readonly ListRequest[],
  reads: readonly KeysetRead[],
  on: Queryable,
): Promise<RowPosition[][]> {
  const found = reads.map((read) => ({ read, positions: [] as RowPosition[] }));
  const mergeLarger = async (request: ListRequest, size: number) => {
    for (const one of found)
      if (one.positions.length > size)
        one.positions = await firstPositions(request, one.read, one.positions, on);
  };
  for (const [i, request] of requests.entries()) {
    const rows = await on.rows<PositionRow>(positionsStatement(request, reads), 'custom');
    for (const [number, { read, positions }] of found.entries())
      positions.push(
        ...toPositions(
          read,
          rows.filter((row) => row['read_number'] === String(number)),
        ),
      );
    await mergeLarger(request, i === requests.length - 1 ? 1 : MAX_POSITIONS);
  }
  return found.map(({ positions }) => positions);
}

/** The positions of all reads in one project. */
function positionsStatement(request: ListRequest, reads: readonly KeysetRead[]): Sql {
  const { members, conditions } = request;
  const selection = members
    ? { ...request, conditions: [...conditions, sql`t.id IN (SELECT m.id FROM (${members}) m)`] }
    : request;
  const arms = reads.map(
    (read, number) =>
      sql`SELECT ${String(number)}::text AS read_number, ${positionColumns(read)} FROM (${branchStatement(selection, read)}) f`,
  );
  return join(arms, ' UNION ALL ');
}

/** The first `read.limit` of positions in several projects, as PostgreSQL sorts them. */
async function firstPositions(
  { mapping, scope }: ListRequest,
  { order, limit }: KeysetRead,
  positions: readonly RowPosition[],
  on: Queryable,
): Promise<RowPosition[]> {
  const keys = order.keys.map(
    ({ type }, i) =>
      sql`${arrayParameter(positions.map((position) => position.keys[i] ?? null))}::${raw(type)}[]`,
  );
  // The first arm has no rows. It gives the keys the collations of their columns.
  const rows = await on.rows<{ n: number }>(sql`SELECT m.n FROM (
      SELECT ${keyColumns(order, 'value')}, 0::bigint AS n ${from(mapping)} WHERE ${inScope(mapping, scope)} AND false
      UNION ALL SELECT * FROM unnest(${join(keys)}) WITH ORDINALITY
    ) m ${orderByKeys(order, 'm')} LIMIT ${limit}`);
  return rows.flatMap(({ n }) => positions[n - 1] ?? []);
}
