import { setImmediate as others } from 'node:timers/promises';

/**
 * Does work for all who ask for it together: while it is being done, whoever asks waits for the next time, which is for
 * all of them. So there is one at a time, however many ask, and none is told what was so before he asked.
 */
export function together<T>(work: () => Promise<T>): () => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const turn = async (before: Promise<unknown>): Promise<T> => {
    await before;
    // For those, too, whose requests have come at the same time.
    await others();
    next = undefined;
    const done = work();
    // How it ends is for those who asked.
    latest = done.catch(() => undefined);
    return done;
  };
  return () => (next ??= turn(latest));
}
