import { ApiError } from '@muster/api-types';
import { CliError, EXIT, reasonErrorOf } from '../../cli-error';
import { displayName, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';

/** A resource of several that could not be changed or deleted, with the error. */
export interface FailedItem {
  readonly item: FoundResource;
  readonly error: ApiError;
}

/** Prints the failed items if another error stops the command: that error is printed next. */
export function printFailedItems(
  failedItems: readonly FailedItem[],
  participle: 'changed' | 'deleted',
): void {
  if (failedItems.length > 0)
    printStatus(`${String(failedItems.length)} could not be ${participle}:`, ...failedItems.map(failureText));
}

/** @param total the number of all items @throws CliError if some failed; the ApiError if there was one item only */
export function throwIfFailed(
  failedItems: readonly FailedItem[],
  total: number,
  participle: 'changed' | 'deleted',
): void {
  const [first] = failedItems;
  if (!first) return;
  if (total === 1) throw first.error;
  throw new CliError(
    `${String(failedItems.length)} of ${String(total)} could not be ${participle}:`,
    failedItems.length < total ? EXIT.partial : EXIT.rejected,
    failedItems.map(failureText),
  );
}

/** The resource and its error, as an indented line. */
export function failureText({ item, error }: FailedItem): string {
  const { message, requestId } = error;
  const reasonError = reasonErrorOf(error);
  const text = reasonError === undefined ? message : `${reasonError}; give one with --reason`;
  return `  ${displayName(item)}: ${text}${requestId === undefined ? '' : ` (request id: ${requestId})`}`;
}

/** Executes a step that the service may reject. */
export async function resultOrApiError<T>(step: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
