import type { EntityManager } from 'typeorm';
import { sql } from '../sql';
import { postgresTransaction, type RunStatement, type Transaction } from '../transaction';

/**
 * A transaction on Citus. It writes one table by each statement: Citus does not support subqueries in a `RETURNING`
 * clause, and sends the results of writes in a `WITH` clause to all nodes, so that it would need all of them. Advisory
 * locks are taken on the coordinator, so no statement that goes to a node can take them.
 */
export function citusTransaction(entities: EntityManager, run: RunStatement): Transaction {
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
      for (const write of writes(id)) await transaction.execute(write);
      return transaction.rows(sql`SELECT ${result} FROM (SELECT ${id} AS id) inserted`);
    },
    // Left to the autovacuum of the nodes.
    analyze: () => Promise.resolve(true),
  };
}
