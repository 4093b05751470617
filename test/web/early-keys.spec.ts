import type { Page } from 'playwright-core';
import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { holdBack, respond } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, WebPage } from '../support/web-pages';

const COLUMNS = ['name', 'region_id', 'var:kernel', 'created_at']
  .map((column) => `columns=${encodeURIComponent(column)}`)
  .join('&');

const OWN_KERNEL = /\/hosts\/\d+\/variables\/kernel$/;

/** A preview has to read an own value first if the list does not say which change has set it, as for users without roles. */
const hideChanges = (page: Page) =>
  page.route(/\/v1\/hosts\?.*explain=/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"change_id":\d+/g, '"change_id":null');
    await route.fulfill({ response, body });
  });

/** What the browser reports if a file is missing. */
const FAILED = /status of 404|Failed to fetch dynamically imported module/;

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
        ...{
          name,
          region: 'north',
          cell: null,
          labels: [],
          variables: name === 'web-3' ? { kernel: '6.9' } : {},
        },
      })),
    });
  });

  const open = async (
    held: RegExp,
    { then = respond, showsChanges = true }: { then?: typeof respond; showsChanges?: boolean } = {},
  ) => {
    const web = await WebPage.open(browser(), admin, { isNew: true });
    await web.startSession(admin);
    if (!showsChanges) await hideChanges(web.page);
    const release = await holdBack(web.page, held, then);
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
  const reason = (web: WebPage) => web.page.getByRole('textbox', { name: 'Reason' });
  /** Types over the kernel of a device, and opens the preview once: its code is loaded then. */
  const edit = async (web: WebPage, name: string) => {
    await cellOf(web, name, 3).click();
    await web.page.keyboard.type('6.20');
    await press(web, 'Enter');
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await press(web, 'Control+Enter');
    await waitForFocus(reason(web));
    await press(web, 'Escape');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
  };
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

  it('are entered with AltGr, too', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-1', 3).click();
    // On Windows, AltGr is Ctrl and Alt.
    await press(web, 'Control+Alt+q', 'b', 'Control+Alt+e', 'Enter');
    release();
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await web.page.getByRole('gridcell', { name: 'edited device "qbe"' }).waitFor();
    await closeUnsaved(web);
  });

  it('are shown if the code of the editor cannot be loaded, and the list goes on', async () => {
    const { web, release } = await open(/\/cell-editing-/, {
      then: (route) => route.fulfill({ status: 404 }),
    });
    await cellOf(web, 'web-1', 3).click();
    await web.page.keyboard.type('6.20');
    await press(web, 'Enter');
    await web.page.keyboard.type('6/21');
    release();
    await web.page.getByText('This part of Muster could not be loaded').waitFor();
    const lines = web.page.getByRole('alert').getByRole('listitem');
    expect(await lines.allInnerTexts()).toEqual(['web-1, kernel: 6.20', 'web-2, kernel: 6/21']);
    await press(web, 'x', 'Control+Enter', 'Space');
    await web.page.getByText('1 selected', { exact: true }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.close(FAILED);
  });

  it('are given up with Escape', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-2', 3).click();
    await web.page.keyboard.type('6.2');
    await press(web, 'Escape', 'Space');
    await web.page.getByText('1 selected', { exact: true }).waitFor();
    release();
    await web.page.keyboard.type('6.3');
    const editor = web.page.getByRole('textbox', { name: 'kernel of web-2' });
    await waitForFocus(editor);
    expect(await editor.inputValue()).toBe('6.3');
    await press(web, 'Escape');
    await web.close();
  });

  it('Ctrl-Enter previews what was typed on a cell before, and no key changes a cell until the dialog is there', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-3', 3).click();
    await web.page.keyboard.type('6.20');
    await press(web, 'Enter', 'Control+Enter');
    await web.page.keyboard.type('as / before g?/7');
    await press(web, 'Backspace', 'Delete', 'Control+Z', 'Control+A', 'Control+Enter', 'Enter', 'ArrowDown');
    release();
    await waitForFocus(reason(web));
    await web.page.getByRole('dialog', { name: 'Set kernel on web-3' }).waitFor();
    expect(await reason(web).inputValue()).toBe('');
    expect(await web.page.getByRole('dialog').count()).toBe(1);
    await press(web, 'Escape');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    expect(await web.page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await closeUnsaved(web);
  });

  it('after Ctrl-Enter are the reason, while the preview is being prepared, and apply nothing until it is there', async () => {
    const { web, release } = await open(OWN_KERNEL, { showsChanges: false });
    const releasePreview = await holdBack(web.page, /\/v1\/batch\?/);
    const sent: string[] = [];
    web.page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await edit(web, 'web-3');
    await press(web, 'Control+Enter');
    await web.page.keyboard.type('as / ');
    await press(web, 'Control+Enter', 'Control+Enter');
    await web.page.keyboard.type('before');
    const dialog = web.page.getByRole('dialog', { name: 'Set kernel on web-3' });
    await dialog.getByText('Computing which devices would change').waitFor();
    expect(await dialog.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    expect(sent).toEqual([]);
    const isPreviewed = web.page.waitForRequest(/\/v1\/batch\?.*dry_run=/);
    release();
    await isPreviewed;
    await press(web, 'Control+Enter');
    releasePreview();
    await dialog.getByText('1 device resolves another value.').waitFor();
    expect(sent).toEqual([expect.stringMatching(/dry_run=/)]);
    expect(await reason(web).inputValue()).toBe('as / before');
    await press(web, 'Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    const { body } = await admin.get('/v1/changes?reason=as').expect(200);
    expect(body).toEqual([expect.objectContaining({ reason: 'as / before' })]);
    await web.close();
  });

  it('stay in the reason if the preview cannot be prepared', async () => {
    const { web, release } = await open(OWN_KERNEL, {
      showsChanges: false,
      then: (route) => route.fulfill({ status: 403, json: { error: { message: 'no entry' } } }),
    });
    await edit(web, 'web-3');
    await press(web, 'Control+Enter');
    await web.page.keyboard.type('as before');
    release();
    const dialog = web.page.getByRole('dialog', { name: 'Set kernel on web-3' });
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByText('Computing which devices would change').count()).toBe(0);
    await waitForFocus(reason(web));
    expect(await reason(web).inputValue()).toBe('as before');
    web.page.once('dialog', (question) => void question.accept());
    await press(web, 'Control+Enter', 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await closeUnsaved(web, /status of 403/);
  });

  it('reach no list any more once a dialog is shown: its field has the focus in the same task', async () => {
    const { web, release } = await open(/no-such-file/);
    release();
    await edit(web, 'web-1');
    const focused = await web.page.evaluate(`(async () => {
      const key = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key));
      // The browser handles no other key before these.
      for (let i = 0; i < 20; i++) await undefined;
      return document.activeElement.labels?.[0]?.textContent;
    })()`);
    expect(focused).toBe('Reason');
    await press(web, 'Escape');
    await closeUnsaved(web);
  });

  it('Ctrl-Enter in the editor of a cell previews what it has entered, but nothing that cannot be', async () => {
    const { web, release } = await open(/no-such-file/);
    release();
    await cellOf(web, 'web-1', 2).click();
    await press(web, 'Enter');
    const editor = web.page.getByRole('combobox', { name: 'Region of web-1' });
    await waitForFocus(editor);
    await press(web, 'Control+A');
    await web.page.keyboard.type('nowhere');
    await press(web, 'Control+Enter');
    await web.page
      .getByRole('dialog')
      .getByText(/nowhere/)
      .waitFor();
    await waitForFocus(editor);
    await press(web, 'Control+A');
    await web.page.keyboard.type('south');
    await press(web, 'Control+Enter');
    await web.page.getByRole('dialog', { name: 'Change web-1' }).waitFor();
    await waitForFocus(reason(web));
    await press(web, 'Escape');
    await closeUnsaved(web);
  });

  it('Escape gives a preview up that waits for what was done before', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-3', 3).click();
    await web.page.keyboard.type('6.20');
    await press(web, 'Enter', 'Control+Enter', 'Escape');
    await cellOf(web, 'web-1', 3).click();
    await web.page.keyboard.type('6.21');
    await press(web, 'Enter');
    release();
    await edited(web).getByText('2 values of 2 devices changed').waitFor();
    expect(await web.page.getByRole('dialog').count()).toBe(0);
    await press(web, 'Control+Enter');
    await web.page.getByRole('dialog', { name: 'Change 2 values of 2 devices' }).waitFor();
    await closeUnsaved(web);
  });

  it('Escape gives a preview up while it is being prepared, and the next one is prepared again', async () => {
    const { web, release } = await open(OWN_KERNEL, { showsChanges: false });
    const sent: string[] = [];
    web.page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await edit(web, 'web-3');
    const isGivenUp = web.page.waitForEvent('requestfailed', (request) => OWN_KERNEL.test(request.url()));
    await press(web, 'Control+Enter');
    await waitForFocus(reason(web));
    await press(web, 'Escape');
    await isGivenUp;
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    release();
    const isRead = web.page.waitForResponse(OWN_KERNEL);
    await press(web, 'Control+Enter');
    await isRead;
    await web.page.getByRole('dialog').getByText('1 device resolves another value.').waitFor();
    expect(sent).toEqual([expect.stringMatching(/dry_run=/)]);
    await press(web, 'Escape');
    await closeUnsaved(web);
  });

  it('Ctrl-Enter previews nothing if what is still being entered is rejected', async () => {
    const { web, release } = await open(/\/hosts\?.*marker=/);
    await cellOf(web, 'web-1', 3).click();
    await web.page.keyboard.type('6.20');
    await press(web, 'Enter');
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await cellOf(web, 'web-1', 4).click();
    const isRead = web.page.waitForRequest(/\/hosts\?.*marker=/);
    await web.page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'x\\ny');
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(paste);
    })()`);
    await isRead;
    await press(web, 'Control+Enter');
    release();
    await edited(web).getByText('web-2, Created at: Created at is set by Muster.').waitFor();
    // Until then, the list leaves the keys to the preview.
    await web.page.locator('[role=grid]:not([data-typing])').waitFor();
    expect(await web.page.getByRole('dialog').count()).toBe(0);
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

  it('are few: what is opened is loaded as soon as the page shows what it has read', async () => {
    const web = await WebPage.open(browser(), admin, { isNew: true });
    await web.startSession(admin);
    const files = ['cell-editing', 'write-dialog', 'create-dialog', 'column-choices', 'shell-menu-items'];
    const areLoaded = files.map((file) => web.page.waitForResponse(new RegExp(`/${file}-`)));
    await web.goto('/devices');
    await Promise.all(areLoaded);
    await web.close();
  });
});
