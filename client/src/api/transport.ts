import { setTimeout as delay } from 'node:timers/promises';
import { hasUnknownOutcome, NetworkError, parseApiError } from '@muster/api-types';

/** The URL of a service, and the credentials to use. */
export interface Connection {
  /** The URL of Muster: `http://127.0.0.1:7780`. */
  readonly url: string;
  /** An API key. */
  readonly token: string;
  /** The user name of the key's owner. Optional; the service rejects a wrong one. */
  readonly user?: string;
  /** The id of the project to work in; by default the user's own. */
  readonly project?: string;
}

/** How requests are sent. */
export interface TransportOptions {
  /** Sends the requests; by default Node's `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a request is retried at most. Default: 3. */
  readonly retries?: number;
  /** Called before each retry, with the reason and the delay in milliseconds. */
  readonly onRetry?: (reason: string, delay: number) => void;
  /** Returns the token of each request, instead of `token`: for access tokens that are renewed. */
  readonly getToken?: () => Promise<string>;
}

/** A request as it is sent. */
export interface OutgoingRequest {
  readonly method: string;
  /** The path with the query, without the prefix of the client's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
  /** Whether it can be retried although it may have been executed: a read, or a write with a key or a precondition. */
  readonly isIdempotent: boolean;
  /** Whether to send it without its `Idempotency-Key` if the user's limit of stored responses is reached. */
  readonly isKeyOptional?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export const IDEMPOTENCY_KEY = 'idempotency-key';
const CONSISTENCY_TOKEN = 'x-consistency-token';
/** The service is temporarily unavailable or overloaded. */
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);
const MIN_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** Error codes that mean that the request was not sent. */
const NOT_SENT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** A response, and what was read of its body. */
interface AttemptResult<T> {
  readonly response: Response;
  readonly body: T;
  /** Whether the request was rejected because of its idempotency key, and not executed. */
  readonly isKeyRejected: boolean;
}

/** Sends requests with credentials and retries them. Reads see the writes of the same transport. */
export class Transport {
  private consistencyToken: string | undefined;
  private readonly baseUrl: string;
  private readonly identityHeaders: Readonly<Record<string, string>>;

  /** @throws TypeError for an invalid URL or key: the error messages of `fetch` would contain the secret */
  constructor(
    { url, token, user, project }: Connection,
    private readonly options: TransportOptions = {},
  ) {
    if (hasCredentials(url)) throw new TypeError('the URL contains a user or a password');
    if (!isApiKey(token)) throw new TypeError('the API key is not one word of printable characters');
    this.baseUrl = url.replace(/\/+$/, '');
    this.identityHeaders = {
      authorization: `Bearer ${token}`,
      ...(user === undefined ? {} : { 'x-auth-user': encodeHeader(user) }),
      ...(project === undefined ? {} : { 'x-auth-project': encodeHeader(project) }),
    };
  }

  /** The path prefix of this client's URL. */
  get prefix(): string {
    return new URL(this.baseUrl).pathname.replace(/\/+$/, '');
  }

  /**
   * Sends a request and returns the response, whatever its status.
   * @param read reads the response as part of the attempt: a truncated response counts as none
   * @throws NetworkError if no complete response arrives
   */
  async send<T>(original: OutgoingRequest, read: (response: Response) => Promise<T>): Promise<T> {
    const { retries = 3 } = this.options;
    let request = original;
    for (let attempt = 0; ; attempt++) {
      let outcome = await this.attempt(request, read);
      if (!(outcome instanceof NetworkError) && outcome.isKeyRejected) {
        this.options.onRetry?.(
          'the limit of stored responses is reached, retrying without an idempotency key',
          0,
        );
        request = withoutIdempotencyKey(request);
        outcome = await this.attempt(request, read);
      }
      if (attempt >= retries || !this.mayRetry(request, outcome)) {
        if (outcome instanceof NetworkError) throw outcome;
        return outcome.body;
      }
      const delayMs = retryDelay(attempt, outcome);
      this.options.onRetry?.(
        outcome instanceof NetworkError
          ? outcome.message
          : `the server returned status ${String(outcome.response.status)}`,
        delayMs,
      );
      await delay(delayMs, undefined, { ...(request.signal ? { signal: request.signal } : {}) });
    }
  }

  private async attempt<T>(
    request: OutgoingRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<AttemptResult<T> | NetworkError> {
    const { method, path, body, signal, isKeyOptional = false } = request;
    const send = this.options.fetch ?? fetch;
    const consistency =
      method === 'GET' && this.consistencyToken !== undefined
        ? { [CONSISTENCY_TOKEN]: this.consistencyToken }
        : {};
    // Outside of the try block: these errors are not errors of the network.
    const token = await this.options.getToken?.();
    const renewed = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = new Headers({ ...this.identityHeaders, ...renewed, ...consistency, ...request.headers });
    let response: Response | undefined;
    try {
      response = await send(`${this.baseUrl}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // The only mode that fetch supports for streamed bodies.
        ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
        ...(signal ? { signal } : {}),
        redirect: 'error',
      });
      this.consistencyToken = response.headers.get(CONSISTENCY_TOKEN) ?? this.consistencyToken;
      const isKeyRejected = isKeyOptional && (await rejectsIdempotencyKey(response));
      return { response, body: await read(response), isKeyRejected };
    } catch (error) {
      if (signal?.aborted) throw error;
      return response ? this.truncatedResponseError(error) : this.connectionError(error);
    }
  }

  /** `fetch` throws a `TypeError` whose cause is the network error. */
  private connectionError(error: unknown): NetworkError {
    const cause = causeOf(error);
    const { message, code } = errorDetails(cause);
    const isOutcomeUnknown = !NOT_SENT_CODES.has(code) && !isPermanent(cause);
    return new NetworkError(`Cannot connect to Muster at ${this.baseUrl}: ${message}`, isOutcomeUnknown, {
      cause: error,
    });
  }

  private truncatedResponseError(error: unknown): NetworkError {
    const message = `The connection to ${this.baseUrl} was lost in the middle of a response`;
    return new NetworkError(message, true, { cause: error });
  }

  private mayRetry(
    { isIdempotent, body }: OutgoingRequest,
    outcome: AttemptResult<unknown> | NetworkError,
  ): boolean {
    if (body instanceof ReadableStream) return false;
    if (outcome instanceof NetworkError)
      return !isPermanent(causeOf(outcome.cause)) && (isIdempotent || !outcome.isOutcomeUnknown);
    const isTemporary = RETRYABLE_STATUSES.has(outcome.response.status);
    return isTemporary && (isIdempotent || !hasUnknownOutcome(outcome.response));
  }
}

/** Whether a 429 is about the idempotency key. The body of the response can still be read. */
async function rejectsIdempotencyKey(response: Response): Promise<boolean> {
  if (response.status !== 429) return false;
  const { details } = parseApiError(response, await response.clone().text());
  return details.some(({ field }) => field.toLowerCase() === IDEMPOTENCY_KEY);
}

/** The same request without its key. It is no longer idempotent. */
function withoutIdempotencyKey({ headers, ...request }: OutgoingRequest): OutgoingRequest {
  const others = Object.entries(headers).filter(([name]) => name !== IDEMPOTENCY_KEY);
  return { ...request, headers: Object.fromEntries(others), isIdempotent: false, isKeyOptional: false };
}

/** Whether a URL contains a user or a password: then it must not appear in messages. */
export const hasCredentials = (url: string): boolean =>
  /^[^/?#]*\/\/[^/?#]*@/.test(url) ||
  (URL.canParse(url) && /./.test(new URL(url).username + new URL(url).password));

/** Whether a text can be an API key. Anything else would appear in the error message for an invalid header. */
export const isApiKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Encodes a header value: the service reads UTF-8, and `fetch` sends each character as one byte. */
export const encodeHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** A retry cannot help against an untrusted certificate or a redirect. */
export const isPermanent = (cause: unknown): boolean => {
  const { message, code } = errorDetails(cause);
  return PERMANENT_CODES.test(code) || message === 'unexpected redirect';
};

const PERMANENT_CODES =
  /CERT|^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)$/;

/** The network error in an error of `fetch`. */
export const causeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'cause' in error ? (error.cause ?? error) : error;

/** The message and the code of a network error. An `AggregateError` of several addresses has a code and no message. */
export function errorDetails(cause: unknown): { message: string; code: string } {
  if (typeof cause !== 'object' || cause === null) return { message: String(cause), code: '' };
  const code = 'code' in cause ? String(cause.code) : '';
  const message = 'message' in cause ? String(cause.message) : '';
  return { message: message === '' ? code : message, code };
}

/** `Retry-After` if the service sends it; else exponential backoff with jitter. */
function retryDelay(attempt: number, outcome: AttemptResult<unknown> | NetworkError): number {
  const requested = outcome instanceof NetworkError ? null : outcome.response.headers.get('retry-after');
  if (requested !== null && /^\d{1,5}$/.test(requested))
    return Math.min(MAX_DELAY_MS, Number(requested) * 1000);
  return Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2);
}
