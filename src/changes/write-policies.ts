import { Injectable } from '@nestjs/common';
import type { DescribedChange } from './change-diff';

/** What every write has to keep, beyond what its own service checks. */
export interface WriteRule {
  /** @throws InventoryError if the change breaks the rule; then nothing has happened */
  check(change: DescribedChange): Promise<void>;
}

/** Rules that are looked after elsewhere, by modules that come later in the order of imports. */
@Injectable()
export class WriteRules {
  private readonly rules: WriteRule[] = [];

  add(rule: WriteRule): void {
    this.rules.push(rule);
  }

  async check(change: DescribedChange): Promise<void> {
    for (const rule of this.rules) await rule.check(change);
  }
}
