import { Injectable } from '@nestjs/common';
import type { ChangeDiff } from '../changes/change-diff';
import { membersIn } from '../changes/resource-snapshot';
import type { WritePolicy } from '../changes/write-policy';
import { userMapping } from './user.entity';
import { isRoot } from './last-root-user';
import { assertRootFor } from './user-rules';

/**
 * Only root can write root users. The policy checks the changes of all routes, including routes that are not specific
 * to users, such as those for variables.
 */
@Injectable()
export class RootUserPolicy implements WritePolicy {
  /** @throws InventoryError 403 for a user that is a root user before or after the change */
  check({ ctx, objects }: ChangeDiff): Promise<undefined> {
    const users = objects.filter(({ mapping }) => mapping === userMapping);
    const states = users.flatMap(({ before, after }) =>
      [before, after].filter((state) => state !== undefined).map((state) => ({ members: membersIn(state) })),
    );
    assertRootFor(ctx, states.some(isRoot));
    return Promise.resolve(undefined);
  }
}
