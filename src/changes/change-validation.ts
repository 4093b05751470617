import { InventoryError } from '../core/errors';
import { sql } from '../database/sql';
import type { ChangeDiff, VariableChange } from './change-diff';
import { assertReason } from './change-reason';
import {
  checkPolicies,
  deferredColumn,
  verifyDeferred,
  type DeferredCheck,
  type DeferredRow,
  type WritePolicy,
} from './write-policy';

/**
 * Checks the reason of a change, and what it wrote: private variables, and the policies. The rules for approvals depend on
 * its impact, too, so they are checked when that is known: see `assertApproved`.
 * @throws InventoryError 400 for a reason that the project's settings do not allow, except in a dry run, 403 for a private variable, and the
 * errors of the policies
 */
export async function validateChange(change: ChangeDiff, policies: readonly WritePolicy[]): Promise<void> {
  const checks = await checkChange(change, policies);
  if (checks.length === 0) return;
  const [row] = await change.tx.rows<DeferredRow & Record<string, unknown>>(
    sql`SELECT ${deferredColumn(checks)}`,
  );
  await verifyDeferred(checks, row);
}

/**
 * Like `validateChange`, for a change whose record is stored next.
 * @returns the checks that `storeChange` completes
 */
export async function checkChange(
  change: ChangeDiff,
  policies: readonly WritePolicy[],
): Promise<readonly DeferredCheck[]> {
  // A preview says it: see `PreviewedRules`.
  if (!change.ctx.preview) assertReason(change.policy?.reason, change.reason);
  assertVisible(change);
  return checkPolicies(policies, change);
}

/**
 * A caller must not alter variables that are hidden from the caller. Services reject such keys in a request before they
 * read anything. This check covers keys that are not in the request, such as values that a revert would restore.
 * Deleting a resource also deletes its hidden variables.
 * @throws InventoryError 403 without the key
 */
function assertVisible({ ctx, objects }: ChangeDiff): void {
  if (ctx.visibility.seesEverything) return;
  const isHidden = ({ key }: VariableChange): boolean => !ctx.visibility.sees(JSON.parse(key) as string);
  if (objects.some(({ action, variables }) => action !== 'delete' && variables.some(isHidden)))
    throw InventoryError.forbidden('This would alter variables that are private in this project.', []);
}
