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

  /** Opens the list while requests are held back: in a new tab, in which no code is loaded yet, or not. */
  const open = async (
    held: RegExp,
    { isNew = true, then = respond }: { isNew?: boolean; then?: typeof respond } = {},
  ) => {
    const web = await WebPage.open(browser(), admin, { isNew });
    await web.startSession(admin);
    const release = await holdBack(web.page, held, then);
    if (!isNew) await hideChanges(web.page);
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
  const discard = async (web: WebPage) => {
    await edited(web).getByRole('button', { name: 'Discard' }).click();
    await edited(web).waitFor({ state: 'detached' });
  };
  const closeUnsaved = async (web: WebPage, expected?: RegExp) => {
    web.page.once('dialog', (dialog) => void dialog.accept());
    await web.close(expected);
  };

  it('on cells, are entered into them, and previewed, although the code of the editor comes later', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-1', 3).click();
    // On Windows, AltGr is Ctrl and Alt.
    await press(web, 'Control+Alt+q', 'b', 'Control+Alt+e', 'Enter');
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
      'edited device "qbe"',
      'edited device "6.21"',
      'edited device "6/49"',
    ]);
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
    const alert = web.page.getByRole('alert');
    const lines = alert.getByRole('listitem');
    expect(await lines.allInnerTexts()).toEqual(['web-1, kernel: 6.20', 'web-2, kernel: 6/21']);
    await press(web, 'x', 'Control+Enter', 'Space');
    await web.page.getByText('1 selected', { exact: true }).waitFor();
    expect(await web.violations(alert)).toEqual([]);
    await web.close(FAILED);
  });

  it('are given up with Escape, and say why a cell cannot be edited', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-2', 3).click();
    await web.page.keyboard.type('6.2');
    await press(web, 'Escape', 'Space');
    await web.page.getByText('1 selected', { exact: true }).waitFor();
    await cellOf(web, 'web-1', 4).click();
    await web.page.keyboard.type('x');
    await press(web, 'Enter');
    await web.page.keyboard.type('y');
    release();
    await edited(web).getByText('web-1: Created at is set by Muster.').waitFor();
    await web.page.getByRole('dialog').getByText('Created at is set by Muster.').waitFor();
    await press(web, 'Escape');
    await cellOf(web, 'web-2', 3).click();
    await web.page.keyboard.type('6.3');
    const editor = web.page.getByRole('textbox', { name: 'kernel of web-2' });
    await waitForFocus(editor);
    expect(await editor.inputValue()).toBe('6.3');
    await press(web, 'Escape');
    await web.close();
  });

  it('Ctrl-Enter previews what was typed before, unless Escape follows, and no key changes a cell until the dialog is there', async () => {
    const { web, release } = await open(/\/cell-editing-/);
    await cellOf(web, 'web-3', 3).click();
    await web.page.keyboard.type('6.20');
    // This preview would be of one value.
    await press(web, 'Enter', 'Control+Enter', 'Escape');
    await cellOf(web, 'web-1', 3).click();
    await web.page.keyboard.type('6.21');
    await press(web, 'Enter', 'Control+Enter');
    await web.page.keyboard.type('as / before g?/7');
    await press(web, 'Backspace', 'Delete', 'Control+Z', 'Control+A', 'Control+Enter', 'Enter', 'ArrowDown');
    release();
    await waitForFocus(reason(web));
    await web.page.getByRole('dialog', { name: 'Change 2 values of 2 devices' }).waitFor();
    expect(await reason(web).inputValue()).toBe('');
    expect(await web.page.getByRole('dialog').count()).toBe(1);
    await press(web, 'Escape');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    await edited(web).getByText('2 values of 2 devices changed').waitFor();
    expect(await web.page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await closeUnsaved(web);
  });

  it('after Ctrl-Enter are the reason, while the preview is being prepared, and apply nothing until it is there', async () => {
    const { web } = await open(OWN_KERNEL, { isNew: false });
    const sent: string[] = [];
    web.page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await edit(web, 'web-3');
    const dialog = web.page.getByRole('dialog', { name: 'Set kernel on web-3' });
    // Escape gives it up.
    const isGivenUp = web.page.waitForEvent('requestfailed', (request) => OWN_KERNEL.test(request.url()));
    await press(web, 'Control+Enter');
    await waitForFocus(reason(web));
    await press(web, 'Escape');
    await isGivenUp;
    await dialog.waitFor({ state: 'detached' });
    // The reason stays if the preview cannot be prepared.
    const reject = await holdBack(web.page, OWN_KERNEL, (route) =>
      route.fulfill({ status: 403, json: { error: { message: 'no entry' } } }),
    );
    await press(web, 'Control+Enter');
    await web.page.keyboard.type('as before');
    reject();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByText('Computing which devices would change').count()).toBe(0);
    await waitForFocus(reason(web));
    expect(await reason(web).inputValue()).toBe('as before');
    web.page.once('dialog', (question) => void question.accept());
    await press(web, 'Control+Enter', 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    // The next one is prepared again, and applied once it is there.
    const release = await holdBack(web.page, OWN_KERNEL);
    const releasePreview = await holdBack(web.page, /\/v1\/batch\?/);
    await press(web, 'Control+Enter');
    await web.page.keyboard.type('as / ');
    await press(web, 'Control+Enter', 'Control+Enter');
    await web.page.keyboard.type('before');
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
    await web.close(/status of 403/);
  });

  it('wait for what is read, and reach no list any more once a dialog is shown', async () => {
    const { web, release } = await open(/\/v1\/regions\?/, { isNew: false });
    // The region of a device waits for the names of regions.
    await cellOf(web, 'web-1', 2).click();
    await web.page.keyboard.type('south');
    await press(web, 'Enter', 'F2');
    release();
    const editor = (name: string) => web.page.getByRole('combobox', { name: `Region of ${name}` });
    await waitForFocus(editor('web-2'));
    expect(await editor('web-2').inputValue()).toBe('north');
    await press(web, 'Escape');
    await edited(web).getByText('1 value of 1 device changed').waitFor();
    await discard(web);
    // Ctrl-Enter in the editor previews what it has entered, but nothing that cannot be.
    await cellOf(web, 'web-1', 2).click();
    await press(web, 'Enter');
    await waitForFocus(editor('web-1'));
    await press(web, 'Control+A');
    await web.page.keyboard.type('nowhere');
    await press(web, 'Control+Enter');
    await web.page
      .getByRole('dialog')
      .getByText(/nowhere/)
      .waitFor();
    await waitForFocus(editor('web-1'));
    await press(web, 'Control+A');
    await web.page.keyboard.type('south');
    await press(web, 'Control+Enter');
    await web.page.getByRole('dialog', { name: 'Change web-1' }).waitFor();
    await waitForFocus(reason(web));
    await press(web, 'Escape');
    await discard(web);
    // The field of a dialog has the focus in the same task.
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
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    // Nothing is previewed if what is still being entered is rejected.
    const releaseRows = await holdBack(web.page, /\/hosts\?.*marker=/);
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
    releaseRows();
    await edited(web).getByText('web-2, Created at: Created at is set by Muster.').waitFor();
    // Until then, the list leaves the keys to the preview.
    await web.page.locator('[role=grid]:not([data-typing])').waitFor();
    expect(await web.page.getByRole('dialog').count()).toBe(0);
    await closeUnsaved(web);
  });
});
