import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, WebPage } from '../support/web-pages';

const HOSTS = 1_200;
const name = (n: number) => `web-${String(n).padStart(4, '0')}`;

describeWithBrowser('the list of devices', (browser) => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { kernel: '6.8' } },
        { name: 'south', variables: { kernel: '6.1' } },
      ],
      cells: [{ region: 'north', name: 'rack-a', variables: {} }],
      labels: [{ label: 'compute', variables: { monitoring: { interval: 60 } } }],
      hosts: Array.from({ length: HOSTS }, (_, n) => ({
        name: name(n),
        region: n % 2 === 0 ? 'north' : 'south',
        cell: n % 2 === 0 ? 'rack-a' : null,
        labels: ['compute'],
        variables: n === 3 ? { kernel: '6.12' } : {},
        ip_address: `10.1.${String(Math.floor(n / 250))}.${String(n % 250)}`,
      })),
    });
  });

  it('is searched, moved through and opened with the keyboard', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.tabTo('textbox', 'Names that begin with');
    await web.page.keyboard.type('web-001');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('10 hosts').waitFor();
    expect(web.path).toBe('/devices?name_prefix=web-001');
    await web.tabTo('grid', 'hosts');
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: name(12) }).waitFor();
    await web.page.goBack();
    await web.page.getByText('10 hosts').waitFor();
    await web.close();
  });

  it('keeps filters, order and columns in the URL', async () => {
    const path =
      '/devices?vars=kernel:"6.12"&label=compute&sort=ip_address&dir=desc&columns=name&columns=var:kernel';
    const web = await WebPage.signedIn(browser(), admin, path);
    const row = web.page.getByRole('row', { name: name(3) });
    await row.waitFor();
    // The mark of the level is text, too.
    await web.page.getByRole('gridcell', { name: 'device "6.12"' }).waitFor();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    const shown = await web.page.getByRole('grid').innerText();
    await web.page.reload();
    await row.waitFor();
    expect(await web.page.getByRole('grid').innerText()).toBe(shown);
    await web.page.getByRole('button', { name: 'Remove the filter kernel:"6.12"' }).click();
    await web.page.getByText(`${HOSTS.toLocaleString('en')} hosts`).waitFor();
    expect(new URL(web.page.url()).searchParams.getAll('columns')).toEqual(['name', 'var:kernel']);
    await web.close();
  });

  it('adds a variable as a column, with completion', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.tabTo('button', 'Columns');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('combobox', { name: 'Add a variable' }).waitFor();
    await web.page.keyboard.type('kern');
    await web.page.getByRole('option', { name: 'kernel' }).waitFor();
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('columnheader', { name: 'kernel' }).waitFor();
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
    expect(web.path).toContain('columns=var%3Akernel');
    await web.close();
  });

  it('shows a part of a variable as a column, and ignores columns that cannot be', async () => {
    const owner = await app.project();
    const host = await owner.host({ name: 'web-1' });
    await owner
      .put(`/v1/hosts/${String(host.id)}/variables`, { rack: { row: 4, 'u-height': [1, 2] } })
      .expect(200);
    const paths = [
      'var:rack.row',
      'var:rack."u-height"[0]',
      'var:rack.none',
      'var:rack..row',
      'var:1x',
      'no',
    ];
    const columns = ['name', ...paths].map((path) => `columns=${encodeURIComponent(path)}`).join('&');
    const web = await WebPage.signedIn(browser(), owner, `/devices?${columns}`);
    await web.page.getByRole('gridcell', { name: 'device 4', exact: true }).waitFor();
    await web.page.getByRole('gridcell', { name: 'device 1', exact: true }).waitFor();
    expect(await web.page.getByRole('columnheader').allInnerTexts()).toEqual([
      ...['Selected', 'Name', 'rack.row', 'rack."u-height"[0]', 'rack.none'],
    ]);
    await web.page.getByRole('button', { name: 'Columns' }).click();
    const field = web.page.getByRole('combobox', { name: 'Add a variable' });
    await field.fill('rack.');
    await field.press('Enter');
    await web.page.getByText('Enter a key, or a path such as rack.row').waitFor();
    await field.fill('rack."u-height"');
    await field.press('Enter');
    await web.page.getByRole('columnheader', { name: 'rack."u-height"', exact: true }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.close();
  });

  it('scrolls to the end and back with few rows in the page', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.tabTo('grid', 'hosts');
    const last = web.page.getByRole('link', { name: name(HOSTS - 1) });
    await until('the last host is shown', 30, async () => {
      await web.page.keyboard.press('End');
      return last.isVisible();
    });
    expect(await web.page.getByRole('row').count()).toBeLessThan(100);
    await web.page.keyboard.press('Home');
    await web.page.getByRole('link', { name: name(0) }).waitFor();
    await web.close();
  });

  it('says what is wrong with a filter, and shows the request id', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices?vars=kernel');
    await web.page.getByText('vars: at character').waitFor();
    const sent: string[] = [];
    web.page.on('request', (request) => {
      if (request.url().includes('/v1/hosts?')) sent.push(request.url());
    });
    await web.page.reload();
    await web.page.getByText('vars: at character').waitFor();
    // What is wrong with a request does not change.
    expect(sent).toHaveLength(1);
    await web.page.getByText('Request id').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.close(/status of 400/);
  });

  it('says what to do in an empty project', async () => {
    const web = await WebPage.signedIn(browser(), await app.project(), '/devices');
    await web.page.getByText('No devices yet').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.close();
  });

  it('offers to try again when the connection is lost', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByRole('link', { name: name(0) }).waitFor();
    await web.page.context().setOffline(true);
    await web.page.getByText('Network devices', { exact: true }).click();
    await web.page.getByText('The service cannot be reached').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.context().setOffline(false);
    await web.page.getByRole('button', { name: 'Try again' }).click();
    await web.page.getByText('No devices yet').waitFor();
    await web.close(/ERR_INTERNET_DISCONNECTED/);
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility violations in %s colours',
    async (colorScheme) => {
      const path = '/devices?label=compute&columns=name&columns=region_id&columns=active&columns=var:kernel';
      const web = await WebPage.signedIn(browser(), admin, path, { colorScheme });
      await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
      expect(await web.violations()).toEqual([]);
      await web.page.setViewportSize({ width: 360, height: 740 });
      await until(
        'few rows are in the page',
        10,
        async () => (await web.page.getByRole('row').count()) < 100,
      );
      expect(await web.violations()).toEqual([]);
      await web.page.getByRole('button', { name: 'More filters' }).click();
      await web.page.getByRole('textbox', { name: 'Address or network' }).waitFor();
      expect(await web.violations()).toEqual([]);
      await web.close();
    },
  );
});
