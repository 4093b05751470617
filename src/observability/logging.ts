import type { LoggerService } from '@nestjs/common';
import { hostname } from 'node:os';
import type { Request, RequestHandler, Response } from 'express';
import { pino, stdSerializers, type Level, type Logger } from 'pino';
import { redactKeys } from '../auth/identity/api-key';
import { clientAddress, requestId, routeOf } from '../http/request';
import { requestState } from '../http/request-state';

/** The injection token of the `Logger` of this process. */
export const LOGGER = Symbol('logger');

/**
 * Creates the structured log. It contains one line for each request, with its user, and nothing secret: no headers, no
 * bodies, and only the path of a URL, because filters contain values.
 * @param worker the number of the process, if several serve
 */
export function createLogger(level: string, worker?: number): Logger {
  return pino({
    level,
    base: { pid: process.pid, hostname: hostname(), ...(worker === undefined ? {} : { worker }) },
    serializers: { err: (error: Error) => loggedFields(stdSerializers.err(error)) },
  });
}

/** Requests of monitoring, which would fill the log. */
const UNLOGGED_PATHS = /^\/(healthz|readyz|metrics)/;

/** Logs each request when it ends: only then its user is known. */
export const logRequests =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    if (!UNLOGGED_PATHS.test(request.url)) {
      const { url } = request;
      const address = clientAddress(request);
      const start = Date.now();
      response.once('close', () => {
        // Most errors have a line of their own, with their details.
        logger.info(
          {
            request_id: requestId(request),
            req: {
              method: request.method,
              path: redactKeys(url.split('?', 1)[0] ?? ''),
              route: routeOf(request),
              address,
            },
            res: { status: response.headersSent ? response.statusCode : null },
            ...userOf(request),
            ...failureOf(request),
            responseTime: Date.now() - start,
          },
          outcomeOf(response),
        );
      });
    }
    next();
  };

function outcomeOf({ statusCode, writableFinished }: Response): string {
  if (statusCode >= 500) return 'request errored';
  return writableFinished ? 'request completed' : 'request aborted';
}

/** The user and the project, if the request was authenticated. */
function userOf(request: Request): object {
  const { identity } = requestState(request);
  return identity ? { user: identity.principal.username, project: identity.projectId } : {};
}

/** The error of the database, if it was unavailable: such an error has no line of its own. */
function failureOf(request: Request): object {
  const { failure } = requestState(request);
  return failure === undefined ? {} : { error: failure };
}

/** The properties of an error that are logged. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
  readonly query?: unknown;
  readonly table?: unknown;
  readonly constraint?: unknown;
}

/** Drops what clients have sent: TypeORM adds a statement's parameters to an error, and PostgreSQL the rejected row. */
function loggedFields({ type, message, stack, code, query, table, constraint }: LoggedError): LoggedError {
  return { type, message, stack, code, query, table, constraint };
}

/**
 * Creates the logger for Nest. At every start, Nest logs each module and each of a hundred routes. They would hide the
 * credentials that the first start prints, so its level "log" becomes `debug`.
 */
export function frameworkLogger(logger: Logger): LoggerService {
  const logAt =
    (level: Level) =>
    (message: string | object, ...more: unknown[]): void => {
      // Nest passes the name of its logger last.
      const [text, context] = more.length > 1 ? more : [undefined, more[0]];
      if (message instanceof Error) logger[level]({ context, err: message });
      else if (typeof message === 'object') logger[level]({ context, ...message }, asText(text));
      else logger[level]({ context, stack: text }, message);
    };
  const logError = logAt('error');
  return {
    log: logAt('debug'),
    debug: logAt('debug'),
    verbose: logAt('trace'),
    warn: logAt('warn'),
    error: (message: string | object, ...more: unknown[]) => {
      // `listen` also rejects with this error, and its caller prints what to do.
      if (typeof message === 'string' && LISTEN_ERROR.test(message)) return;
      logError(message, ...more);
    },
    fatal: logAt('fatal'),
  };
}

/** How Nest logs that it cannot listen on an address. */
const LISTEN_ERROR = /^Error: (bind|listen) E[A-Z]+\b/;

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
