import { Injectable } from '@nestjs/common';
import type { ChangeDiff } from './change-diff';

/** What every write has to keep, beyond what its own service checks. */
export interface WritePolicy {
  /** @throws InventoryError if the change breaks the rule; then nothing has happened */
  check(change: ChangeDiff): Promise<void>;
}

/** Rules that are looked after elsewhere, by modules that come later in the order of imports. */
@Injectable()
export class WritePolicies {
  private readonly rules: WritePolicy[] = [];

  add(rule: WritePolicy): void {
    this.rules.push(rule);
  }

  async check(change: ChangeDiff): Promise<void> {
    for (const rule of this.rules) await rule.check(change);
  }
}
