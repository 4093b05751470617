import { randomUUID, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { requestState } from './request-state';
import type { Consistency, Idempotency } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseConsistencyToken, consistencyToken } from '../core/wal-position';
import { bodyText } from './request-body';

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

/**
 * A header as the UTF-8 that clients send. Node hands headers over byte by byte as Latin-1.
 */
export function headerText(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(', ') : value;
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? text : decoded;
}

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
    // The connection stays open for other requests.
    socket.off('close', onClose);
  }
}

/** With what a write was answered, and what a read is to show at least. */
export const CONSISTENCY_TOKEN = 'X-Consistency-Token';

export const A_TOKEN = '6904e2a1b7c3d5f0-00000001-000000001a2b3c40';

/** The header of answers, described. */
export const GIVEN_TOKEN = {
  [CONSISTENCY_TOKEN]: {
    description:
      'For the header of the same name of later reads, which then show this. Only where the database has replicas.',
    schema: { type: 'string' as const, example: A_TOKEN },
  },
};

/**
 * What the client has written, as it tells by the token of an earlier answer, and how it is given the next one. An empty
 * token is none: it is what a client has that was never given one.
 * @throws InventoryError 400 for what was never a token
 */
export function consistencyOf(request: Request, response: Response): Consistency {
  const token = request.get(CONSISTENCY_TOKEN) ?? '';
  const after = token === '' ? undefined : parseConsistencyToken(token);
  if (token !== '' && !after) throw InventoryError.invalid(CONSISTENCY_TOKEN, 'must be as an answer gave it');
  return {
    after,
    issueToken: (position) => {
      if (!response.headersSent) response.setHeader(CONSISTENCY_TOKEN, consistencyToken(position));
    },
  };
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * How a request asks to be known again; undefined if it does not ask, or is none that makes something.
 * @throws InventoryError 400 for a key that is not of its form
 */
export function idempotencyOf(request: Request, response: Response): Idempotency | undefined {
  if (request.method !== 'POST') return undefined;
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key))
    throw InventoryError.invalid('Idempotency-Key', 'must have 1 to 255 printable ASCII characters');
  return {
    key,
    fingerprint: () =>
      createHash('sha256')
        .update(JSON.stringify([request.method, request.originalUrl, bodyText(request)]))
        .digest('hex'),
    markReplayed: () => response.setHeader('idempotency-replayed', 'true'),
  };
}

type Methods = Readonly<Record<string, boolean>>;

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Methods };
  match(path: string): boolean;
}

/** Middleware that is registered for every method there is, such as the logger's; no endpoint is. */
const servesEverything = (methods: Methods): boolean => '_all' in methods || 'propfind' in methods;

/** The methods that the router has for the path of a request. */
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
 * Whether a route has a word where another one has an id: `/v1/hosts/variables` also matches `/v1/hosts/:id`, but no id
 * is a word. The key of a variable can be one: what `/variables/:key` has, `/variables/explain` has too.
 */
function hasLiteralForId(route: string, other: string): boolean {
  const words = route.split('/');
  return other.split('/').some((segment, at) => segment === ':id' && words[at] !== ':id');
}

const patterns = new Map<string, string>();

/** The pattern of the route that a request has found, as the description names it: `/v1/hosts/{id}`; `none` without one. */
export function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { readonly path?: unknown };
  // What is registered for several paths at once is no endpoint.
  if (typeof path !== 'string') return 'none';
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = path.replace(/[:*](\w+)/g, '{$1}');
    patterns.set(path, pattern);
  }
  return pattern;
}
