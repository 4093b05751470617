import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Response } from 'express';
import { nextEventLoopTurn } from '../core/concurrency';
import { bodyWriter } from './compression';
import { requestState } from './request-state';
import { resetConnection } from './connections';

/** Limits for streamed responses. Each uses a database connection until it is sent. */
export interface StreamLimits {
  /** The maximum of concurrent exports. */
  readonly maxExports: number;
  /** The maximum of concurrent responses for integrations, in addition to the exports. */
  readonly maxHostQueries: number;
  /** In seconds: how long a client may take to read a whole response. */
  readonly timeout: number;
}

/** The injection token of `StreamLimits`. */
export const STREAM_LIMITS = Symbol('stream limits');

/** The maximum of concurrent responses of each type. */
const MAX_STREAMS = 4;

/**
 * How many streamed responses a process sends at a time. Together they use fewer than half of its database connections,
 * so that most are left for other requests. At least one of each type is always allowed.
 */
export function maxStreams(connections: number): Pick<StreamLimits, 'maxExports' | 'maxHostQueries'> {
  const bounded = (count: number) => Math.max(1, Math.min(MAX_STREAMS, Math.floor(count)));
  const maxExports = bounded(connections / 4);
  return { maxExports, maxHostQueries: bounded((connections - 1) / 2 - maxExports) };
}

/** By name; a header with several values is sent several times. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Sets the headers of a response. `Vary` is added to what the response already varies with, such as its origin. */
export function setHeaders(response: Response, headers: ResponseHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'vary' && typeof value === 'string') response.vary(value);
    else response.setHeader(name, value);
  }
}

/**
 * Node encodes headers together with a text body as UTF-8, and otherwise as Latin-1. Warnings are encoded already, so
 * their body must not be a text.
 */
export const encodedBody = (body: string, response: Response): string | Buffer =>
  response.hasHeader('warning') ? Buffer.from(body) : body;

/** The destination of a streamed body. */
export interface BodySink {
  /** Writes a part; resolves when the client has read enough of it. Throws if the client has disconnected. */
  write(part: string): Promise<void>;
}

export interface StreamedResponseOptions {
  readonly headers: ResponseHeaders;
  /** In seconds: how long the client may take to read all of it. */
  readonly timeout?: number;
  /** Writes the body, part by part. */
  readonly produce: (sink: BodySink) => Promise<void>;
}

/** In characters. Smaller chunks would cost too many system calls. */
const CHUNK_LENGTH = 64 * 1024;

/** Thrown into `produce` when the client has disconnected. */
class ClientDisconnected extends Error {}

/** Thrown into `produce` when no more of the body is needed. */
class BodyNotNeeded extends Error {}

/** Discards the first chunk of a body, for `HEAD`: an error in this chunk is also the response to `HEAD`. */
class DiscardedBody implements BodySink {
  private length = 0;

  write(part: string): Promise<void> {
    this.length += part.length;
    return this.length < CHUNK_LENGTH ? Promise.resolve() : Promise.reject(new BodyNotNeeded());
  }
}

/** A response that is produced while it is sent, as fast as the client reads it. */
export class StreamedResponse {
  constructor(private readonly options: StreamedResponseOptions) {}

  /** Sends the response. @throws whatever `produce` throws */
  async send(response: Response): Promise<void> {
    const { headers, timeout, produce } = this.options;
    if (timeout !== undefined) requestState(response.req).activeRequest?.limitDuration(timeout);
    response.status(200);
    if (response.req.method !== 'HEAD') {
      await sendStreamed(response, headers, produce);
      return;
    }
    try {
      await produce(new DiscardedBody());
    } catch (error) {
      if (!(error instanceof BodyNotNeeded)) throw error;
    }
    setHeaders(response, headers);
    response.end();
  }
}

/**
 * Sends a body while `produce` writes it. After any failure the connection is reset, so that the client does not take a
 * partial body for a complete one.
 * @throws whatever `produce` throws. If that is before the first chunk is full, an error can still be sent
 */
export async function sendStreamed(
  response: Response,
  headers: ResponseHeaders,
  produce: (body: StreamedBody) => Promise<void>,
): Promise<void> {
  setHeaders(response, headers);
  const body = new StreamedBody(response);
  try {
    await produce(body);
    await body.end();
  } catch (error) {
    if (response.headersSent) {
      if (response.socket) resetConnection(response.socket);
      response.destroy();
    } else for (const name of Object.keys(headers)) if (name !== 'vary') response.removeHeader(name);
    if (!(error instanceof ClientDisconnected)) throw error;
  }
}

/** A body that is sent in chunks. A short body is sent at once, with its length unless it is compressed. */
export class StreamedBody implements BodySink {
  private chunk = '';
  /** Absent until the first chunk is full. */
  private writer: Writable | undefined;

  constructor(private readonly response: Response) {}

  async write(part: string): Promise<void> {
    if (this.add(part)) await this.flush();
  }

  /** @returns whether the chunk is full, and has to be flushed */
  add(part: string): boolean {
    this.chunk += part;
    return this.chunk.length >= CHUNK_LENGTH;
  }

  async end(): Promise<void> {
    if (this.writer) await this.flush();
    this.requireClient();
    this.writer ??= bodyWriter(this.response, this.chunk.length);
    this.writer.end(encodedBody(this.chunk, this.response));
  }

  async flush(): Promise<void> {
    this.requireClient();
    const bytes = Buffer.from(this.chunk);
    this.chunk = '';
    if (!this.writer) {
      this.writer = bodyWriter(this.response, Infinity);
      // From here on, an error resets the connection. A compressor would send the headers with its first output.
      this.response.flushHeaders();
    }
    if (!this.writer.write(bytes)) await this.drained(this.writer);
    // A fast client must not keep the process from serving others.
    await nextEventLoopTurn();
    this.requireClient();
  }

  private requireClient(): void {
    if (this.response.destroyed || this.response.closed) throw new ClientDisconnected();
  }

  /** Resolves once the client has read what was written. `Connections` disconnects one that does not. */
  private async drained(writer: Writable): Promise<void> {
    const closed = new AbortController();
    const abort = (): void => {
      closed.abort();
    };
    this.response.once('close', abort);
    try {
      await once(writer, 'drain', { signal: closed.signal });
    } catch (error) {
      if (closed.signal.aborted) throw new ClientDisconnected();
      throw error;
    } finally {
      this.response.off('close', abort);
    }
  }
}
