// `npm run screenshots`: takes pictures of all pages of the browser application of a running Muster, in light and dark colours
// and at several widths, into the folder screenshots. It needs MUSTER_TOKEN, and the fleet of `npm run demo -- --hosts 20000`.
// `npm run screenshots -- device` takes only those whose names contain the word; `npm run screenshots -- device dark-1440` only in
// this look.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './lib/browser.mjs';
import { Failure, fileOf, orExplain } from './lib/project.mjs';

const FOLDER = fileOf('screenshots');
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 1920, height: 1080 },
];

/** The pages: a new one is one more line. `{web-1}` is the path of this host, `{north}` of this region. */
const PAGES = [
  { name: 'sign-in', path: '/sign-in', ready: 'Sign in' },
  { name: 'overview', path: '/', ready: 'devices fail' },
  { name: 'map', path: '/map', ready: 'inactive' },
  { name: 'map-variable', path: '/map?key=kernel', ready: 'other values' },
  { name: 'map-disagreement', path: '/map?key=ntp_servers&show=disagreement', ready: 'different' },
  { name: 'map-audit', path: '/map?audit={audit}', ready: 'fail' },
  { name: 'map-table', path: '/map?key=kernel&table=true', ready: 'other values' },
  { name: 'devices', path: '/devices', ready: 'hosts' },
  {
    name: 'devices-variables',
    path: '/devices?label=web&columns=name&columns=region_id&columns=labels&columns=var:kernel&columns=var:ntp_servers&columns=var:monitoring',
    ready: 'web-1',
  },
  { name: 'devices-tree', path: '/devices?tree=true', ready: 'ams1' },
  {
    name: 'devices-selected',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.getByText('2 selected').waitFor();
    },
  },
  {
    name: 'devices-bulk',
    path: '/devices?where=domain = "north.example.net"',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('grid').focus();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: /^Select all/ }).click();
      await page.getByRole('button', { name: 'Change…' }).click();
      await page.getByRole('combobox', { name: 'Key' }).fill('kernel');
      await page.getByRole('textbox', { name: 'Value' }).fill('"6.14"');
      await page.getByRole('button', { name: 'Preview…' }).click();
      await page.getByText('another value').waitFor();
    },
  },
  {
    name: 'devices-filters',
    path: '/devices?name_contains=WEB&label=web&without_label=retired&access_secret_id=null',
    ready: 'web-1',
    act: async (page) => {
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByRole('combobox', { name: 'Region' }).waitFor();
    },
  },
  {
    name: 'devices-builder',
    path: '/devices',
    ready: 'hosts',
    act: async (page) => {
      await page.getByRole('button', { name: 'Build a filter by variables' }).click();
      await page.getByRole('combobox', { name: 'Variable' }).fill('ntp_servers');
      const value = page.getByPlaceholder('Choose or type a value');
      await value.fill('10.1');
      await page.getByText('ntp_servers = "10.1"').waitFor();
    },
  },
  { name: 'regions', path: '/inventory/regions', ready: 'north' },
  {
    name: 'cells-variables',
    path: '/inventory/cells?columns=name&columns=region_id&columns=devices&columns=var:ntp_servers',
    ready: 'ams1',
  },
  { name: 'labels', path: '/inventory/labels', ready: 'compute' },
  { name: 'region-variables', path: '{north}', ready: 'ntp_servers' },
  { name: 'region-effect', path: '{north}?tab=effect', ready: 'override it' },
  {
    name: 'region-edit',
    path: '{north}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Note' }).fill('the first site');
    },
  },
  { name: 'device-variables', path: '{web-1}', ready: 'ntp_servers' },
  {
    name: 'device-graph',
    path: '{web-1}?tab=children',
    ready: 'No children',
    act: async (page) => {
      await page.getByRole('link', { name: 'north-core' }).click();
      await page.getByRole('list', { name: 'Children of north-core' }).getByText('web-1').waitFor();
    },
  },
  { name: 'device-timeline', path: '{web-1}?tab=timeline', ready: 'As it was then' },
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
    name: 'device-past',
    path: '{web-1}?tab=history',
    ready: 'npm run demo',
    act: async (page) => {
      await page.getByRole('link', { name: 'As it was then' }).last().click();
      await page.getByText('Back to now').waitFor();
      await page.getByText('ntp_servers').waitFor();
    },
  },
  {
    name: 'device-moment',
    path: '{web-1}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Show another time' }).click();
      await page.getByRole('listbox', { name: 'Changes over time' }).waitFor();
    },
  },
  { name: 'variables', path: '/variables', ready: 'ntp_servers' },
  { name: 'variable', path: '/variables/kernel', ready: 'different values' },
  { name: 'variable-groups', path: '/variables/kernel?tab=groups', ready: 'Differ' },
  { name: 'variable-assignments', path: '/variables/ntp_servers?tab=assignments', ready: 'assignments' },
  { name: 'variable-definition', path: '/variables/ntp_servers?tab=definition', ready: 'minItems' },
  { name: 'proposals', path: '/proposals?view=mine', ready: 'Other time servers' },
  { name: 'proposal', path: '{proposal}', ready: 'another value' },
  { name: 'proposal-devices', path: '{proposal}?tab=devices', ready: 'web-1' },
  {
    name: 'proposal-amend',
    path: '{proposal}',
    ready: 'another value',
    act: async (page) => {
      await page.getByRole('button', { name: 'Amend…' }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
    },
  },
  {
    name: 'preview-propose',
    path: '{web-1}',
    ready: 'ntp_servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Override ntp_servers' }).click();
      await page.getByLabel('Value of ntp_servers').fill('["10.9.0.1", "10.9.0.2"]');
      await page.keyboard.press('Control+Enter');
      await page.getByText('another value').waitFor();
      await page.getByRole('button', { name: 'Propose…' }).click();
      await page.getByRole('textbox', { name: 'Title of the proposal' }).waitFor();
    },
  },
  { name: 'changes', path: '/changes', ready: 'npm run demo' },
  { name: 'between', path: '/changes/between?since=2020-01-01', ready: 'resolve other values' },
  {
    name: 'changes-selected',
    path: '/changes',
    ready: 'npm run demo',
    act: async (page) => {
      const histogram = page.getByRole('listbox', { name: 'Changes over time' });
      for (const key of ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight']) await histogram.press(key);
    },
  },
  {
    name: 'change',
    path: '/changes?kind=region',
    ready: 'npm run demo',
    act: async (page) => {
      await page.getByRole('grid').press('Enter');
      await page.getByRole('heading', { name: 'Change' }).waitFor();
      await page.getByLabel('Changed resources').waitFor();
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
  { name: 'import', path: '/import', ready: 'Drop it here' },
  { name: 'compare', path: '/compare', ready: 'Compare' },
  { name: 'account', path: '/account', ready: 'this session' },
  { name: 'admin-users', path: '/admin', ready: 'operator' },
  {
    name: 'admin-new-user',
    path: '/admin',
    ready: 'operator',
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a user' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Username' }).waitFor();
    },
  },
  { name: 'admin-settings', path: '/admin?section=settings', ready: 'Private variables' },
  { name: 'admin-definitions', path: '/admin?section=definitions', ready: 'Create a definition' },
  { name: 'admin-secrets', path: '/admin?section=secrets', ready: 'Create an access secret' },
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
      await page
        .getByText(/ of .* fail|all .* pass/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'audit-own-values',
    path: '/audits/{audit}',
    ready: 'fail',
    act: async (page) => {
      await page.getByRole('button', { name: 'Remediate all own values of kernel' }).click();
      await page.getByText(/failing devices?, .* sets? kernel/).waitFor();
    },
  },
  { name: 'not-found', path: '/devices/hosts/999999999', ready: 'Not found' },
];

async function takeScreenshots() {
  const { MUSTER_URL: url = 'http://127.0.0.1:7780', MUSTER_TOKEN } = process.env;
  if (!MUSTER_TOKEN) throw new Failure('Please set MUSTER_TOKEN, and MUSTER_URL if it is not the default.');
  const [wanted = '', look = ''] = process.argv.slice(2);
  const program = await findBrowser();
  if (!program) throw new Failure('There is no browser. Install Chrome, or set CHROME_PATH.');
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch(program);
  try {
    for (const colorScheme of ['light', 'dark'])
      for (const viewport of VIEWPORTS) {
        const suffix = `${colorScheme}-${viewport.width}`;
        if (!suffix.includes(look)) continue;
        const context = await browser.newContext({ colorScheme, viewport });
        const headers = { authorization: `Bearer ${MUSTER_TOKEN}` };
        const session = await context.request.post(`${url}/v1/session`, { headers });
        if (!session.ok()) throw new Failure(`MUSTER_TOKEN was rejected (${session.status()}).`);
        const [host] = await (await context.request.get(`${url}/v1/hosts?name=web-1&fields=id`)).json();
        const [region] = await (await context.request.get(`${url}/v1/regions?name=north&fields=id`)).json();
        if (!host || !region) throw new Failure('There is no host web-1 in north. Run: npm run demo');
        const [audit] = await (
          await context.request.get(`${url}/v1/audits?name=kernel-current&fields=id`)
        ).json();
        const proposal = await propose(context, url, headers, region);
        const paths = {
          '{web-1}': `/devices/hosts/${host.id}`,
          '{north}': `/inventory/regions/${region.id}`,
          '{proposal}': `/proposals/${proposal}`,
          '{audit}': String(audit?.id),
        };
        for (const page of PAGES.filter(({ name }) => name.includes(wanted)))
          await takeScreenshot(context, url, page, paths, suffix);
        await withdraw(context, url, headers, proposal);
        await context.close();
      }
  } finally {
    await browser.close();
  }
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

const withdraw = ({ request }, url, headers, id) =>
  request.post(`${url}/v1/proposals/${id}/withdraw`, { headers });

async function takeScreenshot(context, url, { name, path, ready, act }, paths, suffix) {
  const page = await context.newPage();
  await page.goto(`${url}${path.replace(/\{.*?\}/, (name) => paths[name])}`);
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await act?.(page);
  const file = join(FOLDER, `${name}-${suffix}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  console.log(file);
  await page.close();
}

await orExplain(takeScreenshots);
