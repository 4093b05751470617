import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

describeWithBrowser('the overview', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeAll(async () => {
    admin = await app.project();
    const host = (
      name: string,
      region: string,
      variables: Readonly<Record<string, unknown>>,
      active = true,
      cell: string | null = null,
    ) => ({
      ...{ name, region, variables, active },
      ...{ cell, labels: [] },
    });
    await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { kernel: '6.8' } },
        { name: 'south', variables: { kernel: '6.1' } },
      ],
      cells: [{ name: 'rack-1', region: 'north', variables: {} }],
      labels: [],
      hosts: [
        host('web-1', 'north', { serial: 'A' }, true, 'rack-1'),
        host('web-2', 'north', { serial: 'B', kernel: '6.12' }),
        host('web-3', 'south', { serial: 'C' }, false),
      ],
    });
    await admin.audit({ name: 'new-kernel', expectation: { vars: 'kernel:"6.12"' } });
    await admin.audit({ name: 'has-serial', expectation: { key: 'serial', schema: true } });
  });

  it('shows numbers that lead to the lists behind them, with the keyboard', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/');
    const numbers = async (list: string) =>
      (await web.page.getByRole('list', { name: list }).getByRole('listitem').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' ').trim(),
      );
    for (const name of ['Hosts by region', 'Devices by kind and state'])
      await web.page.getByRole('list', { name }).waitFor();
    expect(await numbers('Hosts by region')).toEqual(['north 2 66.7%', 'south 1 33.3%']);
    expect(await numbers('Devices by kind and state')).toEqual([
      'Hosts, active 2 66.7%',
      'Hosts, inactive 1 33.3%',
    ]);
    await web.page.getByText('2 of 3 devices fail').waitFor();
    await web.page.getByText('all 3 devices pass').waitFor();
    await web.page.getByRole('list', { name: 'Recent changes, newest first' }).waitFor();
    await web.page.getByRole('list', { name: 'Values of kernel' }).waitFor();
    // What only devices set does not disagree.
    expect(await web.page.getByRole('list', { name: 'Values of serial' }).count()).toBe(0);
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.tabTo('link', 'Hosts, inactive');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.getByRole('link', { name: 'web-3' }).waitFor();
    await web.page.goBack();
    await web.tabTo('link', '"6.12"');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.getByRole('link', { name: 'web-2' }).waitFor();
    // Back leads to where the page was scrolled.
    await web.page.goBack();
    await web.page.setViewportSize({ width: 1280, height: 300 });
    const link = web.page.getByRole('link', { name: 'All changes' });
    await link.scrollIntoViewIfNeeded();
    const scrolled = `document.querySelector('[data-scroll-restoration-id="page"]').scrollTop`;
    const before = await web.page.evaluate<number>(scrolled);
    expect(before).toBeGreaterThan(0);
    await link.click();
    await web.page.getByRole('heading', { name: 'Changes' }).waitFor();
    await web.page.goBack();
    await web.page.waitForFunction(`${scrolled} === ${String(before)}`);
    // A run on the page of an audit is one of the overview.
    const [web3] = (await admin.get('/v1/hosts?name=web-3&fields=id').expect(200)).body as { id: number }[];
    await admin.delete(`/v1/hosts/${String(web3?.id)}/variables`, ['serial']).expect(204);
    await web.page.getByRole('region', { name: 'Audits' }).getByRole('link', { name: 'has-serial' }).click();
    await web.page.getByRole('button', { name: 'Run again' }).click();
    await web.page.getByRole('status').getByText('1 of 3').waitFor();
    await web.page.goBack();
    await web.page.getByText('1 of 3 devices fails').waitFor();
    await web.close();
  });

  it('has a map with pinned variables: tiles lead to their devices, and are a table, too', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/');
    const pins = web.page.getByRole('group', { name: 'Pinned variables' });
    await web.page.getByRole('link', { name: 'north, 2 hosts: 2 active', exact: true }).waitFor();
    await web.page.getByRole('combobox', { name: 'Pin a variable' }).fill('kernel');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('link', { name: 'north, 2 hosts: 1 "6.12", 1 "6.8"' }).waitFor();
    expect(await web.violations(pins)).toEqual([]);
    // The browser keeps them.
    await web.page.reload();
    await pins.getByRole('button', { name: 'kernel', exact: true, pressed: true }).waitFor();
    await pins.getByRole('link', { name: 'All cells' }).click();
    await web.page.getByRole('link', { name: 'rack-1, 1 host: 1 "6.8"' }).waitFor();
    await web.tabTo('link', 'rack-1, 1 host: 1 "6.8"');
    await web.page.keyboard.press('ArrowRight');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.getByRole('link', { name: 'web-2' }).waitFor();
    await web.page.goBack();
    await web.page.getByText('Disagreement').click();
    await web.page.getByRole('link', { name: 'rack-1, 1 host: 1 like most of their tile' }).waitFor();
    await web.page.getByRole('combobox', { name: 'Audit' }).click();
    // Only a run knows which values a schema accepts.
    await web.chooseOption('has-serial');
    await web.page.getByRole('link', { name: 'rack-1, 1 device: 1 pass' }).waitFor();
    await web.page.getByText(/^Counted /).waitFor();
    await web.page.getByRole('combobox', { name: 'Audit' }).click();
    await web.chooseOption('new-kernel');
    const failing = web.page.getByRole('link', { name: 'rack-1, 1 device: 1 fail' });
    // Its devices that fail, on the page of the audit.
    expect(await failing.getAttribute('href')).toMatch(/\/audits\/\d+\?region_id=\d+&cell_id=\d+$/);
    // No list has the devices of all kinds: the page of the place has the numbers of each.
    const passing = web.page.getByRole('link', { name: 'no cell, 1 device: 1 pass' }).first();
    expect(await passing.getAttribute('href')).toMatch(/\/inventory\/regions\/\d+$/);
    expect(await web.violationsIn(LOOKS, web.page.getByRole('main'))).toEqual([]);
    await web.page.getByText('Table', { exact: true }).click();
    await web.page.getByRole('row', { name: 'north rack-1 1 1' }).waitFor();
    expect(await web.violationsIn([['dark', 360]], web.page.getByRole('main'))).toEqual([]);
    await web.show('/');
    await pins.getByRole('button', { name: 'Unpin kernel' }).click();
    await pins.getByRole('button', { name: 'kernel', exact: true }).waitFor({ state: 'detached' });
    await web.close();
  });
});
