import { once } from 'node:events';
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { requestState } from './request-state';
import { resetConnection } from './connections';

/** Limits for long responses, which are made while they are sent. Each keeps a database connection until it is sent. */
export interface StreamLimits {
  /** Exports at a time. */
  readonly maxExports: number;
  /** Responses for other programs at a time, in addition to the exports. */
  readonly maxHostQueries: number;
  /** In seconds: how long a client may take to read a whole response. */
  readonly timeout: number;
}

/** The injection token of `StreamLimits`. */
export const STREAM_LIMITS = Symbol('stream limits');

/** Responses of each sort. */
const MAX_STREAMS = 4;

/**
 * How many long responses a process sends at a time. Together they use fewer than half of its database connections, so
 * that most are left for other requests; but there is always one of each sort.
 */
export function maxStreams(connections: number): Pick<StreamLimits, 'maxExports' | 'maxHostQueries'> {
  const bounded = (count: number) => Math.max(1, Math.min(MAX_STREAMS, Math.floor(count)));
  const maxExports = bounded(connections / 4);
  return { maxExports, maxHostQueries: bounded((connections - 1) / 2 - maxExports) };
}

/** Sets the headers of a response. `Vary` is added to what the response already varies with, such as its origin. */
export function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'vary') response.vary(value);
    else response.setHeader(name, value);
  }
}

/** Where the parts of a long body go. */
export interface BodySink {
  /** Takes a part, as soon as the client has read those before it. Throws if the client has disconnected. */
  write(part: string): Promise<void>;
}

export interface StreamedResponseOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** In seconds: how long the client may take to read all of it. */
  readonly timeout?: number;
  /** Makes the body, part by part. */
  readonly produce: (sink: BodySink) => Promise<void>;
}

/** In characters. A chunk is worth a system call. */
const CHUNK_LENGTH = 64 * 1024;

/** Thrown into `produce` when the client has disconnected. */
class ClientDisconnected extends Error {}

/** Thrown into `produce` when no more of the body is needed. */
class BodyNotNeeded extends Error {}

/** The first chunk of a body that is not sent: what fails there fails for `HEAD`, too. */
class DiscardedBody implements BodySink {
  private length = 0;

  write(part: string): Promise<void> {
    this.length += part.length;
    return this.length < CHUNK_LENGTH ? Promise.resolve() : Promise.reject(new BodyNotNeeded());
  }
}

/** A response that is made while it is sent, as fast as the client reads it. */
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
 * Sends a body while `produce` makes it. Only a complete body has the end of a chunked body: after any failure the
 * connection is reset, so that the client does not take a part for the whole.
 * @throws whatever `produce` throws. If that is before the first chunk is full, an error can still be sent
 */
export async function sendStreamed(
  response: Response,
  headers: Readonly<Record<string, string>>,
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

/** A body that is sent in chunks. A short one is sent at once, with its length. */
export class StreamedBody implements BodySink {
  private chunk = '';

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
    if (this.response.headersSent) await this.flush();
    this.requireClient();
    this.response.end(this.chunk);
  }

  async flush(): Promise<void> {
    this.requireClient();
    const bytes = Buffer.from(this.chunk);
    this.chunk = '';
    if (!this.response.write(bytes)) await this.drained();
    // A client that reads everything at once must not keep the process from others.
    await nextEventLoopTurn();
    this.requireClient();
  }

  private requireClient(): void {
    if (this.response.destroyed || this.response.closed) throw new ClientDisconnected();
  }

  /** Resolves once the client has read what was written. `Connections` disconnects one that does not. */
  private async drained(): Promise<void> {
    const closed = new AbortController();
    const abort = (): void => {
      closed.abort();
    };
    this.response.once('close', abort);
    try {
      await once(this.response, 'drain', { signal: closed.signal });
    } catch (error) {
      if (closed.signal.aborted) throw new ClientDisconnected();
      throw error;
    } finally {
      this.response.off('close', abort);
    }
  }
}
