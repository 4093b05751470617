// `npm run screenshots`: takes pictures of all pages of the browser application of a running Muster, in light and dark colours
// and at several widths, into the folder screenshots. It needs MUSTER_TOKEN, and the fleet of `npm run demo`.
// `npm run screenshots -- device` takes only those whose names contain the word.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './lib/browser.mjs';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const FOLDER = fileOf('screenshots');
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 2560, height: 1440 },
];

/** The pages: a new one is one more line. `open` gets the page, and the path of the host web-1. */
const PAGES = [
  { name: 'sign-in', path: '/sign-in', ready: 'Sign in' },
  { name: 'devices', path: '/devices', ready: 'hosts' },
  {
    name: 'devices-variables',
    path: '/devices?label=web&columns=name&columns=region_id&columns=labels&columns=var:kernel&columns=var:ntp_servers&columns=var:monitoring',
    ready: 'web-1',
  },
  { name: 'device-variables', path: '{web-1}', ready: 'ntp_servers' },
  { name: 'device-history', path: '{web-1}?tab=history', ready: 'npm run demo' },
  { name: 'device-json', path: '{web-1}?tab=raw', ready: '"name": "web-1"' },
  {
    name: 'preview',
    path: '{web-1}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Override ntp_servers' }).click();
      await page.getByLabel('Value of ntp_servers').fill('["10.9.0.1", "10.9.0.2"]');
      await page.keyboard.press('Control+Enter');
      await page.getByText('another value').waitFor();
    },
  },
  {
    name: 'search',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('textbox', { name: 'Search' }).fill('web-');
      await page.getByRole('dialog').getByText('web-1', { exact: true }).waitFor();
    },
  },
  { name: 'account', path: '/account', ready: 'this session' },
  { name: 'admin-users', path: '/admin', ready: 'operator' },
  {
    name: 'admin-new-user',
    path: '/admin',
    ready: 'operator',
    act: (page) => page.getByRole('button', { name: 'Create a user' }).click(),
  },
  { name: 'admin-settings', path: '/admin?section=settings', ready: 'Private variables' },
  { name: 'admin-definitions', path: '/admin?section=definitions', ready: 'Create a definition' },
  { name: 'admin-secrets', path: '/admin?section=secrets', ready: 'UUID' },
  { name: 'admin-projects', path: '/admin?section=projects', ready: 'default' },
  {
    name: 'audits',
    path: '/audits',
    ready: 'Create an audit',
    act: async (page) => {
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Running…').waitFor();
      await page.getByText('Running…').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'audit',
    path: '/audits',
    ready: 'Create an audit',
    act: async (page) => {
      await page.locator('tbody a').first().click();
      await page.getByText(/ of .* fail|all .* pass/).waitFor();
    },
  },
  { name: 'not-found', path: '/devices/hosts/999999999', ready: 'Not found' },
];

async function takeScreenshots() {
  const { MUSTER_URL: url = 'http://127.0.0.1:7780', MUSTER_TOKEN } = process.env;
  if (!MUSTER_TOKEN) throw new Failure('Please set MUSTER_TOKEN, and MUSTER_URL if it is not the default.');
  const [wanted = ''] = process.argv.slice(2);
  const program = await findBrowser();
  if (!program) throw new Failure('There is no browser. Install Chrome, or set CHROME_PATH.');
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(program);
  try {
    for (const colorScheme of ['light', 'dark'])
      for (const viewport of VIEWPORTS) {
        const context = await browser.newContext({ colorScheme, viewport });
        const headers = { authorization: `Bearer ${MUSTER_TOKEN}` };
        const session = await context.request.post(`${url}/v1/session`, { headers });
        if (!session.ok()) throw new Failure(`MUSTER_TOKEN was rejected (${session.status()}).`);
        const [host] = await (await context.request.get(`${url}/v1/hosts?name=web-1&fields=id`)).json();
        if (!host) throw new Failure('There is no host web-1. Run: npm run demo');
        for (const page of PAGES.filter(({ name }) => name.includes(wanted)))
          await takeScreenshot(
            context,
            url,
            page,
            `/devices/hosts/${host.id}`,
            `${colorScheme}-${viewport.width}`,
          );
        await context.close();
      }
  } finally {
    await browser.close();
  }
}

async function takeScreenshot(context, url, { name, path, ready, act }, webOne, suffix) {
  const page = await context.newPage();
  await page.goto(`${url}${path.replace('{web-1}', webOne)}`);
  await page.getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  await act?.(page);
  const file = join(FOLDER, `${name}-${suffix}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  console.log(file);
  await page.close();
}

await orExplain(takeScreenshots);
