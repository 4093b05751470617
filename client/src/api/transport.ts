import { setTimeout as delay } from 'node:timers/promises';
import { mayBeDoneAfter, refusalOf, Unreachable } from './errors';

/** Who asks, and where. */
export interface Connection {
  /** Where Muster is: `http://127.0.0.1:7780`. */
  readonly url: string;
  /** An API key. */
  readonly token: string;
  /** The name of the user whose key it is; needed by no service, checked by each. */
  readonly user?: string;
  /** The id of the project to work in; without it, the user's own. */
  readonly project?: string;
}

/** How requests are sent. */
export interface TransportOptions {
  /** What sends requests: Node's own `fetch`, unless another is given. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a request is sent again that can be, before its failure is told. Usually 3. */
  readonly retries?: number;
  /** Told of each: what has happened, and in how many milliseconds it is tried again. */
  readonly onRetry?: (reason: string, delay: number) => void;
}

/** A request, ready to be sent. */
export interface Outgoing {
  readonly method: string;
  /** With the query, from `/` on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
  /** Whether it can be sent again although it may have been done: it reads, has a key or a precondition. */
  readonly repeatable: boolean;
  /** Whether to send it without its `Idempotency-Key` when the service stores no more answers for the user. */
  readonly isKeyOptional?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export const IDEMPOTENCY_KEY = 'idempotency-key';
const CONSISTENCY = 'x-consistency-token';
/** Answers that say: not now. */
const PASSING = new Set([429, 502, 503, 504]);
/** In milliseconds: what a first delay is about, and what one is at most. */
const FIRST_DELAY = 200;
const LONGEST_DELAY = 10_000;
/** Causes that say that no byte of the request arrived. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What was answered, and what was read of it. */
interface Answered<T> {
  readonly answer: Response;
  readonly read: T;
  /** Whether the request was rejected because of its key alone, and did nothing. */
  readonly isKeyRejected: boolean;
}

/** Sends requests as somebody, and again what may be sent again. Reads show what the same transport has written. */
export class Transport {
  private written: string | undefined;
  private readonly base: string;
  private readonly who: Readonly<Record<string, string>>;

  /** @throws TypeError for a URL or a key that no request can be made of: what `fetch` says of these shows the secret */
  constructor(
    { url, token, user, project }: Connection,
    private readonly options: TransportOptions = {},
  ) {
    if (hasCredentials(url)) throw new TypeError('the URL has a user or a password in it');
    if (!isKey(token)) throw new TypeError('the API key is not one word of printable characters');
    this.base = url.replace(/\/+$/, '');
    this.who = {
      authorization: `Bearer ${token}`,
      ...(user === undefined ? {} : { 'x-auth-user': headerOf(user) }),
      ...(project === undefined ? {} : { 'x-auth-project': headerOf(project) }),
    };
  }

  /** What stands before the paths of the API where this client reaches it. */
  get prefix(): string {
    return new URL(this.base).pathname.replace(/\/+$/, '');
  }

  /**
   * Sends a request and answers what came back, whatever its status.
   * @param read what is read of an answer, as a part of the try: one that breaks off is as good as none
   * @throws Unreachable if nothing did
   */
  async send<T>(outgoing: Outgoing, read: (answer: Response) => Promise<T>): Promise<T> {
    const { retries = 3 } = this.options;
    let request = outgoing;
    for (let attempt = 0; ; attempt++) {
      let outcome = await this.attempt(request, read);
      if (!(outcome instanceof Unreachable) && outcome.isKeyRejected) {
        this.options.onRetry?.('the limit of stored answers is reached, sending without a key', 0);
        request = withoutKey(request);
        outcome = await this.attempt(request, read);
      }
      const again = attempt < retries && this.mayRepeat(request, outcome);
      if (!again) {
        if (outcome instanceof Unreachable) throw outcome;
        return outcome.read;
      }
      const wait = delayOf(attempt, outcome);
      this.options.onRetry?.(
        outcome instanceof Unreachable
          ? outcome.message
          : `the server answers ${String(outcome.answer.status)}`,
        wait,
      );
      await delay(wait, undefined, { ...(request.signal ? { signal: request.signal } : {}) });
    }
  }

  private async attempt<T>(
    request: Outgoing,
    read: (answer: Response) => Promise<T>,
  ): Promise<Answered<T> | Unreachable> {
    const { method, path, body, signal, isKeyOptional = false } = request;
    const send = this.options.fetch ?? fetch;
    const reading = method === 'GET' && this.written !== undefined ? { [CONSISTENCY]: this.written } : {};
    // What cannot be a header is a fault of who asks, and no matter of the network.
    const headers = new Headers({ ...this.who, ...reading, ...request.headers });
    let answer: Response | undefined;
    try {
      answer = await send(`${this.base}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        // What is streamed is sent while the answer may begin.
        ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
        ...(signal ? { signal } : {}),
        redirect: 'error',
      });
      this.written = answer.headers.get(CONSISTENCY) ?? this.written;
      const isKeyRejected = isKeyOptional && (await namesKey(answer));
      return { answer, read: await read(answer), isKeyRejected };
    } catch (error) {
      if (signal?.aborted) throw error;
      return answer ? this.cutOff(error) : this.unreachable(error);
    }
  }

  /** Whatever `fetch` throws is a `TypeError`, and what has happened is in its cause. */
  private unreachable(error: unknown): Unreachable {
    const cause = causeOf(error);
    const { message, code } = saidBy(cause);
    const mayBeDone = !NEVER_SENT.has(code) && !isLasting(cause);
    return new Unreachable(`Muster does not answer at ${this.base}: ${message}`, mayBeDone, { cause: error });
  }

  private cutOff(error: unknown): Unreachable {
    const message = `The connection to ${this.base} was lost in the middle of an answer.`;
    return new Unreachable(message, true, { cause: error });
  }

  private mayRepeat({ repeatable, body }: Outgoing, outcome: Answered<unknown> | Unreachable): boolean {
    if (body instanceof ReadableStream) return false;
    if (outcome instanceof Unreachable)
      return !isLasting(causeOf(outcome.cause)) && (repeatable || !outcome.mayBeDone);
    const isPassing = PASSING.has(outcome.answer.status);
    return isPassing && (repeatable || !mayBeDoneAfter(outcome.answer));
  }
}

/** Whether a 429 names the key of its request. The body of the answer can still be read. */
async function namesKey(answer: Response): Promise<boolean> {
  if (answer.status !== 429) return false;
  const { details } = refusalOf(answer, await answer.clone().text());
  return details.some(({ field }) => field.toLowerCase() === IDEMPOTENCY_KEY);
}

/** The same request without its key. When its answer is lost, it must not be sent again. */
function withoutKey({ headers, ...request }: Outgoing): Outgoing {
  const others = Object.entries(headers).filter(([name]) => name !== IDEMPOTENCY_KEY);
  return { ...request, headers: Object.fromEntries(others), repeatable: false, isKeyOptional: false };
}

/** Whether a URL tells a user or a password: nothing that is said of it may show it then. */
export const hasCredentials = (url: string): boolean =>
  /^[^/?#]*\/\/[^/?#]*@/.test(url) ||
  (URL.canParse(url) && /./.test(new URL(url).username + new URL(url).password));

/** Whether a text can be an API key: whatever else is in it would be told by what refuses it as a header. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** A text as a header has it: the service reads UTF-8, and `fetch` takes a character for each byte. */
export const headerOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** A certificate that is not trusted, and a redirect, are the same a moment later. */
const isLasting = (cause: unknown): boolean => {
  const { message, code } = saidBy(cause);
  return LASTING.test(code) || message === 'unexpected redirect';
};

const LASTING = /CERT|^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)$/;

const causeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'cause' in error ? (error.cause ?? error) : error;

/** What an error of the network says. One of several addresses that were tried has a code, and no message. */
function saidBy(cause: unknown): { message: string; code: string } {
  if (typeof cause !== 'object' || cause === null) return { message: String(cause), code: '' };
  const code = 'code' in cause ? String(cause.code) : '';
  const message = 'message' in cause ? String(cause.message) : '';
  return { message: message === '' ? code : message, code };
}

/** As the service wishes; else longer each time, and never for two clients alike. */
function delayOf(attempt: number, outcome: Answered<unknown> | Unreachable): number {
  const wished = outcome instanceof Unreachable ? null : outcome.answer.headers.get('retry-after');
  if (wished !== null && /^\d{1,5}$/.test(wished)) return Math.min(LONGEST_DELAY, Number(wished) * 1000);
  return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt) * (0.5 + Math.random() / 2);
}
