import { ttlCache } from '../../src/core/ttl-cache';

describe('ttlCache', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    // Entries set at time 0 never expire in lru-cache.
    jest.advanceTimersByTime(1);
  });
  afterEach(() => jest.useRealTimers());

  /** A cache whose reads the test completes. */
  function cacheWithReads() {
    const reads: ((value: { value: number } | undefined) => void)[] = [];
    const cache = ttlCache(
      () => new Promise<{ value: number } | undefined>((resolve) => void reads.push(resolve)),
    );
    return { cache, reads };
  }

  it('reads a key once for concurrent calls, and again after three seconds', async () => {
    const { cache, reads } = cacheWithReads();
    const calls = [cache.fetch('a'), cache.fetch('a')];
    reads[0]?.({ value: 1 });
    expect(await Promise.all(calls)).toEqual([{ value: 1 }, { value: 1 }]);
    await jest.advanceTimersByTimeAsync(2_990);
    expect(await cache.fetch('a')).toEqual({ value: 1 });
    await jest.advanceTimersByTimeAsync(20);
    const later = cache.fetch('a');
    reads[1]?.({ value: 2 });
    expect(await later).toEqual({ value: 2 });
    expect(reads).toHaveLength(2);
  });

  it('counts the age from the start of the read', async () => {
    const { cache, reads } = cacheWithReads();
    const slow = cache.fetch('a');
    await jest.advanceTimersByTimeAsync(2_000);
    reads[0]?.({ value: 1 });
    await slow;
    await jest.advanceTimersByTimeAsync(990);
    expect(await cache.fetch('a')).toEqual({ value: 1 });
    await jest.advanceTimersByTimeAsync(20);
    void cache.fetch('a');
    expect(reads).toHaveLength(2);
  });

  it('does not store a value whose read was running when the cache was cleared', async () => {
    const { cache, reads } = cacheWithReads();
    const before = cache.fetch('a');
    cache.clear();
    const after = cache.fetch('a');
    reads[0]?.({ value: 1 });
    expect(await before).toEqual({ value: 1 });
    reads[1]?.({ value: 2 });
    expect(await after).toEqual({ value: 2 });
    expect(await cache.fetch('a')).toEqual({ value: 2 });
    expect(reads).toHaveLength(2);
  });

  it('finds nothing if the cache was cleared while a missing value was read', async () => {
    const { cache, reads } = cacheWithReads();
    const missing = cache.fetch('a');
    cache.clear();
    reads[0]?.(undefined);
    expect(await missing).toBeUndefined();
    const after = cache.fetch('a');
    reads[1]?.({ value: 1 });
    expect(await after).toEqual({ value: 1 });
  });

  it('does not store a missing value or an error', async () => {
    const read = jest
      .fn<Promise<{ value: number } | undefined>, []>()
      .mockResolvedValueOnce(undefined)
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValueOnce({ value: 1 });
    const cache = ttlCache(read);
    expect(await cache.fetch('a')).toBeUndefined();
    await expect(cache.fetch('a')).rejects.toThrow('no');
    expect(await cache.fetch('a')).toEqual({ value: 1 });
  });
});
