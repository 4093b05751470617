import { Injectable } from '@nestjs/common';
import type { ChangeDiff } from './change-diff';

/** A rule for every write, in addition to the checks of its service. */
export interface WritePolicy {
  /** @throws InventoryError if the change violates the rule. The change is then rolled back */
  check(change: ChangeDiff): Promise<void>;
}

/** The registered rules. Modules that are imported later add theirs here. */
@Injectable()
export class WritePolicies {
  private readonly policies: WritePolicy[] = [];

  add(policy: WritePolicy): void {
    this.policies.push(policy);
  }

  async check(change: ChangeDiff): Promise<void> {
    for (const policy of this.policies) await policy.check(change);
  }
}
