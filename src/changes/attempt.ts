import { InventoryError } from '../core/errors';
import { toInventoryError } from '../database/errors/database-error-mapping';

/** The result of a part of a request, or the error that this part causes. */
export type Attempt<T> = { readonly result: T } | { readonly error: InventoryError };

/** Does a part of a request. It throws errors that no part causes: unexpected ones, and conflicts after which the request is retried. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { result: await work() };
  } catch (thrown) {
    const error = thrown instanceof InventoryError ? thrown : toInventoryError(thrown);
    if (!error || error.status >= 500) throw thrown;
    return { error };
  }
}
