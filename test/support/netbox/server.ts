import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The texts of the objects of NetBox's lists, by path: `dcim/devices`. */
export type ListTexts = ReadonlyMap<string, readonly string[]>;

/** A failure instead of an answer. `drop` closes the connection. */
export type Failure =
  | 'drop'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

/** The token that the server accepts, of version 2. */
export const TOKEN = 'nbt_0123456789ab.0123456789abcdef0123456789abcdef01234567';
/** One of version 1. */
export const V1_TOKEN = '0123456789abcdef0123456789abcdef01234567';

/** NetBox's default limits of pages. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;
const NOT_FOUND_PAGE = '<!DOCTYPE html><html><body><h1>Page Not Found</h1></body></html>';

/**
 * The REST API of a NetBox, as far as imports read it: pages, tokens and errors as NetBox 4.6 has them. It knows itself
 * under another host, as behind a proxy.
 */
export class NetBoxServer {
  /** The requested paths with their queries. */
  readonly requests: string[] = [];
  /** The failures of the next requests. */
  readonly failures: Failure[] = [];
  /** The lists that the token may not view. */
  readonly forbidden = new Set<string>();
  /** The path in front of `/api/`, as with NetBox's BASE_PATH: `/inventory`. */
  prefix = '';
  /** Called before each page, to change the lists while they are read, or to wait. */
  beforePage: ((path: string) => void | Promise<void>) | undefined;

  private constructor(
    private readonly server: Server,
    public lists: ListTexts,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.answer(request, response);
    });
  }

  static async start(lists: ListTexts): Promise<NetBoxServer> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new NetBoxServer(server, lists);
  }

  /** Forgets the requests, and what tests have set up. */
  reset(): void {
    this.requests.splice(0);
    this.failures.splice(0);
    this.forbidden.clear();
    this.beforePage = undefined;
    this.prefix = '';
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}${this.prefix}`;
  }

  /** The environment in which the client finds this NetBox. */
  get environment(): Readonly<Record<string, string>> {
    return { NETBOX_URL: this.url, NETBOX_TOKEN: TOKEN };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.requests.push(url);
    const failure = this.failures.shift();
    if (failure === 'drop') {
      response.destroy();
      return;
    }
    if (failure) {
      response.writeHead(failure.status, failure.headers).end(failure.body ?? 'Bad gateway');
      return;
    }
    const { pathname, searchParams } = new URL(url, this.url);
    const isBelow = pathname.startsWith(`${this.prefix}/api/`);
    const path = isBelow ? /^\/api\/(.*)\/$/.exec(pathname.slice(this.prefix.length))?.[1] : undefined;
    const items = path === undefined ? undefined : this.lists.get(path);
    if (/^\/api\/.*[^/]$/.test(pathname)) response.writeHead(301, { location: `${pathname}/` }).end();
    else if (path === undefined || (path !== 'status' && !items))
      response.writeHead(404, { 'content-type': 'text/html' }).end(NOT_FOUND_PAGE);
    else if (![`Bearer ${TOKEN}`, `Token ${V1_TOKEN}`].includes(headers.authorization ?? ''))
      sendJson(response, 403, `{"detail":"${rejection(headers.authorization)}"}`);
    else if (this.forbidden.has(path))
      sendJson(response, 403, '{"detail":"You do not have permission to perform this action."}');
    else if (items) void this.sendPage(path, searchParams, response);
    else sendJson(response, 200, '{"django-version":"6.0.8","netbox-version":"4.6.8","plugins":{}}');
  }

  /** Unknown parameters are ignored. */
  private async sendPage(path: string, query: URLSearchParams, response: ServerResponse): Promise<void> {
    await this.beforePage?.(path);
    const items = this.lists.get(path) ?? [];
    const requested = Number(query.get('limit') ?? DEFAULT_LIMIT);
    const limit = requested === 0 ? MAX_LIMIT : Math.min(MAX_LIMIT, requested);
    const offset = Number(query.get('offset') ?? 0);
    const end = offset + limit;
    const rest = new URLSearchParams([...query].filter(([name]) => name !== 'offset'));
    rest.set('limit', String(limit));
    const next =
      end < items.length
        ? JSON.stringify(
            `http://netbox.example${this.prefix}/api/${path}/?${rest.toString()}&offset=${String(end)}`,
          )
        : 'null';
    const results = items.slice(offset, end).join(',');
    sendJson(
      response,
      200,
      `{"count":${String(items.length)},"next":${next},"previous":null,"results":[${results}]}`,
    );
  }
}

function rejection(authorization = ''): string {
  if (authorization === '') return 'Authentication credentials were not provided.';
  return authorization.startsWith('Bearer') ? 'Invalid v2 token' : 'Invalid v1 token';
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
