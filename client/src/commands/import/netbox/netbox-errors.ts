import { toMembers } from '../../../api/exact-json';
import { causeOf, errorDetails, isPermanent } from '../../../api/transport';
import { CliError, EXIT, usageError } from '../../../cli-error';
import { networkHints } from '../../network-hints';
import { textOf } from './answers';

/** The error of a request to NetBox without an answer. */
export interface FailedAttempt {
  readonly reason: CliError;
  /** Whether another attempt can succeed. */
  readonly isTemporary: boolean;
  /** Whether the connection was closed, as servers close idle connections. */
  readonly isClosed?: boolean;
  readonly retryAfter?: string | null;
}

/** The list exists, but the user of the token may not view it. */
export class ForbiddenListError extends CliError {}

const NO_PERMISSION = 'You do not have permission to perform this action.';
/** How many characters of a body that is not from NetBox are shown. */
const MAX_SHOWN_LENGTH = 200;

const SMALLER_PAGES = '  Smaller pages take less time: use --page-size.';

const CLOSED = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;
const TIMEOUT = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/;

/** The failure of a request that got no complete response. @param baseUrl of NetBox @param error of `fetch` */
export function connectionFailure(baseUrl: string, error: unknown): FailedAttempt {
  const cause = causeOf(error);
  const { message, code } = errorDetails(cause);
  const isTimeout = TIMEOUT.test(code);
  const reason = new CliError(
    `Cannot read from NetBox at ${baseUrl}: ${isTimeout ? 'no answer for five minutes' : message}.`,
    EXIT.unavailable,
    isTimeout ? [SMALLER_PAGES] : networkHints(code),
  );
  return { reason, isTemporary: !isPermanent(cause), isClosed: CLOSED.test(code) };
}

/** NetBox or a proxy is temporarily unavailable, or a proxy limits the rate. NetBox itself has no rate limit. */
const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/** The failure of a request that got an error. @param path of the request, below `baseUrl` @param text the body */
export function statusFailure(
  baseUrl: string,
  path: string,
  { status, headers }: Response,
  text: string,
): FailedAttempt {
  return {
    reason: statusError(baseUrl, path, status, headers.get('location'), text),
    isTemporary: isTemporaryStatus(status),
    retryAfter: headers.get('retry-after'),
  };
}

function statusError(
  baseUrl: string,
  path: string,
  status: number,
  location: string | null,
  text: string,
): CliError {
  const detail = errorDetail(text) ?? text.trim().slice(0, MAX_SHOWN_LENGTH);
  const statusText = String(status);
  if (status === 403 || status === 401)
    return detail === NO_PERMISSION
      ? new ForbiddenListError(
          `The user of the NetBox token may not view ${pathnameOf(path)} (${statusText}).`,
          EXIT.rejected,
        )
      : new CliError(`NetBox at ${baseUrl} rejects the token (${statusText}): ${detail}`, EXIT.rejected, [
          '  Set NETBOX_TOKEN, or use --netbox-token. The token of Muster is another one.',
        ]);
  if (status >= 300 && status < 400) return redirectError(baseUrl, path, location);
  if (status === 404)
    return usageError(`There is no API of NetBox at ${baseUrl}: ${pathnameOf(path)} was not found (404).`);
  return new CliError(
    `NetBox at ${baseUrl} answered with status ${statusText}${detail === '' ? '' : ` (${detail})`}.`,
    isTemporaryStatus(status) ? EXIT.unavailable : EXIT.rejected,
    status === 504 ? [SMALLER_PAGES] : [],
  );
}

/** Redirects are not followed: the token must not be sent to another server. */
function redirectError(baseUrl: string, path: string, location: string | null): CliError {
  const pathname = pathnameOf(path);
  const target =
    location !== null && URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
  // Without the query, which may have secrets.
  const address = target ? `${target.origin}${target.pathname}` : 'another address';
  const base = address.endsWith(pathname) ? address.slice(0, -pathname.length) : undefined;
  if (base !== undefined && base !== baseUrl)
    return usageError(`NetBox at ${baseUrl} redirects to ${base}: use that URL.`);
  return new CliError(
    `${baseUrl} redirects ${pathname} to ${address}, which is not the API of NetBox.`,
    EXIT.usageError,
    [
      '  It may be a login page: a proxy before NetBox may require a login. Use a URL of NetBox that accepts its token.',
    ],
  );
}

/** The message of an error of NetBox; undefined for other bodies. */
function errorDetail(text: string): string | undefined {
  try {
    return textOf(toMembers(JSON.parse(text))?.get('detail'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const pathnameOf = (path: string): string => path.replace(/\?.*$/, '');
