/** Ctrl-C, or the end of the session: the first asks for an orderly end, the second for one at once. */
export class Interruption {
  private readonly first = new AbortController();
  private readonly second = new AbortController();

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, this.interrupt);
  }

  /** Tells that it is wished to end. */
  get signal(): AbortSignal {
    return this.first.signal;
  }

  /** Tells that nobody waits any more. */
  get impatience(): AbortSignal {
    return this.second.signal;
  }

  get isThere(): boolean {
    return this.first.signal.aborted;
  }

  /** Leaves the signals to what they usually do. */
  end(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, this.interrupt);
  }

  private readonly interrupt = (): void => {
    if (!this.isThere) {
      this.first.abort();
      return;
    }
    this.second.abort();
    // Whoever insists even then is not kept waiting by anything.
    this.end();
  };
}
