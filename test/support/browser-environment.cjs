const { TestEnvironment } = require('jest-environment-node');
const { chromium } = require('playwright-core');

/** How long (ms) a worker without a file keeps its connection to the browser. Jest waits for 500 ms for the end of a worker. */
const IDLE_TIMEOUT = 250;

/**
 * What the files of a worker share: Playwright, which takes half a second to load, and a connection with a tab, which has
 * compiled the application.
 */
const shared = { chromium, browser: undefined, freeTab: undefined };
let idle;

/** Jest's environment of Node, with the browser in a global variable. */
module.exports = class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    clearTimeout(idle);
    this.global.sharedBrowser = shared;
  }

  async teardown() {
    await super.teardown();
    const { browser } = shared;
    idle = setTimeout(() => {
      Object.assign(shared, { browser: undefined, freeTab: undefined });
      browser?.close();
    }, IDLE_TIMEOUT);
  }
};
