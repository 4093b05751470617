import { randomUUID } from 'node:crypto';
import { Visibility } from '../core/context/visibility';
import type { RequestContext } from '../core/context/request-context';

/** The name under which change records know what the deployment's own commands did. */
export const COMMAND_NAME = 'muster-admin';

/**
 * Who a command of the deployment's own acts as: somebody who may do everything and is no user.
 * @param projectId where it creates; what spans projects has none
 * @param username under which records know it
 */
export function commandContext(
  reason: string | undefined,
  projectId = '',
  username = COMMAND_NAME,
): RequestContext {
  return {
    principal: {
      userId: 0,
      username,
      homeProjectId: '',
      isAdmin: false,
      isRoot: true,
      roles: [],
    },
    projectId,
    requestId: randomUUID(),
    reason,
    base: '',
    visibility: Visibility.WHOLE,
  };
}
