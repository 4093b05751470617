import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Environment } from './config/environment';
import { frameworkLogger, logRequests } from './config/logging';
import { apiDescription, withoutPrefilledOptions } from './config/openapi';
import { MetricsService } from './operations/metrics.service';
import { ErrorFilter } from './shared/errors/error.filter';
import { answerMalformedRequests } from './shared/http/malformed-requests';
import { BodyGuard } from './shared/http/request-body';
import { requestIds } from './shared/http/request-id';

/** The one set-up of the application, for production and for tests. */
export function configureApp(app: NestExpressApplication, environment: Environment): void {
  app.useLogger(frameworkLogger(app.get(Logger)));
  // Entity tags are versions, set where there is one; Express would hash every body.
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  answerMalformedRequests(app.getHttpServer());
  // An import may take longer to be sent than node allows. Whoever reads a body has a patience of his own.
  app.getHttpServer().requestTimeout = 0;
  app.use(requestIds);
  app.use(app.get(MetricsService).observe);
  app.use(logRequests);
  app.use(securityHeaders());
  // Behind those of the modules: a body is read for those whom they let pass.
  app.useGlobalGuards(new BodyGuard(environment.BODY_LIMIT_BYTES));
  app.useGlobalFilters(new ErrorFilter());
  // Made when somebody asks for it: it costs as much as the rest of the start.
  let made: OpenAPIObject | undefined;
  const description = () => (made ??= apiDescription(app));
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

/** Sets the headers of helmet. They are the same for every answer, so helmet is asked for them once. */
function securityHeaders(): RequestHandler {
  const request = new IncomingMessage(new Socket());
  const sample = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: { directives: swaggerPolicy },
    crossOriginResourcePolicy: false,
    strictTransportSecurity: false,
  })(request, sample, (error?: unknown) => {
    if (error !== undefined) throw new Error('helmet could not be set up', { cause: error });
  });
  const headers = Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** What Swagger UI needs to run; nothing else that is served is a page. */
const swaggerPolicy = {
  defaultSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  scriptSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  // The service itself speaks plain HTTP; whether browsers are to insist on TLS is for whoever puts it in front.
  upgradeInsecureRequests: null,
};
