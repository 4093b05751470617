import { StartupError } from '../core/errors/startup-error';

/** Says a sentence to a person, where it is in no program's way. */
export const say = (sentence: string): void => {
  process.stderr.write(`muster: ${sentence}\n`);
};

/** What is said of whatever keeps the service from starting: one sentence for what was to be expected. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Ends the process, as soon as it has nothing to do any more, and a few seconds later in any case. */
export function endForSure(): void {
  // Something may still hold the process; there is nothing left for it to do.
  setTimeout(() => process.exit(), 5_000).unref();
}

/** Ends the process in failure, as soon as it has nothing to do any more. */
export function endInFailure(): void {
  process.exitCode = 1;
  endForSure();
}
