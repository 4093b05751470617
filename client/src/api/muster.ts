import { randomUUID } from 'node:crypto';
import { NetworkError, parseApiError } from '@muster/api-types';
import {
  encodeHeader,
  IDEMPOTENCY_KEY,
  Transport,
  type Connection,
  type OutgoingRequest,
  type TransportOptions,
} from './transport';
import type {
  Body,
  CommonWriteOptions,
  Field,
  FieldsReadOptions,
  Item,
  ListPaths,
  Method,
  PathsOf,
  ReadResponseBody,
  ResponseBody,
  Schemas,
  WriteOptions,
  WriteResponseBody,
} from './types';

/** How JSON is parsed and printed. A program that needs every digit of a number passes its own implementation. */
export interface JsonFormat {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** The options of a client. */
export interface MusterOptions extends Connection, TransportOptions {
  readonly json?: JsonFormat;
  /** The reason in the change records of writes that have no reason of their own: see `CommonWriteOptions`. */
  readonly reason?: string;
  /** Why writes are done without the approvals that they need: see `CommonWriteOptions`. */
  readonly override?: string;
}

type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/** The options of a request whose path is not checked by the compiler. */
export interface RequestOptions extends CommonWriteOptions {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined if there is none. */
  readonly body: unknown;
}

/** A page of a list. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly isLast: boolean;
}

/** Query parameters that take a comma-separated list. Other lists are sent as repeated parameters. */
const COMMA_SEPARATED = new Set(['fields', 'sort_keys', 'explain', 'group_by']);

/**
 * A client of Muster's API. Its methods take the paths of the API. The compiler checks parameters, bodies and results
 * against the API's description.
 *
 * Every method throws an `ApiError` for an error response, and a `NetworkError` if no complete response arrives.
 */
export class Muster {
  private readonly transport: Transport;
  private readonly json: JsonFormat;
  private readonly reason: string | undefined;
  private readonly override: string | undefined;

  constructor(private readonly options: MusterOptions) {
    const { json = JSON, reason, override } = options;
    this.transport = new Transport(options, options);
    this.json = json;
    this.reason = reason;
    this.override = override;
  }

  /**
   * The same client for requests that are not worth waiting for: it does not retry them.
   * @param timeoutMs after this time, from now on, all of its requests fail with a `NetworkError`
   */
  withoutRetries(timeoutMs: number): Muster {
    const timeout = AbortSignal.timeout(timeoutMs);
    const { fetch: send = fetch } = this.options;
    return new Muster({
      ...this.options,
      retries: 0,
      fetch: (url, { signal, ...init }) =>
        send(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout }),
    });
  }

  /** Reads a resource or a list: `get('/v1/hosts/{id}', { path: { id: 1 } })`. */
  async get<P extends PathsOf<'get'>, Fs extends Field<P>[] = never>(
    path: P,
    options: FieldsReadOptions<P, Fs>,
  ): Promise<ReadResponseBody<P, Fs>> {
    return (await this.request('get', path, options)).body as ReadResponseBody<P, Fs>;
  }

  /** Iterates over the items of a list, page by page. `limit` is the size of a page. */
  async *list<P extends ListPaths, Fs extends Field<P>[] = never>(
    path: P,
    options: FieldsReadOptions<P, Fs>,
  ): AsyncGenerator<Item<P, Fs>> {
    for await (const item of this.items(path, options)) yield item as Item<P, Fs>;
  }

  /** Creates resources or starts an operation. An array is processed completely or not at all. */
  async post<P extends PathsOf<'post'>, B extends Body<P, 'post'>>(
    path: P,
    options: WriteOptions<P, 'post', B>,
  ): Promise<WriteResponseBody<P, 'post', B>> {
    return (await this.request('post', path, options)).body as WriteResponseBody<P, 'post', B>;
  }

  /** Updates the members in the body. */
  async put<P extends PathsOf<'put'>>(
    path: P,
    options: WriteOptions<P, 'put'>,
  ): Promise<ResponseBody<P, 'put'>> {
    return (await this.request('put', path, options)).body as ResponseBody<P, 'put'>;
  }

  /** Deletes a resource. */
  async delete<P extends PathsOf<'delete'>>(path: P, options: WriteOptions<P, 'delete'>): Promise<void> {
    await this.request('delete', path, options as RequestOptions);
  }

  /** Dry run: what a write would change, and which devices it would affect. Nothing is written. */
  async preview<M extends Exclude<Method, 'get'>, P extends PathsOf<M>>(
    method: M,
    path: P,
    options: WriteOptions<P, M>,
  ): Promise<Schemas['Preview']> {
    const { query, ...rest } = options as RequestOptions;
    const { body } = await this.request(method, path, { ...rest, query: { ...query, dry_run: true } });
    return body as Schemas['Preview'];
  }

  /**
   * Proposes a write to others instead of doing it.
   * @param title of the proposal
   * @returns the proposal, with its `id`. Nothing is written
   */
  async propose<M extends Exclude<Method, 'get'>, P extends PathsOf<M>>(
    title: string,
    method: M,
    path: P,
    options: WriteOptions<P, M>,
  ): Promise<Schemas['ProposalDetails']> {
    const { query, ...rest } = options as RequestOptions;
    const { body } = await this.request(method, path, { ...rest, query: { ...query, propose: title } });
    return body as Schemas['ProposalDetails'];
  }

  /** A request whose path is known only at run time. */
  async request(method: Method, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const headers = { accept: 'application/json', ...options.headers };
    const request = this.buildRequest(method, path, { ...options, headers });
    const { response, text } = await this.transport.send(request, readText);
    if (!response.ok) throw parseApiError(response, text);
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : this.json.parse(text),
    };
  }

  /** The items of a list whose path is known only at run time. */
  async *items(path: string, options: RequestOptions = {}): AsyncGenerator {
    for await (const { items } of this.pages(path, options)) yield* items;
  }

  /** The pages of a list whose path is known only at run time. */
  async *pages(path: string, options: RequestOptions = {}): AsyncGenerator<ListPage> {
    let next: string | undefined = buildPath(path, options);
    while (next !== undefined) {
      const page: LinkedPage = await this.fetchPage(next, options);
      // Every response with a Link header has one of these links. Without any, that to the next page may be missing, too.
      if (!page.isLinked && page.items.length > 0)
        throw new NetworkError(
          `The response to GET ${path} has no Link header, so the list may be incomplete. A proxy before Muster must pass the header on.`,
          false,
        );
      next = page.next;
      yield page;
    }
  }

  /** The first page of a list. */
  firstPage(path: string, options: RequestOptions = {}): Promise<ListPage> {
    return this.fetchPage(buildPath(path, options), options);
  }

  /** The service returns pages as arrays or as objects, depending on its configuration. */
  private async fetchPage(path: string, { signal }: RequestOptions): Promise<LinkedPage> {
    const { headers, body } = await this.request('get', path, { ...(signal ? { signal } : {}) });
    const { items, links } = Array.isArray(body)
      ? { items: body, links: headers.get('link') }
      : (body as PageBody);
    const next = findLink('next', links, this.transport.prefix);
    // No proxy removes links from a body.
    const isLinked =
      !Array.isArray(body) || ['next', 'prev', 'self'].some((rel) => findLink(rel, links) !== undefined);
    return { items, isLast: next === undefined, next, isLinked };
  }

  /**
   * Sends a request and returns the response with its body unread: for streams.
   * @throws ApiError, NetworkError
   */
  async open(
    method: Method,
    path: string,
    options: RequestOptions & { stream?: OutgoingRequest['body'] },
  ): Promise<Response> {
    const request = this.buildRequest(method, path, options);
    const { response, text } = await this.transport.send(request, async (received) =>
      received.ok ? { response: received, text: '' } : readText(received),
    );
    if (response.ok) return response;
    throw parseApiError(response, text);
  }

  private buildRequest(
    method: Method,
    path: string,
    options: RequestOptions & { stream?: OutgoingRequest['body'] },
  ): OutgoingRequest {
    return {
      method: method.toUpperCase(),
      path: buildPath(path, options),
      headers: { ...(method === 'get' ? {} : this.writeHeaders(method, options)), ...options.headers },
      ...this.buildBody(options),
      isIdempotent:
        method === 'get' ||
        (method === 'post' && options.idempotencyKey !== null) ||
        options.ifMatch !== undefined,
      // The caller relies on a key of its own: it is never dropped.
      isKeyOptional:
        method === 'post' &&
        options.idempotencyKey === undefined &&
        !(options.stream instanceof ReadableStream),
      signal: options.signal,
    };
  }

  private buildBody({
    body,
    stream,
  }: {
    body?: unknown;
    stream?: OutgoingRequest['body'];
  }): Pick<OutgoingRequest, 'body'> {
    if (stream !== undefined) return { body: stream };
    return body === undefined ? {} : { body: this.json.stringify(body) };
  }

  private writeHeaders(
    method: Method,
    options: RequestOptions & { stream?: unknown },
  ): Record<string, string> {
    const { body, ifMatch, idempotencyKey = randomUUID() } = options;
    const { reason = this.reason, override = this.override } = options;
    return {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(reason === undefined ? {} : { 'x-change-reason': encodeHeader(reason) }),
      ...(override === undefined ? {} : { 'x-change-override': encodeHeader(override) }),
      ...(ifMatch === undefined
        ? {}
        : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
      ...(method === 'post' && idempotencyKey !== null ? { [IDEMPOTENCY_KEY]: idempotencyKey } : {}),
    };
  }
}

interface LinkedPage extends ListPage {
  /** The path and the query of the next page. */
  readonly next: string | undefined;
  readonly isLinked: boolean;
}

interface PageBody {
  readonly items: readonly unknown[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const readText = async (response: Response): Promise<{ response: Response; text: string }> => ({
  response,
  text: await response.text(),
});

/** Fills in the path parameters and appends the query. @throws TypeError for a missing parameter */
export function buildPath(
  template: string,
  { path = {}, query = {} }: Pick<RequestOptions, 'path' | 'query'>,
): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new TypeError(`${template} needs its parameter ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) ? value.map(String) : [String(value)];
    for (const text of COMMA_SEPARATED.has(name) ? [values.join(',')] : values) search.append(name, text);
  }
  const text = search.toString();
  if (text === '') return filled;
  return `${filled}${filled.includes('?') ? '&' : '?'}${text}`;
}

/** The links of a page: members of a page object, or a `Link` header (RFC 8288). */
type Links = readonly { readonly rel: string; readonly href: string }[] | string | null;

/**
 * The path and the query of a link; undefined if there is none. The host in a link may be the service's public one.
 * @param prefix the path prefix of this client's URL
 */
function findLink(rel: string, links: Links, prefix = ''): string | undefined {
  const found = typeof links === 'string' ? parseLinkHeader(links) : (links ?? []);
  const href = found.find((link) => link.rel === rel)?.href;
  if (href === undefined) return undefined;
  const { pathname, search } = new URL(href, 'http://localhost');
  // The prefix is part of the client's URL already.
  const start = pathname.startsWith(`${prefix}/v1/`) ? prefix.length : Math.max(0, pathname.indexOf('/v1/'));
  return `${pathname.slice(start)}${search}`;
}

const parseLinkHeader = (header: string): { rel: string; href: string }[] =>
  [...header.matchAll(/<([^>]*)>; *rel="([^"]*)"/g)].map(([, href = '', rel = '']) => ({ rel, href }));
