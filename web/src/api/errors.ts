import { ApiError, NetworkError } from '@muster/api-types';

/** The error of a request to which the service did not respond. */
export const networkError = (cause: unknown): Error =>
  cause instanceof DOMException && cause.name === 'AbortError'
    ? cause
    : new NetworkError('The service cannot be reached.', true, { cause });

export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** Names the project that the page shows. */
export const PROJECT_HEADER = 'X-Auth-Project';

/** Whether a request was rejected because the session cannot enter the project of the page. */
export const isInaccessibleProject = (error: unknown): boolean =>
  isStatus(error, 409) && error.detail(PROJECT_HEADER) !== undefined;

/** Whether a request may succeed if it is sent again: the service is away, or busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));

/** The `retry` of a query: sends a request again if its failure is temporary. A request that is wrong stays wrong. */
export const retryTemporary =
  (maxRetries: number) =>
  (failures: number, error: Error): boolean =>
    failures < maxRetries && isTemporary(error);
