import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, waitForFocus, waitForText, WebPage } from '../support/web-pages';

/** Three pages. */
const HOSTS = 600;
/** One column: most of the time of these tests is the rendering of cells. */
const NAMES = '/devices?columns=name';
const name = (n: number) => `web-${String(n).padStart(4, '0')}`;

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const;

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

  it('is searched, moved through, opened and scrolled with the keyboard, and filtered without a movement', async () => {
    const web = await WebPage.signedIn(browser(), admin, NAMES);
    await web.tabTo('textbox', 'Names that begin with');
    await web.page.keyboard.type('web-001');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('10 hosts').waitFor();
    expect(new URL(web.page.url()).searchParams.get('name_prefix')).toBe('web-001');
    await web.tabTo('grid', 'hosts');
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: name(12) }).waitFor();
    await web.page.goBack();
    await web.page.getByText('10 hosts').waitFor();
    // The whole list, of which few rows are in the page.
    await web.page.getByRole('button', { name: 'Remove the filter name begins with web-001' }).click();
    await web.page.getByText(`${HOSTS.toLocaleString('en')} hosts`).waitFor();
    await web.tabTo('grid', 'hosts');
    const last = web.page.getByRole('link', { name: name(HOSTS - 1) });
    await until('the last host is shown', 30, async () => {
      await web.page.keyboard.press('End');
      return last.isVisible();
    });
    expect(await web.page.getByRole('row').count()).toBeLessThan(100);
    await web.page.keyboard.press('Home');
    await web.page.getByRole('link', { name: name(0) }).waitFor();
    // What is typed is checked before the list is filtered by it.
    await web.page.getByRole('button', { name: 'More filters' }).click();
    await web.page.getByRole('textbox', { name: 'Address or network' }).fill('10.1.0');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('must be an IP address or a network').waitFor();
    expect(web.path).toBe(NAMES);
    expect(await web.violations(web.page.getByRole('search'))).toEqual([]);
    await web.page.getByRole('textbox', { name: 'Address or network' }).fill('10.1.0.0/24');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('250 hosts').waitFor();
    // It stays where it is when the first filter gets its chip, or one is rejected.
    const grid = web.page.getByRole('grid', { name: 'hosts' });
    const top = async () => (await grid.boundingBox())?.y;
    for (const [width, filter] of [
      [1440, 'web-001'],
      [360, 'web-002'],
    ] as const) {
      await web.page.setViewportSize({ width, height: 800 });
      await web.show(NAMES);
      await web.page.getByText(`${HOSTS.toLocaleString('en')} hosts`).waitFor();
      if (width === 360) await web.page.getByRole('button', { name: 'Filters' }).click();
      const before = await top();
      const variables = web.page.getByRole('textbox', { name: 'Filter by variables' });
      await variables.fill('kernel <');
      await variables.press('Enter');
      await web.page.locator('[aria-invalid=true]').waitFor();
      expect(await top()).toBe(before);
      await variables.fill('');
      await web.page.getByRole('textbox', { name: 'Names that begin with' }).fill(filter);
      await web.page.keyboard.press('Enter');
      await web.page.getByRole('button', { name: `Remove the filter name begins with ${filter}` }).waitFor();
      await web.page.getByText('10 hosts').waitFor();
      expect(await top()).toBe(before);
    }
    // The service was asked nothing that it would reject.
    await web.close();
  });

  it('keeps filters, order and columns in the URL, and says what is wrong with a filter, with the request id', async () => {
    const path =
      '/devices?vars=kernel:"6.12"&label=compute&sort=ip_address&dir=desc&columns=name&columns=var:kernel';
    const web = await WebPage.signedIn(browser(), admin, path);
    const row = web.page.getByRole('row', { name: name(3) });
    await row.waitFor();
    // The mark of the level is text, too.
    await web.page.getByRole('gridcell', { name: 'device "6.12"' }).waitFor();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    const grid = web.page.getByRole('grid');
    const shown = (await grid.innerText()).replace(/\s+/g, ' ').trim();
    await web.page.reload();
    await waitForText(grid, shown);
    await web.page.getByRole('button', { name: 'Remove the filter kernel = "6.12"' }).click();
    await web.page.getByText(`${HOSTS.toLocaleString('en')} hosts`).waitFor();
    expect(new URL(web.page.url()).searchParams.getAll('columns')).toEqual(['name', 'var:kernel']);
    // What is wrong with a filter is said at once: it does not change.
    const sent: string[] = [];
    web.page.on('request', (request) => {
      if (request.url().includes('/v1/hosts?')) sent.push(request.url());
    });
    await web.show('/devices?vars=kernel');
    await web.page.getByText('vars: at character').waitFor();
    expect(sent).toHaveLength(1);
    await web.page.getByText('Request id').waitFor();
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await web.close(/status of 400/);
  });

  it('is sorted by a click anywhere in a header, which says what to do instead if it cannot be', async () => {
    const web = await WebPage.signedIn(
      browser(),
      admin,
      '/devices?columns=name&columns=note&columns=labels&columns=var:kernel',
    );
    await web.page.getByRole('link', { name: name(0) }).waitFor();
    // The list is in the order of the names at first.
    for (const title of ['Note', 'Name']) {
      const header = web.page.getByRole('columnheader', { name: title });
      const { x = 0, y = 0, width = 0, height = 0 } = (await header.boundingBox()) ?? {};
      // Beside the word, which is at the start, and the handle for the width at the end.
      await web.page.mouse.click(x + width - 16, y + 2);
      await header.and(web.page.locator('[aria-sort=ascending]')).waitFor();
      await web.page.mouse.click(x + 2, y + height - 3);
      await header.and(web.page.locator('[aria-sort=descending]')).waitFor();
    }
    const grid = web.page.getByRole('grid', { name: 'hosts' });
    const shown = async () => [web.path, await grid.boundingBox(), await grid.innerText()];
    await web.page.getByRole('link', { name: name(HOSTS - 1) }).waitFor();
    const before = await shown();
    await web.page.getByRole('columnheader', { name: 'Labels' }).click();
    const popover = web.page.getByRole('dialog');
    await popover.getByText('Lists cannot be sorted by “Labels”. Use a filter instead.').waitFor();
    await web.page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
    await web.tabTo('button', 'kernel');
    await web.page.keyboard.press('Enter');
    await waitForText(
      popover.getByRole('alert'),
      'Lists cannot be sorted by variables. Filter by kernel instead, or see the values of kernel, each with the number of its devices.',
    );
    await waitForFocus(popover.getByRole('link', { name: 'the values of kernel' }));
    expect(await shown()).toEqual(before);
    expect(await web.violationsIn(LOOKS.slice(0, 2))).toEqual([]);
    await web.page.keyboard.press('Escape');
    await waitForFocus(web.page.getByRole('button', { name: 'kernel' }));
    await web.page.keyboard.press('Enter');
    await popover.getByRole('link').click();
    await web.page.getByRole('heading', { name: 'kernel' }).waitFor();
    await web.close();
  });

  it('says of columns with names of other resources that they are sorted by id', async () => {
    const web = await WebPage.signedIn(
      browser(),
      admin,
      '/devices?columns=name&columns=region_id&columns=note',
    );
    for (const [title, sorted] of [
      ['Region', 'Region by id'],
      ['Note', 'Note'],
    ] as const) {
      await web.page.getByRole('button', { name: title, exact: true }).click();
      const header = web.page.locator('[aria-sort=ascending]');
      await waitForText(header, sorted);
    }
    await web.page
      .getByRole('button', { name: 'Region' })
      .and(web.page.getByTitle(/not by their names/))
      .waitFor();
    await web.show('/inventory/cells?sort=region_id');
    await waitForText(web.page.locator('[aria-sort=ascending]'), 'Region by id');
    expect(await web.violations()).toEqual([]);
    await web.close();
  });

  it('sorts names in natural order', async () => {
    const owner = await app.project();
    for (const one of ['node-10', 'node-9', 'Node-9']) await owner.host({ name: one });
    const names = async (web: WebPage) =>
      (
        await web.page
          .getByRole('rowheader')
          .or(web.page.getByRole('gridcell'))
          .getByRole('link')
          .allInnerTexts()
      ).filter((text) => /^node/i.test(text));
    // A link from before has the key of the order by code points.
    const web = await WebPage.signedIn(browser(), owner, '/devices?columns=name&sort=name');
    await web.page.getByText('3 hosts').waitFor();
    const isOrder = async (...order: string[]) => (await names(web)).join() === order.join();
    await until('they are in order', 10, () => isOrder('node-9', 'Node-9', 'node-10'));
    await web.page.getByRole('button', { name: 'Name', exact: true }).click();
    await until('the order is reversed', 10, () => isOrder('node-10', 'Node-9', 'node-9'));
    expect(new URL(web.page.url()).searchParams.get('sort')).toBe('name:natural');
    await web.close();
  });

  it('adds a variable as a column, with completion', async () => {
    // The code of the popover is not loaded yet: what is typed once it is there is not lost.
    const web = await WebPage.signedIn(browser(), admin, NAMES, { isNew: true });
    await web.tabTo('button', 'Columns');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('dialog', { name: 'Columns' }).waitFor();
    await web.page.keyboard.type('kern');
    await web.chooseOption('kernel');
    await web.page.getByRole('columnheader', { name: 'kernel' }).waitFor();
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
    expect(web.path).toContain('columns=var%3Akernel');
    // The keyboard changes the width of each column, also of one without an order, and the browser remembers it.
    const header = web.page.getByRole('columnheader', { name: 'kernel' });
    const width = async () => (await header.boundingBox())?.width ?? 0;
    const before = await width();
    await header.getByRole('button').focus();
    await web.page.keyboard.press('Shift+ArrowRight');
    await until('the column is wider', 10, async () => Math.abs((await width()) - before - 16) < 1);
    const wider = await width();
    await web.page.reload();
    await until('the column is as wide again', 10, async () => Math.abs((await width()) - wider) < 1);
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
    expect(await web.violations(web.page.getByRole('dialog', { name: 'Columns' }))).toEqual([]);
    await web.close();
  });

  it('has no accessibility violations in any look, and says that the connection is lost', async () => {
    const columns = 'columns=name&columns=region_id&columns=active&columns=var:kernel';
    const web = await WebPage.signedIn(browser(), admin, `/devices?${columns}`);
    await web.page.getByRole('link', { name: name(0) }).waitFor();
    await web.page.setViewportSize({ width: 360, height: 740 });
    await until('few rows are in the page', 10, async () => (await web.page.getByRole('row').count()) < 100);
    // A few rows have all that is to be checked.
    await web.show(`/devices?label=compute&name_prefix=web-000&${columns}`);
    await web.page.getByText('10 hosts').waitFor();
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.page.setViewportSize({ width: 360, height: 740 });
    // The filters leave room for the list.
    const more = web.page.getByRole('button', { name: 'More filters' });
    expect([await more.count(), await web.page.getByRole('search').count()]).toEqual([0, 0]);
    await web.page.getByRole('button', { name: 'Filters (2)', expanded: false }).click();
    await more.click();
    await web.page.getByRole('textbox', { name: 'Address or network' }).waitFor();
    expect(await web.violationsIn(LOOKS.slice(2), web.page.getByRole('search'))).toEqual([]);
    // It goes on by itself after the connection was lost.
    await web.page.setViewportSize({ width: 1280, height: 720 });
    await web.show(NAMES);
    await web.page.getByRole('link', { name: name(0) }).waitFor();
    await web.page.context().setOffline(true);
    const away = web.page.getByText('The service cannot be reached').first();
    await away.waitFor();
    await web.page.getByText('Network devices', { exact: true }).click();
    await web.page.waitForURL(/collection=network-devices/);
    await away.waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.context().setOffline(false);
    await web.page.getByText('No devices yet').waitFor();
    await away.waitFor({ state: 'detached' });
    await web.close(/ERR_INTERNET_DISCONNECTED/);
  });

  it('keep a list under a name: for oneself, and shared in the project', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices?name_prefix=web-000');
    const views = web.page.getByRole('region', { name: 'Views' });
    const save = async (name: string, isShared: boolean) => {
      await views.getByRole('button', { name: 'Save this view…' }).click();
      await web.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
      web.page.once('dialog', (question) => void question.dismiss());
      const isAsked = web.page.waitForEvent('dialog');
      await web.page.keyboard.press('Escape');
      expect((await isAsked).message()).toBe('Discard what you have entered?');
      if (isShared) await web.page.getByRole('checkbox', { name: 'Share it in the project' }).check();
      expect(await web.violations()).toEqual([]);
      await web.page.getByRole('button', { name: isShared ? 'Preview…' : 'Save', exact: true }).click();
      if (isShared) await web.apply();
      await views.getByRole('link', { name: new RegExp(`^${name}`) }).waitFor();
    };
    await save('mine', false);
    await save('ours', true);
    await web.show('/changes');
    await web.page.getByRole('heading', { name: 'Changes' }).waitFor();
    await views.getByRole('link', { name: /^ours ?10$/ }).click();
    await web.page.getByRole('heading', { name: 'Devices' }).waitFor();
    expect(web.path).toBe('/devices?name_prefix=web-000');
    expect((await admin.get('/v1/views').expect(200)).body).toMatchObject([
      { name: 'ours', address: '/devices?name_prefix=web-000' },
    ]);
    const own = async () => (await admin.get('/v1/session/views').expect(200)).body as unknown;
    expect(await own()).toEqual({ views: [{ name: 'mine', address: '/devices?name_prefix=web-000' }] });
    // Another tab saves one between the read and the write of this tab.
    const other = { name: 'theirs', address: '/devices?name_prefix=db' };
    const former = ((await own()) as { views: object[] }).views;
    let isSaved = false;
    await web.page.route('**/v1/session/views', async (route) => {
      if (route.request().method() === 'PUT' && !isSaved) {
        isSaved = true;
        await admin.put('/v1/session/views', { views: [...former, other] }).expect(200);
      }
      await route.fallback();
    });
    await views.getByRole('button', { name: 'Delete the view mine' }).click();
    await views.getByRole('link', { name: /^mine/ }).waitFor({ state: 'detached' });
    await views.getByRole('link', { name: /^theirs/ }).waitFor();
    expect(await own()).toEqual({ views: [other] });
    await web.close(/status of 412/);
  });
});
