import type { Client } from 'pg';
import type { Statement } from './statement-recorder';

/** A node of a plan as `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)` prints it. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The number of rows that a statement reads from tables and indexes, including rows that it filters out. */
export async function tuplesRead(client: Client, { text, values }: Statement): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    [...values],
  );
  return rows.flatMap((row) => row['QUERY PLAN']).reduce((sum, { Plan }) => sum + readBy(Plan), 0);
}

function readBy(node: PlanNode): number {
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined;
  const own = isScan
    ? node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)
    : 0;
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), 0);
}
