import type { LoggerService } from '@nestjs/common';
import { hostname } from 'node:os';
import type { Request, RequestHandler, Response } from 'express';
import { pino, stdSerializers, type Level, type Logger } from 'pino';
import { withoutKeys } from '../auth/identity/api-key';
import { identityOf } from '../auth/identity/identity';
import { clientAddress } from '../http/client-address';
import { routeOf } from '../http/matched-route';
import { requestId } from '../http/request-id';

/** In Nest's container: the `Logger` of this process. */
export const LOGGER = Symbol('logger');

/**
 * Structured logs: one line for each request, with who asked, and nothing that is secret: no header and no body is
 * ever logged, and of a URL only the path, because filters hold values.
 * @param worker which of several processes writes
 */
export function createLogger(level: string, worker?: number): Logger {
  return pino({
    level,
    base: { pid: process.pid, hostname: hostname(), ...(worker === undefined ? {} : { worker }) },
    serializers: { err: (error: Error) => loggedError(stdSerializers.err(error)) },
  });
}

/** Requests that nobody wants to read of. */
const UNTOLD = /^\/(healthz|readyz|metrics)/;

/** Writes a line when a request is over: only then it is known who asked. */
export const logRequests =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    if (!UNTOLD.test(request.url)) {
      const { url } = request;
      const address = clientAddress(request);
      const start = Date.now();
      response.once('close', () => {
        // An error has its own line, with all that is known of it; this one only counts the request.
        logger.info(
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
  };

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
  const writes =
    (level: Level) =>
    (message: string | object, ...more: unknown[]): void => {
      // Nest passes the name of the logger last.
      const [text, context] = more.length > 1 ? more : [undefined, more[0]];
      if (message instanceof Error) logger[level]({ context, err: message });
      else if (typeof message === 'object') logger[level]({ context, ...message }, asText(text));
      else logger[level]({ context, stack: text }, message);
    };
  const writeError = writes('error');
  return {
    log: writes('debug'),
    debug: writes('debug'),
    verbose: writes('trace'),
    warn: writes('warn'),
    error: (message: string | object, ...more: unknown[]) => {
      // `listen` also rejects with this error, and the caller prints it with a remedy.
      if (typeof message === 'string' && LISTEN_ERROR.test(message)) return;
      writeError(message, ...more);
    },
    fatal: writes('fatal'),
  };
}

/** How Nest logs that it cannot listen on an address. */
const LISTEN_ERROR = /^Error: (bind|listen) E[A-Z]+\b/;

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
