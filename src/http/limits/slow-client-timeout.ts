import type { Socket } from 'node:net';
import { cut } from '../reset-connection';
import type { Flight, InFlight } from './active-requests';

/** What is expected of clients. */
export interface ClientLimits {
  /** In seconds: for as long a client may be behind. */
  readonly stall: number;
  /** In bytes a second: who is slower falls behind. */
  readonly pace: number;
}

/** In milliseconds. */
const LOOK_EVERY = 1_000;

/** How far behind the client of a request is. */
class Lag {
  private looked = performance.now();
  private isSending: boolean | undefined;
  private moved = 0;
  private seconds = 0;

  /** @returns in seconds */
  lookAt({ request, response }: Flight, pace: number): number {
    const { socket } = request;
    const now = performance.now();
    // While this process was busy with something else, no client was slow.
    const step = Math.min(LOOK_EVERY, now - this.looked) / 1000;
    this.looked = now;
    const isSending = !request.complete;
    const moved = isSending ? socket.bytesRead : socket.bytesWritten - socket.writableLength;
    // Who has sent the body begins anew with the answer.
    if (isSending !== this.isSending) this.seconds = 0;
    else this.seconds = Math.max(0, this.seconds - (moved - this.moved) / pace);
    this.isSending = isSending;
    this.moved = moved;
    const isAwaited = isSending
      ? request.readableLength === 0
      : response.headersSent && socket.writableLength > 0;
    if (isAwaited) this.seconds += step;
    return this.seconds;
  }
}

/**
 * Cuts off clients that keep the service waiting: with a body of which no more comes, or an answer of which no more is
 * taken. A client falls behind while it is waited for, and catches up with each byte, so that neither silence nor a byte
 * now and then keeps a connection for ever. All are looked at once a second: a request that is over by then costs nothing.
 */
export class SlowClients {
  private readonly lags = new WeakMap<Flight, Lag>();

  /** @param tell of each that is cut off, in a sentence */
  constructor(
    private readonly inFlight: InFlight,
    private readonly limits: ClientLimits,
    private readonly tell: (sentence: string) => void,
  ) {}

  /** Looks after them from now on. @returns what ends it */
  watch(): () => void {
    const timer = setInterval(() => {
      for (const flight of this.inFlight.flights) this.look(flight);
    }, LOOK_EVERY).unref();
    return () => {
      clearInterval(timer);
    };
  }

  private look(flight: Flight): void {
    const { request, patience } = flight;
    if (!hasSocket(request)) return;
    const stall = (request.complete ? patience?.stall : undefined) ?? this.limits.stall;
    const isBehind = this.lagOf(flight).lookAt(flight, this.limits.pace) > stall;
    const isOver = patience !== undefined && performance.now() > patience.until;
    if (!isBehind && !isOver) return;
    const what = request.complete ? 'answer' : 'body';
    this.tell(
      isBehind
        ? `A client was cut off: it was ${String(stall)} seconds behind with its ${what}.`
        : `A client was cut off: its ${what} took too long.`,
    );
    cut(request.socket);
  }

  private lagOf(flight: Flight): Lag {
    const known = this.lags.get(flight);
    if (known) return known;
    const made = new Lag();
    this.lags.set(flight, made);
    return made;
  }
}

/** Node takes it away from a request whose connection is over, whatever its types say. */
const hasSocket = ({ socket }: { readonly socket: Socket | null }): boolean => socket !== null;
