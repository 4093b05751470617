const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const { chromium } = require('playwright-core');

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let connection;

/** The connection to the browser of this run. It does not keep the process alive: no test file knows which one is the last. */
async function connect(endpoint) {
  const port = Number(new URL(endpoint).port);
  // Others may open sockets meanwhile, and where one leads to is known once it is connected.
  const unref = ({ socket }) =>
    socket.once('connect', () => {
      if (socket.remotePort === port) socket.unref();
    });
  subscribe('net.client.socket', unref);
  try {
    const browser = await chromium.connect(endpoint);
    // Files after a lost connection connect again, or fail with the reason why they cannot.
    browser.once('disconnected', () => {
      connection = undefined;
    });
    return browser;
  } finally {
    unsubscribe('net.client.socket', unref);
  }
}

/**
 * What all test files of a worker share, because Jest loads other modules again for each file: a new tab is another process,
 * which loads and compiles the whole application again.
 */
module.exports = {
  /**
   * The tab of a finished test, without its cookies, storage and routes, for the next test.
   * @type {import('playwright-core').Page | undefined}
   */
  freeTab: undefined,

  /** @returns {Promise<import('playwright-core').Browser>} the connected browser */
  browserAt(endpoint) {
    connection ??= connect(endpoint).catch((error) => {
      connection = undefined;
      throw error;
    });
    return connection;
  },
};
