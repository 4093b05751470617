import type { WalPosition } from '../../core/wal-position';

/** Where the primary was, and when it was asked. */
interface Sample {
  readonly at: string;
  /** In milliseconds of this process' clock, from before the question. */
  readonly time: number;
}

/**
 * Where the primary's log was at which time, by which is known how old what a replica shows can be. It needs no clock
 * but this process', is right for a replica that has lost its connection, and for one that has nothing to replay.
 */
export class PrimaryLog {
  private log = '';
  private samples: Sample[] = [];

  /** @param keptMs what a replica lacks for longer needs not be told from what it lacks for ever */
  constructor(private readonly keptMs: number) {}

  /** The log that the primary writes; empty while it is not known. */
  get name(): string {
    return this.log;
  }

  /** The cluster that it is of: the first digits of a log. */
  get cluster(): string {
    return this.log.slice(0, 16);
  }

  note({ log, at }: WalPosition, time: number): void {
    const last = this.samples.at(-1);
    // Another server is the primary by now: of what the former one wrote it may lack something.
    if (log !== this.log || (last && at < last.at)) this.samples = [];
    this.log = log;
    this.samples.push({ at, time });
    // One that is too old remains: it is what all that is young enough comes after.
    const first = this.samples.findIndex((sample) => sample.time > time - this.keptMs);
    this.samples.splice(0, Math.max(first - 1, 0));
  }

  /** How old what is shown at a position can be at most, in milliseconds. */
  ageOf(at: string, now = Date.now()): number {
    const reached = this.samples.findLast((sample) => sample.at <= at);
    return reached ? now - reached.time : Infinity;
  }

  /** For how long, in milliseconds, something is lacking at a position that was there when the primary was asked. */
  lagOf(at: string, now = Date.now()): number {
    if (this.ageOf(at, now) === Infinity) return Infinity;
    const lacking = this.samples.find((sample) => sample.at > at);
    return lacking ? now - lacking.time : 0;
  }
}
