import { InventoryError } from '../core/errors';

/** How many lines the body of an import has at most, empty ones included. Each takes about 50 bytes of memory. */
const MAX_LINES = 4_000_000;

/** @param line the number of a line that was read. @throws InventoryError 413 */
export function assertLineCount(line: number): void {
  if (line <= MAX_LINES) return;
  throw new InventoryError(
    'payload_too_large',
    `The body has more than ${String(MAX_LINES)} lines. Divide it into several imports.`,
  );
}
