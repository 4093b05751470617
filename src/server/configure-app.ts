import { Logger as Log } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Logger } from 'pino';
import { AuditedErrorFilter } from '../auth/audit-log/audited-error.filter';
import { RefusalLog } from '../auth/audit-log/auth-audit-log';
import type { Environment } from '../config/environment';
import { frameworkLogger, LOGGER, logRequests } from '../observability/logging';
import { apiDescription, withoutOptionalExamples } from './openapi';
import { cacheStaticResponses } from '../http/static-response-cache';
import { observeCertificate } from '../observability/runtime-metrics';
import { MetricsService } from '../observability/metrics.service';
import { answerMalformedRequests } from '../http/malformed-requests';
import { requireSingleHeaders } from '../http/duplicate-headers';
import { InFlight } from '../http/limits/active-requests';
import { Refusals } from '../http/limits/rejection-metrics';
import { BodyGuard } from '../http/request-body';
import { requestIds } from '../http/request-id';
import { admission } from '../http/limits/load-shedding';
import { limitClients } from '../http/limits/client-limits';
import { oneAtATime } from '../http/pipelining';
import { Certificate } from './certificate';
import { crossOrigin } from '../http/cross-origin';
import { securityHeaders } from '../http/security-headers';

/** The one set-up of the application, for production and for tests. */
export function configureApp(app: NestExpressApplication, environment: Environment): void {
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(frameworkLogger(logger));
  // Entity tags are versions, set where there is one; Express would hash every body.
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  if (environment.TRUST_PROXY !== undefined) app.set('trust proxy', environment.TRUST_PROXY);
  answerMalformedRequests(app.getHttpServer());
  followCertificate(app, environment);
  const [inFlight, refusals] = [app.get(InFlight), app.get(Refusals)];
  limitClients(app.getHttpServer(), { inFlight, refusals }, environment);
  app.use(oneAtATime());
  app.use(requestIds);
  app.use(app.get(MetricsService).observe);
  app.use(logRequests(logger));
  app.use(securityHeaders(environment.TLS_CERT_FILE !== undefined));
  // Before whatever may refuse a request: a page of another origin is to see refusals, too.
  if (environment.CORS_ORIGINS) app.enableCors(crossOrigin(environment.CORS_ORIGINS));
  app.use(admission({ inFlight, refusals, urlLimit: environment.URL_LIMIT_BYTES }));
  app.use(requireSingleHeaders);
  // Behind those of the modules: a body is read for those whom they let pass.
  app.useGlobalGuards(new BodyGuard(environment.BODY_LIMIT_BYTES, environment.BODY_SECONDS));
  app.useGlobalFilters(new AuditedErrorFilter(app.get(RefusalLog)));
  // Made when somebody asks for it: it costs as much as the rest of the start.
  let made: OpenAPIObject | undefined;
  const description = () => (made ??= apiDescription(app));
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
    refused: (sentence) => {
      log.error(sentence);
    },
  });
  if (certificate) observeCertificate(app.get(MetricsService).registry, certificate);
}
