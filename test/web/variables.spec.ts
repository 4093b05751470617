import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForText, waitForValue, WebPage } from '../support/web-pages';

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

describeWithBrowser('variables', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeAll(async () => {
    admin = await app.project();
    const host = (name: string, region: string, variables: Readonly<Record<string, unknown>> = {}) => ({
      ...{ name, region, variables },
      ...{ cell: null, labels: ['web'] },
    });
    await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { kernel: '6.8', ntp_servers: ['10.1.0.1', '10.1.0.2'] } },
        { name: 'south', variables: { kernel: '6.1', ntp_servers: 'ntp' } },
      ],
      cells: [],
      labels: [{ label: 'web', variables: { port: 443 } }],
      hosts: [
        host('web-1', 'north'),
        host('web-2', 'north', { kernel: '6.12' }),
        host('web-3', 'south'),
        host('web-4', 'north'),
      ],
    });
    await admin.definition({ key: 'ntp_*', description: 'Time servers.', schema: { type: 'array' } });
  });

  it('lead from a key to the devices with a value, with the keyboard, and count those of the filters in the URL', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/variables');
    await web.page.getByRole('link', { name: 'kernel' }).waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.tabTo('textbox', 'Keys that begin with');
    await web.page.keyboard.type('ker');
    await web.page.getByText('1 variable', { exact: true }).waitFor();
    expect(web.path).toBe('/variables?key=ker');
    await web.tabTo('grid', 'variables');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('3 different values on 4 of 4 devices').waitFor();
    const bars = await web.page
      .getByRole('list', { name: 'Values of kernel' })
      .getByRole('listitem')
      .allInnerTexts();
    expect(bars.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      '"6.8" 2 50%',
      '"6.1" 1 25%',
      '"6.12" 1 25%',
    ]);
    expect(await web.violationsIn(LOOKS, web.page.getByRole('main'))).toEqual([]);
    await web.tabTo('link', '"6.8"');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('2 hosts').waitFor();
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
    // The filters of the URL are counted, too.
    await web.show('/variables/ntp_servers?vars=kernel:"6.8"&path=[0]');
    await web.page.getByText('1 different value on 2 of 2 devices').waitFor();
    await web.page.getByRole('link', { name: '"10.1.0.1"' }).click();
    await web.page.getByText('2 hosts').waitFor();
    const { searchParams } = new URL(web.page.url());
    expect(searchParams.get('vars')).toBe('kernel:"6.8"');
    expect(searchParams.getAll('where')).toEqual(['ntp_servers[0] = "10.1.0.1"']);
    await web.page.goBack();
    await web.page.getByRole('button', { name: 'Remove the filter kernel = "6.8"' }).click();
    await web.page.getByText('2 different values on 4 of 4 devices').waitFor();
    // Values that are texts are no numbers: it says which filter they match, in each tab.
    for (const tab of ['groups', 'values']) {
      await web.show(`/variables/kernel?tab=${tab}&where=${encodeURIComponent('kernel < 7')}`);
      await web.page.getByText('No device has it').waitFor();
      await web.page.getByRole('link', { name: 'kernel < "7"' }).waitFor();
    }
    await web.page.getByRole('link', { name: 'kernel < "7"' }).click();
    await web.page.getByText('No device has it').waitFor({ state: 'detached' });
    await web.show('/variables/kernel?vars=nonsense');
    await web.page.getByText('vars: at character').waitFor();
    await web.close(/status of 400/);
  });

  it('show where regions and labels disagree, who sets them, and what is valid', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/variables/kernel?tab=groups');
    const north = web.page.getByRole('row', { name: /north/ });
    await waitForText(north, 'region north 33.3% 2 1');
    expect(await web.violationsIn(LOOKS, web.page.getByRole('tabpanel'))).toEqual([]);
    await north.getByRole('link', { name: '1' }).click();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.getByRole('link', { name: 'web-2' }).waitFor();
    await web.page.goBack();
    await web.page.getByRole('columnheader', { name: '"6.1"' }).getByRole('link').click();
    await web.page.getByText(/^\d hosts?$/).waitFor();
    expect(new URL(web.page.url()).searchParams.getAll('where')).toEqual(['kernel = "6.1"']);
    await web.page.goBack();
    await web.page.getByText('Label', { exact: true }).first().click();
    await web.page.getByRole('row', { name: /web/ }).waitFor();
    expect(web.path).toBe('/variables/kernel?tab=groups&group_by=label');
    // Who sets it.
    await web.show('/variables/kernel?tab=assignments');
    await web.page.getByText('3 assignments').waitFor();
    const values = web.page.getByRole('grid').getByRole('link', { name: '"6.1"' });
    expect(await values.first().getAttribute('title')).toBe('Devices with this value');
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await web.tabTo('grid', 'assignments');
    await web.page.keyboard.press('End');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'south' }).waitFor();
    // Tab leads to the links of the active row, and to no others.
    await web.page.goBack();
    await web.page.getByText('3 assignments').waitFor();
    await web.tabTo('grid', 'assignments');
    await web.page.keyboard.press('Home');
    const stops = web.page.getByRole('grid').locator('a:not([tabindex="-1"])');
    const first = web.page.getByRole('row').nth(1).getByRole('link');
    expect(await stops.allInnerTexts()).toEqual(await first.allInnerTexts());
    expect(await stops.count()).toBe(3);
    await web.tabTo('link', await first.first().innerText());
    for (const link of [1, 2]) {
      await web.page.keyboard.press('Tab');
      await waitForFocus(first.nth(link));
    }
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: /^Change/ }).waitFor();
    // What is valid, and which values are not.
    await web.show('/variables/ntp_servers?tab=definition');
    await web.page.getByText('Time servers.').waitFor();
    await web.page.getByRole('table', { name: 'Violations' }).getByText('must be array').waitFor();
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await web.show('/variables/kernel?tab=definition');
    await web.page.getByText('No definition').waitFor();
    // It is created here, and the preview says what violates it.
    await web.tabTo('button', 'Create a definition');
    await web.page.keyboard.press('Enter');
    const dialog = web.page.getByRole('dialog');
    await waitForValue(dialog.getByRole('textbox', { name: 'Key', exact: true }), 'kernel');
    // Back closes the form.
    await web.page.goBack();
    await dialog.waitFor({ state: 'detached' });
    // The button in the header leads to the same form, and to the violations behind it.
    await web.show('/variables/kernel');
    await web.tabTo('button', 'Define…');
    await web.page.keyboard.press('Enter');
    const schema = dialog.getByRole('textbox', { name: 'JSON Schema' });
    await waitForFocus(schema);
    await schema.fill('{"const": "6.8"}');
    await web.page.keyboard.press('Control+Enter');
    await dialog.getByText(/^\d existing values? violates? it, on /).waitFor();
    await web.apply();
    await web.page
      .getByRole('table', { name: 'Violations' })
      .getByText('must be equal to constant')
      .first()
      .waitFor();
    await web.page.getByRole('button', { name: 'Define…' }).waitFor({ state: 'detached' });
    // Back does not open the form that was closed.
    await web.page.goBack();
    expect(web.path).toBe('/variables/kernel');
    await web.close();
  });

  it('name regions and cells that were created after the page had read their names', async () => {
    const NAMES = /\/v1\/regions\?.*natural/;
    const own = await app.project();
    const north = await own.region({ name: 'north' });
    await own.cell({ name: 'rack-1', region_id: north.id, variables: { kernel: '6.8' } });
    const web = await WebPage.signedIn(browser(), own, '/variables/kernel?tab=assignments');
    const link = (name: string) => web.page.getByRole('link', { name, exact: true });
    const createHost = async (region: string) => {
      const { id } = await own.region({ name: region });
      await own.host({ name: `${region}-1`, region_id: id });
      return id;
    };
    const showHost = (region: string) => web.show(`/devices?name_prefix=${region}`);
    await link('north/rack-1').waitFor();
    // The page does not read names again by itself, because something was changed.
    await holdBack(web.page, /\/v1\/changes\?.*fields=id&sort_dir=desc/);
    const west = await own.region({ name: 'west' });
    const cell = await own.cell({ name: 'rack-9', region_id: west.id, variables: { feed: 'B' } });
    await own.host({ name: 'web-9', region_id: west.id, cell_id: cell.id });
    await web.show('/variables/feed?tab=assignments');
    await link('west/rack-9').waitFor();
    await web.show('/devices');
    const row = web.page.getByRole('row', { name: 'web-9' });
    await row.getByRole('link', { name: 'west', exact: true }).waitFor();
    await row.getByRole('link', { name: 'west/rack-9' }).waitFor();

    // They are read again after a read that began before.
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const isRead = new Promise<void>((resolve) => {
      void web.page.route(
        NAMES,
        async (route) => {
          const response = await route.fetch();
          resolve();
          await released;
          await route.fulfill({ response });
        },
        { times: 1 },
      );
    });
    await createHost('east');
    await showHost('east');
    await isRead;
    const south = await createHost('south');
    await showHost('south');
    await link(`#${String(south)}`).waitFor();
    release();
    await link('south').waitFor();

    // If that has failed, they are read again on the next page.
    await web.page.route(NAMES, (route) =>
      route.fulfill({ status: 400, json: { error: { message: 'no' } } }),
    );
    const isRejected = web.page.waitForResponse(NAMES);
    const centre = await createHost('centre');
    await showHost('centre');
    await isRejected;
    await link(`#${String(centre)}`).waitFor();
    await web.page.unroute(NAMES);
    await web.show('/variables');
    await web.page.getByRole('heading', { name: 'Variables', exact: true }).waitFor();
    await showHost('centre');
    await link('centre').waitFor();
    await web.close(/status of 400/);
  });
});
