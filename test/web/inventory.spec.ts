import type { Request } from 'playwright-core';
import type { Caller } from '../support/caller';
import { loadFleet, type LoadedFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

describeWithBrowser('regions, cells, labels and clouds', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let fleet: LoadedFleet;
  let label: number;

  beforeEach(async () => {
    admin = await app.project();
    fleet = await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { kernel: '6.8', ntp_servers: ['10.1.0.1'] } },
        { name: 'south', variables: {} },
      ],
      cells: [{ region: 'north', name: 'rack-a', variables: { power_feed: 'A' } }],
      labels: [{ label: 'web', variables: { monitoring: 60 } }],
      hosts: ['web-1', 'web-2', 'web-3'].map((name) => ({
        name,
        region: 'north',
        cell: 'rack-a',
        labels: ['web'],
        variables: name === 'web-3' ? { kernel: '6.12' } : {},
      })),
    });
    const [found] = (await admin.get('/v1/labels?label=web').expect(200)).body as { id: number }[];
    label = found?.id ?? 0;
  });

  const region = () => `/inventory/regions/${String(fleet.regions.get('north'))}`;
  const cell = () => `/inventory/cells/${String(fleet.cells.get('north/rack-a'))}`;

  it('are listed, filtered, opened, found and counted with the keyboard, and have variables as columns', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/inventory/regions');
    const orders: (string | null)[] = [];
    web.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v1/cells' || pathname === '/v1/labels') orders.push(searchParams.get('sort_keys'));
    });
    await web.page.getByText('2 regions').waitFor();
    await web.tabTo('textbox', 'Filter by variables');
    await web.page.keyboard.type('kernel:"6.8"');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 region', { exact: true }).waitFor();
    await web.tabTo('grid', 'regions');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'north' }).waitFor();
    expect(web.path).toBe(region());
    // The list behind it is the first link after its name, also on a phone.
    const count = web.page.getByRole('link', { name: '3 hosts' });
    await count.waitFor();
    for (const width of [1280, 360]) {
      await web.page.setViewportSize({ width, height: 720 });
      expect((await count.boundingBox())?.y).toBeLessThan(width === 360 ? 180 : 120);
    }
    await web.page.setViewportSize({ width: 1280, height: 720 });
    await web.tabTo('link', '3 hosts');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('button', { name: 'Edit the filter region north' }).waitFor();
    await web.page.getByText('3 hosts', { exact: true }).waitFor();
    await web.show('/inventory/cells');
    await web.page.getByText('1 cell', { exact: true }).waitFor();
    await web.page.getByRole('grid', { name: 'cells' }).getByRole('link', { name: 'rack-a' }).waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    // The search leads to their pages.
    await web.page.keyboard.press('Control+K');
    await web.page.getByRole('textbox', { name: 'Search' }).fill('rack-a');
    await web.page.getByRole('option', { name: /^cell rack-a/ }).waitFor();
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'rack-a' }).waitFor();
    expect(web.path).toBe(cell());
    // A cloud leads to its regions.
    const cloud = await admin.cloud({ name: 'private' });
    await admin.region({ name: 'west', cloud_id: cloud.id });
    await web.show('/inventory/clouds');
    await web.page.getByRole('link', { name: 'private' }).click();
    await web.page.getByRole('heading', { name: 'private' }).waitFor();
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await web.page.getByRole('link', { name: 'Show them' }).click();
    await web.page.getByText('1 region', { exact: true }).waitFor();
    await web.page.getByRole('link', { name: 'west' }).waitFor();
    // Each number of devices leads to them.
    for (const collection of ['regions', 'cells', 'labels']) {
      await web.show(`/inventory/${collection}`);
      await web.page.getByRole('gridcell', { name: '3', exact: true }).getByRole('link').click();
      await web.page.getByText('3 hosts').waitFor();
    }
    // rack-2 comes before rack-10.
    expect([...new Set(orders)].toSorted()).toEqual(['label:natural', 'name:natural']);
    // Variables are columns: those of cells with their origin.
    await web.show('/inventory/cells?columns=name&columns=var:kernel&columns=var:power_feed');
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).waitFor();
    await web.page.getByRole('gridcell', { name: 'cell "A"' }).waitFor();
    await web.show('/inventory/labels?columns=label&columns=var:monitoring');
    await web.page.getByRole('gridcell', { name: 'label 60' }).waitFor();
    await web.close();
  });

  it('say why lists are not sorted by numbers of devices, and name the map to those that it draws', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/inventory/regions');
    const reason = web.page.getByText('Lists cannot be sorted by numbers of devices.');
    const map = web.page.getByRole('dialog').getByRole('link', { name: 'fleet map' });
    await web.page.getByRole('columnheader', { name: 'Hosts' }).getByRole('button').click();
    await reason.waitFor();
    expect(await map.count()).toBe(1);
    await web.show('/inventory/labels');
    await web.page.getByRole('link', { name: 'web', exact: true }).waitFor();
    await web.page.getByRole('columnheader', { name: 'Hosts' }).getByRole('button').click();
    await reason.waitFor();
    expect(await map.count()).toBe(0);
    await web.close();
  });

  it('set a variable with the keyboard, with the devices that change, also after a failure and while another one is written', async () => {
    const web = await WebPage.signedIn(browser(), admin, region());
    await web.page.getByText('"6.8"').waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    // A dialog stays open that was opened while the write of another one is sent.
    const edit = async (value: string) => {
      await web.page.getByLabel('Value of kernel').fill(value);
      await web.page.keyboard.press('Control+Enter');
      await web.page.getByText('2 devices resolve another value.').waitFor();
    };
    const isWrite = (request: Request) => request.method() === 'PUT' && !request.url().includes('dry_run');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await web.page.route('**', async (route) => {
      if (isWrite(route.request())) await released;
      await route.continue();
    });
    await web.page.getByRole('button', { name: 'Edit kernel' }).click();
    await edit('"6.3"');
    const isSent = web.page.waitForRequest(isWrite);
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await isSent;
    await web.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await edit('"6.4"');
    release();
    await web.page.getByText('Done: Set kernel').waitFor();
    expect(await web.page.getByRole('dialog').count()).toBe(1);
    await web.page.unrouteAll({ behavior: 'wait' });
    await web.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    // What was previewed meanwhile is still there.
    expect(await web.page.getByLabel('Value of kernel').inputValue()).toBe('"6.4"');
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    // With the keyboard.
    await web.tabTo('button', 'Edit kernel');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByLabel('Value of kernel'));
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('"6.9"');
    await web.page.keyboard.press('Control+Enter');
    const dialog = web.page.getByRole('dialog');
    await dialog.getByText('2 devices resolve another value.').waitFor();
    await dialog.getByText(`muster vars set region north 'kernel:="6.9"'`).waitFor();
    await waitForFocus(dialog.getByRole('textbox', { name: 'Reason' }));
    await web.page.keyboard.type('CHG-5');
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    const row = web.page.getByRole('row', { name: /^kernel .*"6\.9" .*CHG-5/ });
    await row.waitFor();
    // Who, when and why stand in one line, where there is room for it.
    await web.page.setViewportSize({ width: 1440, height: 900 });
    const setBy = row.getByRole('cell').nth(2);
    expect(await setBy.innerText()).toMatch(new RegExp(`^${admin.credentials.user}\\b`));
    expect((await setBy.boundingBox())?.height).toBeLessThan(40);
    // After a failure, it is previewed again.
    await web.page.getByRole('button', { name: 'Edit kernel' }).click();
    await web.page.getByLabel('Value of kernel').fill('"6.10"');
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('2 devices resolve another value.').waitFor();
    const [host] = (await admin.get('/v1/hosts?name=web-1&fields=id').expect(200)).body as { id: number }[];
    await admin.put(`/v1/hosts/${String(host?.id)}/variables`, { kernel: '6.12' }).expect(200);
    await web.page.route(
      ({ search }) => !search.includes('dry_run'),
      // With Retry-After, it says that nothing was written.
      (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 503, headers: { 'retry-after': '1' } })
          : route.continue(),
    );
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByText('1 device resolves another value.').waitFor();
    await web.page.unrouteAll();
    await web.apply();
    await web.close(/status of 503/);
  });

  it('show how many devices override a variable, what a cell inherits, and their history and past', async () => {
    const web = await WebPage.signedIn(browser(), admin, `${region()}?tab=effect`);
    const kernel = web.page.getByRole('row', { name: /^kernel / });
    await kernel.getByText('1 of 3 overrides it').waitFor();
    await web.page
      .getByRole('row', { name: /^ntp_servers / })
      .getByText('all 3 resolve it')
      .waitFor();
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await kernel.getByRole('listitem').filter({ hasText: '6.12' }).getByRole('link').click();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.getByRole('gridcell', { name: 'device "6.12"' }).waitFor();
    // What a cell inherits is overridden.
    await web.show(cell());
    await web.page.getByRole('heading', { name: 'rack-a' }).waitFor();
    await kernel
      .getByRole('listitem')
      .filter({ hasText: /region\s+north/ })
      .waitFor();
    await web.page.getByRole('button', { name: 'Override kernel' }).click();
    // A number in place of a text is most often one that lacks its quotes.
    await web.page.getByLabel('Value of kernel').fill('6.11');
    await web.page.getByRole('button', { name: 'Write "6.11"' }).click();
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('muster vars set cell north/rack-a').waitFor();
    await web.apply();
    await web.page.getByRole('button', { name: 'Edit kernel' }).waitFor();
    await kernel.getByRole('link', { name: 'north', exact: true }).click();
    await web.page.getByRole('heading', { name: 'north' }).waitFor();
    // Labels have them, too.
    const { created_at } = (await admin.get(`/v1/labels/${String(label)}`).expect(200)).body as {
      created_at: string;
    };
    const path = `/inventory/labels/${String(label)}`;
    await admin
      .put(
        `/v1/labels/${String(label)}/variables`,
        { monitoring: 30 },
        { 'X-Change-Reason': 'CHG-6: closer' },
      )
      .expect(200);
    await web.show(`${path}?tab=history`);
    await web.page.getByText('CHG-6: closer').waitFor();
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await web.show(`${path}?at=${created_at}`);
    await web.page.getByRole('row', { name: /^monitoring .*60/ }).waitFor();
    expect(await web.page.getByRole('button', { name: /^(Edit|Override|Unset)/ }).count()).toBe(0);
    await web.close();
  });

  it('are edited in a form, with a preview', async () => {
    const web = await WebPage.signedIn(browser(), admin, region());
    await web.tabTo('button', 'Edit');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('textbox', { name: 'Note' }).fill('the first site');
    await web.page.getByRole('textbox', { name: 'Labels' }).fill('site:main');
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Enter');
    await web.page
      .getByText(`muster region update north --note 'the first site' --labels site:main`)
      .waitFor();
    await web.page.getByText('No device resolves another value.').waitFor();
    // Closing the preview leads back to what was entered.
    await web.page.keyboard.press('Escape');
    const note = web.page.getByRole('textbox', { name: 'Note' });
    await waitForValue(note, 'the first site');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('No device resolves another value.').waitFor();
    await admin
      .put(`/v1${region().replace('/inventory', '')}`, { note: 'the second site', labels: 'site:old,spare' })
      .expect(200);
    await web.page.getByRole('button', { name: 'Apply' }).click();
    const conflict = web.page.getByRole('alert').filter({ hasText: 'Changed by another user meanwhile' });
    await conflict.getByText('"the second site"', { exact: true }).waitFor();
    // Labels are shown as everywhere, not as JSON.
    for (const label of ['site:old', 'spare', 'site:main'])
      await conflict.getByText(label, { exact: true }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('button', { name: 'Replace with mine' }).click();
    await web.page.getByText('No device resolves another value.').waitFor();
    await web.apply();
    await web.page.getByLabel('Members').getByText('the first site').waitFor();
    await web.page.getByLabel('Members').getByText('site:main').waitFor();
    await web.close(/status of 412/);
  });
});
