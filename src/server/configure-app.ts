import { Logger as Log } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { AuditedErrorFilter, AuthAuditLog } from '../auth/auth-audit-log';
import type { Environment } from '../config/environment';
import { frameworkLogger, LOGGER, logRequests } from '../observability/logging';
import { apiDescription, withoutOptionalExamples } from './openapi';
import { observeCertificate, MetricsService } from '../observability/metrics.service';
import { ActiveRequests, loadShedding, RejectionMetrics } from '../http/active-requests';
import { BodyGuard } from '../http/request-body';
import { requestIds } from '../http/request';
import { Certificate } from './certificate';
import { crossOrigin, securityHeaders } from '../http/browser-headers';
import { webApp } from './web-app';

/** Configures the application, for production and for tests. */
export function configureApp(app: NestExpressApplication, environment: Environment): void {
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(frameworkLogger(logger));
  // Entity tags are versions. Express would hash every body.
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  if (environment.TRUST_PROXY !== undefined) app.set('trust proxy', environment.TRUST_PROXY);
  followCertificate(app, environment);
  app.use(requestIds);
  app.use(app.get(MetricsService).observe);
  app.use(logRequests(logger));
  app.use(securityHeaders(environment.TLS_CERT_FILE !== undefined));
  // Before all middleware that can reject a request: pages of other origins must be able to read the error.
  if (environment.CORS_ORIGINS) app.enableCors(crossOrigin(environment.CORS_ORIGINS));
  app.use(
    loadShedding({
      activeRequests: app.get(ActiveRequests),
      rejections: app.get(RejectionMetrics),
      urlLimit: environment.URL_LIMIT_BYTES,
    }),
  );
  const web = webApp(environment.PUBLIC_URL);
  if (web) app.use(web);
  // After the guards of the modules: the body of a rejected request is not read.
  app.useGlobalGuards(new BodyGuard(environment.BODY_LIMIT_BYTES, environment.BODY_SECONDS));
  app.useGlobalFilters(new AuditedErrorFilter(app.get(AuthAuditLog)));
  // Created on the first request: it costs as much as the rest of the start.
  let cached: OpenAPIObject | undefined;
  const description = () => (cached ??= apiDescription(app));
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
    let cached: { readonly type: string; readonly bytes: Buffer } | undefined;
    router.get(path, (_request, response, next) => {
      if (cached) {
        response.setHeader('content-type', cached.type);
        response.send(cached.bytes);
        return;
      }
      const send = response.send.bind(response);
      response.send = (body: string) => {
        cached = {
          type: response.get('content-type') ?? 'application/octet-stream',
          bytes: Buffer.from(body),
        };
        response.setHeader('content-type', cached.type);
        return send(cached.bytes);
      };
      next();
    });
  }
}
