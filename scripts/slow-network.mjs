// `npm run slow-network`: opens the list of hosts of a running Muster in a new browser on a network of 1.6 Mbit/s with
// round trips of 150 ms, and prints when each file and response arrived, until the first rows are shown. It needs MUSTER_TOKEN.
// `npm run slow-network -- /` opens another page; `--text=Overview` waits for another text than a row of a list.
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findBrowser } from './lib/browser.mjs';
import { Failure, orExplain } from './lib/project.mjs';

const ROUND_TRIP_MS = 150;
const BYTES_PER_SECOND = 1_600_000 / 8;

async function measure() {
  const { MUSTER_URL: url = 'http://127.0.0.1:7780', MUSTER_TOKEN } = process.env;
  if (!MUSTER_TOKEN) throw new Failure('Please set MUSTER_TOKEN, and MUSTER_URL if it is not the default.');
  const { values, positionals } = parseArgs({
    options: { text: { type: 'string' } },
    allowPositionals: true,
  });
  const [path = '/devices'] = positionals;
  const program = await findBrowser();
  if (!program) throw new Failure('There is no browser. Install Chrome, or set CHROME_PATH.');
  const browser = await chromium.launch(program);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const headers = { authorization: `Bearer ${MUSTER_TOKEN}` };
    const session = await context.request.post(`${url}/v1/session`, { headers });
    if (!session.ok()) throw new Failure(`MUSTER_TOKEN was rejected (${session.status()}).`);
    const { project } = await session.json();
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: ROUND_TRIP_MS },
      ...{ downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND },
    });
    const requests = new Map();
    let start;
    cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
      start ??= timestamp;
      requests.set(requestId, { path: request.url.slice(url.length), sent: timestamp - start });
    });
    cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      Object.assign(requests.get(requestId) ?? {}, { end: timestamp - start, bytes: encodedDataLength });
    });
    await page.goto(`${url}/projects/${project.id}${path}`, { waitUntil: 'commit' });
    const shown = values.text
      ? page.getByText(values.text).first()
      : page.getByRole('grid').getByRole('link').first();
    await shown.waitFor();
    const total = await page.evaluate('performance.now()');
    report([...requests.values()], total);
  } finally {
    await browser.close();
  }
}

/** @param total the time from the navigation to what was waited for, in ms */
function report(requests, total) {
  const ms = (seconds) => `${Math.round(seconds * 1000)}`.padStart(6);
  console.log('  sent arrived   bytes');
  for (const { path, sent, end, bytes = 0 } of requests)
    console.log(
      `${ms(sent)}  ${end === undefined ? '     –' : ms(end)} ${String(bytes).padStart(7)}  ${path.slice(0, 90)}`,
    );
  const before = requests.filter(({ end }) => end !== undefined && end * 1000 <= total);
  const bytes = before.reduce((sum, one) => sum + one.bytes, 0);
  const transfer = (bytes / BYTES_PER_SECOND) * 1000;
  console.log(
    `Shown after ${Math.round(total)} ms: ${before.length} responses with ${bytes} bytes, which take ${Math.round(transfer)} ms.`,
  );
}

await orExplain(measure);
