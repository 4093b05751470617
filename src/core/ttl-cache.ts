import { LRUCache } from 'lru-cache';

/** The bound for changes made by other processes. The documented promise is five seconds. */
const TTL_MS = 3_000;
const MAX_ENTRIES = 10_000;

/** See `ttlCache`. */
interface TtlCache<T> {
  /** The cached value, or the one that is read now. */
  fetch(key: string): Promise<T | undefined>;
  delete(key: string): void;
  clear(): void;
}

/**
 * A read-through cache. The process that makes a change calls `clear` or `delete`, also after a failed change, because its commit
 * may have succeeded. A read that was running at that time still resolves, but its value is not stored.
 * @param read its `undefined` is not cached
 */
export function ttlCache<T extends object>(read: (key: string) => Promise<T | undefined>): TtlCache<T> {
  const cache = new LRUCache<string, { readonly value: T | undefined }>({
    max: MAX_ENTRIES,
    ttl: TTL_MS,
    perf: { now: () => performance.now() },
    ignoreFetchAbort: true,
    fetchMethod: async (key, _stale, { options, signal }) => {
      const start = performance.now();
      const value = await read(key);
      // The age counts from the start of the read. A TTL of 0 would mean no limit.
      options.ttl = Math.max(1, TTL_MS - (performance.now() - start));
      // `undefined` is not stored, but after `clear` it would be an error. Then nothing is stored.
      return value === undefined && !signal.aborted ? undefined : { value };
    },
  });
  return {
    fetch: async (key) => (await cache.fetch(key))?.value,
    delete: (key) => {
      cache.delete(key);
    },
    clear: () => {
      cache.clear();
    },
  };
}
