import type { NextFunction, Request, Response } from 'express';
import { InventoryError } from '../core/errors/inventory-error';
import { refuse } from './send-error';

/** Headers that must not be repeated, by their names in lower case. */
const SINGLE = new Map(
  ['Host', 'Authorization', 'X-Auth-Token', 'X-Auth-User', 'X-Auth-Project'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/**
 * Refuses a request that repeats a header which says where it goes or who sends it: RFC 9112 wants this of `Host`. Of
 * several `Authorization`, Node passes on the first alone, and a proxy may have checked another one.
 */
export function requireSingleHeaders(request: Request, response: Response, next: NextFunction): void {
  const { rawHeaders } = request;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = SINGLE.get(rawHeaders[i]?.toLowerCase() ?? '');
    if (name === undefined) continue;
    if (seen.has(name)) {
      refuse(request, response, repeated(name));
      return;
    }
    seen.add(name);
  }
  next();
}

function repeated(name: string): InventoryError {
  const { code, message, details } = InventoryError.invalid(name, 'must be sent only once');
  return new InventoryError(code, message, details, { connection: 'close' });
}
