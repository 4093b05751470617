import type { InvalidateQueryFilters, Query, QueryCache, QueryClient } from '@tanstack/react-query';

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

const recorded = new WeakSet<QueryCache>();

/** When (ms) the last read of each query began. */
const begun = new WeakMap<object, number>();

/** Remembers from now on when reads begin: the cache knows only when they ended. */
export function recordReads(cache: QueryCache): void {
  if (recorded.has(cache)) return;
  recorded.add(cache);
  cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'fetch') return;
    // A further page makes the first ones no newer.
    if (event.action.meta?.fetchMore) return;
    begun.set(event.query, Date.now());
  });
}

/** When (ms) the last read of a query began; if it was not recorded, when it ended. What was changed before is in its data. */
export const readBegan = (query: Pick<Query, 'state'>): number =>
  begun.get(query) ?? query.state.dataUpdatedAt;
