import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { ChangePreview, type WriteResult } from '../core/change-preview';
import type { BodyChunks } from '../list/list-page';
import { requestState } from './request-state';
import { sendStreamed, setHeaders, StreamedResponse } from './streamed-response';

/** A body of JSON text: whole, or in parts that are written as the client takes them. */
type Body = string | Iterable<string> | BodyChunks;

/** What a controller answers with: a status, headers, and JSON that is text already. */
export class JsonResponse {
  private constructor(
    readonly status: number,
    readonly body: Body | undefined,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  static ok(body: Body, headers: Readonly<Record<string, string>> = {}): JsonResponse {
    return new JsonResponse(200, body, headers);
  }

  static created(
    body: string,
    location: string,
    headers: Readonly<Record<string, string>> = {},
  ): JsonResponse {
    return new JsonResponse(201, body, { ...headers, location });
  }

  static createdAll(body: Body): JsonResponse {
    return new JsonResponse(201, body, {});
  }

  static noContent(): JsonResponse {
    return new JsonResponse(204, undefined, {});
  }
}

/** Renders the result of a write: a preview as it is. @param answer renders what was committed */
export const renderWrite = <T>(result: WriteResult<T>, answer: (value: T) => JsonResponse): JsonResponse =>
  result instanceof ChangePreview ? JsonResponse.ok(result.body) : answer(result);

/** The Express adapter, which sends `JsonResponse` values, on a server with limits. */
export class JsonResponseAdapter extends ExpressAdapter {
  /** @param limits what the server is made with, and cannot be given later */
  constructor(private readonly limits: ServerOptions = {}) {
    const instance = express();
    // Before the first route: a path in other letters is another path, here as in every check of paths.
    instance.set('case sensitive routing', true);
    super(instance);
  }

  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const serve = this.getInstance<RequestListener>();
    this.httpServer = httpsOptions
      ? createTlsServer({ ...httpsOptions, ...this.limits }, serve)
      : createServer(this.limits, serve);
  }

  /** What fails is the filter's, and so is what is left to be done for it then. */
  override async reply(response: Response, body: unknown, statusCode?: number): Promise<void> {
    if (body instanceof StreamedResponse) await body.send(response);
    else if (body instanceof JsonResponse) await sendJsonResponse(response, body);
    else super.reply(response, body, statusCode);
    requestState(response.req).activeRequest?.handlerDone();
  }
}

/** Sends an answer. @throws Error if its body cannot be made */
export async function sendJsonResponse(
  response: Response,
  { status, body, headers }: JsonResponse,
): Promise<void> {
  response.status(status);
  if (body !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8');
  if (body === undefined || typeof body === 'string' || response.req.method === 'HEAD') {
    setHeaders(response, headers);
    // Not `response.send`: it would answer 304 where If-None-Match holds the resource's version, although what the
    // resource inherits has changed.
    response.end(response.req.method === 'HEAD' ? undefined : body);
    return;
  }
  await sendStreamed(response, headers, async (sent) => {
    const portions = Symbol.asyncIterator in body ? body : [body];
    for await (const parts of portions) for (const part of parts) if (sent.add(part)) await sent.flush();
  });
}
