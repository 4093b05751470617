import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads a query again after a write that its data depends on. An invalidation alone would join a first read that has not
 * ended, and whose response may be older than the write.
 */
export async function readAgain(
  client: QueryClient,
  { queryKey }: { readonly queryKey: QueryKey },
): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
