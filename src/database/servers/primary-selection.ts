import type { Wanted } from '../../config/database-urls';

/** What a server says of itself. */
export interface ServerState {
  [column: string]: unknown;
  /** Whether it follows another server. */
  readonly follows: boolean;
  /** Whether transactions cannot write. */
  readonly reads: boolean;
  /** The cluster's identifier: servers that follow each other have the same. */
  readonly cluster: string;
  /** Of the log that it writes, in hexadecimal digits; a server that is promoted begins the next one. */
  readonly timeline: string | null;
}

/** What follows from what servers have said. */
interface Outcome<S> {
  /** The one to connect to; undefined if none will do. */
  readonly chosen: S | undefined;
  /** Those on which no connection is of use: what is done there is refused, or lost. */
  readonly unfit: ReadonlySet<S>;
}

/** Which of several servers is connected to, by what they say. It remembers what they have said before. */
export class ServerChoice<S> {
  private chosen: S | undefined;
  /** What each has said last. */
  private readonly last = new Map<S, ServerState>();
  /** The newest timeline that was seen of each cluster: who writes an older one is a primary of former times. */
  private readonly newest = new Map<string, string>();

  /** @param each in the order in which they are named */
  constructor(
    private readonly each: readonly S[],
    private readonly wanted: Wanted,
  ) {}

  /**
   * Chooses. The one that was chosen before stays as long as it will do; else it is the first.
   * @param states of those that have answered
   */
  among(states: ReadonlyMap<S, ServerState>): Outcome<S> {
    for (const [server, state] of states) this.note(server, state);
    const fit = this.each.filter((server) => {
      const state = states.get(server);
      return state && this.reproach(state) === undefined;
    });
    const chosen = fit.find((server) => server === this.chosen) ?? fit[0];
    this.chosen = chosen ?? this.chosen;
    return { chosen, unfit: new Set(this.each.filter((server) => this.isUnfit(server, states.get(server)))) };
  }

  /** Why one that says so will not do; undefined if it will. */
  reproach(state: ServerState): string | undefined {
    if (this.wanted === 'any') return undefined;
    if (state.follows) return 'follows another server';
    if (this.wanted === 'read-write' && state.reads) return 'is read-only';
    return this.isFormer(state) ? 'is a primary of former times' : undefined;
  }

  private note(server: S, state: ServerState): void {
    const { cluster, timeline } = state;
    this.last.set(server, state);
    if (timeline !== null && timeline > (this.newest.get(cluster) ?? '')) this.newest.set(cluster, timeline);
  }

  /** One that is silent may only be slow: it is unfit if another has been promoted since it spoke. */
  private isUnfit(server: S, state: ServerState | undefined): boolean {
    if (state) return this.reproach(state) !== undefined;
    const last = this.last.get(server);
    return this.wanted !== 'any' && last !== undefined && this.isFormer(last);
  }

  private isFormer({ cluster, timeline }: ServerState): boolean {
    return timeline !== null && timeline < (this.newest.get(cluster) ?? '');
  }
}
