import type { EntityManager } from 'typeorm';
import { sql } from '../sql';
import { postgresTransaction, type RunStatement, type Transaction } from '../transaction';

/**
 * Settings of a transaction. It uses one connection to each node: with several, it could not write to `projects`, which is
 * on all nodes, after it has read or written other tables. A lock on a project does not need the first node, which would
 * only protect it from writes through other nodes than the coordinator.
 */
const SETTINGS = sql`SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true),
  set_config('citus.allow_modifications_from_workers_to_replicated_tables', 'off', true)`;

/**
 * A transaction on Citus. It writes one table by each statement: Citus does not support subqueries in a `RETURNING`
 * clause, and sends the results of writes in a `WITH` clause to all nodes, so that it would need all of them. Advisory
 * locks are taken on the coordinator, so no statement that goes to a node can take them.
 */
export async function citusTransaction(entities: EntityManager, run: RunStatement): Promise<Transaction> {
  await run(SETTINGS);
  const transaction = postgresTransaction(entities, run);
  return {
    ...transaction,
    writeRow: async ({ write, read }) => {
      const [written] = await transaction.rows<{ id: number }>(write(sql`t.id`));
      return written ? transaction.rows(read(written.id)) : [];
    },
    tryCombined: () => Promise.resolve([]),
    writeJointly: async ({ insert, writes, result }) => {
      const [inserted] = insert ? await transaction.rows<{ id: number }>(insert) : [];
      const id = sql`${inserted?.id ?? null}::bigint`;
      for (const write of writes(id, (query) => sql`(${query})`)) await transaction.execute(write);
      return transaction.rows(sql`SELECT ${result} FROM (SELECT ${id} AS id) inserted`);
    },
    // Left to the autovacuum of the nodes.
    analyze: () => Promise.resolve(true),
  };
}
