import { setTimeout as delay } from 'node:timers/promises';
import { toMembers } from '../../../api/exact-json';
import { causeOf, errorDetails, isApiKey, isPermanent } from '../../../api/transport';
import { CliError, EXIT, usageError } from '../../../cli-error';
import { assertUrl, nonEmpty } from '../../../settings/settings';
import { printStatus } from '../../../output/console';
import {
  parseAnswer,
  type Answer,
  type ListPath,
  type NetBoxAnswers,
  idOf,
  listOf,
  objectOf,
  textOf,
} from './answers';

/** How to reach a NetBox. */
export interface NetBoxConnection {
  /** With or without `/api` at the end. */
  readonly netboxUrl?: string;
  readonly netboxToken?: string;
  /** The size of pages. NetBox may limit it. 0 stands for as many objects as NetBox allows. */
  readonly pageSize?: number;
}

const DEFAULT_PAGE_SIZE = 500;
const MAX_RETRIES = 5;
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 5 * 60 * 1000;
/** NetBox or a proxy is temporarily unavailable, or a proxy limits the rate. NetBox itself has no rate limit. */
const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/** The REST API of a NetBox 4. It only reads. */
export class NetBoxClient implements NetBoxAnswers {
  /** Without a slash at the end. */
  private readonly url: string;
  private readonly token: string;
  private readonly pageSize: number;

  /** @param signal interrupts requests @throws CliError if the URL or the token is missing or invalid */
  constructor(
    { netboxUrl, netboxToken, pageSize = DEFAULT_PAGE_SIZE }: NetBoxConnection,
    private readonly signal?: AbortSignal,
  ) {
    const url = netboxUrl ?? nonEmpty(process.env['NETBOX_URL']);
    const token = (netboxToken ?? nonEmpty(process.env['NETBOX_TOKEN']))?.trim();
    if (url === undefined)
      throw usageError(
        'Missing URL of NetBox: use --netbox-url or NETBOX_URL, or --files for saved answers. --url is the URL of Muster.',
      );
    if (token === undefined)
      throw usageError(
        'Missing token of NetBox: set NETBOX_TOKEN, or use --netbox-token. --token is the key of Muster.',
      );
    assertUrl(url);
    if (!isApiKey(token)) throw usageError('The token of NetBox is not one word of printable characters.');
    this.url = url.replace(/\/+$/, '').replace(/\/api$/, '');
    this.token = token;
    this.pageSize = pageSize;
  }

  async readVersion(): Promise<string | undefined> {
    const { body } = await this.get('/api/status/');
    return textOf(toMembers(body)?.get('netbox-version'));
  }

  async *pages(path: ListPath): AsyncGenerator<Answer> {
    // The order of config contexts is the order in which NetBox applies them. All others get one that does not change.
    const order = path === 'extras/config-contexts' ? '' : '&ordering=id';
    let next: string | undefined = `/api/${path}/?limit=${String(this.pageSize)}${order}`;
    const requested = new Set<string>();
    let last: string | undefined;
    while (next !== undefined) {
      if (requested.has(next)) throw new CliError(`NetBox repeats the page ${next}.`, EXIT.unavailable);
      requested.add(next);
      const answer = await this.get(next);
      const ids = idsOf(answer);
      yield { ...answer, isShifted: last !== undefined && ids[0] !== last };
      last = ids.at(-1);
      next = nextPage(answer);
    }
  }

  /** @throws CliError if no complete answer arrives, or it is an error */
  private async get(path: string): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const result = await this.attempt(`${this.url}${path}`);
      if (!('reason' in result)) return result;
      const { reason, isTemporary, retryAfter } = result;
      if (!isTemporary || attempt === MAX_RETRIES) throw reason;
      const delayMs = retryDelay(attempt, retryAfter);
      printStatus(`${reason.message} Retrying in ${(delayMs / 1000).toFixed(1)} s.`);
      await delay(delayMs, undefined, this.signal ? { signal: this.signal } : {});
    }
  }

  private async attempt(url: string): Promise<Answer | FailedAttempt> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        // Errors are recognized by their English texts.
        headers: {
          // Tokens of version 2, which NetBox 4.5 introduced, have a prefix and another scheme.
          authorization: `${this.token.startsWith('nbt_') ? 'Bearer' : 'Token'} ${this.token}`,
          accept: 'application/json',
          'accept-language': 'en',
        },
        // The token must not be sent to another server.
        redirect: 'manual',
        ...(this.signal ? { signal: this.signal } : {}),
      });
      text = await response.text();
    } catch (error) {
      if (this.signal?.aborted === true) throw error;
      const cause = causeOf(error);
      const message = `Cannot read from NetBox at ${this.url}: ${errorDetails(cause).message}.`;
      return { reason: new CliError(message, EXIT.unavailable), isTemporary: !isPermanent(cause) };
    }
    if (response.ok) return { text, body: parseAnswer(text, url), origin: url };
    return {
      // A proxy may show the headers of the request.
      reason: this.errorOf(url, response, text.replaceAll(this.token, '…')),
      isTemporary: isTemporaryStatus(response.status),
      retryAfter: response.headers.get('retry-after'),
    };
  }

  private errorOf(url: string, { status, headers }: Response, text: string): CliError {
    const statusText = String(status);
    if (status === 403 || status === 401) {
      const detail = errorDetail(text) ?? text.trim().slice(0, MAX_SHOWN_LENGTH);
      return detail === NO_PERMISSION
        ? new CliError(
            `The user of the NetBox token may not view ${pathOf(url)} (${statusText}).`,
            EXIT.rejected,
          )
        : new CliError(`NetBox at ${this.url} rejects the token (${statusText}): ${detail}`, EXIT.rejected, [
            '  Set NETBOX_TOKEN, or use --netbox-token. The token of Muster is another one.',
          ]);
    }
    if (status >= 300 && status < 400)
      return usageError(
        `NetBox at ${this.url} redirects to ${headers.get('location') ?? 'another URL'}: use that URL.`,
      );
    if (status === 404)
      return usageError(`There is no API of NetBox at ${this.url}: ${pathOf(url)} was not found (404).`);
    const shown = errorDetail(text) ?? text.trim().slice(0, MAX_SHOWN_LENGTH);
    return new CliError(
      `NetBox at ${this.url} answered with status ${statusText}${shown === '' ? '' : ` (${shown})`}.`,
      isTemporaryStatus(status) ? EXIT.unavailable : EXIT.rejected,
      status === 504 ? ['  Smaller pages take less time: use --page-size.'] : [],
    );
  }
}

/** An attempt without an answer. */
interface FailedAttempt {
  readonly reason: CliError;
  readonly isTemporary: boolean;
  readonly retryAfter?: string | null;
}

const NO_PERMISSION = 'You do not have permission to perform this action.';
/** How many characters of a body that is not from NetBox are shown. */
const MAX_SHOWN_LENGTH = 200;

/** The message of an error of NetBox; undefined for other bodies. */
function errorDetail(text: string): string | undefined {
  try {
    return textOf(toMembers(JSON.parse(text))?.get('detail'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const pathOf = (url: string): string => new URL(url).pathname;

const idsOf = ({ body }: Answer): string[] =>
  listOf(toMembers(body)?.get('results')).map((item) => idOf(objectOf(item)?.['id']));

/**
 * The path of the next page. It begins with the last object of this one: if another object is there, objects were created
 * or deleted before it, and some may be missing between the pages. NetBox writes URLs with the host that it knows, which
 * may be one behind a proxy.
 */
function nextPage({ body, origin }: Answer): string | undefined {
  const next = textOf(toMembers(body)?.get('next'));
  if (next === undefined) return undefined;
  const { pathname, searchParams } = new URL(next, origin);
  searchParams.set('offset', String(Number(searchParams.get('offset')) - 1));
  return `${pathname.slice(Math.max(0, pathname.indexOf('/api/')))}?${searchParams.toString()}`;
}

/** `Retry-After`, as seconds or as a date; else exponential backoff with jitter. */
function retryDelay(attempt: number, retryAfter: string | null = null): number {
  const backoff = MIN_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2);
  if (retryAfter === null) return backoff;
  const requested = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(requested) ? backoff : Math.min(MAX_DELAY_MS, Math.max(0, requested));
}
