import { setTimeout as delay } from 'node:timers/promises';
import { toMembers } from '../../../api/exact-json';
import { isApiKey } from '../../../api/transport';
import { CliError, EXIT, usageError } from '../../../cli-error';
import type { ReadingProgress } from './reading-progress';
import { assertUrl, nonEmpty, withoutScheme } from '../../../settings/settings';
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
import { connectionFailure, ForbiddenListError, statusFailure, type FailedAttempt } from './netbox-errors';

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
    const given = netboxToken ?? nonEmpty(process.env['NETBOX_TOKEN']);
    const token = given === undefined ? undefined : withoutScheme(given.trim());
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
      next = nextPage(path, answer);
    }
  }

  async assertReadable(paths: readonly ListPath[], progress: ReadingProgress): Promise<void> {
    const forbidden: ListPath[] = [];
    for (const path of paths)
      try {
        progress.request(path);
        await this.get(`/api/${path}/?limit=1&brief=true`);
      } catch (error) {
        if (!(error instanceof ForbiddenListError)) throw error;
        forbidden.push(path);
      }
    if (forbidden.length > 0)
      throw new CliError(
        `The user of the NetBox token may not view ${forbidden.sort().join(', ')}.`,
        EXIT.rejected,
        ['  Give the user the permission to view them: docs/netbox.md lists what an import reads.'],
      );
  }

  /** @throws CliError if no complete answer arrives, or it is an error */
  private async get(path: string): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const result = await this.attempt(path);
      if (!('reason' in result)) return result;
      const { reason, isTemporary, isClosed, retryAfter } = result;
      if (!isTemporary || attempt === MAX_RETRIES) throw reason;
      // The server has closed an idle connection just when the request was sent.
      if (isClosed && attempt === 0) continue;
      const delayMs = retryDelay(attempt, retryAfter);
      printStatus(`${reason.message} Retrying in ${(delayMs / 1000).toFixed(1)} s.`);
      await delay(delayMs, undefined, this.signal ? { signal: this.signal } : {});
    }
  }

  private async attempt(path: string): Promise<Answer | FailedAttempt> {
    const url = `${this.url}${path}`;
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
      return connectionFailure(this.url, error);
    }
    if (response.ok) return { text, body: parseAnswer(text, url), origin: url };
    // A proxy may show the headers of the request.
    return statusFailure(this.url, path, response, text.replaceAll(this.token, '…'));
  }
}

const idsOf = ({ body }: Answer): string[] =>
  listOf(toMembers(body)?.get('results')).map((item) => idOf(objectOf(item)?.['id']));

/**
 * The path of the next page. It begins with the last object of this one: if another object is there, objects were created
 * or deleted before it, and some may be missing between the pages. Of NetBox's URL only the query counts: NetBox knows
 * itself under a host and a path that may be those behind a proxy.
 */
function nextPage(path: ListPath, { body, origin }: Answer): string | undefined {
  const next = textOf(toMembers(body)?.get('next'));
  if (next === undefined) return undefined;
  const { searchParams } = new URL(next, origin);
  searchParams.set('offset', String(Number(searchParams.get('offset')) - 1));
  return `/api/${path}/?${searchParams.toString()}`;
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
