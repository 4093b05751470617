import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForText, WebPage } from '../support/web-pages';

/** Two pages of the list. */
const HOSTS = 300;
const name = (n: number) => `web-${String(n).padStart(3, '0')}`;
const COLUMNS = ['name', 'var:kernel', 'var:rack_unit']
  .map((column) => `columns=${encodeURIComponent(column)}`)
  .join('&');
const LIST = `/devices?${COLUMNS}`;

describeWithBrowser('the keys for what is edited', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let web: WebPage;

  const load = async (hosts: number) => {
    admin = await app.project();
    await loadFleet(admin, {
      ...{ cells: [], labels: [] },
      regions: [{ name: 'north', variables: { kernel: '6.8' } }],
      hosts: Array.from({ length: hosts }, (_, n) => ({
        ...{ name: name(n), region: 'north', cell: null, labels: [], variables: {} },
      })),
    });
    web = await WebPage.signedIn(browser(), admin, LIST);
    await web.page.getByRole('gridcell', { name: 'region "6.8"' }).first().waitFor();
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await web.page.keyboard.press(key);
  };
  const grid = () => web.page.getByRole('grid', { name: 'hosts' });
  const reason = () => web.page.getByRole('dialog').getByRole('textbox', { name: 'Reason' });
  /** Types over a cell of the first row. @param column counted from the name */
  const type = async (column: number, text: string) => {
    await web.tabTo('grid', 'hosts');
    await press('Home', ...Array.from({ length: column + 1 }, () => 'ArrowRight'));
    await web.page.keyboard.type(text);
    await web.page.getByRole('dialog', { name: new RegExp(` of ${name(0)}$`) }).waitFor();
    await press('Enter');
    await waitForFocus(grid());
  };
  const saysOneDevice = () => web.page.getByText('1 device resolves another value.').waitFor();
  const isDetached = () => web.page.getByRole('dialog').waitFor({ state: 'detached' });

  it('Ctrl-Enter previews and applies, and Ctrl-Z previews how the last change is undone; held keys do neither', async () => {
    await load(2);
    const { keyboard } = web.page;
    /** Presses a key as long as it takes the page to respond, and further. */
    const hold = async (key: string, until: () => Promise<void>) => {
      await keyboard.down('Control');
      await keyboard.down(key);
      await until();
      // The key of a keyboard repeats 30 times a second.
      for (let i = 0; i < 30; i++) await keyboard.down(key);
      await keyboard.up(key);
      await keyboard.up('Control');
    };
    await web.tabTo('grid', 'hosts');
    await press('Control+Z');
    await web.page.getByText('There is nothing to undo').waitFor();
    await type(1, '6.14');
    await press('Control+Enter');
    await waitForFocus(reason());
    await saysOneDevice();
    await press('Control+Enter');
    await waitForFocus(grid());
    await web.page.getByRole('gridcell', { name: 'device "6.14"' }).waitFor();
    // A text field undoes what was typed in it.
    await web.tabTo('textbox', 'Names that begin with');
    await web.page.keyboard.type('x');
    await press('Control+Z');
    expect(await web.page.getByRole('dialog').count()).toBe(0);
    /** The writes that are no previews, and the previews of what undoes a change. */
    const sent: string[] = [];
    web.page.on('request', (request) => {
      const url = request.url();
      if (request.method() !== 'GET' && (!url.includes('dry_run=') || url.includes('/revert')))
        sent.push(url);
    });
    await type(1, '6.15');
    await hold('Enter', saysOneDevice);
    await press('Escape');
    await isDetached();
    expect(sent).toEqual([]);
    await hold('z', () =>
      web.page.getByRole('region', { name: 'Edited values' }).waitFor({ state: 'detached' }),
    );
    await press('?');
    const shortcuts = web.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.getByText('Preview what is edited, or apply it').waitFor();
    await shortcuts.getByText('Undo the last change that was applied, after a preview').waitFor();
    expect(await web.page.getByRole('dialog').count()).toBe(1);
    expect(sent).toEqual([]);
    await press('Escape');
    await isDetached();
    // Pressed once more, the key does the next thing.
    await press('Control+Z');
    const revert = web.page.getByRole('dialog', { name: /^Revert change \d+$/ });
    await waitForFocus(reason());
    await saysOneDevice();
    expect(sent).toEqual([expect.stringMatching(/\/revert\?.*dry_run=/)]);
    await press('Escape');
    await revert.waitFor({ state: 'detached' });
    // It is still there to be undone.
    await press('Control+Z');
    await saysOneDevice();
    await press('Control+Enter');
    await isDetached();
    await web.page.getByRole('gridcell', { name: 'device "6.14"' }).waitFor({ state: 'detached' });
    // What undoes is not undone in turn.
    await press('Control+Z');
    await web.page.getByText('There is nothing to undo').waitFor();
    await web.close();
  });

  it('Ctrl-Z leaves the focus on the page, and no message about the change that it undid', async () => {
    admin = await app.project();
    const host = await admin.host({ name: name(0) });
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { kernel: '6.14' }).expect(200);
    web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}`);
    await web.page.getByRole('button', { name: 'Unset kernel' }).click();
    await waitForFocus(reason());
    await saysOneDevice();
    await press('Control+Enter');
    const done = web.page.getByText(/^Done: Unset kernel/);
    await done.waitFor();
    await isDetached();
    const heading = web.page.getByRole('heading', { name: name(0) });
    await waitForFocus(heading);
    for (const key of ['Escape', 'Control+Enter']) {
      await press('Control+Z');
      await waitForFocus(reason());
      await saysOneDevice();
      await press(key);
      await isDetached();
      await waitForFocus(heading);
    }
    await done.waitFor({ state: 'detached' });
    await web.page.getByText(/^Done: Revert change/).waitFor();
    await web.close();
  });

  it('Ctrl-Z undoes edits that are not applied first, and Ctrl-Enter is for the dialog on top, which shows what is rejected at its field', async () => {
    await load(2);
    await type(1, '6.14');
    await press('Control+Z');
    await web.page.getByRole('region', { name: 'Edited values' }).waitFor({ state: 'detached' });
    await press('Control+Shift+Z');
    await web.page.getByRole('region', { name: 'Edited values' }).waitFor();
    await web.page.getByRole('button', { name: 'New host' }).click();
    const nameField = web.page.getByRole('textbox', { name: 'Name', exact: true });
    await waitForFocus(nameField);
    await press('Control+Enter');
    // The field is required.
    expect(await web.page.getByRole('dialog').allInnerTexts()).toHaveLength(1);
    await web.page.getByRole('dialog', { name: 'New host' }).waitFor();
    const field = web.page.getByRole('textbox', { name: 'IP address' });
    await nameField.fill('web-9');
    await web.page.getByRole('combobox', { name: 'Region' }).click();
    await web.page.getByRole('option', { name: 'north' }).click();
    await web.page.getByRole('textbox', { name: 'Device type' }).fill('server');
    await field.fill('10.0.0.300');
    await press('Control+Enter');
    await web.page
      .getByRole('dialog', { name: 'Create host web-9' })
      .getByText(/ip_address/)
      .first()
      .waitFor();
    await press('Escape');
    await waitForFocus(field);
    await waitForText(web.page.getByRole('dialog', { name: 'New host' }), /must be an IP/);
    expect(await web.violations()).toEqual([]);
    await field.fill('10.0.0.30');
    await web.page.getByText(/must be an IP/).waitFor({ state: 'detached' });
    // What the form finds itself, too.
    const variables = web.page.getByRole('textbox', { name: 'Variables', exact: true });
    await variables.fill('{');
    await field.press('Control+Enter');
    await waitForFocus(variables);
    await web.page.getByText('This is not valid JSON.').waitFor();
    web.page.on('dialog', (dialog) => void dialog.accept());
    await press('Escape');
    await isDetached();
    await web.close(/status of 400/);
  });

  it('Enter leads from a rejected cell to its editor, wherever it is in the list', async () => {
    await load(HOSTS);
    await admin.definition({ key: 'rack_unit', schema: { type: 'string' } });
    await type(2, '12');
    await press('End');
    await web.page.getByRole('link', { name: name(HOSTS - 1) }).waitFor();
    await press('Control+Enter');
    const fault = (role: 'dialog' | 'region') =>
      web.page.getByRole(role).getByRole('button', { name: `${name(0)}, rack_unit` });
    await waitForFocus(fault('dialog'));
    expect(await web.violations()).toEqual([]);
    await press('Enter');
    const editor = web.page.getByRole('dialog', { name: `rack_unit of ${name(0)}` });
    await waitForFocus(editor.getByRole('textbox', { name: 'rack_unit' }));
    await editor.getByText('must be string').waitFor();
    // Below the list, too, where the focus is when the preview is closed.
    await press('Escape');
    await waitForFocus(grid());
    await press('Control+Enter');
    await waitForFocus(fault('dialog'));
    await press('Escape');
    await waitForFocus(fault('region'));
    await press('Enter');
    await waitForFocus(editor.getByRole('textbox', { name: 'rack_unit' }));
    await press('Control+A');
    await web.page.keyboard.type('u12');
    await press('Enter', 'Control+Enter');
    await saysOneDevice();
    await waitForFocus(reason());
    await press('Escape');
    // A list that does not show the cell says so.
    await web.close(/status of 400/);
  });
});
