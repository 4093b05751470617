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

/** The memory of a browser, in bytes. */
export interface BrowserMemory {
  /** Of all processes: their private memory, and their share of what they share (PSS). */
  readonly total: number;
  /** Of the process that runs the page. */
  readonly renderer: number;
}

/** Reads the memory of all processes of a browser. */
export async function readMemory(browser: Browser): Promise<BrowserMemory> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  await cdp.detach();
  const sizes = processInfo.map(({ id, type }) => ({ type, bytes: proportionalSize(id) }));
  const sum = (some: typeof sizes) => some.reduce((total, { bytes }) => total + bytes, 0);
  return { total: sum(sizes), renderer: sum(sizes.filter(({ type }) => type === 'renderer')) };
}

/** Collects the garbage of a page, as a browser does when memory becomes scarce. */
export async function collectGarbage(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.detach();
}

function proportionalSize(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
