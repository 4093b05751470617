import { text } from 'node:stream/consumers';
import type { Download } from 'playwright-core';
import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForText, WebPage } from '../support/web-pages';

const names = ['web-1', 'web-2', 'web-3', 'web-4'];

const press = async (web: WebPage, ...keys: string[]) => {
  for (const key of keys) await web.page.keyboard.press(key);
};

describeWithBrowser('devices of the list', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeEach(async () => {
    admin = await app.project();
    await loadFleet(admin, {
      regions: [{ name: 'north', variables: { kernel: '6.8', console: { baud: 9600 } } }],
      cells: [{ region: 'north', name: 'rack-a', variables: {} }],
      labels: [],
      hosts: names.map((name) => ({
        name,
        region: 'north',
        cell: name === 'web-4' ? null : 'rack-a',
        labels: ['compute'],
        variables: name === 'web-3' ? { kernel: '6.12', ntp_servers: ['10.0.0.1', '10.0.0.2'] } : {},
      })),
    });
  });

  interface Host {
    readonly name: string;
    readonly labels: string;
    readonly active: boolean;
    readonly variables: Readonly<Record<string, unknown>>;
  }

  const hosts = async () => (await admin.get('/v1/hosts?sort_keys=name').expect(200)).body as Host[];

  it('are selected and given a variable with the keyboard, previewed', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByText('4 hosts').waitFor();
    await web.tabTo('grid', 'hosts');
    await press(web, 'Space', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown');
    await web.page.getByText('3 selected').waitFor();
    await web.page.keyboard.press('Space');
    await web.page.getByText('2 selected').waitFor();
    expect(await web.page.getByRole('row', { selected: true }).count()).toBe(2);
    await web.page.keyboard.press('Shift+Tab');
    await web.page.getByRole('button', { name: 'Change…' }).focus();
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('dialog', { name: 'Change 2 devices' }).waitFor();
    await web.tabTo('combobox', 'Key');
    await web.page.keyboard.type('kernel');
    await web.tabTo('textbox', 'Value');
    await web.page.keyboard.type('"6.10');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('Not valid JSON.').waitFor();
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('6.10');
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Enter');
    await web.page.getByText('2 are changed. 2 devices resolve another value.').waitFor();
    const changed = web.page.getByRole('group', { name: 'Changed resources' }).getByRole('link');
    expect(await changed.allInnerTexts()).toEqual(['web-1', 'web-3']);
    await web.page.getByText(`muster host update web-1 web-3 --set 'kernel:="6.10"'`).waitFor();
    expect(await web.violations()).toEqual([]);
    // The form is as it was when its preview is closed.
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('dialog', { name: 'Change 2 devices' }).waitFor();
    expect(await web.page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('6.10');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('2 are changed. 2 devices resolve another value.').waitFor();
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('2 selected').waitFor({ state: 'detached' });
    const kernels = (await hosts()).map(({ variables }) => variables['kernel']);
    expect(kernels).toEqual(['6.10', '6.8', '6.10', '6.8']);
    const { impact } = (
      (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as {
        impact: { devices: number };
      }[]
    )[0] ?? { impact: undefined };
    expect(impact).toEqual({ devices: 2 });
    await web.close();
  });

  it('lead from the value of a cell to those that have it, too, with the keyboard, and are exported as they are filtered', async () => {
    const columns = 'columns=name&columns=var:kernel&columns=var:console.baud&columns=region_id';
    const web = await WebPage.signedIn(browser(), admin, `/devices?${columns}&name_prefix=web-1`);
    await web.page.getByText('1 host', { exact: true }).waitFor();
    const link = web.page.getByRole('link', { name: 'Same value' });
    await web.tabTo('grid', 'hosts');
    await press(web, 'ArrowRight');
    expect(await link.count()).toBe(0);
    await press(web, 'ArrowRight');
    await web.inLooks(
      [
        ['light', 1280],
        ['light', 360],
      ],
      async () => {
        await link.click({ trial: true });
        const footer = link.locator('..');
        expect(await footer.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      },
    );
    expect(await web.violations(link.locator('..'))).toEqual([]);
    await web.tabTo('link', 'Same value');
    await press(web, 'Enter');
    await web.page.getByText('3 hosts').waitFor();
    const search = () => new URL(web.page.url()).searchParams;
    expect([
      search().getAll('where'),
      search().getAll('columns').length,
      search().get('name_prefix'),
    ]).toEqual([['kernel = "6.8"'], 4, null]);
    await web.page.getByRole('gridcell', { name: 'region 9600' }).first().click();
    await link.click();
    await web.page.getByText('4 hosts').waitFor();
    expect(search().getAll('where')).toEqual(['console.baud = 9600']);
    // What is shown is exported, in each format.
    await web.show('/devices?name_prefix=web-3');
    await web.page.getByText('1 host', { exact: true }).waitFor();
    await web.page.getByRole('button', { name: 'Export' }).click();
    const inventories = web.page.getByRole('button', { name: 'Ansible inventory' });
    await inventories.waitFor();
    expect(await web.violations(inventories.locator('..'))).toEqual([]);
    const download = async (name: string): Promise<string> => {
      const [started] = await Promise.all([
        web.page.waitForEvent('download'),
        web.page.getByRole('button', { name, exact: true }).click(),
      ]);
      return textOf(started);
    };
    expect(await download('CSV')).toMatch(/^name,.*\r?\nweb-3,.*\r?\n$/);
    expect(await download('CSV, resolved')).toContain('variables.console');
    const own = JSON.parse(await download('NDJSON')) as Host;
    expect(own).toMatchObject({ name: 'web-3', variables: { kernel: '6.12' } });
    const resolved = JSON.parse(await download('NDJSON, resolved')) as Host;
    expect(resolved).toMatchObject({ variables: { console: { baud: 9600 } } });
    const inventory = JSON.parse(await download('Ansible inventory')) as {
      _meta: { hostvars: Record<string, unknown> };
    };
    expect(Object.keys(inventory._meta.hostvars)).toEqual(['web-3']);
    await web.close();
  });

  it('are selected without a movement of the list, and counted in a tree of locations, which selects them with the keyboard', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByRole('link', { name: 'web-1' }).waitFor();
    const bar = web.page.getByRole('group', { name: 'Selection' });
    const checkbox = web.page.getByRole('checkbox', { name: 'Select web-2' });
    const boxes = () =>
      web.page
        .getByRole('row')
        .or(web.page.getByRole('heading', { level: 1 }))
        .or(web.page.getByRole('search'))
        .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
    await web.inLooks(
      [
        ['light', 1440],
        ['dark', 360],
      ],
      async () => {
        const before = await boxes();
        expect(before.length).toBeGreaterThan(5);
        await checkbox.check();
        await bar.getByText('1 selected').waitFor();
        expect(await boxes()).toEqual(before);
        for (const name of ['Change…', 'Clear', 'Select all 4'])
          await bar.getByRole('button', { name }).click({ trial: true });
        await web.page.getByRole('button', { name: 'Name', exact: true }).click({ trial: true });
        expect(await web.violations(bar)).toEqual([]);
        await bar.getByRole('button', { name: 'Clear' }).click();
        expect(await boxes()).toEqual(before);
      },
    );
    // On a low screen, the page scrolls, and the bar stays.
    await web.page.setViewportSize({ width: 360, height: 420 });
    await checkbox.check();
    await web.page.getByRole('status').filter({ hasText: '4 hosts' }).scrollIntoViewIfNeeded();
    await bar.getByRole('button', { name: 'Clear' }).click({ trial: true });
    // Behind the bar is nothing that the keyboard reaches.
    await bar.getByRole('button', { name: 'Select all 4' }).focus();
    await press(web, 'Tab');
    const next = await web.page.evaluate(
      "document.activeElement.closest('[role=search], [role=group]') !== null",
    );
    expect(next || (await web.page.locator(':focus').getAttribute('aria-expanded')) !== null).toBe(true);
    await press(web, 'Shift+Tab', 'Shift+Tab');
    await waitForFocus(bar.getByRole('button', { name: 'Clear' }));
    // The tree of locations has the numbers of devices.
    await web.page.setViewportSize({ width: 1280, height: 720 });
    await bar.getByRole('button', { name: 'Clear' }).click();
    await web.tabTo('button', 'Locations');
    await web.page.keyboard.press('Enter');
    const tree = web.page.getByRole('tree', { name: 'Locations' });
    await tree.getByRole('treeitem', { name: /north 4$/ }).waitFor();
    await tree.focus();
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('ArrowRight');
    await tree.getByRole('treeitem', { name: /rack-a 3$/ }).waitFor();
    await web.page.keyboard.press('ArrowRight');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('3 hosts').waitFor();
    expect(new URL(web.page.url()).searchParams.has('cell_id')).toBe(true);
    expect(await tree.getByRole('treeitem', { selected: true }).innerText()).toMatch(/rack-a/);
    expect(await web.violations(tree)).toEqual([]);
    await web.page.keyboard.press('ArrowLeft');
    await web.page.keyboard.press('ArrowLeft');
    await tree.getByRole('treeitem', { name: /rack-a/ }).waitFor({ state: 'detached' });
    await web.page.keyboard.press('Home');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('4 hosts').waitFor();
    await web.close();
  });

  it('are all selected, and get a label, lose one or a variable, or change their state', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    const change = async (action: string, label?: string) => {
      await web.page.getByRole('checkbox', { name: 'Select web-2' }).check();
      await web.page.getByRole('button', { name: 'Select all 4' }).click();
      await web.page.getByText('4 selected').waitFor();
      await web.page.getByRole('button', { name: 'Change…' }).click();
      await web.page.getByRole('combobox', { name: 'What to do' }).click();
      await web.page.getByRole('option', { name: action }).click();
      if (label !== undefined) await web.page.getByRole('textbox', { name: 'Label' }).fill(label);
      await web.page.getByRole('button', { name: 'Preview…' }).click();
      await web.page.getByText('4 are changed.').waitFor();
      await web.apply();
    };
    await change('Add a label', 'new');
    // The rows have the versions that are changed next.
    await web.page.getByRole('gridcell', { name: 'new' }).nth(3).waitFor();
    expect((await hosts()).map(({ labels }) => labels)).toEqual(names.map(() => 'compute,new'));
    await change('Remove a label', 'compute');
    await web.page.getByRole('gridcell', { name: 'compute' }).first().waitFor({ state: 'detached' });
    expect((await hosts()).map(({ labels }) => labels)).toEqual(names.map(() => 'new'));
    await change('Make inactive');
    expect((await hosts()).map(({ active }) => active)).toEqual(names.map(() => false));
    // One of them loses a variable, and is not changed if somebody else has changed its labels.
    await web.show('/devices?name_prefix=web-3&columns=name&columns=var:kernel');
    await web.page.getByRole('gridcell', { name: 'device "6.12"' }).waitFor();
    await web.page.getByRole('checkbox', { name: 'Select web-3' }).check();
    await web.page.getByRole('button', { name: 'Change…' }).click();
    await web.page.getByRole('combobox', { name: 'What to do' }).click();
    await web.page.getByRole('option', { name: 'Unset a variable' }).click();
    await web.page.getByRole('combobox', { name: 'Key' }).fill('kernel');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('1 is changed. 1 device resolves another value.').waitFor();
    await web.apply();
    expect((await hosts())[2]?.variables['kernel']).toBe('6.8');
    // The row has the version before the next change.
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).waitFor();
    await web.page.getByRole('checkbox', { name: 'Select web-3' }).check();
    await web.page.getByRole('button', { name: 'Change…' }).click();
    await web.page.getByRole('combobox', { name: 'What to do' }).click();
    await web.page.getByRole('option', { name: 'Remove a label' }).click();
    await web.page.getByRole('textbox', { name: 'Label' }).fill('new');
    const [host] = (await admin.get('/v1/hosts?name=web-3&fields=id').expect(200)).body as { id: number }[];
    await admin.put(`/v1/hosts/${String(host?.id)}`, { labels: 'new,other' }).expect(200);
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page
      .getByRole('alert')
      .getByText(/version/)
      .waitFor();
    expect(await web.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await web.close(/status of 412/);
  });

  describe('edited as in a spreadsheet', () => {
    const COLUMNS = ['name', 'region_id', 'active', 'note', 'var:kernel', 'var:rack_unit', 'var:console.baud']
      .map((column) => `columns=${encodeURIComponent(column)}`)
      .join('&');
    const open = async (path = '') => {
      const web = await WebPage.signedIn(browser(), admin, `/devices?${COLUMNS}${path}`);
      await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
      return web;
    };
    const cellOf = (web: WebPage, name: string, column: number) =>
      web.page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('gridcell')
        .nth(column);
    const bar = (web: WebPage) => web.page.getByRole('region', { name: 'Edited values' });
    /** Pastes on the cell with the cursor, as the browser does from a spreadsheet: after a click, to the element that was clicked. */
    const paste = (web: WebPage, text: string) =>
      web.page.evaluate(
        `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(text)});
        (document.getElementById(document.activeElement.getAttribute('aria-activedescendant')) ?? document.activeElement).dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()`,
      );

    it('with the keyboard: own values, a level, a part, filled down; one preview, one change', async () => {
      const web = await open();
      await web.tabTo('grid', 'hosts');
      // To the kernel of web-1, whose text is replaced by what is typed, also while the editor is loaded.
      await press(web, ...Array.from({ length: 5 }, () => 'ArrowRight'));
      await web.page.keyboard.type('6.14');
      const editor = web.page.getByRole('dialog', { name: 'kernel of web-1' });
      await editor.waitFor();
      expect(await web.violations(editor)).toEqual([]);
      await press(web, 'Tab');
      await web.page.keyboard.type('12');
      await web.page.getByRole('textbox', { name: 'rack_unit of web-1' }).waitFor();
      await press(web, 'Tab', 'F2');
      await web.page.getByRole('textbox', { name: 'console.baud of web-1' }).waitFor();
      await web.page.keyboard.press('Control+A');
      await web.page.keyboard.type('19200');
      await press(web, 'Enter', 'Enter');
      await web.page.getByRole('dialog', { name: 'console.baud of web-2' }).waitFor();
      await press(web, 'Escape');
      await bar(web).getByText('3 values of 1 device changed').waitFor();
      // Down over the selected rows: the part of an own document, and a text stays a text.
      await cellOf(web, 'web-1', 5).click();
      // Shift selects cells there, and no further rows.
      await press(web, 'Space', 'Shift+ArrowDown', 'Shift+ArrowDown');
      await web.page.getByRole('button', { name: 'Fill down 3 values' }).click();
      await web.page.getByText('1 selected', { exact: true }).waitFor();
      await bar(web).getByText('5 values of 3 devices changed').waitFor();
      await waitForText(cellOf(web, 'web-3', 5), /edited.*"6.14"/);
      await press(web, 'Control+Z');
      await bar(web).getByText('3 values of 1 device changed').waitFor();
      await press(web, 'Control+Shift+Z');
      await bar(web).getByText('5 values of 3 devices changed').waitFor();
      // At the region, from the row of web-4.
      await cellOf(web, 'web-4', 5).dblclick();
      await web.page.getByRole('combobox', { name: 'Set on' }).selectOption({ label: 'region north' });
      await web.page.getByRole('textbox', { name: 'kernel of web-4' }).fill('6.11');
      expect(await web.violations(web.page.getByRole('dialog', { name: 'kernel of web-4' }))).toEqual([]);
      await press(web, 'Enter');
      await bar(web).getByText('5 values of 3 devices and 1 value of 1 region changed').waitFor();
      // Filters change nothing of it; another page asks.
      await web.page.getByRole('button', { name: 'Clear' }).click();
      await web.page.getByRole('button', { name: 'Name', exact: true }).click();
      web.page.once('dialog', (dialog) => void dialog.dismiss());
      await web.page.getByRole('link', { name: 'Overview' }).click();
      expect(web.path).toContain('/devices');
      await bar(web).getByRole('button', { name: 'Preview…' }).click();
      await web.page.getByText('4 devices resolve another value.').waitFor();
      await web.page.getByRole('textbox', { name: 'Reason' }).fill('as in the sheet');
      await web.page.getByRole('button', { name: 'Apply' }).click();
      await bar(web).waitFor({ state: 'detached' });
      expect((await hosts()).map(({ variables }) => variables)).toMatchObject([
        { kernel: '6.14', rack_unit: 12, console: { baud: 19200 } },
        { kernel: '6.14', console: { baud: 9600 } },
        { kernel: '6.14' },
        { kernel: '6.11' },
      ]);
      const changes = (await admin.get('/v1/changes?reason=sheet').expect(200)).body as { reason: string }[];
      expect(changes.map(({ reason }) => reason)).toEqual(['as in the sheet']);
      await web.close();
    });

    it('from a block of a spreadsheet, of which it says what does not fit', async () => {
      const web = await open('&name_prefix=web-');
      // The name of the region is a link.
      await cellOf(web, 'web-2', 3).click();
      await press(web, 'ArrowLeft');
      const lines = ['south\tTRUE\t"two\nlines"\t6.15\t1\t2\t3', 'north\tmaybe\t\t6.8\tU7', 'north', 'north'];
      await paste(web, lines.join('\r\n'));
      await bar(web).getByText('6 values of 2 devices changed').waitFor();
      expect(await bar(web).getByRole('listitem').allInnerTexts()).toEqual([
        '1 of 4 rows do not fit: the list ends before.',
        '1 of 7 columns do not fit: the list has no column for them.',
        'web-2, Region: There is no region south.',
        'web-3, Active: maybe is neither true nor false.',
        'rack_unit: all values are texts, because U7 is one.',
      ]);
      expect(await web.violations(bar(web))).toEqual([]);
      web.page.once('dialog', (dialog) => void dialog.accept());
      await bar(web).getByRole('button', { name: 'Discard' }).click();
      await bar(web).waitFor({ state: 'detached' });
      // While the rows of a block are read, neither another block nor what is typed is lost.
      let read: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        read = resolve;
      });
      await web.page.route(/\/v1\/hosts\?.*marker=/, async (request) => {
        await held;
        await request.continue();
      });
      await cellOf(web, 'web-2', 4).click();
      await paste(web, 'one\ntwo');
      await press(web, 'ArrowRight');
      await paste(web, '6.20\n6.21');
      await press(web, 'ArrowRight');
      await web.page.keyboard.type('77');
      const editor = web.page.getByRole('textbox', { name: 'rack_unit of web-2' });
      await editor.waitFor();
      read?.();
      await bar(web).getByText('4 values of 2 devices changed').waitFor();
      expect(await editor.inputValue()).toBe('77');
      // A click elsewhere enters it, or says why not.
      await cellOf(web, 'web-3', 3).click();
      await bar(web).getByText('5 values of 2 devices changed').waitFor();
      await web.page.keyboard.type('maybe');
      await web.page.getByRole('textbox', { name: 'Active of web-3' }).waitFor();
      await cellOf(web, 'web-2', 4).click();
      await bar(web).getByText('web-3: maybe is neither true nor false.').waitFor();
      web.page.once('dialog', (dialog) => void dialog.accept());
      await web.close();
    });

    it('but not over what somebody else has changed meanwhile, and says why a cell is no editor', async () => {
      const web = await open('&columns=created_at');
      await cellOf(web, 'web-1', 8).click();
      await press(web, 'F2');
      await web.page.getByText('Created at is set by Muster.').waitFor();
      await press(web, 'Escape');
      const edit = async (name: string, kernel: string) => {
        await cellOf(web, name, 5).click();
        await web.page.keyboard.type(kernel);
        await press(web, 'Enter');
      };
      await edit('web-2', '6.15');
      await edit('web-3', '6.16');
      const [web3] = (await admin.get('/v1/hosts?name=web-3&fields=id').expect(200)).body as { id: number }[];
      await admin.put(`/v1/hosts/${String(web3?.id)}/variables`, { kernel: '6.13', other: 1 }).expect(200);
      await bar(web).getByRole('button', { name: 'Preview…' }).click();
      await web.page.getByText('Changed by another user meanwhile').waitFor();
      await web.page.getByText('web-3: kernel: "6.13"').waitFor();
      // Only the edit that is in conflict is dropped.
      await web.page.getByRole('button', { name: 'Keep theirs' }).click();
      await bar(web).getByText('1 value of 1 device changed').waitFor();
      await cellOf(web, 'web-3', 5).getByText('6.13').waitFor();
      await edit('web-3', '6.16');
      await admin.put(`/v1/hosts/${String(web3?.id)}/variables`, { kernel: '6.14' }).expect(200);
      await bar(web).getByRole('button', { name: 'Preview…' }).click();
      await web.page.getByText('web-3: kernel: "6.14"').waitFor();
      await web.page.getByRole('button', { name: 'Replace with mine' }).click();
      await web.page.getByText('2 devices resolve another value.').waitFor();
      // Once it is written, the dialog can be closed, even if the list is never read again.
      let read: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        read = resolve;
      });
      await web.page.route(/\/v1\/hosts\?/, async (request) => {
        await held;
        await request.continue();
      });
      await web.page.getByRole('button', { name: 'Apply' }).click();
      const dialog = web.page.getByRole('dialog');
      await dialog.getByText('Written. Reading the page again…').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await bar(web).waitFor({ state: 'detached' });
      await web.page.getByText(/^Done: /).waitFor();
      read?.();
      expect((await hosts())[1]?.variables).toMatchObject({ kernel: '6.15' });
      expect((await hosts())[2]?.variables).toMatchObject({ kernel: '6.16', other: 1 });
      // What a cell inherits is not set on the device itself.
      await web.close(/status of 412|status of 404/);
    });
  });
});

const textOf = async (download: Download): Promise<string> => text(await download.createReadStream());
