import { randomUUID } from 'node:crypto';
import { refusalOf } from './errors';
import {
  headerOf,
  IDEMPOTENCY_KEY,
  Transport,
  type Connection,
  type Outgoing,
  type TransportOptions,
} from './transport';
import type {
  Answer,
  AnswerTo,
  Body,
  Field,
  Item,
  ListPaths,
  Method,
  PathsOf,
  ReadAnswer,
  Schemas,
  SelectingOptions,
  WriteOptions,
  WriteSettings,
} from './types';

/** How JSON is read and written: a program that has to keep every digit of a number brings its own. */
export interface JsonFormat {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** What a client is made with. */
export interface MusterOptions extends Connection, TransportOptions {
  readonly json?: JsonFormat;
  /** Why, for the change records of writes that say nothing of their own. */
  readonly reason?: string;
}

type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/** A request that the compiler knows nothing about. */
export interface PlainRequest extends WriteSettings {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request was answered with. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined where there is none. */
  readonly body: unknown;
}

/** A page of a list. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly isLast: boolean;
}

/** Query parameters whose values are one text, joined by commas; others are repeated. */
const JOINED = new Set(['fields', 'sort_keys', 'explain']);

/**
 * A client of Muster's API. Its methods take the paths of the API, and what they are given and return is checked by
 * the compiler against the API's description.
 *
 * Every method throws a `Refusal` where the service says no, and an `Unreachable` where nothing answers.
 */
export class Muster {
  private readonly transport: Transport;
  private readonly json: JsonFormat;
  private readonly reason: string | undefined;

  constructor({ json = JSON, reason, ...options }: MusterOptions) {
    this.transport = new Transport(options, options);
    this.json = json;
    this.reason = reason;
  }

  /** Reads: `get('/v1/hosts/{id}', { path: { id: 1 } })`. */
  async get<P extends PathsOf<'get'>, Fs extends Field<P>[] = never>(
    path: P,
    options: SelectingOptions<P, Fs>,
  ): Promise<ReadAnswer<P, Fs>> {
    return (await this.request('get', path, options)).body as ReadAnswer<P, Fs>;
  }

  /** The items of a list, one by one, from as many pages as it has. A `limit` is of a page, not of the list. */
  async *list<P extends ListPaths, Fs extends Field<P>[] = never>(
    path: P,
    options: SelectingOptions<P, Fs>,
  ): AsyncGenerator<Item<P, Fs>> {
    for await (const item of this.items(path, options)) yield item as Item<P, Fs>;
  }

  /** Creates, or does: of an array, all or none. */
  async post<P extends PathsOf<'post'>, B extends Body<P, 'post'>>(
    path: P,
    options: WriteOptions<P, 'post', B>,
  ): Promise<AnswerTo<P, 'post', B>> {
    return (await this.request('post', path, options)).body as AnswerTo<P, 'post', B>;
  }

  /** Changes what the body names. */
  async put<P extends PathsOf<'put'>>(path: P, options: WriteOptions<P, 'put'>): Promise<Answer<P, 'put'>> {
    return (await this.request('put', path, options)).body as Answer<P, 'put'>;
  }

  /** Deletes. */
  async delete<P extends PathsOf<'delete'>>(path: P, options: WriteOptions<P, 'delete'>): Promise<void> {
    await this.request('delete', path, options as PlainRequest);
  }

  /** What a write would do, to which devices, without doing it. */
  async preview<M extends Exclude<Method, 'get'>, P extends PathsOf<M>>(
    method: M,
    path: P,
    options: WriteOptions<P, M>,
  ): Promise<Schemas['PreviewView']> {
    const { query, ...rest } = options as PlainRequest;
    const tried = await this.request(method, path, { ...rest, query: { ...query, dry_run: true } });
    return tried.body as Schemas['PreviewView'];
  }

  /** A request whose path is not known when the program is compiled. */
  async request(method: Method, path: string, options: PlainRequest = {}): Promise<PlainAnswer> {
    const asked = { ...options, headers: { accept: 'application/json', ...options.headers } };
    const { answer, text } = await this.transport.send(this.outgoing(method, path, asked), textOf);
    if (!answer.ok) throw refusalOf(answer, text);
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : this.json.parse(text),
    };
  }

  /** The items of a list whose path is not known when the program is compiled. */
  async *items(path: string, options: PlainRequest = {}): AsyncGenerator {
    for await (const { items } of this.pages(path, options)) yield* items;
  }

  /** The same, page by page: each says whether there is another one, before it is asked for. */
  async *pages(path: string, options: PlainRequest = {}): AsyncGenerator<ListPage> {
    let next: string | undefined = pathOf(path, options);
    while (next !== undefined) {
      const page = await this.pageAt(next, options);
      next = page.next;
      yield page;
    }
  }

  /** The first page alone. */
  firstPage(path: string, options: PlainRequest = {}): Promise<ListPage> {
    return this.pageAt(pathOf(path, options), options);
  }

  /** A deployment answers lists as arrays or as objects, whichever it is set to. */
  private async pageAt(
    path: string,
    { signal }: PlainRequest,
  ): Promise<ListPage & { next: string | undefined }> {
    const { headers, body } = await this.request('get', path, { ...(signal ? { signal } : {}) });
    const { items, links } = Array.isArray(body)
      ? { items: body, links: headers.get('link') }
      : (body as Page);
    const next = linkTo('next', links, this.transport.prefix);
    return { items, isLast: next === undefined, next };
  }

  /**
   * Sends a request and leaves the answer's body to the caller: for what is streamed.
   * @throws Refusal, Unreachable
   */
  async open(
    method: Method,
    path: string,
    options: PlainRequest & { stream?: Outgoing['body'] },
  ): Promise<Response> {
    const request = this.outgoing(method, path, options);
    const { answer, text } = await this.transport.send(request, async (given) =>
      given.ok ? { answer: given, text: '' } : textOf(given),
    );
    if (answer.ok) return answer;
    throw refusalOf(answer, text);
  }

  private outgoing(
    method: Method,
    path: string,
    options: PlainRequest & { stream?: Outgoing['body'] },
  ): Outgoing {
    return {
      method: method.toUpperCase(),
      path: pathOf(path, options),
      headers: { ...(method === 'get' ? {} : this.headersOf(method, options)), ...options.headers },
      ...this.bodyOf(options),
      repeatable:
        method === 'get' ||
        (method === 'post' && options.idempotencyKey !== null) ||
        options.ifMatch !== undefined,
      // A key that the caller has chosen is not dropped: the caller relies on it.
      isKeyOptional:
        method === 'post' &&
        options.idempotencyKey === undefined &&
        !(options.stream instanceof ReadableStream),
      signal: options.signal,
    };
  }

  private bodyOf({ body, stream }: { body?: unknown; stream?: Outgoing['body'] }): Pick<Outgoing, 'body'> {
    if (stream !== undefined) return { body: stream };
    return body === undefined ? {} : { body: this.json.stringify(body) };
  }

  private headersOf(method: Method, options: PlainRequest & { stream?: unknown }): Record<string, string> {
    const { body, ifMatch, reason = this.reason, idempotencyKey = randomUUID() } = options;
    return {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(reason === undefined ? {} : { 'x-change-reason': headerOf(reason) }),
      ...(ifMatch === undefined
        ? {}
        : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
      ...(method === 'post' && idempotencyKey !== null ? { [IDEMPOTENCY_KEY]: idempotencyKey } : {}),
    };
  }
}

interface Page {
  readonly items: readonly unknown[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const textOf = async (answer: Response): Promise<{ answer: Response; text: string }> => ({
  answer,
  text: await answer.text(),
});

/** A path with its parameters filled in and its query behind it. */
function pathOf(template: string, { path = {}, query = {} }: PlainRequest): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new TypeError(`${template} needs its parameter ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) ? value.map(String) : [String(value)];
    for (const text of JOINED.has(name) ? [values.join(',')] : values) search.append(name, text);
  }
  const text = search.toString();
  if (text === '') return filled;
  return `${filled}${filled.includes('?') ? '&' : '?'}${text}`;
}

/** Where a page's neighbour is: links as page objects have them, or as the text of a `Link` header (RFC 8288). */
type Links = readonly { readonly rel: string; readonly href: string }[] | string | null;

/**
 * The path, with its query, that a link leads to; undefined if there is none. Links name the service as others may see it.
 * @param prefix what stands before the API's own paths where the client reaches it
 */
function linkTo(rel: string, links: Links, prefix = ''): string | undefined {
  const found = typeof links === 'string' ? inHeader(links) : (links ?? []);
  const href = found.find((link) => link.rel === rel)?.href;
  if (href === undefined) return undefined;
  const { pathname, search } = new URL(href, 'http://localhost');
  // What lies in front of the API's own paths is where the client's address leads already.
  const begin = pathname.startsWith(`${prefix}/v1/`) ? prefix.length : Math.max(0, pathname.indexOf('/v1/'));
  return `${pathname.slice(begin)}${search}`;
}

const inHeader = (header: string): { rel: string; href: string }[] =>
  [...header.matchAll(/<([^>]*)>; *rel="([^"]*)"/g)].map(([, href = '', rel = '']) => ({ rel, href }));
