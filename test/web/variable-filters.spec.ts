import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

describeWithBrowser('filters by variables', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeAll(async () => {
    admin = await app.project();
    const host = (name: string, region: string, variables: Readonly<Record<string, unknown>>) => ({
      ...{ name, region, variables },
      ...{ cell: null, labels: [] },
    });
    await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { kernel: '6.8', ntp_servers: ['10.1.0.1', '10.1.0.2'] } },
        { name: 'south', variables: { kernel: '6.12' } },
      ],
      cells: [],
      labels: [],
      hosts: [
        host('web-1', 'north', { mac: 'aa:bb:cc:00:00:01', rack: { row: 3, 'power-feed': 'A' } }),
        host('web-2', 'north', { mac: 'aa:bb:cc:00:00:02', rack: { row: 4, 'power-feed': 'B' } }),
        host('web-3', 'south', { mac: 'ff:bb:cc:00:00:03', rack: { row: 10 }, is_edge: true }),
        host('web-4', 'south', { kernel: '6.9', is_edge: false }),
      ],
    });
  });

  const whereOf = (web: WebPage) => new URL(web.page.url()).searchParams.getAll('where');

  async function openBuilder(web: WebPage, key: string): Promise<void> {
    await web.page.getByRole('button', { name: 'Build a filter by variables' }).click();
    await web.page.getByRole('combobox', { name: 'Variable' }).fill(key);
    await web.page.locator('input:not([disabled])[placeholder="Choose or type a value"]').waitFor();
  }

  async function closeBuilder(web: WebPage): Promise<void> {
    // The first one closes a list.
    await web.page.keyboard.press('Escape');
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('combobox', { name: 'Variable' }).waitFor({ state: 'detached' });
  }

  async function operatorsOf(web: WebPage, key: string): Promise<string[]> {
    await openBuilder(web, key);
    await web.page.getByRole('combobox', { name: 'Condition' }).click();
    await web.page.getByRole('option', { name: 'exists', exact: true }).waitFor();
    const options = await web.page.getByRole('option').allInnerTexts();
    await closeBuilder(web);
    return options.map((text) => text.replace(/.* · /, ''));
  }

  it('are built with the keyboard alone, reach into documents, and compare with several values', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.tabTo('button', 'Build a filter by variables');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByRole('combobox', { name: 'Variable' }));
    await web.page.keyboard.type('kernel');
    await web.page.locator('input:not([disabled])[placeholder="Choose or type a value"]').waitFor();
    await web.tabTo('combobox', 'Condition');
    await web.page.keyboard.press('Enter');
    await web.chooseOption('is less than · <');
    await web.page.getByText('6.8 is less than 6.12').waitFor();
    await web.tabTo('combobox', 'Value');
    await web.page.keyboard.type('6.1');
    await web.page.getByRole('option', { name: '"6.12" · 1 device' }).waitFor();
    await web.page.keyboard.type('2');
    const filter = web.page.getByRole('status', { name: 'The filter' });
    await filter.getByText('kernel < "6.12"').waitFor();
    expect(await web.violations(web.page.getByRole('dialog').filter({ has: filter }))).toEqual([]);
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('3 hosts').waitFor();
    expect(whereOf(web)).toEqual(['kernel < "6.12"']);
    expect(await web.violations(web.page.getByLabel('Filters in effect'))).toEqual([]);
    // Parts of documents, and several values.
    await web.page.getByRole('button', { name: 'Remove the filter kernel < "6.12"' }).click();
    await web.page.getByText('4 hosts').waitFor();
    await web.page.getByRole('button', { name: 'Build a filter by variables' }).click();
    await web.page.getByRole('combobox', { name: 'Variable' }).fill('rack');
    await web.page.getByText('A document is compared part by part').waitFor();
    await web.page.getByRole('combobox', { name: 'Part of the value' }).click();
    await web.page.getByRole('option', { name: 'rack."power-feed"' }).waitFor();
    expect(await web.page.getByRole('option').allInnerTexts()).toEqual([
      ...['rack', 'rack.row', 'rack."power-feed"'],
    ]);
    await web.page.getByRole('option', { name: 'rack.row' }).click();
    await web.page.getByRole('combobox', { name: 'Condition' }).click();
    await web.page.getByRole('option', { name: 'is one of' }).click();
    const values = web.page.getByRole('combobox', { name: 'Values' });
    await values.fill('many');
    await values.press('Enter');
    await web.page.getByText('Enter a number.').waitFor();
    await values.press('Backspace');
    await values.fill('3');
    await web.page.getByRole('option', { name: '3 · 1 device' }).click();
    await values.fill('4');
    await values.press('Enter');
    await web.page.getByText('rack.row in [3, 4]').waitFor();
    expect(await web.violations(web.page.getByRole('dialog').filter({ has: values }))).toEqual([]);
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByText('2 hosts').waitFor();
    await openBuilder(web, 'backup_server');
    await web.page.getByRole('combobox', { name: 'Condition' }).click();
    await web.page.getByRole('option', { name: 'is missing' }).click();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByRole('button', { name: 'Edit the filter backup_server missing' }).waitFor();
    expect(whereOf(web)).toEqual(['rack.row in [3, 4]', 'backup_server missing']);
    await web.page.getByText('2 hosts').waitFor();
    await web.close();
  });

  it('are built only once it is known which values there are, and on while these are read again after a failure', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    // What is entered stays while values are read again after a failure.
    const values = /\/v1\/variable-keys\/kernel\/values\?/;
    await web.page.route(values, (route) => route.fulfill({ status: 503, json: {} }));
    await web.page.getByRole('button', { name: 'Build a filter by variables' }).click();
    await web.page.getByRole('combobox', { name: 'Variable' }).fill('kernel');
    const value = web.page.locator('input:not([disabled])[placeholder="Choose or type a value"]');
    await value.fill('6.1');
    await web.page.unroute(values);
    const answer = await holdBack(web.page, values);
    const read = web.page.waitForRequest(values);
    await web.page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await read;
    await value.press('2');
    await waitForValue(value, '6.12');
    answer();
    await web.page.getByRole('option', { name: '"6.12" · 1 device' }).waitFor();
    await closeBuilder(web);
    // Typing must not start in a field that is disabled again.
    const answerKeys = await holdBack(web.page, /\/v1\/variable-keys\?/);
    await web.page.getByRole('button', { name: 'Build a filter by variables' }).click();
    const asked = web.page.waitForRequest(/variable-keys\?.*key=mac\*|variable-keys\?.*key=mac%2A/);
    await web.page.getByRole('combobox', { name: 'Variable' }).fill('mac');
    await asked;
    const condition = web.page.getByRole('combobox', { name: 'Condition' });
    expect(await condition.isDisabled()).toBe(true);
    answerKeys();
    await web.page.locator('input:not([disabled])[placeholder="Choose or type a value"]').waitFor();
    await condition.and(web.page.locator(':enabled')).waitFor();
    await closeBuilder(web);
    // web/test/where-condition.spec.ts has the operators of the other types.
    expect(await operatorsOf(web, 'is_edge')).toEqual(['=', '!=', 'exists', 'missing']);
    await web.close(/status of 503/);
  });

  it('are typed, as vars or where, edited in their chips, and the URL has them as conditions', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.tabTo('textbox', 'Filter by variables');
    await web.page.keyboard.type('mac ^= "aa:bb:cc"');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('2 hosts').waitFor();
    // The field keeps the focus.
    await web.page.keyboard.type('rack.row:4');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    expect(whereOf(web)).toEqual(['mac ^= "aa:bb:cc"', 'rack.row = 4']);
    await web.page.reload();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.goBack();
    await web.page.getByText('2 hosts').waitFor();
    await web.page.goForward();
    await web.page.getByRole('button', { name: 'Remove the filter mac ^= "aa:bb:cc"' }).click();
    await web.page.getByRole('button', { name: 'Edit the filter mac' }).waitFor({ state: 'detached' });
    await web.page.getByRole('button', { name: 'Remove the filter rack.row = 4' }).click();
    await web.page.getByText('4 hosts').waitFor();
    expect(web.path).toBe('/devices');
    // A number matches no text.
    await web.page.getByRole('textbox', { name: 'Filter by variables' }).fill('kernel < 6.12');
    await web.page.keyboard.press('Enter');
    const hint = web.page.getByText(
      '3 hosts match kernel < "6.12": the number 6.12 and the text "6.12" differ.',
    );
    await hint.getByRole('link', { name: 'kernel < "6.12"' }).click();
    await web.page.getByText('3 hosts', { exact: true }).waitFor();
    expect(whereOf(web)).toEqual(['kernel < "6.12"']);
    // They are edited in their chips, and errors stand where they were typed.
    await web.show('/devices?where=rack.row=3&where=mac exists');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.tabTo('button', 'Edit the filter rack.row=3');
    await web.page.keyboard.press('Enter');
    const field = web.page.getByRole('textbox', { name: 'Filter', exact: true });
    await waitForFocus(field);
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('rack.row < ten');
    await web.page.keyboard.press('Enter');
    await web.page.getByText(/where: at character \d+/).waitFor();
    expect(await web.violations(web.page.getByRole('dialog').filter({ has: field }))).toEqual([]);
    expect(whereOf(web)).toEqual(['rack.row=3', 'mac exists']);
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('rack.row < 10');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('2 hosts').waitFor();
    expect(whereOf(web)).toEqual(['rack.row < 10', 'mac exists']);
    await web.page.getByRole('textbox', { name: 'Filter by variables' }).fill('kernel=6.8.1');
    // What is wrong, before it is sent.
    await web.page.getByText(/^at character 8: .*a text wants quotes: kernel="6\.8\.1"$/).waitFor();
    await web.page.keyboard.press('Enter');
    await web.page.getByText(/where: at character \d+/).waitFor();
    expect(await web.violations(web.page.getByRole('search'))).toEqual([]);
    expect(whereOf(web)).toHaveLength(2);
    await web.page.getByRole('textbox', { name: 'Filter by variables' }).fill('kernel < 6.12');
    await web.page.getByText('The values are texts: write kernel < "6.12"').waitFor();
    await web.page.getByRole('textbox', { name: 'Filter by variables' }).fill('kernle exists');
    await web.page.getByText('No device has a value of kernle.').waitFor();
    // The service was asked nothing that it would reject.
    await web.close();
  });

  it('say which values they cannot find, and lead to them, while they are typed and below the list', async () => {
    const mixed = await app.project();
    const variables = [{ kernel: '6.8' }, { kernel: '6.110' }, { kernel: 6.11 }, { kernel: '6.9.3' }];
    for (const one of variables) await mixed.host({ variables: one });
    const web = await WebPage.signedIn(browser(), mixed, '/devices');
    const list = web.page.getByRole('grid', { name: 'hosts' });
    await list.waitFor();
    await web.page.getByRole('textbox', { name: 'Filter by variables' }).fill('kernel < 6.12');
    await web.page
      .getByText('3 devices have texts in kernel, which this cannot find; for texts, write kernel < "6.12"')
      .waitFor();
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    const link = web.page.getByRole('link', { name: 'kernel < "6.12"' });
    const note = web.page
      .getByRole('status')
      .filter({ hasText: '3 devices have texts in kernel, which this cannot find; for texts:' });
    await note.waitFor();
    const looks = [
      ['light', 1280],
      ['light', 360],
    ] as const;
    expect(await web.violationsIn(looks, note)).toEqual([]);
    await link.click();
    await web.page.getByText('2 hosts', { exact: true }).waitFor();
    expect(whereOf(web)).toEqual(['kernel < "6.12"']);
    await web.page.getByText('1 device has numbers in kernel, which this cannot find').waitFor();
    await web.close();
  });

  it('select the devices with a value, whatever characters it has, and those without one, regions, counts and exports', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/variables/mac?where=kernel exists');
    await web.page.getByText('3 different values on 3 of 4 devices').waitFor();
    await web.page.getByRole('link', { name: '"ff:bb:cc:00:00:03"' }).click();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    expect(whereOf(web)).toEqual(['kernel exists', 'mac = "ff:bb:cc:00:00:03"']);
    await web.page.goBack();
    await web.page.getByRole('link', { name: '1 device without it' }).click();
    await web.page.getByRole('link', { name: 'web-4' }).waitFor();
    expect(whereOf(web)).toEqual(['kernel exists', 'mac missing']);
    await web.show('/variables/mac?tab=groups');
    const south = web.page.getByRole('row', { name: /south/ });
    await south.getByRole('gridcell').or(south.getByRole('cell')).last().getByRole('link').click();
    await web.page.getByRole('link', { name: 'web-4' }).waitFor();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    // They filter regions, counts and exports, too.
    await web.show('/inventory/regions?where=kernel >= "6.9"');
    await web.page.getByText('1 region', { exact: true }).waitFor();
    await web.page.getByRole('link', { name: 'south' }).waitFor();
    await web.show('/devices?where=kernel < "6.12"&where=mac missing&tree=true');
    await web.page.getByRole('treeitem', { name: /south/ }).getByText('1').waitFor();
    await web.page.getByRole('button', { name: 'Export' }).click();
    const [request] = await Promise.all([
      web.page.waitForRequest(/\/v1\/export/),
      web.page.getByRole('button', { name: 'NDJSON', exact: true }).click(),
    ]);
    expect(new URL(request.url()).searchParams.getAll('where')).toEqual(['kernel < "6.12"', 'mac missing']);
    await web.close();
  });
});
