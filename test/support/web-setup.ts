import { chromium, type BrowserServer } from 'playwright-core';
import { findBrowser } from '../../scripts/lib/browser.mjs';
import globalSetup from './global-setup';
import globalTeardown from './global-teardown';

declare global {
  /** The browser that all test files share. global-teardown.ts closes it. */
  var testBrowser: BrowserServer | undefined;
}

/**
 * No page of a test lives long enough for the optimizing compilers of V8: they take an eighth of the time of Chromium, and what they
 * compile runs for a thirtieth of it.
 */
const WITHOUT_OPTIMIZATION = '--js-flags=--no-maglev,--no-turbofan';

/** Runs once before tests that open pages: starts the service, and a browser. */
export default async function webSetup(): Promise<void> {
  await globalSetup();
  try {
    const browser = await findBrowser();
    if (browser) {
      globalThis.testBrowser = await chromium.launchServer({
        ...browser,
        args: [...browser.args, WITHOUT_OPTIMIZATION],
      });
      process.env.TEST_BROWSER = globalThis.testBrowser.wsEndpoint();
    } else if (process.env.CI)
      throw new Error('There is no browser for the tests. Install Chrome, or set CHROME_PATH.');
  } catch (error) {
    // Jest does not run the teardown after a failed setup.
    await globalTeardown();
    throw error;
  }
}
