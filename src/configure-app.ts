import { Logger as Log } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Logger } from 'pino';
import { AuditedErrorFilter } from './auth/refusals/audited-error.filter';
import { RefusalLog } from './auth/refusals/refusal-log';
import type { Environment } from './config/environment';
import { frameworkLogger, LOGGER, logRequests } from './config/logging';
import { apiDescription, withoutPrefilledOptions } from './config/openapi';
import { keepAnswers } from './config/kept-answers';
import { observeCertificate } from './operations/inner-metrics';
import { MetricsService } from './operations/metrics.service';
import { answerMalformedRequests } from './shared/http/malformed-requests';
import { requireSingleHeaders } from './shared/http/single-headers';
import { InFlight } from './shared/http/in-flight';
import { Refusals } from './shared/http/refusals';
import { BodyGuard } from './shared/http/request-body';
import { requestIds } from './shared/http/request-id';
import { admission } from './serving/admission';
import { limitClients } from './serving/client-limits';
import { oneAtATime } from './serving/one-at-a-time';
import { Certificate } from './serving/transport/certificate';
import { crossOrigin } from './serving/transport/cross-origin';
import { securityHeaders } from './serving/transport/security-headers';

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
  keepAnswers(app, ['/openapi.json', '/openapi.yaml', '/docs/swagger-ui-init.js']);
  SwaggerModule.setup('openapi', app, description, {
    ui: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
  });
  SwaggerModule.setup('docs', app, () => withoutPrefilledOptions(description()), {
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
