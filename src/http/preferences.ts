import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

/** The preference for times with a zone, as RFC 3339 demands it. */
const TIMES_PREFERENCE = 'times=rfc3339';

/**
 * Whether the request has `Prefer: times=rfc3339` (RFC 7240). Other preferences, and other values, are ignored, as the
 * RFC demands.
 */
export function prefersZones({ headers }: IncomingMessage): boolean {
  const { prefer } = headers;
  if (prefer === undefined) return false;
  // Node joins repeated headers with a comma. A preference can have parameters after a semicolon.
  const preferences = [prefer].flat().join(',').split(',');
  const [value] = preferences.flatMap((preference) => {
    const [, given] = /^\s*times\s*=\s*"?([\w-]+)"?\s*(?:;|$)/i.exec(preference) ?? [];
    return given === undefined ? [] : [given];
  });
  return value?.toLowerCase() === 'rfc3339';
}

/** Tells clients of the API, and caches, about the preference. */
export function announcePreferences(request: Request, response: Response, next: NextFunction): void {
  response.vary('Prefer');
  if (prefersZones(request)) response.setHeader('preference-applied', TIMES_PREFERENCE);
  next();
}
