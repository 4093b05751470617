import { join, sql, type Sql } from '../database/sql';
import type { ChangeDiff } from './change-diff';

/** A rule for every write, in addition to the checks of its service. */
export interface WritePolicy {
  /**
   * @returns what is left to check, if that needs a read; undefined if the change fulfils the rule
   * @throws InventoryError if the change violates the rule. The change is then rolled back
   */
  check(change: ChangeDiff): Promise<DeferredCheck | undefined>;
}

/**
 * The part of a check that needs a read. A change reads it with the statement that stores its record, and is rolled back
 * if the check fails.
 */
export interface DeferredCheck {
  /** An expression of the type `text[]` over the state after the change. Locks were taken by earlier statements. */
  readonly read: Sql;
  /** @throws InventoryError like `WritePolicy.check` */
  readonly verify: (texts: readonly string[]) => Promise<void>;
}

/** The token of the rules, as an array in the order of the checks. They are declared above this folder: see `AppModule`. */
export const WRITE_POLICIES = Symbol('write policies');

/** @throws InventoryError of the first rule that the change violates */
export async function checkPolicies(
  policies: readonly WritePolicy[],
  change: ChangeDiff,
): Promise<readonly DeferredCheck[]> {
  const deferred: DeferredCheck[] = [];
  for (const policy of policies) {
    const check = await policy.check(change);
    if (check) deferred.push(check);
  }
  return deferred;
}

/** What deferred checks read, as one column for `verifyDeferred`. */
export const deferredColumn = (checks: readonly DeferredCheck[]): Sql =>
  checks.length === 0
    ? sql`NULL::json AS deferred`
    : sql`json_build_array(${join(checks.map(({ read }) => read))}) AS deferred`;

/** A row with `deferredColumn`. */
export interface DeferredRow {
  readonly deferred: readonly (readonly string[])[] | null;
}

/** @throws InventoryError of the first check that fails */
export async function verifyDeferred(
  checks: readonly DeferredCheck[],
  row: DeferredRow | undefined,
): Promise<void> {
  for (const [i, { verify }] of checks.entries()) await verify(row?.deferred?.[i] ?? []);
}
