import { randomUUID, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { prefersZones } from './preferences';
import { requestState } from './request-state';
import type { Consistency, Idempotency } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseConsistencyToken, consistencyToken, type WalPosition } from '../core/wal-position';

const WELL_FORMED = /^[A-Za-z0-9._:-]{1,128}$/;

/** The request's id: the client's own `X-Request-Id` if it is well formed, else a new one. */
export function requestId(request: IncomingMessage): string {
  const state = requestState(request);
  if (state.id === undefined) {
    const sent = request.headers['x-request-id'];
    state.id = typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID();
  }
  return state.id;
}

/** Sends the request id to the client. The log contains the same id. */
export function requestIds(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('x-request-id', requestId(request));
  next();
}

/** Decodes a header as UTF-8, which clients send. Node decodes headers as Latin-1. */
export function headerText(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(', ') : value;
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? text : decoded;
}

/** The header that names the project of a request. */
export const PROJECT_HEADER = 'X-Auth-Project';

/** The project that a request names in `PROJECT_HEADER`, as it was sent. */
export const projectHeader = ({ headers }: IncomingMessage): string | undefined =>
  headerText(headers[PROJECT_HEADER.toLowerCase()]);

/** The client's address, for the log: the one that a trusted proxy reports, else that of the connection. */
export const clientAddress = ({ ip = '', socket }: Request): string | undefined =>
  isIP(ip) === 0 ? socket.remoteAddress : ip;

/** Does work for a client, with a signal that is aborted when the client disconnects. */
export async function untilDisconnected<T>(
  request: Request,
  work: (disconnected: AbortSignal) => Promise<T>,
): Promise<T> {
  const disconnected = new AbortController();
  const onClose = (): void => {
    disconnected.abort();
  };
  // A request whose body was not read to its end loses its socket.
  const { socket } = request;
  if (socket.destroyed) onClose();
  socket.once('close', onClose);
  try {
    return await work(disconnected.signal);
  } finally {
    // The connection may be reused for other requests.
    socket.off('close', onClose);
  }
}

/** A header of responses to writes and of reads: a read with the token sees at least that write. */
export const CONSISTENCY_TOKEN = 'X-Consistency-Token';

export const EXAMPLE_CONSISTENCY_TOKEN = '6904e2a1b7c3d5f0-00000001-000000001a2b3c40';

/** The OpenAPI description of the response header. */
export const CONSISTENCY_TOKEN_HEADER = {
  [CONSISTENCY_TOKEN]: {
    description:
      'Send it in the same header of later reads, which then include this write. Only if the database has replicas.',
    schema: { type: 'string' as const, example: EXAMPLE_CONSISTENCY_TOKEN },
  },
};

/**
 * Parses the client's consistency token. An empty token counts as none: a client may send it before its first write.
 * @throws InventoryError 400 for a malformed token
 */
export function consistencyOf(request: Request): Consistency {
  const token = request.get(CONSISTENCY_TOKEN) ?? '';
  const after = token === '' ? undefined : parseConsistencyToken(token);
  if (token !== '' && !after)
    throw InventoryError.invalid(
      CONSISTENCY_TOKEN,
      'invalid_format',
      'must be a token from an earlier response',
    );
  return { after };
}

/** The header with the client's next consistency token; an empty object without a position. */
export const consistencyHeader = (position: WalPosition | undefined): Readonly<Record<string, string>> =>
  position ? { [CONSISTENCY_TOKEN]: consistencyToken(position) } : {};

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * The `Idempotency-Key` of a write; undefined without one. Reads can be repeated anyway, so they ignore it.
 * @throws InventoryError 400 for a malformed key
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return undefined;
  const key = request.get('idempotency-key');
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key;
  throw InventoryError.invalid(
    'Idempotency-Key',
    'invalid_format',
    'must have 1 to 255 printable ASCII characters',
  );
}

/** Identifies a request with an `Idempotency-Key`, by its body, too, which must have been read. */
export function idempotencyOf(request: Request): Idempotency | undefined {
  const { idempotencyKey: key, bodyText = '' } = requestState(request);
  if (key === undefined) return undefined;
  // A stored response has the times of its request.
  const times = prefersZones(request) ? ['with zones'] : [];
  const content = JSON.stringify([request.method, request.originalUrl, bodyText, ...times]);
  return { key, fingerprint: createHash('sha256').update(content).digest('hex') };
}

type Methods = Readonly<Record<string, boolean>>;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Methods };
  match(path: string): boolean;
}

/** Whether a route serves every method. Only middleware does, such as the logger's, no endpoint. */
const servesEverything = (methods: Methods): boolean => '_all' in methods || 'propfind' in methods;

/** The methods that the router supports for the path of a request. */
export function allowedMethods(request: Request): string[] {
  const { router } = request.app as unknown as { router: { stack: readonly Layer[] } };
  const routes = router.stack.flatMap((layer) =>
    layer.route && !servesEverything(layer.route.methods) && layer.match(request.path) ? [layer.route] : [],
  );
  const methods = new Set<string>();
  for (const { path, methods: served } of routes) {
    if (routes.some((other) => hasLiteralForId(other.path, path))) continue;
    for (const [method, isServed] of Object.entries(served)) if (isServed) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/**
 * Whether a route has a literal segment where another one has an id: `/v1/hosts/variables` also matches
 * `/v1/hosts/:id`, but an id is never a word. This does not apply to `/variables/:key`, because a key can be any word.
 */
function hasLiteralForId(route: string, other: string): boolean {
  const segments = route.split('/');
  return other.split('/').some((segment, index) => segment === ':id' && segments[index] !== ':id');
}

const patterns = new Map<string, string>();

/** The pattern of the matched route, as in the OpenAPI description: `/v1/hosts/{id}`; `none` without a match. */
export function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { readonly path?: unknown };
  // A route with several paths is middleware, not an endpoint.
  if (typeof path !== 'string') return 'none';
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = path.replace(/[:*](\w+)/g, '{$1}');
    patterns.set(path, pattern);
  }
  return pattern;
}

/** A host and an optional port. Links begin with it, so it must not contain anything else. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?$/i;

/**
 * The scheme and authority of absolute URLs: from PUBLIC_URL, else from the request or a trusted proxy's headers.
 * @throws InventoryError 400 for a malformed host
 */
export function baseUrl(request: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  // HTTP/1.0 has no Host header.
  const host = (request.get('host') ?? '') === '' ? 'localhost' : request.host;
  if (!HOST.test(host))
    throw InventoryError.invalid('Host', 'invalid_format', 'must be the name or the address of a host');
  return `${request.protocol}://${host}`;
}

/** The query of a request, as the client sent it. */
export function queryOf({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1));
}
