import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import type { Request, RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

type Header = readonly [name: string, value: string];

/** The one part of the service that is pages, with scripts and styles. */
const PAGES = /^\/docs(\/|$|\?)/;

/** What each answer has, whatever it is. Left out is what only browsers heed that nobody has any more. */
const defaultHeaders = {
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  dnsPrefetchControl: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
} satisfies HelmetOptions;

/** A body of JSON that a browser was led to is shown, and nothing of it is run, loaded or framed. */
const policyOfAnswers = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };

/** What Swagger UI needs to run, and to try requests out. */
const policyOfPages = {
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
 * Sets the headers that tell browsers and caches what may not be done with an answer.
 * @param ownTls whether the service itself speaks TLS: only then it may promise that it always will
 */
export function securityHeaders(ownTls: boolean): RequestHandler {
  const transport = {
    ...defaultHeaders,
    strictTransportSecurity: ownTls && { maxAge: 365 * 24 * 3600, includeSubDomains: false },
  } satisfies HelmetOptions;
  const ofPages = headersOf({ ...transport, contentSecurityPolicy: ofDirectives(policyOfPages) });
  const ofAnswers = [
    ...headersOf({ ...transport, contentSecurityPolicy: ofDirectives(policyOfAnswers) }),
    // Infrastructure facts and, now and then, a secret. Nothing is answered by 304, so that a copy would be of no use.
    ['cache-control', 'no-store'] as const,
  ];
  return (request: Request, response, next) => {
    for (const [name, value] of PAGES.test(request.url) ? ofPages : ofAnswers)
      response.setHeader(name, value);
    next();
  };
}

const ofDirectives = (directives: Record<string, string[]>) => ({ useDefaults: false, directives });

/** What helmet sets. It is the same for every answer, so helmet is asked once. */
function headersOf(options: HelmetOptions): Header[] {
  const request = new IncomingMessage(new Socket());
  const sample = new ServerResponse(request);
  helmet(options)(request, sample, (error?: unknown) => {
    if (error !== undefined) throw new Error('helmet could not be set up', { cause: error });
  });
  return Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
}

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
