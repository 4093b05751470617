import { ApiError, NetworkError } from '@muster/api-types';
import { isInaccessibleProject } from './errors';
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

/** The key of a write whose outcome is unknown. */
interface Unanswered {
  readonly key: string;
  /** When it was sent last, in milliseconds since the epoch. */
  readonly sentAt: number;
}

/**
 * The writes whose outcome is unknown, by what they write, until the page is reloaded: a copy in the storage of the tab would
 * have to be of one user, and secrets can be anywhere in bodies.
 */
const unanswered = new Map<string, Unanswered>();

/** After this time, others may have undone a write: its repeated response would say that it is done. */
const MAX_AGE_MS = 15 * 60_000;

function forgetOld(): void {
  for (const [content, { sentAt }] of unanswered)
    if (Date.now() - sentAt > MAX_AGE_MS) unanswered.delete(content);
}

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

/**
 * Whether a rejection says that nothing was done with the key of the request: it contradicts the inventory, which the service finds
 * out after it has looked at the key. Others, such as those of the authentication, a limit or a proxy, can come before, so they say
 * nothing about an earlier attempt.
 */
const saysNotDone = (error: ApiError): boolean =>
  [404, 409, 412].includes(error.status) && !isInaccessibleProject(error);

/** Whether a write like this one may have been done, because its response did not arrive: the same, or another one at the same path. */
export function earlierAttempt(request: Write): EarlierAttempt {
  forgetOld();
  if (unanswered.size === 0) return undefined;
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
  forgetOld();
  const content = contentOf(request);
  const key = unanswered.get(content)?.key ?? newKey();
  try {
    const result = await send({ [IDEMPOTENCY_KEY]: key, 'X-Request-Id': key });
    // It may undo an unanswered one, which is not done again with its key.
    unanswered.clear();
    return result;
  } catch (error) {
    if (mayHaveBeenDone(error)) unanswered.set(content, { key, sentAt: Date.now() });
    if (!(error instanceof ApiError)) throw error;
    // The service stores no more responses of this user for now, and has done nothing.
    const isUnstored = error.status === 429 && error.detail(IDEMPOTENCY_KEY) !== undefined;
    if (isUnstored || saysNotDone(error)) unanswered.delete(content);
    if (isUnstored) return send({});
    throw error;
  }
}
