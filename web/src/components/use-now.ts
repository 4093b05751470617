import { useSyncExternalStore } from 'react';

/** How often (ms) relative times change. */
const INTERVAL = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** One timer for all times on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const notify of listeners) notify();
  }, INTERVAL);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current(): number {
  // The timer rests while no time is shown. While one is shown, only the timer moves the clock, for all of them at once: in a
  // tab in the background it is late.
  if (listeners.size === 0 && Math.abs(Date.now() - now) > INTERVAL) now = Date.now();
  return now;
}

/** The current time (ms since 1970), at most half a minute old, and the same for all components. */
export const useNow = (): number => useSyncExternalStore(subscribe, current);
