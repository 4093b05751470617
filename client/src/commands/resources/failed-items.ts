import type { Refusal } from '../../api/errors';
import { calledName, type Found } from '../../lookup/resource-finder';
import { EXIT, Failure } from '../../cli-error';
import { say } from '../../output/console';

/** One of several that the service has refused to change or delete, and why. */
export interface Refused {
  readonly one: Found;
  readonly refusal: Refusal;
}

/** Says which were refused, where something else has stopped the others: that is told next. */
export function sayRefused(refused: readonly Refused[], done: 'changed' | 'deleted'): void {
  if (refused.length > 0) say(`${String(refused.length)} could not be ${done}:`, ...refused.map(refusalText));
}

/** @param all how many there were @throws Failure where some were refused; the Refusal of a single one */
export function throwRefused(refused: readonly Refused[], all: number, done: 'changed' | 'deleted'): void {
  const [first] = refused;
  if (!first) return;
  if (all === 1) throw first.refusal;
  throw new Failure(
    `${String(refused.length)} of ${String(all)} could not be ${done}:`,
    refused.length < all ? EXIT.partly : EXIT.refused,
    refused.map(refusalText),
  );
}

const refusalText = ({ one, refusal: { message, requestId } }: Refused): string =>
  `  ${calledName(one)}: ${message}${requestId === undefined ? '' : ` (request id: ${requestId})`}`;
