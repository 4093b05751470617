import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { RequestContext } from '../core/context/request-context';
import { requestState, type SubrequestPurpose } from './request-state';

/** A request that the service sends to itself, as a part of a client's request. */
export interface SubrequestMessage {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; undefined: no body. */
  readonly body: string | undefined;
}

/**
 * Routes a subrequest like a request of a client: the same guards, pipes and handler. It belongs to the caller of the whole
 * request, so it is not authenticated again, and it is neither counted, logged, nor limited.
 * @param listener the application
 * @param ctx the context of the whole request
 * `JsonResponseAdapter.reply` settles it with what the handler returned, and `ErrorFilter` with what was thrown.
 * @returns what the handler returned
 * @throws what a guard, a pipe or the handler threw
 */
export function sendSubrequest(
  listener: RequestListener,
  ctx: RequestContext,
  { method, url, headers, body }: SubrequestMessage,
  purpose: SubrequestPurpose,
): Promise<unknown> {
  // The socket is not connected: the body is pushed, and no response is sent.
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = url;
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.httpVersion = '1.1';
  request.headers = {
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  if (body !== undefined) request.push(body);
  request.push(null);
  request.complete = true;
  return new Promise((resolve, reject) => {
    const state = requestState(request);
    state.id = ctx.requestId;
    state.subrequest = { ctx, purpose, succeed: resolve, fail: reject };
    listener(request, new ServerResponse(request));
  });
}

/** Middleware for requests of clients only. */
export const forClients =
  (handler: RequestHandler): RequestHandler =>
  (request, response, next) => {
    if (requestState(request).subrequest) next();
    else return handler(request, response, next);
  };
