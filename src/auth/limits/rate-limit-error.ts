import { InventoryError } from '../../core/errors/inventory-error';
import type { Identity } from '../../http/request-state';

/** What a rate is kept by: a key, and with tokens that come and go, the user who has them. */
export const countedAs = ({ key, principal: { homeProjectId, userId } }: Identity): string =>
  key?.id ?? `${homeProjectId} ${String(userId)}`;

/** Somebody who is known asks too often. */
export class RateExceeded extends InventoryError {
  /** @param seconds after which there is room again */
  constructor(
    readonly identity: Identity,
    seconds: number,
  ) {
    super('too_many_requests', 'Too many requests with this key. Try again later.', [], {
      'retry-after': String(seconds),
    });
  }
}
