import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { findBrowser as FindBrowser } from '../../scripts/lib/browser.mjs';
import { projectDir } from '../../src/database/connection/connection';
import type { Credentials } from '../run/service';

/** The browser that the tests use. */
export async function launchChromium(): Promise<Browser> {
  const module = pathToFileURL(join(projectDir(), 'scripts/lib/browser.mjs')).href;
  const { findBrowser } = (await import(module)) as { findBrowser: typeof FindBrowser };
  const program = await findBrowser();
  if (!program) throw new Error('There is no browser. Install Chrome, or set CHROME_PATH.');
  return chromium.launch(program);
}

/** Opens a tab with a session. */
export async function openTab(browser: Browser, url: string, { token }: Credentials): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const headers = { authorization: `Bearer ${token}` };
  const session = await context.request.post(`${url}/v1/session`, { headers });
  if (!session.ok()) throw new Error(`no session: ${String(session.status())}`);
  return context.newPage();
}

/** The memory of all processes of a browser, in bytes. */
export interface BrowserMemory {
  /** What the task manager of Chrome calls the memory footprint: private memory, also if it was swapped out. */
  readonly footprint: number;
  /** Resident memory, of which several processes share what they have in common: also program files (PSS). */
  readonly resident: number;
}

/** Reads the memory of all processes of a browser. */
export async function readMemory(browser: Browser): Promise<BrowserMemory> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  await cdp.detach();
  const sum = (file: string, lines: readonly string[]) =>
    processInfo.reduce((total, { id }) => total + kilobytes(`/proc/${String(id)}/${file}`, lines), 0) * 1024;
  return { footprint: sum('status', ['RssAnon', 'VmSwap']), resident: sum('smaps_rollup', ['Pss']) };
}

/** Collects the garbage of a page, as a browser does when memory becomes scarce. */
export async function collectGarbage(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.detach();
}

function kilobytes(file: string, names: readonly string[]): number {
  const lines = readFileSync(file, 'utf8').split('\n');
  const size = (name: string) =>
    Number(/\d+/.exec(lines.find((line) => line.startsWith(`${name}:`)) ?? '')?.[0]);
  return names.reduce((total, name) => total + size(name), 0);
}
