import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger as Log } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import express, {
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { Logger } from 'pino';
import expressStaticGzip from 'express-static-gzip';
import { AuditedErrorFilter, AuthAuditLog } from '../auth/auth-audit-log';
import type { Environment } from '../config/environment';
import { frameworkLogger, LOGGER, logRequests } from '../observability/logging';
import { apiDescription, withoutOptionalExamples } from './openapi';
import { observeCertificate, MetricsService } from '../observability/metrics.service';
import { ActiveRequests, loadShedding } from '../http/active-requests';
import { RejectionMetrics } from '../http/rejection-metrics';
import { BodyGuard } from '../http/request-body';
import { COMPRESSION } from '../http/compression';
import { announcePreferences } from '../http/preferences';
import { requestIds } from '../http/request';
import { StaticResponse } from '../http/static-response';
import { forClients } from '../http/subrequest';
import { Certificate } from './certificate';
import { crossOrigin, securityHeaders, webPageHeaders } from '../http/browser-headers';

/** Configures the application, for production and for tests. */
export function configureApp(app: NestExpressApplication, environment: Environment): void {
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(frameworkLogger(logger));
  // Routes set entity tags. Express would hash every body.
  app.set('etag', false);
  if (environment.COMPRESSION === 'on') app.enable(COMPRESSION);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  if (environment.TRUST_PROXY !== undefined) app.set('trust proxy', environment.TRUST_PROXY);
  followCertificate(app, environment);
  app.use(requestIds);
  app.use('/v1', announcePreferences);
  app.use(forClients(app.get(MetricsService).observe));
  app.use(forClients(logRequests(logger)));
  app.use(securityHeaders(environment.TLS_CERT_FILE !== undefined));
  // Before all middleware that can reject a request: pages of other origins must be able to read the error.
  if (environment.CORS_ORIGINS) app.enableCors(crossOrigin(environment.CORS_ORIGINS));
  app.use(
    forClients(
      loadShedding({
        activeRequests: app.get(ActiveRequests),
        rejections: app.get(RejectionMetrics),
        urlLimit: environment.URL_LIMIT_BYTES,
      }),
    ),
  );
  const web = webApp(environment.PUBLIC_URL);
  if (web) app.use(web);
  // After the guards of the modules: the body of a rejected request is not read.
  app.useGlobalGuards(new BodyGuard(environment.BODY_LIMIT_BYTES, environment.BODY_SECONDS));
  app.useGlobalFilters(new AuditedErrorFilter(app.get(AuthAuditLog)));
  // Created on the first request: it costs as much as the rest of the start.
  let cached: OpenAPIObject | undefined;
  const description = () =>
    (cached ??= apiDescription(app, { listBody: environment.LIST_BODY, publicUrl: environment.PUBLIC_URL }));
  cacheStaticResponses(app, ['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js']);
  SwaggerModule.setup('openapi', app, description, {
    ui: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
  });
  SwaggerModule.setup('docs', app, () => withoutOptionalExamples(description()), {
    customSiteTitle: 'Muster',
    raw: false,
  });
}

function followCertificate(app: NestExpressApplication, environment: Environment): void {
  const log = new Log('Certificate');
  const certificate = Certificate.follow(app.getHttpServer(), environment, {
    renewed: (sentence) => {
      log.warn(sentence);
    },
    rejected: (sentence) => {
      log.error(sentence);
    },
  });
  if (certificate) observeCertificate(app.get(MetricsService).registry, certificate);
}

/**
 * Caches the responses of these paths, which are the same for all clients and never change while the process runs. Each
 * is rendered once and stored once, however many clients read it concurrently.
 */
function cacheStaticResponses(app: NestExpressApplication, paths: readonly string[]): void {
  const router: Express = app.getHttpAdapter().getInstance();
  for (const path of paths) {
    let cached: StaticResponse | undefined;
    router.get(path, (_request, response, next) => {
      if (cached) {
        cached.send(response);
        return;
      }
      response.send = (body: string) => {
        const type = response.get('content-type') ?? 'application/octet-stream';
        cached = new StaticResponse(type, Buffer.from(body));
        cached.send(response);
        return response;
      };
      next();
    });
  }
}

/** The build of the browser application. */
const WEB_FOLDER = join(__dirname, '../../web');

/** The paths of the API and of its documentation. All other paths are pages of the browser application. */
const API_PATHS = /^\/(v1|docs|openapi\.json|openapi\.yaml|healthz|readyz|metrics)(\/|$)/;

/**
 * Serves the browser application: its files, whose names contain a hash of their content, and for every path that
 * is not the API's its page, to clients that prefer HTML. Everything is public: the application has no data of its own.
 * @param publicUrl the URL of the service, whose path is the prefix of all links
 * @returns undefined if the application is not built
 */
function webApp(publicUrl: string | undefined): Router | undefined {
  const page = join(WEB_FOLDER, 'index.html');
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
  return expressStaticGzip(join(WEB_FOLDER, 'assets'), {
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
    // The styles of the skeleton, and those that the application creates in the browser, carry the nonce; no other inline style
    // applies.
    const nonce = randomBytes(16).toString('base64');
    for (const [name, value] of webPageHeaders(nonce)) response.setHeader(name, value);
    response
      .type('html')
      .send(
        withPrefix
          .replace('name="csp-nonce" content=""', `name="csp-nonce" content="${nonce}"`)
          .replace('<style nonce=""', `<style nonce="${nonce}"`),
      );
  };
}

function isForPage(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // JSON first: a client without a preference gets the API's responses.
  return !API_PATHS.test(request.path) && request.accepts(['json', 'html']) === 'html';
}
