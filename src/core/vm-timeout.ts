import { createContext, Script } from 'node:vm';

/** The work did not complete within its timeout. */
export class VmTimeoutError extends Error {}

const sandbox: { work: () => void } = { work: () => undefined };
const context = createContext(sandbox);
const call = new Script('work()');

/**
 * Runs synchronous work with a timeout. The timeout can interrupt the work at any point, so the caller must discard
 * every object that the work can have modified.
 * @throws VmTimeoutError
 */
export function runWithTimeout<T>(timeoutMs: number, work: () => T): T {
  const results: T[] = [];
  sandbox.work = () => results.push(work());
  try {
    // The timeout of a script also covers regular expressions and functions from outside its context.
    call.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    throw isTimeout(error) ? new VmTimeoutError('The work exceeded its timeout.') : error;
  } finally {
    sandbox.work = () => undefined;
  }
  return results[0] as T;
}

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
