import { setTimeout as pause } from 'node:timers/promises';

/** The maximum interval (ms) between polls. */
const MAX_INTERVAL = 250;

/** Polls with increasing intervals until a condition holds. @throws Error after the timeout */
export async function until(what: string, seconds: number, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (let interval = 10; !(await isTrue()); interval = Math.min(interval * 1.5, MAX_INTERVAL)) {
    if (Date.now() > deadline) throw new Error(`timed out after ${String(seconds)} s waiting until ${what}`);
    await pause(interval);
  }
}
