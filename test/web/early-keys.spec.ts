import type { Page } from 'playwright-core';
import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

const COLUMNS = ['name', 'region_id', 'var:kernel', 'created_at']
  .map((column) => `columns=${encodeURIComponent(column)}`)
  .join('&');

/** Holds back requests until it is called. */
async function holdBack(page: Page, url: RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

describeWithBrowser('keys that are pressed before the page is ready for them', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeEach(async () => {
    admin = await app.project();
    await loadFleet(admin, {
      ...{ cells: [], labels: [] },
      regions: [
        { name: 'north', variables: { kernel: '6.8' } },
        { name: 'south', variables: {} },
      ],
      hosts: ['web-1', 'web-2', 'web-3'].map((name) => ({
        ...{ name, region: 'north', cell: null, labels: [], variables: {} },
      })),
    });
  });

  const open = async (held: RegExp) => {
    const web = await WebPage.open(browser(), admin, { isNew: true });
    await web.startSession(admin);
    const release = await holdBack(web.page, held);
    await web.goto(`/devices?${COLUMNS}`);
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
    return { web, release };
  };
  const press = async (web: WebPage, ...keys: string[]) => {
    for (const key of keys) await web.page.keyboard.press(key);
  };
  const cellOf = (web: WebPage, name: string, column: number) =>
    web.page.getByRole('row', { name }).getByRole('gridcell').nth(column);
  const edited = (web: WebPage) => web.page.getByRole('region', { name: 'Edited values' });
  const closeUnsaved = async (web: WebPage, expected?: RegExp) => {
    web.page.once('dialog', (dialog) => void dialog.accept());
    await web.close(expected);
  };

  it('on cells, are entered into them, and previewed, although the code of the editor comes later', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-1', 3).click();
    await web.page.keyboard.type('6.2');
    await press(web, '0', 'Enter');
    await web.page.keyboard.type('6.21');
    // A click elsewhere enters it, too.
    await cellOf(web, 'web-3', 3).click();
    await web.page.keyboard.type('6/2');
    await press(web, 'Backspace', '4', 'Enter', 'F2', '9');
    release();
    const editor = web.page.getByRole('textbox', { name: 'kernel of web-3' });
    await waitForFocus(editor);
    expect(await editor.inputValue()).toBe('6/49');
    await press(web, 'Enter');
    await edited(web).getByText('3 values of 3 devices changed').waitFor();
    const shown = await web.page.getByRole('gridcell', { name: /^edited/ }).allInnerTexts();
    expect(shown.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'edited device "6.20"',
      'edited device "6.21"',
      'edited device "6/49"',
    ]);
    await closeUnsaved(web);
  });

  it('Ctrl-Enter previews what was typed on a cell before', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-2', 3).click();
    await web.page.keyboard.type('6.20');
    await press(web, 'Enter', 'Control+Enter');
    await web.page.keyboard.type('as in/the sheet');
    release();
    await web.page.getByRole('dialog', { name: 'Set kernel on web-2' }).waitFor();
    await waitForValue(web.page.getByRole('textbox', { name: 'Reason' }), 'as in/the sheet');
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await closeUnsaved(web);
  });

  it('on a cell that cannot be edited, say why', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-1', 4).click();
    await web.page.keyboard.type('x');
    await press(web, 'Enter');
    await web.page.keyboard.type('y');
    release();
    await edited(web).getByText('web-1: Created at is set by Muster.').waitFor();
    await web.page.getByRole('dialog').getByText('Created at is set by Muster.').waitFor();
    await web.close();
  });

  it('on the region of a device, wait for the names of regions', async () => {
    const { web, release } = await open(/\/v1\/regions\?/);
    await cellOf(web, 'web-1', 2).click();
    await web.page.keyboard.type('south');
    await press(web, 'Enter', 'F2');
    release();
    const editor = web.page.getByRole('combobox', { name: 'Region of web-2' });
    await waitForFocus(editor);
    expect(await editor.inputValue()).toBe('north');
    await press(web, 'Escape');
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await closeUnsaved(web);
  });

  it.each([
    ['a button that opens a form', /\/create-dialog-/, 'New host', 'textbox', 'Name', 'web-9'],
    ['a button that opens a popover', /\/column-choices-/, 'Columns', 'combobox', /./, 'rack'],
    ['a button that opens a builder', /\/filter-builder-/, /^Build a filter/, 'combobox', 'Variable', 'rack'],
  ] as const)('after %s, are typed into its field', async (_, code, name, role, field, text) => {
    const { web, release } = await open(code);
    await web.tabTo('button', name);
    await press(web, 'Enter');
    await web.page.keyboard.type(text);
    release();
    await waitForValue(web.page.getByRole('dialog').getByRole(role, { name: field }).first(), text);
    await closeUnsaved(web);
  });

  it('after a button that adds a row, are typed into it', async () => {
    const [host] = (await admin.get('/v1/hosts?name=web-1').expect(200)).body as { id: number }[];
    const web = await WebPage.open(browser(), admin, { isNew: true });
    await web.startSession(admin);
    const release = await holdBack(web.page, /\/new-variable-row-/);
    await web.goto(`/devices/hosts/${String(host?.id)}`);
    await web.tabTo('button', 'Add a variable');
    await press(web, 'Enter');
    await web.page.keyboard.type('rack_unit');
    await press(web, 'Tab');
    await web.page.keyboard.type('12');
    release();
    await waitForValue(web.page.getByLabel('Value of the new variable'), '12');
    const key = web.page.getByRole('combobox', { name: 'Key of the new variable' });
    expect(await key.inputValue()).toBe('rack_unit');
    await closeUnsaved(web);
  });

  it('after a button that opens a menu, choose in it', async () => {
    const [host] = (await admin.get('/v1/hosts?name=web-1').expect(200)).body as { id: number }[];
    const web = await WebPage.open(browser(), admin, { isNew: true });
    await web.startSession(admin);
    const release = await holdBack(web.page, /\/anchored-menu-/);
    const releaseDialog = await holdBack(web.page, /\/move-dialog-/);
    await web.goto(`/devices/hosts/${String(host?.id)}`);
    await web.tabTo('button', 'More');
    await press(web, 'Enter', 'ArrowDown', 'ArrowDown', 'Enter');
    release();
    releaseDialog();
    const dialog = web.page.getByRole('dialog', { name: /^Move / });
    await waitForFocus(dialog.getByRole('combobox').first());
    await web.close();
  });
});
