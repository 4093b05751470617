import { LRUCache } from 'lru-cache';

const INTERVAL_MS = 1_000;

/** Events beyond the newest thousand are logged again. */
const MAX_EVENTS = 1_000;

interface LoggedEvent {
  readonly at: number;
  suppressed: number;
}

/** Limits repeated events to one log line per second. */
export class LogThrottle {
  private readonly logged = new LRUCache<string, LoggedEvent>({ max: MAX_EVENTS });

  /**
   * Called for each event.
   * @param event identifies events that are counted together
   * @returns how many events were suppressed since the last line; undefined if this one is to be suppressed, too
   */
  leftOut(event: string): number | undefined {
    const now = performance.now();
    const last = this.logged.get(event);
    if (last && now - last.at < INTERVAL_MS) {
      last.suppressed++;
      return undefined;
    }
    this.logged.set(event, { at: now, suppressed: 0 });
    return last?.suppressed ?? 0;
  }
}
