import { RE2JS } from 're2js';
import type { ReasonPolicy } from '../auth/project-policies';
import { InventoryError } from '../shared/errors/inventory-error';

/**
 * What is wrong with a pattern for reasons; undefined if nothing is. RE2 takes time in proportion to the text,
 * whatever the pattern: no pattern can hang the process.
 */
export function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `is not a regular expression (RE2): ${error instanceof Error ? error.message : String(error)}`;
  }
}

/**
 * Holds a change's reason against what the project demands.
 * @throws InventoryError 400 that says what is expected
 */
export function requireReason(policy: ReasonPolicy | undefined, reason: string | undefined): void {
  if (!policy) return;
  const { required, pattern } = policy;
  if (reason === undefined ? !required : pattern === null || RE2JS.compile(pattern).matcher(reason).find())
    return;
  const expected = pattern === null ? '' : ` that matches ${pattern}`;
  throw InventoryError.invalid(
    'X-Change-Reason',
    reason === undefined
      ? `changes in this project need a reason${expected}, in this header or as the body's note`
      : `the reason of a change in this project must be one${expected}`,
  );
}
