import type { IncomingMessage } from 'node:http';
import type { Params } from 'nestjs-pino';
import { contextOf } from '../auth/access.decorators';
import { requestId } from '../shared/http/request-id';

/**
 * Structured logs: one line for each request, with who asked, and nothing that is secret: no header and no body is
 * ever logged, and of a URL only the path, because filters hold values.
 */
export function loggerOptions(level: string): Params {
  return {
    pinoHttp: {
      level,
      genReqId: (request: IncomingMessage) => requestId(request),
      // An error has its own line, with all that is known of it; this one only counts the request.
      customLogLevel: () => 'info',
      autoLogging: { ignore: (request) => /^\/(healthz|readyz|metrics)/.test(request.url ?? '') },
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?')[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
      customProps: (request) => {
        const ctx = contextOf(request as never);
        return {
          request_id: requestId(request),
          ...(ctx ? { user: ctx.principal.username, project: ctx.projectId } : {}),
        };
      },
    },
  };
}
