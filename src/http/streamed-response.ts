import { once } from 'node:events';
import { setImmediate as others } from 'node:timers/promises';
import type { Response } from 'express';
import { activeRequestOf } from './active-requests';
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
  /** Takes a part, as soon as the client has taken those before it. Throws when there is nobody to take it any more. */
  write(part: string): Promise<void>;
}

/** What a long body is answered with. */
export interface StreamedAnswerOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** In seconds: how long the client may take to read all of it. Without this there is no limit. */
  readonly timeout?: number;
  /**
   * Makes the body, part by part. What it throws before the first piece is full is answered like every error. After
   * that it is too late for a status, and the connection is reset.
   */
  readonly produce: (sink: BodySink) => Promise<void>;
}

/** In characters: a piece is worth a system call. */
const PIECE = 64 * 1024;

/** Thrown into the making of a body that nobody takes any more. There is nobody to tell. */
class Unheard extends Error {}

/** Thrown into the making of a body of which no more is needed. */
class Enough extends Error {}

/** Of a body that nobody gets, the first piece: what is refused is refused before it is full. */
class Beginning implements BodySink {
  private length = 0;

  write(part: string): Promise<void> {
    this.length += part.length;
    return this.length < PIECE ? Promise.resolve() : Promise.reject(new Enough());
  }
}

/**
 * An answer that is made while it is sent, as fast as the client takes it, however long it is. Its end is the end of the
 * chunked body, which comes only after the last part: whatever goes wrong before resets the connection, so that no part is
 * taken for the whole.
 */
export class StreamedAnswer {
  constructor(private readonly options: StreamedAnswerOptions) {}

  /** Sends it. @throws whatever the making throws, once the connection is reset where it has begun */
  async send(response: Response): Promise<void> {
    const { headers, timeout, produce } = this.options;
    if (timeout !== undefined) activeRequestOf(response.req)?.limitDuration(timeout);
    response.status(200);
    setHeaders(response, headers);
    const body = response.req.method === 'HEAD' ? undefined : new StreamedBody(response);
    try {
      await produce(body ?? new Beginning());
      if (body) await body.end();
      else response.end();
    } catch (error) {
      if (error instanceof Enough) {
        response.end();
        return;
      }
      if (response.headersSent) {
        if (response.socket) resetConnection(response.socket);
        response.destroy();
      } else for (const name of Object.keys(headers)) if (name !== 'vary') response.removeHeader(name);
      if (!(error instanceof Unheard)) throw error;
    }
  }
}

class StreamedBody implements BodySink {
  private piece = '';

  constructor(private readonly response: Response) {}

  async write(part: string): Promise<void> {
    this.piece += part;
    if (this.piece.length >= PIECE) await this.flush();
  }

  /** Ends the body: it is complete. */
  async end(): Promise<void> {
    if (this.response.headersSent) await this.flush();
    this.requireListener();
    this.response.end(this.piece);
  }

  private async flush(): Promise<void> {
    this.requireListener();
    const piece = Buffer.from(this.piece);
    this.piece = '';
    if (!this.response.write(piece)) await this.taken();
    // A client that takes everything at once does not keep the process from all others.
    await others();
    this.requireListener();
  }

  private requireListener(): void {
    if (this.response.destroyed || this.response.closed) throw new Unheard();
  }

  /** Resolves once the client has read what was written. `Connections` disconnects one that does not. */
  private async taken(): Promise<void> {
    const gone = new AbortController();
    const leave = (): void => {
      gone.abort();
    };
    this.response.once('close', leave);
    try {
      await once(this.response, 'drain', { signal: gone.signal });
    } catch (error) {
      if (gone.signal.aborted) throw new Unheard();
      throw error;
    } finally {
      this.response.off('close', leave);
    }
  }
}
