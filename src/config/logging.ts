import type { LoggerService } from '@nestjs/common';
import { hostname } from 'node:os';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger, type Logger, type Params } from 'nestjs-pino';
import { stdSerializers } from 'pino';
import { withoutKeys } from '../auth/identity/api-key';
import { identityOf } from '../auth/identity/identity';
import { clientAddress } from '../shared/http/client-address';
import { routeOf } from '../shared/http/routes';
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
      // Nothing of a request or an answer is logged by itself: `logRequests` picks what is told.
      wrapSerializers: false,
      serializers: { err: (error: Error) => loggedError(stdSerializers.err(error)) },
    },
    // Its own lines for requests cost each one two loggers and, in every promise, the hooks of an asynchronous storage.
    forRoutes: [],
  };
}

/** Requests that nobody wants to read of. */
const UNTOLD = /^\/(healthz|readyz|metrics)/;

/** Writes a line when a request is over: only then it is known who asked. */
export function logRequests(request: Request, response: Response, next: NextFunction): void {
  if (!UNTOLD.test(request.url)) {
    const { url } = request;
    const address = clientAddress(request);
    const start = Date.now();
    response.once('close', () => {
      // An error has its own line, with all that is known of it; this one only counts the request.
      PinoLogger.root.info(
        {
          request_id: requestId(request),
          req: {
            method: request.method,
            path: withoutKeys(url.split('?', 1)[0] ?? ''),
            route: routeOf(request),
            address,
          },
          res: { status: response.headersSent ? response.statusCode : null },
          ...whoAsked(request),
          responseTime: Date.now() - start,
        },
        outcomeOf(response),
      );
    });
  }
  next();
}

function outcomeOf({ statusCode, writableFinished }: Response): string {
  if (statusCode >= 500) return 'request errored';
  return writableFinished ? 'request completed' : 'request aborted';
}

/** Who asked, where that is known. */
function whoAsked(request: Request): object {
  const identity = identityOf(request);
  return identity ? { user: identity.principal.username, project: identity.projectId } : {};
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
