import type { ChangeDiff } from './change-diff';

/** A rule for every write, in addition to the checks of its service. */
export interface WritePolicy {
  /** @throws InventoryError if the change violates the rule. The change is then rolled back */
  check(change: ChangeDiff): Promise<void>;
}

/** The token of the rules, as an array in the order of the checks. They are declared above this folder: see `AppModule`. */
export const WRITE_POLICIES = Symbol('write policies');

/** @throws InventoryError of the first rule that the change violates */
export async function checkPolicies(policies: readonly WritePolicy[], change: ChangeDiff): Promise<void> {
  for (const policy of policies) await policy.check(change);
}
