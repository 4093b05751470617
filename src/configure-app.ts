import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import type { Environment } from './config/environment';
import { frameworkLogger } from './config/logging';
import { apiDescription, withoutPrefilledOptions } from './config/openapi';
import { MetricsService } from './operations/metrics.service';
import { ErrorFilter } from './shared/errors/error.filter';
import { InterruptionInterceptor } from './shared/http/interruption';
import { answerMalformedRequests } from './shared/http/malformed-requests';
import { BodyInterceptor } from './shared/http/request-body';
import { requestIds } from './shared/http/request-id';

/** The one set-up of the application, for production and for tests. */
export function configureApp(app: NestExpressApplication, environment: Environment): void {
  app.useLogger(frameworkLogger(app.get(Logger)));
  // Entity tags are versions, set where there is one; Express would hash every body.
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  answerMalformedRequests(app.getHttpServer());
  app.use(requestIds);
  app.use(app.get(MetricsService).observe);
  app.use(
    helmet({
      contentSecurityPolicy: { directives: swaggerPolicy },
      crossOriginResourcePolicy: false,
      strictTransportSecurity: false,
    }),
  );
  app.useGlobalInterceptors(new BodyInterceptor(environment.BODY_LIMIT_BYTES), new InterruptionInterceptor());
  app.useGlobalFilters(new ErrorFilter());
  const description = apiDescription(app);
  SwaggerModule.setup('openapi', app, description, {
    ui: false,
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
  });
  SwaggerModule.setup('docs', app, withoutPrefilledOptions(description), {
    customSiteTitle: 'Muster',
    raw: false,
  });
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
