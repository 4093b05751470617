import type { IncomingMessage, ServerResponse } from 'node:http';

const flights = new WeakMap<IncomingMessage, Flight>();

/** The flight of a request; undefined for one that came by another way than the service's own. */
export const flightOf = (request: IncomingMessage): Flight | undefined => flights.get(request);

/** What a request calls that begins to wait in a line of its own. */
export const asideOf =
  (request: IncomingMessage): (() => void) =>
  () =>
    flightOf(request)?.stepAside();

/** How long a client may keep an answer waiting. */
export interface Patience {
  /** In seconds: for as long it may take nothing. */
  readonly stall: number;
  /** By the clock of `performance`: then it has to have taken everything, however fast it is. */
  readonly until: number;
}

/** A request, from when it is let in until nothing of it is left. */
export class Flight {
  /** What holds for this one alone. */
  patience: Patience | undefined;
  private isWorking = false;
  private isClosed = false;

  /** @param leave called once, when it does not count any more */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly leave: () => void,
  ) {}

  /** Work for it begins. It counts until `settle`, also where its client does not wait for that. */
  work(): void {
    this.isWorking = true;
  }

  /** The work for it is over, whatever came of it; what is left is to be sent. */
  settle(): void {
    this.isWorking = false;
    if (this.isClosed) this.leave();
  }

  /** It waits for its turn in a line that has bounds of its own: from now on it counts there, and no longer here. */
  stepAside(): void {
    this.leave();
  }

  /** The answer is sent, or the connection has ended. */
  close(): void {
    this.isClosed = true;
    if (!this.isWorking) this.leave();
  }
}

/**
 * The requests that this process is busy with, of which there is a most. One counts from when it is let in until its
 * answer is sent, or its connection has ended and the work for it is over: clients who leave make no room for more work.
 */
export class InFlight {
  /** All, also those that do not count. */
  readonly flights = new Set<Flight>();
  private counted = 0;

  /** @param most so many at a time */
  constructor(private readonly most: number) {}

  get count(): number {
    return this.counted;
  }

  get isFull(): boolean {
    return this.counted >= this.most;
  }

  /** @param counts whether it is one of those of which there is a most */
  begin(request: IncomingMessage, response: ServerResponse, counts: boolean): void {
    let isCounted = counts;
    if (counts) this.counted++;
    const flight = new Flight(request, response, () => {
      if (isCounted) this.counted--;
      isCounted = false;
    });
    flights.set(request, flight);
    this.flights.add(flight);
    response.once('close', () => {
      this.end(flight);
    });
  }

  private end(flight: Flight): void {
    this.flights.delete(flight);
    flight.close();
  }
}
