import { StartupError } from '../core/errors';

/** Prints a sentence for the operator to standard error. */
export const printStatus = (sentence: string): void => {
  process.stderr.write(`muster: ${sentence}\n`);
};

/** The message of an expected error; for any other error, the stack. */
export function formatError(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Exits when the event loop is empty, and after 5 s in any case: something may keep the process alive. */
export function forceExitLater(): void {
  setTimeout(() => process.exit(), 5_000).unref();
}

/** The same with exit code 1. */
export function exitWithFailure(): void {
  process.exitCode = 1;
  forceExitLater();
}
