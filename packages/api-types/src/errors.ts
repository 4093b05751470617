/** What is wrong with one member, parameter or line of a request. */
export interface ApiErrorDetail {
  readonly field: string;
  /** Why, for programs: see `ErrorDetailCode`. Later versions of the service may add codes. */
  readonly code?: string;
  readonly message: string;
  /** Of `missing_role`: a role that would allow the request. */
  readonly role?: string;
  /** If the value has another JSON type than its definition accepts: the types that it does, such as `string`. */
  readonly expected_types?: readonly string[];
}

/** An error response of the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The error code of the API, such as `not_found`; the status as text if the response is not from Muster. */
    readonly code: string,
    message: string,
    readonly details: readonly ApiErrorDetail[],
    /** Identifies the request in the service's log; undefined if the response is not from Muster. */
    readonly requestId: string | undefined,
    /** The whole body, if it is JSON: imports add members to it. */
    readonly body?: unknown,
    /** Whether the request may have been executed although an error was returned. */
    readonly isOutcomeUnknown = false,
  ) {
    super(message);
  }

  /** The message about one member, parameter or header. */
  detail(field: string): string | undefined {
    return this.details.find((detail) => detail.field === field)?.message;
  }
}

/** The service cannot be reached, or the connection was lost. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(
    message: string,
    /** Whether the request may have been executed although no response arrived. */
    readonly isOutcomeUnknown: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

type ResponseHead = Pick<Response, 'status' | 'headers'>;

/**
 * Whether the rejected request may have been executed: a proxy lost its connection to the service, or the service to the
 * database. A 503 with `Retry-After` was not executed.
 */
export const hasUnknownOutcome = ({ status, headers }: ResponseHead): boolean =>
  status === 502 || status === 504 || (status === 503 && !headers.has('retry-after'));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isDetail = (value: unknown): value is ApiErrorDetail =>
  isObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string';

/** How many characters of a body that is not from Muster are shown. */
const MAX_SHOWN_LENGTH = 200;

/** Parses an error response. @param text the body; proxies may send anything */
export function parseApiError(response: ResponseHead, text: string): ApiError {
  const { status } = response;
  const headerId = response.headers.get('x-request-id') ?? undefined;
  const isOutcomeUnknown = hasUnknownOutcome(response);
  const body = parseJson(text);
  if (!isObject(body) || typeof body['code'] !== 'string') {
    const message = `The server returned status ${String(status)}: ${text.trim().slice(0, MAX_SHOWN_LENGTH)}`;
    return new ApiError(status, String(status), message, [], headerId, undefined, isOutcomeUnknown);
  }
  const { code, message, details, request_id } = body;
  return new ApiError(
    status,
    code,
    typeof message === 'string' ? message : code,
    Array.isArray(details) ? details.filter(isDetail) : [],
    typeof request_id === 'string' ? request_id : headerId,
    body,
    isOutcomeUnknown,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
