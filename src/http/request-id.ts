import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

const WELL_FORMED = /^[A-Za-z0-9._:-]{1,128}$/;
const ids = new WeakMap<IncomingMessage, string>();

/** The request's id: the client's own `X-Request-Id` if it is well formed, else a new one. */
export function requestId(request: IncomingMessage): string {
  let id = ids.get(request);
  if (id === undefined) {
    const sent = request.headers['x-request-id'];
    id = typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID();
    ids.set(request, id);
  }
  return id;
}

/** Tells every client the id under which the log knows its request. */
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
