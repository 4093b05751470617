import DataLoader from 'dataloader';

/**
 * A loader without a cache that runs one batch at a time: keys requested during a batch form the next one. So it
 * occupies at most one database connection.
 * @param read its result has no entry for a missing key
 */
export function sequentialLoader<T>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): DataLoader<string, T | undefined> {
  let lastBatch: Promise<unknown> = Promise.resolve();
  const readBatch = async (keys: readonly string[]) => {
    const found = await read(keys);
    return keys.map((key) => found.get(key));
  };
  return new DataLoader<string, T | undefined>(
    (keys) => {
      const batch = readBatch(keys);
      // The callers handle the error.
      lastBatch = batch.catch(() => undefined);
      return batch;
    },
    { cache: false, batchScheduleFn: (dispatch) => void lastBatch.then(dispatch) },
  );
}
