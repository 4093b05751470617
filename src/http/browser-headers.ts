import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import type { Request, RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PROJECT_HEADER } from './request';

type Header = readonly [name: string, value: string];

/** The paths of HTML pages, which need scripts and styles. */
const PAGE_PATHS = /^\/docs(\/|$|\?)/;

/** The headers of every response. Headers that only obsolete browsers support are left out. */
const defaultHeaders = {
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  dnsPrefetchControl: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
} satisfies HelmetOptions;

/** A browser displays a JSON response, but runs, loads and frames nothing. */
const apiPolicy = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };

/** What Swagger UI needs to run and to send requests. */
const pagePolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'", "'unsafe-inline'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * What the browser application needs: its own files, and the API. Its component library creates style elements in the
 * browser, which need the nonce. Style attributes that scripts set are not subject to the policy.
 */
const webPolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * The headers of the page of the browser application, which replace those of the API.
 * @param nonce a value that was never used before
 */
export function webPageHeaders(nonce: string): Header[] {
  const policy = { ...webPolicy, 'style-src': [...webPolicy['style-src'], `'nonce-${nonce}'`] };
  return [
    [
      'content-security-policy',
      Object.entries(policy)
        .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
        .join(';'),
    ],
    ['cache-control', 'no-cache'],
    ['vary', 'Accept'],
  ];
}

/**
 * Sets the headers that restrict what browsers and caches do with a response.
 * @param ownTls whether the service itself terminates TLS: only then it sends `Strict-Transport-Security`
 */
export function securityHeaders(ownTls: boolean): RequestHandler {
  const transport = {
    ...defaultHeaders,
    strictTransportSecurity: ownTls && { maxAge: 365 * 24 * 3600, includeSubDomains: false },
  } satisfies HelmetOptions;
  const pageHeaders = headersOf({ ...transport, contentSecurityPolicy: withDirectives(pagePolicy) });
  const apiHeaders = [
    ...headersOf({ ...transport, contentSecurityPolicy: withDirectives(apiPolicy) }),
    // Responses are confidential, and some contain secrets. A client that reads a resource again keeps its copy itself.
    ['cache-control', 'no-store'] as const,
  ];
  return (request: Request, response, next) => {
    for (const [name, value] of PAGE_PATHS.test(request.url) ? pageHeaders : apiHeaders)
      response.setHeader(name, value);
    next();
  };
}

const withDirectives = (directives: Record<string, string[]>) => ({ useDefaults: false, directives });

/** The headers that helmet sets. They are the same for every response, so helmet runs once. */
function headersOf(options: HelmetOptions): Header[] {
  const request = new IncomingMessage(new Socket());
  const sample = new ServerResponse(request);
  helmet(options)(request, sample, (error?: unknown) => {
    if (error !== undefined) throw new Error('helmet could not be set up', { cause: error });
  });
  return Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
}

/** The headers that a page of another origin may send. Browsers do not send requests with other headers. */
const ALLOWED_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  PROJECT_HEADER,
  'X-Auth-Token',
  'X-Auth-User',
  'X-Change-Override',
  'X-Change-Reason',
  'X-Consistency-Token',
  'X-Request-Id',
];

/** The response headers that such a page may read, in addition to the CORS-safelisted ones. */
const EXPOSED_HEADERS = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'Warning',
  'X-Consistency-Token',
  'X-Request-Id',
];

/** How many seconds a browser caches a preflight response. Most browsers allow two hours at most. */
const PREFLIGHT_MAX_AGE = 2 * 3600;

/**
 * The CORS options. Pages of other origins need a token: browsers do not send them the cookie of a session, because it
 * is `SameSite=Strict`, and because the responses do not allow credentials.
 * @param origins `*` or a list of origins
 */
export function crossOrigin(origins: readonly string[]): CorsOptions {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    credentials: false,
    maxAge: PREFLIGHT_MAX_AGE,
  };
}
