import type { Queryable } from '../database/database';
import { type KeysetRead, type RowPosition, toPositions } from './keyset';
import type { SourceUnion } from './source-union';
import type { MergedPlan } from './list-plan';
import { projectStatement, type ReadPositionRow, sortStatement } from './list-statements';
import { MAX_MERGED_POSITIONS } from './tuning';

/**
 * Finds the positions for several reads of a list of several projects. A distributed database only supports statements
 * about one project, so one statement for each project finds its positions, and a last one for each read merges them.
 * @returns the positions of each read, in its order
 */
export async function findMergedPositions(
  { projects }: MergedPlan,
  reads: readonly KeysetRead[],
  on: Queryable,
): Promise<RowPosition[][]> {
  const found = reads.map((read) => ({ read, positions: [] as RowPosition[] }));
  const mergeLarger = async (rows: SourceUnion, size: number) => {
    for (const one of found)
      if (one.positions.length > size)
        one.positions = await firstPositions(rows, one.read, one.positions, on);
  };
  for (const [i, rows] of projects.entries()) {
    const ofProject = await on.rows<ReadPositionRow>(...projectStatement(rows, reads));
    for (const [number, { read, positions }] of found.entries())
      positions.push(
        ...toPositions(
          read,
          ofProject.filter((row) => row.read_number === String(number)),
        ),
      );
    await mergeLarger(rows, i === projects.length - 1 ? 1 : MAX_MERGED_POSITIONS);
  }
  return found.map(({ positions }) => positions);
}

/** The first `read.limit` of positions in several projects. */
async function firstPositions(
  rows: SourceUnion,
  read: KeysetRead,
  positions: readonly RowPosition[],
  on: Queryable,
): Promise<RowPosition[]> {
  const sorted = await on.rows<{ n: number }>(...sortStatement(rows, read, positions));
  return sorted.flatMap(({ n }) => positions[n - 1] ?? []);
}
