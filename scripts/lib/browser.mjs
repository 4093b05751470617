import { existsSync } from 'node:fs';

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
    const { default: chromium } = await import('@sparticuz/chromium');
    // Unpacks it into the folder for temporary files. The arguments of the package are left out: they are for very small
    // machines, and turn off the security that pages are tested with.
    return { executablePath: await chromium.executablePath(), args: ['--no-sandbox'] };
  }
  const executablePath = (INSTALLED[process.platform] ?? []).find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, args: [] };
}
