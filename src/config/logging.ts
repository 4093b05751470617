import type { LoggerService } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import type { Logger, Params } from 'nestjs-pino';
import { contextOf } from '../auth/access.decorators';
import { requestId } from '../shared/http/request-id';

/**
 * Structured logs: one line for each request, with who asked, and nothing that is secret: no header and no body is
 * ever logged, and of a URL only the path, because filters hold values.
 * @param worker which of several processes writes
 */
export function loggerOptions(level: string, worker?: number): Params {
  return {
    pinoHttp: {
      level,
      base: { pid: process.pid, hostname: hostname(), ...(worker === undefined ? {} : { worker }) },
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
        err: loggedError,
      },
      // Known only when the request is over: at its beginning nobody has said yet who asks.
      customSuccessObject: (request, _response, value: object) => ({ ...value, ...identityOf(request) }),
      // What went wrong has a line of its own; here it would be no more than the status once again.
      customErrorObject: (request, _response, _error, value: object) => ({
        ...value,
        err: undefined,
        ...identityOf(request),
      }),
      customAttributeKeys: { reqId: 'request_id' },
      quietReqLogger: true,
    },
  };
}

/** Who asked, where that is known. */
function identityOf(request: IncomingMessage): object {
  const ctx = contextOf(request as never);
  return ctx ? { user: ctx.principal.username, project: ctx.projectId } : {};
}

/** An error as pino takes it apart: with everything that it carries. */
interface TakenApart {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
  readonly query?: unknown;
  readonly table?: unknown;
  readonly constraint?: unknown;
}

/**
 * What of an error is logged. Not the rest: TypeORM's errors carry a statement's parameters, and PostgreSQL's the row
 * that it refuses, which are the bodies that clients have sent.
 */
function loggedError({ type, message, stack, code, query, table, constraint }: TakenApart): TakenApart {
  return { type, message, stack, code, query, table, constraint };
}

/**
 * The logger for Nest. At every start it tells each module and each of a hundred routes: among those lines nobody
 * finds the credentials that the first start prints. So what Nest calls "log" is written at the level `debug`.
 */
export function frameworkLogger(logger: Logger): LoggerService {
  const chatter = (message: unknown, ...more: unknown[]): void => {
    logger.debug(message, ...more);
  };
  return {
    log: chatter,
    debug: chatter,
    verbose: (message: unknown, ...more: unknown[]) => {
      logger.verbose(message, ...more);
    },
    warn: (message: unknown, ...more: unknown[]) => {
      logger.warn(message, ...more);
    },
    error: (message: unknown, ...more: unknown[]) => {
      logger.error(message, ...more);
    },
    fatal: (message: unknown, ...more: unknown[]) => {
      logger.fatal(message, ...more);
    },
  };
}
