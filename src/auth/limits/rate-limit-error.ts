import { InventoryError } from '../../core/errors/inventory-error';
import type { Identity } from '../../http/request-state';

/** The key of the rate limit: the API key, or the user of a Keystone token, because tokens are short-lived. */
export const countedAs = ({ key, principal: { homeProjectId, userId } }: Identity): string =>
  key?.id ?? `${homeProjectId} ${String(userId)}`;

/** An authenticated caller exceeded the rate limit. */
export class RateExceeded extends InventoryError {
  /** @param seconds until the limit resets */
  constructor(
    readonly identity: Identity,
    seconds: number,
  ) {
    super('too_many_requests', 'Too many requests with this key. Try again later.', [], {
      'retry-after': String(seconds),
    });
  }
}
