/** A detail of an error: which member, parameter or header it is about. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/** An error response of the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    /** As in the API: `forbidden`, `version_mismatch`, … */
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[],
    /** For the log of the service. Undefined if a proxy responded. */
    readonly requestId: string | undefined,
  ) {
    super(message);
  }

  /** The message about one member, parameter or header. */
  detail(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message;
  }
}

/** The service did not respond. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The error of a response. A proxy may send a body that is not Muster's. */
export function apiError(response: Response, body: unknown): ApiError {
  const members = isObject(body) ? body : {};
  const details = (Array.isArray(members['details']) ? members['details'] : []).filter(isObject);
  return new ApiError(
    response.status,
    textOf(members['code']) ?? 'unknown',
    textOf(members['message']) ?? `The service answered with status ${response.status}.`,
    details.map(({ field, message }) => ({ field: String(field), message: String(message) })),
    textOf(members['request_id']) ?? response.headers.get('x-request-id') ?? undefined,
  );
}

export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** Names the project that the page shows. */
export const PROJECT_HEADER = 'X-Auth-Project';

/** Whether a request was rejected because the session has entered another project, in another tab. */
export const isOtherProject = (error: unknown): boolean =>
  isStatus(error, 409) && error.detail(PROJECT_HEADER) !== undefined;

/** Whether a request may succeed if it is sent again: the service is away, or busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));

/** The `retry` of a query: sends a request again if its failure is temporary. A request that is wrong stays wrong. */
export const retryTemporary =
  (maxRetries: number) =>
  (failures: number, error: Error): boolean =>
    failures < maxRetries && isTemporary(error);
