import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';

/** What a page of another origin may send. A request with any other header is not sent by its browser. */
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Auth-Project',
  'X-Auth-Token',
  'X-Auth-User',
  'X-Change-Reason',
  'X-Consistency-Token',
  'X-Request-Id',
];

/** What of an answer such a page may read, beside what every page may. */
const SHOWN = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Consistency-Token',
  'X-Request-Id',
];

/** In seconds: for so long a browser need not ask again. Most keep it for two hours at most. */
const KEPT = 2 * 3600;

/**
 * Which pages of other origins may use the service. They never come with credentials of the browser's own: there are no
 * cookies, and whoever asks has to have a key.
 * @param origins `*` or some origins
 */
export function crossOrigin(origins: readonly string[]): CorsOptions {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: SENT,
    exposedHeaders: SHOWN,
    credentials: false,
    maxAge: KEPT,
  };
}
