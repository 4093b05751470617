import { setTimeout as pause } from 'node:timers/promises';

/** In milliseconds. Whoever asks more often keeps what is waited for from its work. */
const LONGEST_PAUSE = 100;

/** Asks again and again, ever less often, until it is so. @throws if it still is not after so many seconds */
export async function until(what: string, seconds: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (let rest = 10; !(await isSo()); rest = Math.min(rest * 1.5, LONGEST_PAUSE)) {
    if (Date.now() > deadline) throw new Error(`after ${String(seconds)} seconds still not so: ${what}`);
    await pause(rest);
  }
}
