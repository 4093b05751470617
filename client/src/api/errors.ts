/** A detail of a refusal: what is wrong with which member, parameter or line. */
export interface RefusalDetail {
  readonly field: string;
  readonly message: string;
}

/** The service's answer that something could not be done. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The API's fixed word for it: `not_found`; the status as a text where something else than Muster answered. */
    readonly code: string,
    message: string,
    readonly details: readonly RefusalDetail[],
    /** Under which the service's log knows more; undefined where something else than Muster answered. */
    readonly requestId: string | undefined,
    /** The whole body, where it was JSON: imports say more in it. */
    readonly body?: unknown,
    /** Whether the request may have been done all the same: what answers does not know. */
    readonly mayBeDone = false,
  ) {
    super(message);
  }
}

/** Nobody answered, or what answered was cut off. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(
    message: string,
    /** Whether the request may have been done all the same, because only its answer is missing. */
    readonly mayBeDone: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly request_id?: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isDetail = (value: unknown): value is RefusalDetail =>
  isObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string';

/** In characters: of a body that is not Muster's, as much is shown. */
const SHOWN = 200;

/**
 * Whether what was refused may have been done: a proxy has lost the service, or the service the database. A 503 that
 * says when to try again, as all others of the service do, has done nothing.
 */
export const mayBeDoneAfter = ({ status, headers }: Answered): boolean =>
  status === 502 || status === 504 || (status === 503 && !headers.has('retry-after'));

type Answered = Pick<Response, 'status' | 'headers'>;

/** Reads an answer that is an error. @param text its body: what stands in front of Muster may answer with anything */
export function refusalOf(answer: Answered, text: string): Refusal {
  const { status } = answer;
  const mayBeDone = mayBeDoneAfter(answer);
  const body = parsed(text);
  if (!isObject(body) || typeof (body as ErrorBody).code !== 'string')
    return new Refusal(
      status,
      String(status),
      `The server answered with ${String(status)}: ${text.trim().slice(0, SHOWN)}`,
      [],
      undefined,
      undefined,
      mayBeDone,
    );
  const { code, message, details, request_id } = body as ErrorBody;
  return new Refusal(
    status,
    String(code),
    typeof message === 'string' ? message : String(code),
    Array.isArray(details) ? details.filter(isDetail) : [],
    typeof request_id === 'string' ? request_id : undefined,
    body,
    mayBeDone,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
