import { exactJson, isLosslessNumber } from '../../api/exact-json';
import type { Format } from '../../output/output';
import { escaped, visibleLines } from '../../output/visible';

/**
 * A value as a member of a printed row. People see the JSON that `set` takes, in which `"true"` and `true`, and `null`
 * and nothing at all, can be told apart; programs get the value itself.
 */
export const shownValue = (format: Format, value: unknown): unknown =>
  format === 'table' && value !== undefined ? exactJson.stringify(value) : value;

/** A value by itself: a text without quotes, for scripts; anything else as JSON. A terminal finds nothing to obey in it. */
export function bareText(value: unknown): string {
  if (typeof value === 'string') return process.stdout.isTTY ? visibleLines(value) : value;
  return escaped(exactJson.stringify(value, isLosslessNumber(value) ? undefined : 2));
}
