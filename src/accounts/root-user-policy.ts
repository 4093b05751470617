import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DescribedChange } from '../changes/change-diff';
import { WriteRules, type WriteRule } from '../changes/write-policies';
import { userShape } from './user';
import { isRoot, requireRootFor } from './users.service';

/**
 * Only root writes root users. Every change passes this rule, whichever route made it: it covers routes that know
 * nothing about users, such as those for variables.
 */
@Injectable()
export class RootUserRule implements WriteRule, OnModuleInit {
  constructor(private readonly rules: WriteRules) {}

  onModuleInit(): void {
    this.rules.add(this);
  }

  /** @throws InventoryError 403 for a user that is a root user before or after the change */
  check({ ctx, objects }: DescribedChange): Promise<void> {
    const users = objects.filter(({ shape }) => shape === userShape);
    const states = users.flatMap(({ before, after }) =>
      [before, after].filter((state) => state !== undefined),
    );
    requireRootFor(ctx, states.some(isRoot));
    return Promise.resolve();
  }
}
