import { setImmediate as nextIteration } from 'node:timers/promises';

/** Concurrent calls with the same first argument share one run, and its result or error. */
export function singleFlight<Args extends readonly unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const running = new Map<unknown, Promise<T>>();
  return (...args) => {
    const [key] = args;
    const shared = running.get(key);
    if (shared) return shared;
    const run = work(...args).finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };
}

/**
 * Calls during a run share the next run. So no result is older than its call, and there is one run at a time.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const runAfter = async (previous: Promise<unknown>): Promise<T> => {
    await previous;
    // Requests that arrived at the same time join this run.
    await nextIteration();
    next = undefined;
    const run = work();
    // The callers handle the error.
    latest = run.catch(() => undefined);
    return run;
  };
  return () => (next ??= runAfter(latest));
}
