import type { Page } from 'playwright-core';

/** What was seen of a list between two points in time. */
export interface Frames {
  /** The time (ms) from each frame to the next. */
  readonly intervals: readonly number[];
  /** The duration (ms) of tasks of more than 50 ms, in which the page does not react. */
  readonly longTasks: readonly number[];
  /** The number of frames in which a visible row was still a placeholder. */
  readonly incomplete: number;
}

/** What a recorder has seen of the rows of a list. */
export interface SeenRows {
  /** The number of rows from the first one on that were visible, each in at least one frame. */
  readonly rows: number;
  /** The first row that does not come after the one before it; undefined if there is none. */
  readonly unordered: string | undefined;
}

/** Runs in the page: looks at the list in each frame. */
const RECORDER = `
  const recorder = (globalThis.recorder = { rows: 0, last: '', unordered: undefined, start, stop, complete });
  let onComplete = () => undefined;
  function complete() {
    return new Promise((resolve) => { onComplete = resolve; });
  }
  let intervals, longTasks, incomplete, previous;
  function start() {
    intervals = []; longTasks = []; incomplete = 0; previous = performance.now();
  }
  function stop() {
    return { intervals, longTasks, incomplete };
  }
  start();
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask' });
  requestAnimationFrame(function look(time) {
    requestAnimationFrame(look);
    intervals.push(time - previous);
    previous = time;
    const grid = document.querySelector('[role=grid]');
    if (!grid) return;
    const { bottom } = grid.getBoundingClientRect();
    const [header, ...rows] = [...grid.querySelectorAll('[role=row]')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex);
    // Up to where the visible rows are shown.
    let end = header.getBoundingClientRect().bottom;
    let isComplete = true;
    for (const row of rows) {
      const box = row.getBoundingClientRect();
      if (box.bottom <= end || box.top >= bottom) continue;
      const name = row.querySelector('a')?.textContent;
      if (name === undefined || box.top > end) isComplete = false;
      else if (Number(row.ariaRowIndex) === recorder.rows + 2) {
        if (name <= recorder.last) recorder.unordered ??= name;
        recorder.last = name;
        recorder.rows++;
      }
      end = box.bottom;
    }
    const isEnd = rows.at(-1)?.ariaRowIndex === grid.ariaRowCount;
    if (isComplete && (isEnd || end >= bottom)) onComplete();
    else incomplete++;
  });
`;

/** Installs the recorder in the page, and starts it. */
export const installRecorder = (page: Page): Promise<void> => page.evaluate(RECORDER);

/** Records while something happens. */
export async function record(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate('recorder.start()');
  await work();
  return page.evaluate<Frames>('recorder.stop()');
}

export const seenRows = (page: Page): Promise<SeenRows> =>
  page.evaluate<SeenRows>('({ rows: recorder.rows, unordered: recorder.unordered })');

/** Waits for a frame that shows all visible rows. */
export const untilComplete = (page: Page): Promise<unknown> => page.evaluate('recorder.complete()');
