import type { NextFunction, Request, Response } from 'express';
import { InventoryError } from '../errors/inventory-error';
import { refuse } from '../errors/refuse';

const TWICE = new InventoryError('invalid_request', 'Host must come once.', [], { connection: 'close' });

/** Refuses a request with several `Host`, as RFC 9112 wants it: a proxy may have gone by another than this. */
export function oneHost(request: Request, response: Response, next: NextFunction): void {
  const { rawHeaders } = request;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (/^host$/i.test(rawHeaders[i] ?? '')) hosts++;
  if (hosts > 1) refuse(request, response, TWICE);
  else next();
}
