import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where Chromium is unpacked: not in a folder that users share, because only the one who unpacks it may run it. */
const UNPACKED = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url));

/** Where Chrome is installed, by platform. */
const INSTALLED = {
  linux: ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser'],
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
};

/**
 * Finds a browser: the one in CHROME_PATH, on Linux x64 the Chromium of a package, else an installed Chrome.
 * @returns what Playwright launches; undefined if there is none
 */
export async function findBrowser() {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH !== undefined && CHROME_PATH !== '') return { executablePath: CHROME_PATH, args: [] };
  if (process.platform === 'linux' && process.arch === 'x64') {
    if (!existsSync(UNPACKED)) await unpackChromium();
    // The arguments of the package are left out: they are for very small machines, and turn off the security that pages
    // are tested with.
    return { executablePath: join(UNPACKED, 'chromium'), args: ['--no-sandbox'] };
  }
  const executablePath = (INSTALLED[process.platform] ?? []).find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, args: [] };
}

/** Unpacks the Chromium of the package, completely or not at all. */
async function unpackChromium() {
  const { default: chromium } = await import('@sparticuz/chromium');
  await mkdir(dirname(UNPACKED), { recursive: true });
  const folder = await mkdtemp(`${UNPACKED}-`);
  const { TMPDIR } = process.env;
  // The package unpacks into the folder for temporary files.
  process.env.TMPDIR = folder;
  try {
    await chromium.executablePath();
    await rename(folder, UNPACKED);
  } catch (error) {
    // Another program may have unpacked it meanwhile.
    if (!existsSync(UNPACKED)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(folder, { recursive: true, force: true });
  }
}
