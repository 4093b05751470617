import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * Reads queries again after a write that their data depends on. A first read that has not ended may be older than the write,
 * and an invalidation alone would wait for it instead of a newer one: it is cancelled.
 */
export async function readAgain(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const { predicate = () => true } = filters;
  await client.cancelQueries({
    ...filters,
    predicate: (query) => query.state.data === undefined && predicate(query),
  });
  await client.invalidateQueries(filters);
}
