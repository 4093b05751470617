import type { Caller, Resource } from '../support/caller';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, waitForFocus, waitForText, waitForValue, WebPage } from '../support/web-pages';

/** How often (ms) the page counts changes again, at most. */
const COUNT_INTERVAL = 60_000;

const changesText = (count = 0): string => `${String(count)} ${count === 1 ? 'change' : 'changes'}`;

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

describeWithBrowser('changes', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;

  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    await admin.host({ name: 'web-1', region_id: region.id });
    await setKernel('6.9', 'CHG-1: newer kernel');
  });

  const kernel = async () =>
    ((await admin.get(`/v1/regions/${String(region.id)}/variables`).expect(200)).body as Variables).variables;
  const setKernel = (value: string, reason: string) =>
    admin
      .put(`/v1/regions/${String(region.id)}/variables`, { kernel: value }, { 'X-Change-Reason': reason })
      .expect(200);

  it('are found and reverted with the keyboard: filter, open, preview, reason, apply', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/changes');
    await web.tabTo('textbox', 'Reason contains');
    await web.page.keyboard.type('chg-1');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('1 change', { exact: true }).waitFor();
    expect(web.path).toBe('/changes?reason=chg-1');
    expect(await web.violations()).toEqual([]);
    await web.tabTo('grid', 'changes');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: /^Change \d+/ }).waitFor();
    await web.page.getByText('CHG-1: newer kernel').waitFor();
    const changed = web.page.getByRole('listitem').filter({ hasText: 'region updated' });
    await waitForText(changed, /kernel "6\.8" → "6\.9"/);
    expect(await web.violations()).toEqual([]);
    const reverted = web.path;
    await web.tabTo('button', 'Revert…');
    await web.page.keyboard.press('Enter');
    const dialog = web.page.getByRole('dialog');
    await dialog.getByText('1 device resolves another value.').waitFor();
    expect(await dialog.getByRole('row').last().innerText()).toMatch(/web-1\s+kernel\s+"6\.9"\s+→\s+"6\.8"/);
    await dialog
      .getByText(/^muster change revert \d+ --reason 'Reverts #\d+: CHG-1: newer kernel'$/)
      .waitFor();
    expect(await web.violations()).toEqual([]);
    await waitForFocus(dialog.getByRole('textbox', { name: 'Reason' }));
    // Nothing was typed: Escape asks nothing.
    await web.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await web.tabTo('button', 'Revert…');
    await web.page.keyboard.press('Enter');
    await waitForFocus(dialog.getByRole('textbox', { name: 'Reason' }));
    // What is typed follows the reason that is there, as a new word.
    await web.page.keyboard.type('again');
    await web.page.keyboard.press('Control+Home');
    // A header has one line.
    await web.page.keyboard.type('CHG-2:\n');
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    // The page of the new change, which leads to the one that it reverts.
    await web.page.getByText(/^CHG-2: Reverts #\d+: CHG-1: newer kernel again$/).waitFor();
    await waitForFocus(web.page.getByRole('heading', { name: /^Change \d+/ }));
    expect(web.path).toMatch(/^\/changes\/\d+$/);
    expect(web.path).not.toBe(reverted);
    expect(await kernel()).toEqual({ kernel: '6.8' });
    await web.tabTo('link', `Change ${reverted.replace('/changes/', '')}`);
    await web.page.keyboard.press('Enter');
    await web.page.getByText('Reverted by').waitFor();
    expect(web.path).toBe(reverted);
    await web.close();
  });

  it('are counted in the list as in the histogram, and Back leads to the row', async () => {
    const extra = 120;
    for (let n = 0; n < extra; n++) await admin.label({ label: `label-${String(n)}` });
    const web = await WebPage.signedIn(browser(), admin, '/changes?kind=label');
    await web.page.getByText(changesText(extra), { exact: true }).waitFor();
    await web.page.getByText(`: ${String(extra)} changes`).waitFor();
    await web.tabTo('grid', 'changes');
    const row = (n: number) =>
      web.page.locator('[role=grid] [role=row]').filter({ hasText: `label-${String(n)}:` });
    await until('the first change is shown', 30, async () => {
      await web.page.keyboard.press('End');
      return row(0).isVisible();
    });
    await row(3).getByRole('link').first().click();
    await web.page.getByRole('heading', { name: /^Change/ }).waitFor();
    await web.page.goBack();
    await row(3).and(web.page.locator('[aria-selected=true]')).waitFor();
    await web.close();
  });

  /** The histogram, and the numbers of changes in its intervals. */
  async function histogram(web: WebPage) {
    const listbox = web.page.getByRole('listbox', { name: 'Changes over time' });
    await listbox.getByRole('option').first().waitFor();
    const labels = await listbox
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('aria-label') ?? ''));
    return { listbox, counts: labels.map((label) => Number(/: (\d+) changes?$/.exec(label)?.[1])) };
  }
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  it('are shown over time; a range is selected with the keyboard or the pointer, and counted again after a failure', async () => {
    const listed = ((await admin.get('/v1/changes?fields=id').expect(200)).body as unknown[]).length;
    const web = await WebPage.signedIn(browser(), admin, '/changes');
    const { listbox, counts } = await histogram(web);
    expect([counts.length, sum(counts)]).toEqual([60, listed]);
    await web.page.getByText('CHG-1: newer kernel').waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.tabTo('listbox', 'Changes over time');
    await web.page.keyboard.press('Home');
    await web.page.keyboard.press('Shift+ArrowRight');
    await web.page.keyboard.press('Shift+End');
    await web.page.keyboard.press('Shift+ArrowLeft');
    const selected = listbox.getByRole('option', { selected: true });
    await selected.nth(58).waitFor();
    expect(await selected.count()).toBe(59);
    expect(await web.violations(listbox)).toEqual([]);
    await web.page.keyboard.press('Escape');
    await selected.first().waitFor({ state: 'detached' });
    expect(web.path).toBe('/changes');
    // All intervals but the last one, which has the newest change.
    for (const key of ['Home', 'Shift+End', 'Shift+ArrowLeft', 'Enter']) await web.page.keyboard.press(key);
    await web.page.getByText(changesText(sum(counts.slice(0, -1))), { exact: true }).waitFor();
    expect(web.path).toMatch(/^\/changes\?since=[^&]+&until=[^&]+$/);
    await web.page.getByRole('button', { name: 'Remove the filter until' }).waitFor();
    // The histogram shows the range now, and keeps the focus.
    await web.page.keyboard.press('Escape');
    await web.page.getByText(changesText(listed), { exact: true }).waitFor();
    expect(web.path).toBe('/changes');
    await web.page.keyboard.press('End');
    await web.page.keyboard.press('Enter');
    await web.page.getByText(changesText(counts.at(-1)), { exact: true }).waitFor();
    await web.page.getByRole('button', { name: 'All times' }).click();
    await web.page.getByText(changesText(listed), { exact: true }).waitFor();
    // The changes of a range that has not been read yet cannot be counted.
    const ranges = /\/v1\/changes\/counts\?.*since=/;
    await web.page.route(ranges, (route) => route.fulfill({ status: 503, json: {} }));
    await web.tabTo('listbox', 'Changes over time');
    await web.page.keyboard.press('Home');
    await web.page.keyboard.press('Enter');
    const retry = web.page.getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    await web.page.getByRole('button', { name: 'All times' }).waitFor();
    expect(await web.violations(retry.locator('..'))).toEqual([]);
    await web.page.unroute(ranges);
    await retry.click();
    await web.page.getByText(new RegExp(`: ${String(counts[0])} changes?$`)).waitFor();
    await web.page.getByRole('button', { name: 'All times' }).waitFor();
    await web.page.getByRole('button', { name: 'All times' }).click();
    await web.page.getByText(changesText(listed), { exact: true }).waitFor();
    // With the pointer.
    const { x, y, width, height } = (await listbox.boundingBox())!;
    /** The middle of an interval. */
    const at = (interval: number) =>
      [x + (width * (interval + 0.5)) / counts.length, y + height / 2] as const;
    const who = web.page.getByRole('textbox', { name: 'Who' });
    await who.fill('typed, not submitted');
    await web.page.getByText('Drag over bars to select a range').waitFor();
    await web.page.mouse.move(...at(0));
    await web.page.getByText(new RegExp(`: ${String(counts[0])} changes?$`)).waitFor();
    await web.page.mouse.down();
    await web.page.mouse.move(...at(10));
    await web.page.mouse.move(...at(29));
    await listbox.getByRole('option', { selected: true }).nth(29).waitFor();
    expect(await listbox.getByRole('option', { selected: true }).count()).toBe(30);
    await web.page.mouse.up();
    await web.page.getByText(changesText(sum(counts.slice(0, 30))), { exact: true }).waitFor();
    const since = web.page.getByLabel('Since', { exact: true });
    await until('the form has the range', 20, async () => (await since.inputValue()) !== '');
    expect(await who.inputValue()).toBe('typed, not submitted');
    await web.page.getByRole('button', { name: 'All times' }).click();
    await web.page.getByText(changesText(sum(counts)), { exact: true }).waitFor();
    expect(web.path).toBe('/changes');
    await waitForValue(since, '');
    await web.page.mouse.click(...at(59));
    await web.page.getByText(changesText(counts[59]), { exact: true }).waitFor();
    await web.page.goBack();
    await web.page.getByText(changesText(sum(counts)), { exact: true }).waitFor();
    // The range ends where the pointer is released, although no move is reported between.
    await web.page.mouse.move(...at(0));
    await web.page.mouse.down();
    await listbox.dispatchEvent('pointerup', { pointerId: 1, clientX: at(29)[0], button: 0 });
    await web.page.getByText(changesText(sum(counts.slice(0, 30))), { exact: true }).waitFor();
    await web.close(/status of 503/);
  });

  it('appear while the list is shown; the active row stays the same, and so does a range selected with keys', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/changes?kind=region', { isNew: true });
    const active = web.page.locator('[aria-selected=true]');
    await active.filter({ hasText: 'CHG-1: newer kernel' }).waitFor();
    await web.page.getByText(/: 2 changes$/).waitFor();
    await web.page.clock.install();
    await setKernel('6.12', 'CHG-3: newest kernel');
    await web.page.getByRole('gridcell', { name: 'CHG-3: newest kernel' }).waitFor();
    await active.filter({ hasText: 'CHG-1: newer kernel' }).waitFor();
    // Changes are counted again after a minute.
    expect(await web.page.getByText(/: 2 changes$/).count()).toBe(1);
    await web.page.clock.fastForward(COUNT_INTERVAL);
    await web.page.getByText(/: 3 changes$/).waitFor();
    // What is selected by keys stays so.
    const { intervals } = (await admin.get('/v1/changes/counts?kind=region').expect(200)).body as Counts;
    const { listbox, counts } = await histogram(web);
    const selected = listbox.getByRole('option', { selected: true });
    await web.tabTo('listbox', 'Changes over time');
    for (const key of ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight']) await web.page.keyboard.press(key);
    await setKernel('6.13', 'CHG-4: newest kernel');
    await web.page.getByRole('gridcell', { name: 'CHG-4: newest kernel' }).waitFor();
    const counted = web.page.waitForResponse((response) => response.url().includes('/v1/changes/counts'));
    await web.page.clock.fastForward(COUNT_INTERVAL);
    await (await counted).finished();
    const { x, y, width, height } = (await listbox.boundingBox())!;
    for (const part of [0.4, 0.7]) await web.page.mouse.move(x + width * part, y + height / 2);
    expect(await selected.count()).toBe(3);
    await web.page.keyboard.press('Enter');
    await web.page.getByText(changesText(sum(counts.slice(0, 3))), { exact: true }).waitFor();
    const { searchParams } = new URL(web.page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      kind: 'region',
      since: intervals[0]?.since,
      until: intervals[2]?.until,
    });
    await web.close();
  });

  it('show the devices whose resolved values they changed, and keep all filters in the URL; cells have their regions', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/changes');
    await web.page
      .getByRole('link')
      .filter({ has: web.page.getByRole('time') })
      .first()
      .click();
    await web.tabTo('tab', /^What it changed/);
    await web.page.keyboard.press('ArrowRight');
    await web.page.getByRole('region', { name: 'Affected devices' }).getByText('web-1').waitFor();
    expect(web.path).toMatch(/^\/changes\/\d+\?tab=devices$/);
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    const path = `/changes?actor=admin&kind=region&key=kernel&reason=newer&since=2020-01-01&until=2999-01-01&resource=regions%2F${String(region.id)}`;
    await web.show(path);
    await web.page.getByText('1 change', { exact: true }).waitFor();
    await web.page.getByRole('button', { name: 'Remove the filter reason' }).click();
    await web.page.getByText('2 changes', { exact: true }).waitFor();
    await web.page.goBack();
    await web.page.getByText('1 change', { exact: true }).waitFor();
    await web.show(`${path}&actor=nobody`.replace('actor=admin&', ''));
    await web.page.getByText('No change matches').waitFor();
    expect(await web.violations(web.page.getByLabel('Filters in effect'))).toEqual([]);
    // Cells have the names of their regions, here and elsewhere.
    const cell = await admin.cell({ name: 'row-01', region_id: region.id });
    await admin.put(`/v1/cells/${String(cell.id)}/variables`, { kernel: '6.9' }).expect(200);
    await web.show('/changes?kind=cell');
    await web.page.getByRole('gridcell', { name: /^cell north\/row-01 ?: kernel$/ }).waitFor();
    await web.show('/variables/kernel?tab=assignments');
    await web.page.getByRole('heading', { name: 'kernel' }).waitFor();
    await web.page.getByRole('gridcell', { name: 'cell north/row-01' }).waitFor();
    await web.show(`/devices?cell_id=${String(cell.id)}`);
    await web.page.getByLabel('Filters in effect').getByText('north/row-01').waitFor();
    await web.close();
  });

  it('that conflict with later ones are not reverted, and the dialog says why', async () => {
    const [change] = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Resource[];
    await setKernel('7.0', 'CHG-4');
    const web = await WebPage.signedIn(browser(), admin, `/changes/${String(change?.id)}`);
    await web.page.getByRole('button', { name: 'Revert…' }).click();
    await web.page.getByRole('alert').getByText('cannot be reverted: conflict with the change').waitFor();
    expect(await web.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    expect(await web.violations()).toEqual([]);
    await web.close(/status of 409/);
  });
});

interface Counts {
  readonly intervals: readonly { readonly since: string; readonly until: string }[];
}

interface Variables {
  readonly variables: Readonly<Record<string, unknown>>;
}
