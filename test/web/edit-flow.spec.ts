import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForText, WebPage } from '../support/web-pages';

const COLUMNS = ['name', 'note', 'var:kernel', 'var:rack_unit']
  .map((column) => `columns=${encodeURIComponent(column)}`)
  .join('&');
const LIST = `/devices?${COLUMNS}`;

describeWithBrowser('editing with the keyboard', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeEach(async () => {
    admin = await app.project();
    await loadFleet(admin, {
      regions: [{ name: 'north', variables: { kernel: '6.8' } }],
      cells: [],
      labels: [],
      hosts: ['web-1', 'web-2', 'web-3'].map((name) => ({
        ...{ name, region: 'north', cell: null, labels: [] },
        variables: name === 'web-3' ? { kernel: '6.9' } : {},
      })),
    });
  });

  const open = async (caller = admin) => {
    const viewport = { width: 1440, height: 800 };
    const web = await WebPage.signedIn(browser(), caller, LIST, { viewport });
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
    return web;
  };
  const press = async (web: WebPage, ...keys: string[]) => {
    for (const key of keys) await web.page.keyboard.press(key);
  };
  const button = (web: WebPage, name: string | RegExp) =>
    web.page.getByRole('button', { name, exact: typeof name === 'string' });
  const pressButton = async (web: WebPage, name: string) => {
    await web.tabTo('button', name);
    await press(web, 'Enter');
  };
  const proposalLink = (web: WebPage) =>
    web.page.getByRole('dialog', { name: 'Proposed' }).getByRole('link', { name: /^Proposal \d+/ });
  const bar = (web: WebPage) => web.page.getByRole('region', { name: 'Edited values' });
  const listHasFocus = (web: WebPage) => waitForFocus(web.page.getByRole('grid', { name: 'hosts' }));
  /** Chooses a cell of the first row, and types over it. @param column counted from the name */
  const type = async (web: WebPage, column: number, text: string) => {
    await web.tabTo('grid', 'hosts');
    await press(web, 'Home', ...Array.from({ length: column + 1 }, () => 'ArrowRight'));
    await web.page.keyboard.type(text);
    await web.page.getByRole('dialog', { name: / of web-1$/ }).waitFor();
    await press(web, 'Enter');
    await listHasFocus(web);
  };

  it('has the focus where the user was, in each step; an edit of what was just applied is no conflict', async () => {
    const web = await open();
    await type(web, 2, '6.14');
    await bar(web).getByText('1 value of 1 device changed').waitFor();
    // The button disappears with the bar, and the list has its keys again.
    await pressButton(web, 'Discard');
    await bar(web).waitFor({ state: 'detached' });
    await listHasFocus(web);
    await press(web, 'Control+Z');
    await bar(web).getByText('1 value of 1 device changed').waitFor();
    // The preview leads back to its button. While it is planned, the button is disabled.
    await pressButton(web, 'Preview…');
    await waitForFocus(web.page.getByRole('textbox', { name: 'Reason' }));
    await web.page.getByText('1 device resolves another value.').waitFor();
    // However many links there are in the preview, what is done with it follows the reason.
    for (const name of ['Cancel', 'Propose…', 'Apply']) {
      await press(web, 'Tab');
      await waitForFocus(button(web, name));
    }
    await press(web, 'Tab');
    await waitForFocus(web.page.getByRole('dialog').getByRole('link').first());
    await button(web, 'Apply').click({ trial: true });
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Preview…'));
    // The other steps on a phone.
    await web.page.setViewportSize({ width: 360, height: 800 });
    await press(web, 'Enter');
    await waitForFocus(web.page.getByRole('textbox', { name: 'Reason' }));
    await web.page.keyboard.type('as in the sheet');
    await web.page.getByText('1 device resolves another value.').waitFor();
    const list = /\/v1\/hosts\?/;
    const isReadAgain = web.page.waitForRequest(list);
    const release = await holdBack(web.page, list);
    await pressButton(web, 'Apply');
    await isReadAgain;
    // Escape does not lead to the list, which is as it was before the change.
    await web.page.getByText('Written. Reading the page again…').waitFor();
    await press(web, 'Escape');
    await web.page.getByRole('dialog', { name: /^Set kernel/ }).waitFor();
    release();
    await listHasFocus(web);
    await web.page.getByRole('gridcell', { name: 'device "6.14"' }).waitFor();
    // The message about the change, and the dialog that undoes it.
    await pressButton(web, 'Undo…');
    await waitForFocus(web.page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }));
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Undo…'));
    await pressButton(web, 'Close');
    await button(web, 'Undo…').waitFor({ state: 'detached' });
    await listHasFocus(web);
    // The cursor is still on the cell below the one that was edited.
    await web.page.keyboard.type('6.15');
    await web.page.getByRole('dialog', { name: 'kernel of web-2' }).waitFor();
    await press(web, 'Escape');
    await listHasFocus(web);
    // The list has the version of the device that was changed.
    await press(web, 'ArrowUp');
    await web.page.keyboard.type('6.15');
    await web.page.getByRole('dialog', { name: 'kernel of web-1' }).waitFor();
    await press(web, 'Enter', 'Control+Enter');
    await web.page.getByText('1 device resolves another value.').waitFor();
    await pressButton(web, 'Apply');
    await web.page.getByRole('gridcell', { name: 'device "6.15"' }).waitFor();
    await web.close();
  });

  it('goes on in the list after a proposal, a change of selected devices, and the search', async () => {
    const web = await open(await admin.user());
    await type(web, 2, '6.14');
    await pressButton(web, 'Preview…');
    await web.page.getByText('You may only propose this').waitFor();
    await pressButton(web, 'Propose');
    await waitForFocus(proposalLink(web));
    await bar(web).waitFor({ state: 'detached' });
    await press(web, 'Escape');
    await listHasFocus(web);
    for (const key of ['Control+K', '?']) {
      await press(web, key);
      await web.page.getByRole('dialog').locator(':focus').waitFor();
      await press(web, 'Escape');
      await listHasFocus(web);
    }
    // A click on the checkbox of a row is a click in the list.
    await web.page.getByRole('checkbox', { name: 'Select web-2' }).click();
    await listHasFocus(web);
    await press(web, 'ArrowDown', 'Space');
    await web.page.getByText('2 selected').waitFor();
    await pressButton(web, 'Change…');
    await web.page.getByRole('dialog', { name: 'Change 2 devices' }).locator(':focus').waitFor();
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Change…'));
    await pressButton(web, 'Clear');
    await listHasFocus(web);
    await web.close(/status of 403/);
  });

  it('closes the editor of what was proposed, and leads back to its button', async () => {
    const web = await open(await admin.user());
    await web.tabTo('grid', 'hosts');
    await press(web, 'Enter');
    const editor = web.page.getByLabel('Value of kernel');
    const proposeKernel = async () => {
      await pressButton(web, 'Override kernel');
      await editor.fill('"6.14"');
      await press(web, 'Control+Enter');
      await web.page.getByText('You may only propose this').waitFor();
      await pressButton(web, 'Propose');
      await waitForFocus(proposalLink(web));
      expect(await editor.count()).toBe(0);
    };
    await proposeKernel();
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Override kernel'));
    await pressButton(web, 'Propose a variable');
    const key = web.page.getByRole('combobox', { name: 'Key of the new variable' });
    await key.fill('owner');
    await web.page.getByLabel('Value of the new variable').fill('"ops"');
    await press(web, 'Control+Enter');
    await pressButton(web, 'Propose');
    await waitForFocus(proposalLink(web));
    expect(await key.count()).toBe(0);
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Propose a variable'));
    expect(web.path).not.toContain('add=');
    // The next page has no dialog, nor has Back.
    await proposeKernel();
    const path = web.path;
    await press(web, 'Enter');
    await waitForFocus(web.page.getByRole('heading', { level: 1 }));
    expect(web.path).toMatch(/^\/proposals\/\d+$/);
    expect(await web.page.getByRole('dialog').count()).toBe(0);
    await web.page.goBack();
    await button(web, 'Override kernel').waitFor();
    expect(web.path).toBe(path);
    expect(await editor.count()).toBe(0);
    await web.close(/status of 403/);
  });

  it('leads back from an editor to its button, and from what was deleted to the heading', async () => {
    const web = await open();
    await web.tabTo('grid', 'hosts');
    await press(web, 'Enter');
    await waitForFocus(web.page.getByRole('heading', { name: 'web-1', level: 1 }));
    await pressButton(web, 'Override kernel');
    const editor = web.page.getByLabel('Value of kernel');
    await waitForFocus(editor);
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Override kernel'));
    await press(web, 'Enter');
    await waitForFocus(editor);
    await editor.fill('"6.14"');
    await press(web, 'Control+Enter');
    await web.page.getByText('1 device resolves another value.').waitFor();
    await pressButton(web, 'Apply');
    // It has another name now, but is the same button.
    await waitForFocus(button(web, 'Edit kernel'));
    // The button of a level is hidden by the editor that it opens.
    const level = 'Edit on region north: kernel';
    await pressButton(web, level);
    await waitForFocus(editor);
    await press(web, 'Escape');
    await waitForFocus(button(web, level));
    await press(web, 'Enter');
    await waitForFocus(editor);
    await editor.fill('"6.10"');
    await press(web, 'Control+Enter');
    await web.page.getByText('1 device resolves another value.').waitFor();
    await pressButton(web, 'Apply');
    await waitForFocus(button(web, level));
    await web.chooseInMenu('More', 'Copy…', 1);
    await waitForFocus(web.page.getByRole('textbox', { name: 'Name' }));
    await press(web, 'Escape');
    await waitForFocus(button(web, 'More'));
    await web.chooseInMenu('More', 'Delete…', 3);
    await pressButton(web, 'Apply');
    await waitForFocus(web.page.getByRole('heading', { name: 'Devices', level: 1 }));
    await web.close();
  });

  it('names each device and column that the service rejects, at the cell, and offers texts', async () => {
    await admin.definition({ key: 'rack_unit', schema: { type: 'string' } });
    const web = await open();
    await type(web, 3, '12');
    await web.page.keyboard.type('13');
    await web.page.getByText('The definition of rack_unit demands a text.').waitFor();
    await press(web, 'Enter');
    await bar(web).getByText('2 values of 2 devices changed').waitFor();
    await pressButton(web, 'Preview…');
    const faults = web.page.getByRole('dialog').getByRole('list', { name: 'Faults' });
    const fault = (name: string) => new RegExp(`^${name}, rack_unit: must be string`);
    await waitForText(faults.getByRole('listitem').first(), fault('web-1'));
    await waitForText(faults.getByRole('listitem').nth(1), fault('web-2'));
    expect(await web.violations()).toEqual([]);
    await press(web, 'Escape');
    await waitForText(bar(web).getByRole('listitem').first(), fault('web-1'));
    await waitForText(bar(web).getByRole('listitem').nth(1), fault('web-2'));
    expect(
      await web.violationsIn(
        [
          ['dark', 360],
          ['light', 1440],
        ],
        bar(web),
      ),
    ).toEqual([]);
    const cells = web.page.getByRole('gridcell', { name: /rejected: .*must be string/ });
    expect(await cells.count()).toBe(2);
    await cells.first().dblclick();
    await web.page.getByRole('dialog').getByText('must be string').waitFor();
    await press(web, 'Escape');
    await pressButton(web, 'All 2 as texts');
    await cells.first().waitFor({ state: 'detached' });
    await pressButton(web, 'Preview…');
    await web.page.getByText('2 devices resolve another value.').waitFor();
    await press(web, 'Escape');
    // A member of a device, too.
    await web.tabTo('grid', 'hosts');
    await press(web, 'Home', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'F2', 'Control+A');
    await web.page.keyboard.type('web-3');
    await press(web, 'Enter');
    await pressButton(web, 'Preview…');
    await waitForText(faults, 'web-1, Name: The name web-3 is already in use.');
    await press(web, 'Escape');
    await web.page.getByRole('gridcell', { name: /rejected: The name web-3 is already in use/ }).waitFor();
    web.page.once('dialog', (dialog) => void dialog.accept());
    await web.close(/status of 4(00|09)/);
  });

  it('names devices, not lines, where several are changed at once, and offers the quotes there', async () => {
    await admin.definition({ key: 'kernel', schema: { type: 'string' } });
    const { id } = await admin.audit({
      ...{ name: 'new-kernel', kind: 'host', expectation: { where: ['kernel > "7"'] } },
    });
    const web = await WebPage.signedIn(browser(), admin, `/audits/${String(id)}`);
    await button(web, 'Remediate all own values of kernel').click();
    const value = web.page.getByRole('textbox', { name: 'Value' });
    await value.fill('7.1');
    const offer = button(web, 'Write "7.1"');
    await offer.waitFor();
    await button(web, 'Preview…').click();
    await web.page.getByText('1 host cannot be changed. Nothing was written.').waitFor();
    await waitForText(
      web.page.getByRole('list', { name: 'Faults' }).getByRole('listitem'),
      /^web-3: .*kernel: must be string/,
    );
    await press(web, 'Escape');
    await offer.click();
    await waitForFocus(value);
    await button(web, 'Preview…').click();
    await web.page.getByText('1 device resolves another value.').waitFor();
    await press(web, 'Escape');
    await button(web, 'Preview…').waitFor();
    web.page.once('dialog', (dialog) => void dialog.accept());
    await press(web, 'Escape');
    await waitForFocus(button(web, 'Remediate all own values of kernel'));
    await web.close(/status of 400/);
  });

  it('pastes and clears as a spreadsheet does; asks before the list is left, and not before a form that keeps the edits', async () => {
    const web = await open();
    /** Pastes as the browser does from a spreadsheet. */
    const paste = (text: string) =>
      web.page.evaluate(
        `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(text)});
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()`,
      );
    const edited = web.page.getByRole('gridcell', { name: /^edited/ });
    const shown = async (cells: readonly string[]) => {
      await edited.nth(cells.length - 1).waitFor();
      expect((await edited.allInnerTexts()).map((text) => text.replace(/^edited\s*/, ''))).toEqual(cells);
    };
    await web.tabTo('grid', 'hosts');
    // One cell into the three selected ones, also from the last one on.
    await press(web, 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await paste('spare');
    await bar(web).getByText('3 values of 3 devices changed').waitFor();
    await shown(['spare', 'spare', 'spare']);
    await press(web, 'Control+Z');
    await bar(web).waitFor({ state: 'detached' });
    await listHasFocus(web);
    // Two lines do not fit into three rows: they are pasted once, from the first cell on.
    await paste('a\nb');
    await bar(web).getByText('2 values of 2 devices changed').waitFor();
    await shown(['a', 'b']);
    await press(web, 'Control+Z');
    await bar(web).waitFor({ state: 'detached' });
    // Only one of the three has a kernel of its own.
    await press(web, 'Home', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Delete');
    await bar(web).getByText('1 value of 1 device changed').waitFor();
    expect(await bar(web).getByRole('listitem').allInnerTexts()).toEqual([
      'web-1, kernel: It has no own value: this one is that of the region north.',
      'web-2, kernel: It has no own value: this one is that of the region north.',
    ]);
    await pressButton(web, 'Discard');
    await listHasFocus(web);
    await type(web, 2, '6.14');
    const change = bar(web).getByText('1 value of 1 device changed');
    await change.waitFor();
    const questions: string[] = [];
    web.page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void dialog.accept();
    });
    const form = web.page.getByRole('dialog', { name: 'New host' });
    const name = form.getByRole('textbox', { name: 'Name' });
    await button(web, 'New host').click();
    await waitForFocus(name);
    await press(web, 'Escape');
    await form.waitFor({ state: 'detached' });
    expect(questions).toEqual([]);
    await button(web, 'New host').click();
    await name.fill('web-4');
    await press(web, 'Escape');
    await form.waitFor({ state: 'detached' });
    expect(questions).toEqual(['Discard what you have entered?']);
    await change.waitFor();
    await web.page.getByRole('link', { name: 'Regions' }).click();
    await web.page.getByRole('heading', { name: 'Regions' }).waitFor();
    expect(questions.slice(1)).toEqual(['Leave, and discard what you have entered?']);
    await web.close();
  });
});
