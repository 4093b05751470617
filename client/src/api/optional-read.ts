import { ApiError, NetworkError } from '@muster/api-types';
import type { Muster } from './muster';

/** How long all requests of an optional read take at most. */
const OPTIONAL_READ_TIMEOUT_MS = 3000;

/**
 * The result of requests that only explain another result; undefined if one fails, or they take too long.
 * @param read uses the given client, which does not retry: the other result is there already
 */
export async function readOptional<T>(
  muster: Muster,
  read: (muster: Muster) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read(muster.withoutRetries(OPTIONAL_READ_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}
