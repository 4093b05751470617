import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { requestState } from './request-state';

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
  if (request.socket.destroyed) onClose();
  request.socket.once('close', onClose);
  try {
    return await work(disconnected.signal);
  } finally {
    // The connection may live on with other requests.
    request.socket.off('close', onClose);
  }
}
