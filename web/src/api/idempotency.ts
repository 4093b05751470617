import { ApiError, NetworkError } from '@muster/api-types';
import { fileNumber } from './file-number';

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** What identifies a write. */
interface Write {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Blob;
}

/** Whether an unanswered write with the same method and path has the same content, or other content. Undefined: there is none. */
type EarlierAttempt = 'same' | 'other' | undefined;

/** The keys of writes whose outcome is unknown, by what they write. */
const unanswered = new Map<string, string>();

const targetOf = ({ method, path }: Write): string => `${method} ${path} `;

/** A text that is the same for writes that do the same. Reasons are left out: the service does not compare them. */
function contentOf(request: Write): string {
  const { query = {}, headers = {}, body } = request;
  const conditions = Object.entries(headers).filter(([name]) => !name.startsWith('X-Change-'));
  return targetOf(request) + JSON.stringify([query, conditions, body, fileNumber(body)]);
}

/** Sessions have no keys, and what changes nothing needs none. */
const takesKey = ({ method, path, query = {} }: Write): boolean =>
  method !== 'GET' && query['dry_run'] === undefined && !path.startsWith('/v1/session');

/** A key also works where the browser has no `randomUUID`: on a page without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Whether a request may have been done, although its response says otherwise, or did not arrive. */
export const mayHaveBeenDone = (error: unknown): boolean =>
  (error instanceof NetworkError || error instanceof ApiError) && error.isOutcomeUnknown;

/** Whether a write like this one may have been done, because its response did not arrive: the same, or another one at the same path. */
export function earlierAttempt(request: Write): EarlierAttempt {
  if (unanswered.has(contentOf(request))) return 'same';
  return [...unanswered.keys()].some((other) => other.startsWith(targetOf(request))) ? 'other' : undefined;
}

/**
 * Sends a write with an `Idempotency-Key`. If its response does not arrive, the same write has the same key when it is sent again:
 * the service does it once, and repeats its response. The key is also the id of the request: a repeated response is about the
 * change of the first request.
 * @param send sends the request with further headers
 */
export async function sendOnce<T>(
  request: Write,
  send: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (!takesKey(request)) return send({});
  const content = contentOf(request);
  const key = unanswered.get(content) ?? newKey();
  try {
    const result = await send({ [IDEMPOTENCY_KEY]: key, 'X-Request-Id': key });
    // It may undo an unanswered one, which is not done again with its key.
    unanswered.clear();
    return result;
  } catch (error) {
    if (mayHaveBeenDone(error)) unanswered.set(content, key);
    else unanswered.delete(content);
    // The service stores no more responses of this user for now, and has done nothing.
    if (error instanceof ApiError && error.status === 429 && error.detail(IDEMPOTENCY_KEY) !== undefined)
      return send({});
    throw error;
  }
}
