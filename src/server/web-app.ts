import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { webPageHeaders } from '../http/browser-headers';

/** The build of the browser application. */
const FOLDER = join(__dirname, '../../web');

/** The paths of the API and of its documentation. All other paths are pages of the browser application. */
const API_PATHS = /^\/(v1|docs|openapi\.json|openapi\.yaml|healthz|readyz|metrics)(\/|$)/;

/**
 * Serves the browser application: its files, whose names contain a hash of their content, and for every path that
 * is not the API's its page, to clients that prefer HTML. Everything is public: the application has no data of its own.
 * @param publicUrl the URL of the service, whose path is the prefix of all links
 * @returns undefined if the application is not built
 */
export function webApp(publicUrl: string | undefined): Router | undefined {
  const page = join(FOLDER, 'index.html');
  if (!existsSync(page)) return undefined;
  const router = express.Router();
  router.use('/assets', serveAssets());
  router.use(servePage(readFileSync(page, 'utf8'), prefixOf(publicUrl)));
  return router;
}

/** The path of the service as browsers see it, with a `/` at its end. A proxy may remove it from requests. */
const prefixOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '/' : new URL(publicUrl).pathname.replace(/\/*$/, '/');

function serveAssets(): RequestHandler {
  return expressStaticGzip(join(FOLDER, 'assets'), {
    enableBrotli: true,
    orderPreference: ['br'],
    index: false,
    serveStatic: {
      redirect: false,
      // Replaces the `no-store` of the API, which the library would not.
      setHeaders: (response) => {
        response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      },
    },
  }) as RequestHandler;
}

/** The page is the same for all paths: the application reads the path in the browser. */
function servePage(html: string, prefix: string): RequestHandler {
  const withPrefix = html.replace('<base href="/"', `<base href="${encodeURI(prefix)}"`);
  return (request: Request, response: Response, next) => {
    if (!isForPage(request)) {
      next();
      return;
    }
    // Styles that the application creates in the browser carry the nonce; no other inline style applies.
    const nonce = randomBytes(16).toString('base64');
    for (const [name, value] of webPageHeaders(nonce)) response.setHeader(name, value);
    response
      .type('html')
      .send(withPrefix.replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`));
  };
}

function isForPage(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // JSON first: a client without a preference gets the API's responses.
  return !API_PATHS.test(request.path) && request.accepts(['json', 'html']) === 'html';
}
