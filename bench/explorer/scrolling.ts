import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Fleet } from '../fleet/fleets';
import { collectGarbage, launchChromium, openTab, readMemory, type BrowserMemory } from './chromium';
import { installRecorder, record, seenRows, untilComplete, type Frames } from './frame-recorder';

/** How long (s) the wheel is turned. */
const WHEEL_SECONDS = 20;
/** The pixels of each turn, one in each frame: 12,000 pixels a second are quick. */
const WHEEL_DELTA = 200;
const FRAME_MS = 1000 / 60;
/** The places that the scroll bar is dragged to. */
const DRAGS = 20;
/** The time (ms) between two readings of the memory. */
const MEMORY_INTERVAL = 2_000;
/** How long (s) Page Down is pressed at most: a million rows would take twenty minutes. */
const PAGE_DOWN_SECONDS = 60;

/** Scrolls the list of devices in a browser, and prints a line for each figure. */
export async function measureScrolling(
  url: string,
  fleet: Fleet,
  print: (line: string) => void,
): Promise<void> {
  const browser = await launchChromium();
  const memory = watchMemory(browser);
  try {
    const page = await openTab(browser, url, fleet.credentials);
    const empty = await readMemory(browser);
    await page.goto(`${url}/projects/${fleet.credentials.project}/devices`);
    await installRecorder(page);
    await untilComplete(page);
    await page
      .getByRole('status')
      .getByText(/^[\d,]+ hosts$/)
      .waitFor();
    await page.getByRole('grid').focus();
    print(await wheel(page, 'the wheel, from the start', WHEEL_DELTA));
    print(await key(page, 'End'));
    print(await wheel(page, 'the wheel, up from the end', -WHEEL_DELTA));
    print(await drags(page));
    print(await key(page, 'Home'));
    print(await pageDowns(page));
    const highest = await memory.stop();
    await collectGarbage(page);
    print(memoryLine({ empty, highest, held: await readMemory(browser) }));
  } finally {
    // A closed browser cannot be watched: that failure would hide the first one.
    await memory.stop();
    await browser.close();
  }
}

async function wheel(page: Page, name: string, delta: number): Promise<string> {
  const box = await page.getByRole('grid').boundingBox();
  if (!box) throw new Error('the list is not visible');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const frames = await record(page, async () => {
    const until = performance.now() + WHEEL_SECONDS * 1000;
    for (let next = performance.now(); next < until; next += FRAME_MS) {
      await page.mouse.wheel(0, delta);
      await setTimeout(Math.max(0, next + FRAME_MS - performance.now()));
    }
  });
  await untilComplete(page);
  return `${name}: ${framesLine(frames)}`;
}

/** Presses Home or End, and waits for the first or last row. */
async function key(page: Page, name: 'Home' | 'End'): Promise<string> {
  const count = Number(await page.getByRole('grid').getAttribute('aria-rowcount'));
  const index = name === 'Home' ? 2 : count;
  const startedAt = performance.now();
  await page.keyboard.press(name);
  await page.locator(`[role=row][aria-rowindex="${String(index)}"] a`).waitFor();
  return `${name}: the row is shown after ${(performance.now() - startedAt).toFixed(0)} ms`;
}

/** Drags the scroll bar to places all over the list. */
async function drags(page: Page): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < DRAGS; i++) {
    const share = (i * 0.618) % 1;
    const startedAt = performance.now();
    await page.evaluate(`{
      const grid = document.querySelector('[role=grid]');
      grid.scrollTop = grid.scrollHeight * ${String(share)};
    }`);
    await untilComplete(page);
    times.push(performance.now() - startedAt);
  }
  return `drags of the scroll bar: rows are shown after p50 ${quantile(times, 0.5)}, maximum ${quantile(times, 1)}`;
}

/** Presses Page Down as soon as all rows are shown, until the end or PAGE_DOWN_SECONDS have passed. */
async function pageDowns(page: Page): Promise<string> {
  const total = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  let seen = await seenRows(page);
  const frames = await record(page, async () => {
    while (seen.rows < total && seconds() < PAGE_DOWN_SECONDS) {
      await page.keyboard.press('PageDown');
      await untilComplete(page);
      seen = await seenRows(page);
      if (seen.unordered !== undefined) throw new Error(`${seen.unordered} is out of order`);
    }
  });
  return `Page Down: ${seen.rows.toLocaleString('en')} rows in order in ${seconds().toFixed(0)} s; ${framesLine(frames)}`;
}

function framesLine({ intervals, longTasks, incomplete }: Frames): string {
  const share = ((100 * incomplete) / intervals.length).toFixed(1);
  const longest =
    longTasks.length === 0
      ? 'no long task'
      : `${String(longTasks.length)} long tasks, the longest ${quantile(longTasks, 1)}`;
  return `frames p50 ${quantile(intervals, 0.5)}, p99 ${quantile(intervals, 0.99)}, maximum ${quantile(intervals, 1)}; ${longest}; rows missing in ${share} % of the frames`;
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${(sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(0)} ms`;
}

/** Reads the memory again and again. `stop` returns the highest. */
function watchMemory(browser: Browser): { readonly stop: () => Promise<BrowserMemory> } {
  let highest: BrowserMemory = { footprint: 0, resident: 0 };
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { footprint, resident } = await readMemory(browser);
      highest = {
        footprint: Math.max(highest.footprint, footprint),
        resident: Math.max(highest.resident, resident),
      };
      await setTimeout(MEMORY_INTERVAL);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return highest;
    },
  };
}

interface ScrollingMemory {
  /** Before the list was opened. */
  readonly empty: BrowserMemory;
  /** While it was scrolled. Browsers collect garbage late, as long as there is memory. */
  readonly highest: BrowserMemory;
  /** Afterwards, without garbage. */
  readonly held: BrowserMemory;
}

function memoryLine({ empty, highest, held }: ScrollingMemory): string {
  const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  const line = (of: keyof BrowserMemory) =>
    `without a page ${mebibytes(empty[of])}; at most ${mebibytes(highest[of])}; without garbage ${mebibytes(held[of])}`;
  return [
    `memory footprint of all processes of the browser: ${line('footprint')}`,
    `their resident memory, program files included: ${line('resident')}`,
  ].join('\n');
}
