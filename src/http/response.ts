import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import { activeRequestOf } from './active-requests';
import { setHeaders, StreamedAnswer } from './streamed-response';

/** A body of JSON text: whole, or in parts that are written as the client takes them. */
type Body = string | Iterable<string> | Portions;

/** Parts that are read portion by portion, each when those before it are sent. */
export type Portions = AsyncIterable<Iterable<string>>;

/** What a controller answers with: a status, headers, and JSON that is text already. */
export class Answer {
  private constructor(
    readonly status: number,
    readonly body: Body | undefined,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  static ok(body: Body, headers: Readonly<Record<string, string>> = {}): Answer {
    return new Answer(200, body, headers);
  }

  static created(body: string, location: string, headers: Readonly<Record<string, string>> = {}): Answer {
    return new Answer(201, body, { ...headers, location });
  }

  static createdAll(body: Body): Answer {
    return new Answer(201, body, {});
  }

  static noContent(): Answer {
    return new Answer(204, undefined, {});
  }
}

/**
 * Thrown to end a request's work with an answer: what is within a transaction is rolled back by it, as by every
 * error, and yet the client gets what was found out. The filter of errors sends it.
 */
export class Interruption extends Error {
  constructor(readonly answer: Answer) {
    super('interrupted by an answer');
  }
}

/** Express, taught to send an `Answer`, on a server with limits. */
export class AnswerAdapter extends ExpressAdapter {
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
    if (body instanceof StreamedAnswer) await body.send(response);
    else if (body instanceof Answer) await sendAnswer(response, body);
    else super.reply(response, body, statusCode);
    activeRequestOf(response.req)?.handlerDone();
  }
}

/** In characters. */
const PIECE = 64 * 1024;

/** Parts, gathered into pieces worth a system call each. */
function* piecesOf(parts: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

/** A portion could not be read. The cause may look as if the client had left: a database's connection breaks likewise. */
class Unread extends Error {}

async function* piecesOfPortions(portions: Portions): AsyncGenerator<Buffer> {
  try {
    for await (const parts of portions) yield* piecesOf(parts);
  } catch (error) {
    throw new Unread('a portion could not be read', { cause: error });
  }
}

/** Sends an answer. @throws Error if its body fails on the way, once the client can no longer be told */
export async function sendAnswer(response: Response, answer: Answer): Promise<void> {
  response.status(answer.status);
  if (answer.body !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8');
  setHeaders(response, answer.headers);
  if (answer.body === undefined || response.req.method === 'HEAD') {
    response.end();
    return;
  }
  if (typeof answer.body === 'string') {
    // Not `response.send`: it would answer 304 where If-None-Match holds the resource's version, although what the
    // resource inherits has changed.
    response.end(answer.body);
    return;
  }
  if (Symbol.asyncIterator in answer.body) await stream(response, piecesOfPortions(answer.body));
  else await sendParts(response, answer.body);
}

/** What is short is sent at once, with its length. */
async function sendParts(response: Response, parts: Iterable<string>): Promise<void> {
  const pieces = piecesOf(parts);
  const first = pieces.next();
  const second = first.done === true ? first : pieces.next();
  if (second.done === true) {
    response.end(first.value);
    return;
  }
  await stream(
    response,
    (function* () {
      if (first.done !== true) yield first.value;
      yield second.value;
      yield* pieces;
    })(),
  );
}

/** Sends pieces as the client takes them; no further one is asked for before. */
async function stream(response: Response, pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    if (!response.closed && !response.req.socket.destroyed) await once(response, 'close');
    if (error instanceof Unread) throw error.cause;
    // The client went away; there is nobody to tell.
    if (!isPrematureClose(error)) throw error;
  }
}

const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(error.code));
