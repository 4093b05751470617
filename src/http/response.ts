import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { ChangePreview, type WriteOutcome, type WriteResult } from '../core/write-result';
import type { BodyChunks } from '../lists/list-page';
import { bodyWriter, isCompressible } from './compression';
import { currentCopy } from './entity-tag';
import { consistencyHeader } from './request';
import { requestState } from './request-state';
import { joinWarnings, warningHeader } from './warnings';
import {
  encodedBody,
  sendStreamed,
  setHeaders,
  StreamedResponse,
  type ResponseHeaders,
} from './streamed-response';

/** A body of JSON text: complete, or in parts that are written as the client reads them. */
type Body = string | Iterable<string> | BodyChunks;

/** The response of a controller: a status, headers, and serialized JSON. */
export class JsonResponse {
  constructor(
    readonly status: number,
    readonly body: Body | undefined,
    readonly headers: ResponseHeaders = {},
  ) {}

  static ok(body: Body, headers: ResponseHeaders = {}): JsonResponse {
    return new JsonResponse(200, body, headers);
  }

  static created(body: string, location: string, headers: ResponseHeaders = {}): JsonResponse {
    return new JsonResponse(201, body, { ...headers, location });
  }

  static createdAll(body: Body, headers: ResponseHeaders): JsonResponse {
    return new JsonResponse(201, body, headers);
  }

  /** Sends the browser to another page. */
  static redirect(location: string, headers: ResponseHeaders = {}): JsonResponse {
    return new JsonResponse(302, undefined, { ...headers, location });
  }

  static noContent(headers: ResponseHeaders = {}): JsonResponse {
    return new JsonResponse(204, undefined, headers);
  }

  /** The same response with further headers. Warnings are added to those that it has. */
  with(headers: ResponseHeaders): JsonResponse {
    const warnings = [this.headers['warning'], headers['warning']].flatMap((warning) => warning ?? []);
    const warning = warnings.length > 0 ? { warning: joinWarnings(warnings) } : {};
    return new JsonResponse(this.status, this.body, { ...this.headers, ...headers, ...warning });
  }
}

/** The headers that tell the client about a write. */
export const outcomeHeaders = ({ warnings, replayed, position }: WriteOutcome): ResponseHeaders => ({
  ...warningHeader(warnings),
  ...(replayed ? { 'idempotency-replayed': 'true' } : {}),
  ...consistencyHeader(position),
});

/** Renders the result of a write, or the preview of a dry run. @param render renders what was committed */
export const renderWrite = <T>(write: WriteResult<T>, render: (result: T) => JsonResponse): JsonResponse =>
  write instanceof ChangePreview
    ? JsonResponse.ok(write.body, warningHeader(write.warnings))
    : render(write.result).with(outcomeHeaders(write));

/** The Express adapter. It sends `JsonResponse` values, and creates the server with limits. */
export class JsonResponseAdapter extends ExpressAdapter {
  /** @param limits options that a server accepts only when it is created */
  constructor(private readonly limits: ServerOptions) {
    const instance = express();
    // Must be set before the first route. All other checks of paths are case-sensitive, too.
    instance.set('case sensitive routing', true);
    super(instance);
  }

  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const serve = this.getInstance<RequestListener>();
    this.httpServer = httpsOptions
      ? createTlsServer({ ...httpsOptions, ...this.limits }, serve)
      : createServer(this.limits, serve);
  }

  /** On an error, the error filter sends the response and calls `handlerDone`. */
  override async reply(response: Response, body: unknown, statusCode?: number): Promise<void> {
    const { subrequest } = requestState(response.req);
    if (subrequest) subrequest.succeed(body);
    else if (body instanceof StreamedResponse) await body.send(response);
    else if (body instanceof JsonResponse) await sendJsonResponse(response, body);
    else super.reply(response, body, statusCode);
    requestState(response.req).activeRequest?.handlerDone();
  }
}

/** The tag of the client's copy of what it reads, if the copy is current. */
function currentCopyOf(response: Response, { status, headers: { etag } }: JsonResponse): string | undefined {
  const { req: request } = response;
  if (status !== 200 || typeof etag !== 'string' || !['GET', 'HEAD'].includes(request.method))
    return undefined;
  return currentCopy(request.get('if-none-match'), etag);
}

/** Says in `Vary` if a body depends on `Accept-Encoding`, also in responses without it. */
function varyByCoding(response: Response, body: JsonResponse['body']): void {
  if (typeof body === 'string' && isCompressible(response, body.length)) response.vary('Accept-Encoding');
}

/** Sends a response. @throws whatever producing its body throws */
async function sendJsonResponse(response: Response, json: JsonResponse): Promise<void> {
  const { status, body, headers } = json;
  const copy = currentCopyOf(response, json);
  if (copy !== undefined) {
    setHeaders(response, { ...headers, etag: copy });
    varyByCoding(response, body);
    response.status(304).end();
    return;
  }
  response.status(status);
  if (body !== undefined) response.setHeader('content-type', 'application/json');
  if (body === undefined || typeof body === 'string' || response.req.method === 'HEAD') {
    setHeaders(response, headers);
    varyByCoding(response, body);
    const isSent = typeof body === 'string' && response.req.method !== 'HEAD';
    const sent = isSent ? encodedBody(body, response) : undefined;
    // Not `response.send`: it does not compress, and it would compare tags that have a coding.
    bodyWriter(response, sent?.length ?? 0).end(sent);
    return;
  }
  await sendStreamed(response, headers, async (sent) => {
    const chunks = Symbol.asyncIterator in body ? body : [body];
    for await (const parts of chunks) for (const part of parts) if (sent.add(part)) await sent.flush();
  });
}
