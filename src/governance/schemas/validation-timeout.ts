import { createContext, Script } from 'node:vm';

/** What ends work that took too long. */
export class TookTooLong extends Error {}

const surroundings: { work: () => void } = { work: () => undefined };
const context = createContext(surroundings);
const call = new Script('work()');

/**
 * Runs work that nobody has to wait for, and ends it when it takes too long. What it was busy with is cut off at any
 * point, so whatever the work could have left half done must be thrown away.
 * @throws TookTooLong
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  const results: T[] = [];
  surroundings.work = () => results.push(work());
  try {
    // A script's time is limited whatever it calls: regular expressions, and functions that were made elsewhere.
    call.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    throw isTimeout(error) ? new TookTooLong('took too long') : error;
  } finally {
    surroundings.work = () => undefined;
  }
  return results[0] as T;
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
