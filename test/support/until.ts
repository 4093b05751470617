import { setTimeout as pause } from 'node:timers/promises';

/** The maximum interval (ms) between polls, unless a caller sets it. */
const MAX_INTERVAL = 250;

/**
 * Polls with increasing intervals until a condition holds. The last poll starts after the deadline, so one slow poll causes no timeout.
 * @param maxInterval the maximum interval (ms) between polls. Raise it for long waits whose poll is expensive.
 * @throws Error after the timeout
 */
export async function until(
  what: string,
  seconds: number,
  isTrue: () => Promise<boolean>,
  maxInterval = MAX_INTERVAL,
): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (let interval = 10; ; interval = Math.min(interval * 1.5, maxInterval)) {
    const isLast = Date.now() > deadline;
    if (await isTrue()) return;
    if (isLast) throw new Error(`timed out after ${String(seconds)} s waiting until ${what}`);
    await pause(interval);
  }
}
