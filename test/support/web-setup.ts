import { findBrowser } from '../../scripts/lib/browser.mjs';
import globalSetup from './global-setup';

/** Runs once before the tests of the browser application: the service, and a browser. */
export default async function webSetup(): Promise<void> {
  await globalSetup();
  const browser = await findBrowser();
  if (browser) process.env.TEST_BROWSER = JSON.stringify(browser);
  else if (process.env.CI)
    throw new Error('There is no browser for test/web. Install Chrome, or set CHROME_PATH.');
}
