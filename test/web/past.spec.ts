import type { Caller, Resource } from '../support/caller';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, waitForText, WebPage } from '../support/web-pages';

/** How long (s) the histogram may take to show another range. */
const TIMEOUT = 20;

describeWithBrowser('the past', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  let host: Resource;

  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ name: 'north', variables: { kernel: '6.8', old: 1, same: true } });
    host = await admin.host({ name: 'web-1', region_id: region.id });
    const variables = `/v1/regions/${String(region.id)}/variables`;
    await admin.put(variables, { kernel: '6.9', new: 2 }).expect(200);
    await admin.delete(variables, ['old']).expect(204);
  });

  const at = () => `?at=${String(host['created_at'])}`;

  it('is shown with what became of each variable since, and is not replaced by the present if its time cannot be read', async () => {
    const web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}${at()}`);
    /** Waits until a row says what became of a variable. */
    const expectSince = (key: string, text: string) =>
      waitForText(
        web.page
          .getByRole('row', { name: new RegExp(`^${key} `) })
          .getByRole('cell')
          .last(),
        text,
      );
    await expectSince('kernel', '"6.8" → "6.9"');
    await expectSince('old', '1 → not set');
    await expectSince('new', 'not set → 2');
    await expectSince('same', 'same');
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('link', { name: 'north' }).first().click();
    await web.page.getByRole('heading', { name: 'north' }).waitFor();
    // Links between pages that show the past keep the time.
    await web.page.getByText('This is the past').waitFor();
    await expectSince('kernel', '"6.8" → "6.9"');
    expect(await web.page.getByRole('button', { name: /^(Edit|Override|Unset|Add)/ }).count()).toBe(0);
    await web.page.getByRole('button', { name: 'Back to now' }).click();
    await web.page.getByRole('button', { name: 'Edit kernel' }).waitFor();
    expect(web.path).toBe(`/inventory/regions/${String(region.id)}`);
    const path = `/devices/hosts/${String(host.id)}`;
    // A time that cannot be read is not replaced by the present.
    await web.show(`${path}?key=kernel&at=2026-11-20T14%3A3`);
    await web.page.getByRole('heading', { name: 'The address cannot be read' }).waitFor();
    await web.page
      .getByText(/^The address has at=2026-11-20T14:3, .* A time looks like 2026-11-20/)
      .waitFor();
    expect(await web.page.getByRole('button', { name: /Edit|Show another time/ }).count()).toBe(0);
    expect(await web.page.getByText('This is the past').count()).toBe(0);
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await web.tabTo('button', 'Show the present');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('button', { name: 'Override kernel' }).waitFor();
    expect(web.path).toBe(`${path}?key=kernel`);
    await web.show('/changes?since=yesterday&kind=host');
    await web.tabTo('button', 'Open without it');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 change', { exact: true }).waitFor();
    expect(web.path).toBe('/changes?kind=host');
    // React logs the errors that pages show.
    await web.close(/"message": "A time looks like/);
  });

  it('of a device is a timeline of what it resolved to; two devices or moments are compared, and the fleet by variable', async () => {
    const web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}`);
    await web.tabTo('tab', 'Variables');
    await web.page.keyboard.press('ArrowRight');
    const list = web.page.getByRole('list', { name: 'Changes of resolved variables, newest first' });
    await list.getByText('old', { exact: true }).first().waitFor();
    await waitForText(list, /kernel "6\.8" → "6\.9"/);
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await web.tabTo('combobox', 'Only changes of the variable');
    await web.page.keyboard.type('new');
    await web.page.keyboard.press('Escape');
    await web.tabTo('button', 'Filter');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('button', { name: 'All variables' }).waitFor();
    await waitForText(list, /^[^→]* new not set → 2 region north$/);
    expect(await list.getByRole('listitem').count()).toBe(2);
    await web.show(
      `/compare?collection=hosts&left=${String(host.id)}&left_at=${String(host['created_at'])}&right=${String(host.id)}`,
    );
    const rows = web.page.getByRole('table', { name: 'Comparison' }).getByRole('row');
    await rows.nth(3).waitFor();
    const shown = async () => (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
    expect((await shown()).slice(1)).toEqual(['kernel "6.8" "6.9"', 'new not set 2', 'old 1 not set']);
    await web.page.getByRole('checkbox').check();
    await web.page.getByRole('cell', { name: 'same', exact: true }).waitFor();
    // How many devices went from what to what.
    const { body } = await admin.get('/v1/changes?key=new').expect(200);
    const since = (body as [{ created_at: string }])[0].created_at;
    await web.show(`/changes/between?since=${since}`);
    const groups = web.page.getByRole('table', { name: 'Impact by variable and value' });
    const ofKernel = groups.getByRole('row').filter({ hasText: 'kernel' });
    await ofKernel.filter({ hasText: '6.8' }).waitFor();
    expect((await ofKernel.innerText()).replace(/\s+/g, ' ')).toContain('1 × kernel "6.8" → "6.9" ');
    await web.page.getByText('1 device resolves other values').waitFor();
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    // The browser says that the moment is missing.
    await web.page.getByLabel('Since').fill('');
    await web.page.getByRole('button', { name: 'Compare' }).click();
    await web.page.locator('input:invalid:focus').waitFor();
    await web.tabTo('button', 'The last 24 hours');
    await web.page.keyboard.press('Enter');
    await ofKernel.filter({ hasText: 'not set' }).waitFor();
    await admin.host({
      name: 'web-2',
      region_id: region.id,
      variables: { kernel: '7' },
      note: 'spare',
      labels: ['blue', 'green'],
    });
    // Two resources are chosen by name with the keyboard.
    await web.show('/compare');
    for (const [title, side, name] of [
      ['First host', 'left', 'web-1'],
      ['Second host', 'right', 'web-2'],
    ] as const) {
      await web.tabTo('combobox', title);
      await web.page.keyboard.type(name);
      await web.page.locator(`datalist option[value=${name}]`).waitFor({ state: 'attached' });
      await web.page.keyboard.press('Enter');
      await until('it is in the URL', TIMEOUT, () =>
        Promise.resolve(new RegExp(`[?&]${side}=\\d`).test(web.path)),
      );
    }
    await web.page.getByRole('row', { name: 'kernel "6.9" "7"' }).waitFor();
    await web.page.getByRole('row', { name: 'name web-1 web-2' }).waitFor();
    await web.page
      .getByRole('row', { name: /^Labels/ })
      .getByRole('link', { name: 'green' })
      .waitFor();
    expect(await web.violations()).toEqual([]);
    // In a narrow window, each value has the name of its side.
    const kernel = web.page.locator('tr', { hasText: 'kernel' }).locator('td');
    expect(await kernel.nth(1).getAttribute('data-header')).toBe('web-1, now');
    expect(await kernel.nth(2).getAttribute('data-header')).toBe('web-2, now');
    await web.close();
  });

  it('is chosen with the keyboard, on pages that show it, also on the histogram of changes, and offered by the history of a device', async () => {
    const web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}`);
    await web.tabTo('button', 'Show another time');
    await web.page.keyboard.press('Enter');
    await web.page.getByLabel('Show the state at').waitFor();
    await web.tabTo('button', 'An hour ago');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('did not exist yet').waitFor();
    expect(web.path).toMatch(/\?at=\d{4}-\d{2}-\d{2}T\d{2}%3A\d{2}%3A\d{2}Z$/);
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await web.tabTo('button', 'Back to now');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    // The list does not show it.
    await web.page.getByRole('link', { name: 'Devices', exact: true }).click();
    await web.page.getByRole('link', { name: 'web-1' }).waitFor();
    await web.page.getByRole('button', { name: 'Show another time' }).waitFor({ state: 'detached' });
    // On the histogram of changes.
    await web.show(`/devices/hosts/${String(host.id)}`);
    await web.tabTo('button', 'Show another time');
    await web.page.keyboard.press('Enter');
    await web.tabTo('listbox', 'Changes over time');
    const intervals = web.page.getByRole('option');
    await intervals.first().waitFor();
    /** The number of changes of all intervals. */
    const shown = async () => {
      const labels = await intervals.evaluateAll((options) =>
        options.map((option) => option.getAttribute('aria-label') ?? ''),
      );
      return labels.reduce(
        (sum: number, label: string) => sum + Number(/: (\d+) changes?$/.exec(label)?.[1]),
        0,
      );
    };
    const all = await shown();
    // Several intervals are shown in more detail: here, all but the first.
    await web.page.keyboard.press('Home');
    await web.page.keyboard.press('ArrowRight');
    await web.page.keyboard.press('Shift+End');
    await web.page.keyboard.press('Enter');
    await until('the histogram shows a part', TIMEOUT, async () => {
      const part = await shown();
      // It would be 0 without the histogram: Enter elsewhere in the form closes it.
      return part > 0 && part < all;
    });
    expect(await web.violations(web.page.getByRole('dialog'))).toEqual([]);
    // The button is where it was when the bars lose the focus to it, and with it the text beside it gets shorter or longer.
    const allTimes = web.page.getByRole('button', { name: 'All times' });
    await web.tabTo('listbox', 'Changes over time');
    const place = await allTimes.boundingBox();
    await allTimes.focus();
    expect(await allTimes.boundingBox()).toEqual(place);
    await allTimes.click();
    await until('the histogram shows all times', TIMEOUT, async () => (await shown()) === all);
    await web.tabTo('listbox', 'Changes over time');
    await web.page.keyboard.press('End');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('This is the past').waitFor();
    // The state after the newest change, with no later one.
    const [newest] = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Resource[];
    expect(new URL(web.page.url()).searchParams.get('at')).toBe(newest?.['created_at']);
    await web.page.getByRole('row', { name: /^new / }).waitFor();
    expect(await web.page.getByRole('row', { name: /^old / }).count()).toBe(0);
    await web.show(`/devices/hosts/${String(host.id)}?tab=history`);
    await web.tabTo('link', 'As it was then');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('This is the past').waitFor();
    await web.page.getByRole('tab', { name: 'Variables' }).click();
    await web.page.getByRole('row', { name: /^kernel / }).waitFor();
    expect(web.path).toMatch(/^\/devices\/hosts\/\d+\?at=2/);
    await web.close(/status of 404/);
  });
});
