import { once } from 'node:events';
import { setImmediate as others } from 'node:timers/promises';
import type { Response } from 'express';
import { TLSSocket } from 'node:tls';
import { setHeaders } from './answer-headers';

/** Where the parts of a long body go. */
export interface BodySink {
  /** Takes a part, as soon as the client has taken those before it. Throws when there is nobody to take it any more. */
  write(part: string): Promise<void>;
}

/** What a long body is answered with. */
export interface StreamedAnswerOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** In seconds: a client that takes no further piece for as long is left. */
  readonly patience: number;
  /** Told in a sentence why a body was cut off. */
  readonly note: (sentence: string) => void;
  /**
   * Makes the body, part by part. What it throws before the first piece is full is answered like every error. After
   * that it is too late for a status, and the connection is cut.
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
 * chunked body, which comes only after the last part: whatever goes wrong before cuts the connection, so that no part is
 * taken for the whole.
 */
export class StreamedAnswer {
  constructor(private readonly options: StreamedAnswerOptions) {}

  /** Sends it. @throws whatever the making throws, once the connection is cut where it has begun */
  async send(response: Response): Promise<void> {
    const { headers, produce } = this.options;
    response.status(200);
    setHeaders(response, headers);
    const body = response.req.method === 'HEAD' ? undefined : new StreamedBody(response, this.options);
    try {
      await produce(body ?? new Beginning());
      if (body) await body.end();
      else response.end();
    } catch (error) {
      if (error instanceof Enough) {
        response.end();
        return;
      }
      if (response.headersSent) cut(response);
      else for (const name of Object.keys(headers)) if (name !== 'vary') response.removeHeader(name);
      if (!(error instanceof Unheard)) throw error;
    }
  }
}

class StreamedBody implements BodySink {
  private piece = '';

  constructor(
    private readonly response: Response,
    private readonly options: Pick<StreamedAnswerOptions, 'patience' | 'note'>,
  ) {}

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

  /** Resolves once the client has taken what was written. */
  private async taken(): Promise<void> {
    const { patience, note } = this.options;
    const settled = new AbortController();
    const timer = setTimeout(() => {
      note(`An answer was cut off: its client took nothing for ${String(patience)} seconds.`);
      settled.abort();
    }, patience * 1000);
    const leave = (): void => {
      settled.abort();
    };
    this.response.once('close', leave);
    try {
      await once(this.response, 'drain', { signal: settled.signal });
    } catch (error) {
      if (settled.signal.aborted) throw new Unheard();
      throw error;
    } finally {
      clearTimeout(timer);
      this.response.off('close', leave);
    }
  }
}

/**
 * Cuts the connection so that every client notices: one of HTTP/1.0, as proxies are, takes an orderly end for the end
 * of the body.
 */
function cut(response: Response): void {
  const { socket } = response;
  // Within TLS an end that was not announced is no orderly one, and a reset is not to be had.
  if (socket instanceof TLSSocket) socket.destroy();
  else if (socket && !socket.destroyed) socket.resetAndDestroy();
  response.destroy();
}
