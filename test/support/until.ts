import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until it is so. @throws if it still is not after so many seconds */
export async function until(what: string, seconds: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`after ${String(seconds)} seconds still not so: ${what}`);
    await pause(10);
  }
}
