// `npm run screenshots`: takes pictures of all pages of the browser application of a running Muster, in light and dark colours
// and at several widths, into the folder screenshots. It needs MUSTER_TOKEN, and the fleet of `npm run demo -- --hosts 20000`.
// `npm run screenshots -- device` takes only those whose names contain the word; `npm run screenshots -- device dark-1440` only in
// this look.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './lib/browser.mjs';
import { EXPLORER_PAGES } from './lib/explorer-pages.mjs';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const FOLDER = fileOf('screenshots');
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 1920, height: 1080 },
];

async function takeScreenshots() {
  const { MUSTER_URL: url = 'http://127.0.0.1:7780', MUSTER_TOKEN } = process.env;
  if (!MUSTER_TOKEN) throw new Failure('Please set MUSTER_TOKEN, and MUSTER_URL if it is not the default.');
  const [wanted = '', look = ''] = process.argv.slice(2);
  const program = await findBrowser();
  if (!program) throw new Failure('There is no browser. Install Chrome, or set CHROME_PATH.');
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(program);
  const failures = [];
  try {
    for (const colorScheme of ['light', 'dark'])
      for (const viewport of VIEWPORTS) {
        const suffix = `${colorScheme}-${viewport.width}`;
        if (!suffix.includes(look)) continue;
        const context = await browser.newContext({ colorScheme, viewport });
        const headers = { authorization: `Bearer ${MUSTER_TOKEN}` };
        const session = await context.request.post(`${url}/v1/session`, { headers });
        if (!session.ok()) throw new Failure(`MUSTER_TOKEN was rejected (${session.status()}).`);
        const find = async (list) =>
          (await (await context.request.get(`${url}/v1/${list}&fields=id`)).json())[0];
        const host = await find('hosts?name=web-1');
        const region = await find('regions?name=north');
        if (!host || !region) throw new Failure('There is no host web-1 in north. Run: npm run demo');
        const proposal = await propose(context, url, headers, region);
        const empty = await createProject(context, url, headers);
        const paths = {
          '{web-1}': `/devices/hosts/${host.id}`,
          '{web-1-id}': host.id,
          '{worker-1-id}': (await find('hosts?name=worker-1'))?.id,
          '{north}': `/inventory/regions/${region.id}`,
          '{proposal}': `/proposals/${proposal}`,
          '{audit}': (await find('audits?name=kernel-current'))?.id,
          '{empty}': `/projects/${empty}`,
        };
        for (const page of EXPLORER_PAGES.filter(({ name }) => name.includes(wanted)))
          failures.push(...(await takeScreenshot(context, url, page, paths, suffix)));
        await withdraw(context, url, headers, proposal);
        await context.request.delete(`${url}/v1/projects/${empty}`, { headers });
        await context.close();
      }
  } finally {
    await browser.close();
  }
  if (failures.length > 0) throw new Failure(failures.join('\n'));
}

/** Makes a proposal for the pictures. @returns its id */
async function propose({ request }, url, headers, region) {
  const target = `${url}/v1/regions/${region.id}/variables?propose=${encodeURIComponent('Other time servers')}`;
  const response = await request.put(target, { headers, data: { ntp_servers: ['10.9.0.1', '10.9.0.2'] } });
  if (!response.ok()) throw new Failure(`The proposal was rejected (${response.status()}).`);
  const { id } = await response.json();
  const text = 'The old ones are switched off on Friday.';
  await request.post(`${url}/v1/proposals/${id}/comments`, { headers, data: { text } });
  return id;
}

/** Makes a project without devices for the pictures. @returns its id */
async function createProject({ request }, url, headers) {
  const response = await request.post(`${url}/v1/projects`, {
    headers,
    data: { name: `empty ${Date.now()}` },
  });
  if (!response.ok())
    throw new Failure(`No empty project (${response.status()}): the key of a root user is needed.`);
  return (await response.json()).id;
}

const withdraw = ({ request }, url, headers, id) =>
  request.post(`${url}/v1/proposals/${id}/withdraw`, { headers });

/** Takes a picture of a page. One that is not as it should be stops no other. @returns why there is no picture, if so */
async function takeScreenshot(context, url, { name, path, ready, act }, paths, suffix) {
  const page = await context.newPage();
  try {
    await page.goto(`${url}${path.replace(/\{.*?\}/g, (name) => paths[name])}`);
    await page.getByText(ready).filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await act?.(page);
    const take = async (what) => {
      const file = join(FOLDER, `${what}-${suffix}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      console.log(file);
    };
    await take(name);
    // On a small screen, the filters of a list are folded.
    const filters = page.getByRole('button', { name: /^Filters( \(\d+\))?$/ });
    if (!act && (await filters.isVisible())) {
      await filters.click();
      await take(`${name}-filters`);
    }
    return [];
  } catch (error) {
    return [`${name}-${suffix}: ${error.message}`];
  } finally {
    await page.close();
  }
}

await orExplain(takeScreenshots);
