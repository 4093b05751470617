import type { Request } from 'playwright-core';
import type { Caller, Resource } from '../support/caller';
import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, waitForFocus, waitForText, waitForValue, WebPage } from '../support/web-pages';

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

describeWithBrowser('the page of a device', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;

  /** Each test has its own device. */
  beforeEach(async () => {
    admin = await app.project();
    const region = await admin.region({
      name: 'north',
      variables: { kernel: '6.8', ntp_servers: ['10.1.0.1', '10.1.0.2'] },
    });
    await admin.label({ label: 'web', variables: { kernel: '6.9' } });
    host = await admin.host({ name: 'web-1', region_id: region.id, labels: ['web'] });
    // More digits than JavaScript's numbers have.
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, '{"serial": 90071992547409931234}').expect(200);
  });

  const path = () => `/devices/hosts/${String(host.id)}`;
  const own = async () => (await admin.get(`/v1/hosts/${String(host.id)}/variables`).expect(200)).text;

  it('shows each value with its level and what it overrides', async () => {
    const web = await WebPage.signedIn(browser(), admin, path());
    const kernel = web.page.getByRole('row', { name: /^kernel / });
    await kernel.waitFor();
    const levels = await kernel.getByRole('listitem').allInnerTexts();
    expect(levels.map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      'label web "6.9"',
      'region north "6.8"',
    ]);
    expect(await kernel.locator('s').allInnerTexts()).toEqual(['"6.8"']);
    await web.page.getByText('90071992547409931234').waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    // A reason is never cut off.
    const why = `CHG-1: ${'the new racks need it, '.repeat(8)}until May`;
    const variables = `/v1/hosts/${String(host.id)}/variables`;
    await admin.put(variables, { rack: 4 }, { 'X-Change-Reason': why }).expect(200);
    const shown = web.page.getByRole('row', { name: /^rack / }).getByText(why);
    await shown.waitFor();
    await web.inLooks(
      [
        ['light', 1440],
        ['light', 1920],
        ['light', 360],
      ],
      async ([, width]) => {
        const cut = await shown.evaluate((element) => element.scrollWidth - element.clientWidth);
        expect([width, cut]).toEqual([width, 0]);
      },
    );
    await web.close();
  });

  it('sets a variable with the keyboard: edit, preview, reason, apply', async () => {
    const reason = { required: true, pattern: '^CHG-[0-9]+' };
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { change_reason: reason }).expect(200);
    const web = await WebPage.signedIn(browser(), admin, path());
    await web.tabTo('button', 'Override kernel');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByLabel('Value of kernel'));
    await web.page.getByText('on device web-1', { exact: true }).waitFor();
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('"6.12');
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('Not valid JSON.').waitFor();
    await web.page.keyboard.type('"');
    await web.page.keyboard.press('Control+Enter');
    const dialog = web.page.getByRole('dialog');
    // The impact is shown whatever the reason is.
    await dialog.getByText('1 device resolves another value.').waitFor();
    await dialog.getByText('Changes in this project need a reason that matches ^CHG-[0-9]+.').waitFor();
    await waitForFocus(dialog.getByRole('textbox', { name: 'Reason' }));
    await web.page.keyboard.type('CHG');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByText('The reason of a change in this project must be one').waitFor();
    const written = dialog.getByRole('list', { name: 'Changed resources' });
    expect((await written.innerText()).replace(/\s+/g, ' ')).toContain(
      'web-1 host updated Own value of host web-1 kernel not set → "6.12"',
    );
    await dialog.getByRole('textbox', { name: 'Reason' }).focus();
    await web.page.keyboard.press('End');
    await web.page.keyboard.type('-1: new kernel');
    const groups = dialog.getByRole('table', { name: 'Impact by variable and value' });
    expect(await groups.getByRole('row').first().innerText()).toMatch(/What they resolve/);
    expect(await groups.getByRole('row').last().innerText()).toMatch(
      /1 ×\s+kernel\s+"6\.9"\s+→\s+"6\.12"\s+.*north/s,
    );
    expect(await dialog.getByRole('row').last().innerText()).toMatch(/web-1\s+kernel\s+"6\.9"\s+→\s+"6\.12"/);
    await dialog
      .getByText(`muster vars set host web-1 'kernel:="6.12"' --reason 'CHG-1: new kernel'`)
      .waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Tab');
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await web.page.getByRole('row', { name: /^kernel .*CHG-1: new kernel/ }).waitFor();
    expect(await own()).toContain('"kernel": "6.12"');
    await web.close(/status of 400/);
  });

  it('unsets, adds and replaces variables, keeps all digits of the others, and shows three sides of a conflict', async () => {
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { kernel: '6.12', color: 'red' }).expect(200);
    const web = await WebPage.signedIn(browser(), admin, path());
    await web.page.getByRole('button', { name: 'Unset kernel' }).click();
    await web.apply();
    await web.page.getByRole('button', { name: 'Override kernel' }).waitFor();
    expect(await own()).toContain('"serial": 90071992547409931234}');
    expect(await own()).not.toContain('kernel');
    // Adding one says if it is already set.
    await web.page.getByRole('button', { name: 'Add a variable' }).click();
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).fill('rack');
    await web.page.getByLabel('Value of the new variable').fill('{"row": 12345678901234567890}');
    await web.page.keyboard.press('Control+Enter');
    await web.apply();
    await web.page.getByRole('button', { name: 'Edit rack' }).waitFor();
    expect(await own()).toContain('{"row": 12345678901234567890}');
    await web.page.getByRole('button', { name: 'Add a variable' }).click();
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).fill('rack');
    await web.page.getByLabel('Value of the new variable').fill('"r7"');
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('It is already set').waitFor();
    await web.page.getByRole('button', { name: 'Replace with mine' }).click();
    await web.apply();
    expect(await own()).toContain('"r7"');
    // The same value is no conflict: nothing is offered but to close it.
    await web.page.getByRole('button', { name: 'Add a variable' }).click();
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).fill('rack');
    await web.page.getByLabel('Value of the new variable').fill('"r7"');
    await web.page.keyboard.press('Control+Enter');
    const same = web.page.getByRole('alert').filter({ hasText: 'Nothing is left to write' });
    await same.waitFor();
    expect(await same.getByRole('button').allInnerTexts()).toEqual(['Close']);
    await same.getByRole('button', { name: 'Close' }).click();
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    // Somebody else changes the variable meanwhile.
    await web.page.getByRole('button', { name: 'Edit color' }).click();
    await web.page.getByLabel('Value of color').fill('"green"');
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { color: 'blue' }).expect(200);
    await web.page.keyboard.press('Control+Enter');
    const conflict = web.page.getByRole('alert');
    await conflict.getByText('"blue"').waitFor();
    await conflict.getByText('"red"').waitFor();
    await conflict.getByText('"green"').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('button', { name: 'Replace with mine' }).click();
    await web.page.getByText('1 device resolves another value.').waitFor();
    await web.apply();
    expect(await own()).toContain('"color": "green"');
    // Nothing is previewed while a change is applied.
    const { page } = web;
    const value = page.getByRole('textbox', { name: 'Value of kernel' });
    // On a level that sets it: its value is edited, but what was typed stays if another level is chosen.
    const editLevel = 'Edit on region north: kernel';
    await web.tabTo('button', editLevel);
    await page.keyboard.press('Enter');
    await waitForFocus(value);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: editLevel }).click();
    const level = page.getByRole('combobox', { name: 'Set on' });
    await page.getByText('web-1 keeps the value of the label web.').waitFor();
    await waitForValue(value, '"6.8"');
    await value.fill('"6.10"');
    await level.selectOption('label web');
    await page.getByText('on label web', { exact: true }).waitFor();
    await page.getByText('Current value: "6.9"').waitFor();
    expect(await value.inputValue()).toBe('"6.10"');
    await page.getByRole('button', { name: 'Preview…' }).click();
    await page.getByText('1 device resolves another value.').waitFor();
    const isPreview = (request: Request) => request.url().includes('dry_run');
    const isWriting = page.waitForRequest((request) => request.method() === 'PUT' && !isPreview(request));
    const release = await holdBack(page, /\/variables\/kernel$/);
    await page.getByRole('textbox', { name: 'Reason' }).fill('CHG-1: newer kernel');
    await page.getByRole('button', { name: 'Apply' }).click();
    await isWriting;
    const previews: string[] = [];
    page.on('request', (request) => {
      if (isPreview(request)) previews.push(request.url());
    });
    await page
      .locator('[readonly]')
      .and(page.getByRole('textbox', { name: 'Reason' }))
      .waitFor();
    release();
    await page.getByRole('cell', { name: /CHG-1: newer kernel/ }).waitFor();
    expect(previews).toEqual([]);
    await web.close(/status of 412/);
  });

  it('never sends private variables to a user who does not see them, and says why a role does not suffice', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_password'] }).expect(200);
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { db_password: 'hunter2-secret' }).expect(200);
    const web = await WebPage.signedIn(browser(), await admin.user(), path(), { records: true });
    await web.page.getByRole('row', { name: /^kernel / }).waitFor();
    for (const tab of ['History', 'JSON']) {
      await web.page.getByRole('tab', { name: tab }).click();
      await web.page.getByRole('tabpanel', { name: tab }).waitFor();
    }
    await web.page.getByLabel('JSON').getByText('"name": "web-1"').waitFor();
    const received = [...(await Promise.all(web.received)), await web.page.content()].join('\n');
    expect(received).toContain('web-1');
    expect(received).not.toMatch(/db_password|hunter2-secret/);
    // Nor does the user change anything.
    await web.page.getByRole('tab', { name: 'Variables' }).click();
    await web.page.getByRole('button', { name: 'Override kernel' }).click();
    await web.page.getByLabel('Value of kernel').fill('"7"');
    await web.page.keyboard.press('Control+Enter');
    await web.page
      .getByRole('alert')
      .getByText(/needs (a|the) role/)
      .waitFor();
    await web.page.getByRole('dialog').getByRole('button', { name: 'Propose' }).waitFor();
    expect(await web.page.getByRole('button', { name: 'Apply' }).count()).toBe(0);
    expect(await own()).not.toContain('kernel');
    await web.close(/status of 403/);
  });

  it('shows its history with names and labels, and the past', async () => {
    const { created_at: created } = (await admin.get(`/v1/hosts/${String(host.id)}`).expect(200))
      .body as Resource;
    await admin
      .put(`/v1/hosts/${String(host.id)}`, { device_type: 'blade' }, { 'X-Change-Reason': 'CHG-7: replaced' })
      .expect(200);
    await admin.put(`/v1/hosts/${String(host.id)}/labels`, { labels: ['west'] }).expect(200);
    const { body: south } = await admin.post('/v1/regions', { name: 'south' }).expect(201);
    const cell = await admin.cell({ name: 'row-01', region_id: south.id });
    const rack = await admin.networkDevice({ name: 'rack-switch', region_id: host['region_id'] });
    const members = { region_id: south.id, cell_id: cell.id, parent_id: rack.id };
    await admin.put(path().replace('devices', 'v1'), members).expect(200);
    await admin.put(path().replace('devices', 'v1'), { parent_id: null }).expect(200);
    await admin.delete(`/v1/network-devices/${String(rack.id)}`).expect(204);
    const web = await WebPage.signedIn(browser(), admin, `${path()}?tab=history`);
    await web.page.getByText('CHG-7: replaced').waitFor();
    await web.page.getByText('"blade"').waitFor();
    const changes = web.page.getByRole('list', { name: 'Changes, newest first' }).getByRole('listitem');
    const moved = changes.nth(1);
    await moved.getByText('south/row-01').waitFor();
    await moved.getByText(`#${String(rack.id)}`).waitFor();
    await waitForText(moved, /Region region north → region south/);
    await waitForText(moved, /Cell none → cell south\/row-01/);
    // Labels are shown as such, with links to the devices that have them.
    const labeled = changes.filter({ has: web.page.getByRole('link', { name: 'west' }) }).first();
    const labels = (side: string) => labeled.getByRole('group', { name: side }).getByRole('link');
    await labels('after').first().waitFor();
    expect(await labels('before').allInnerTexts()).toEqual(['web']);
    expect(await labels('after').allInnerTexts()).toEqual(['web', 'west']);
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await labels('after').last().click();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    expect(web.path).toBe('/devices?label=west');
    await web.show(`${path()}?at=${String(created)}`);
    await web.page.getByText('This is the past').waitFor();
    await web.page.getByLabel('Members').getByText('server', { exact: true }).waitFor();
    expect(await web.page.getByRole('button', { name: /^(Edit|Override)/ }).count()).toBe(0);
    await web.page.getByRole('tab', { name: 'Hierarchy' }).click();
    await web.page.getByRole('heading', { name: 'Not known for the past' }).waitFor();
    await web.page.getByRole('button', { name: 'Back to now' }).click();
    await web.page.getByLabel('Members').getByText('blade', { exact: true }).waitFor();
    await web.show(`${path()}?at=2000-01-01T00:00:00Z`);
    await web.page.getByText(/The host web-1 did not exist yet .* Choose a later time\.$/).waitFor();
    await web.close(/status of 404/);
  });

  it('shows its ancestors and descendants as a graph and as a tree, which are walked with the keyboard', async () => {
    const { region_id, id } = host;
    const core = await admin.networkDevice({ name: 'core', region_id, device_type: 'router' });
    const rack = await admin.networkDevice({ name: 'rack', region_id, parent_id: core.id });
    await admin.put(path().replace('devices', 'v1'), { parent_id: rack.id }).expect(200);
    const first = await admin.host({ name: 'vm-1', region_id, parent_id: id });
    await admin.host({ name: 'vm-2', region_id, parent_id: id, active: false });
    await admin.host({ name: 'container-1', region_id, parent_id: first.id });
    const web = await WebPage.signedIn(browser(), admin, path());
    await web.page.getByRole('tab', { name: 'Hierarchy' }).click();
    const graph = web.page.getByRole('list', { name: 'Ancestors and descendants of web-1' });
    for (const name of ['core', 'container-1']) await graph.getByRole('link', { name }).waitFor();
    expect(await graph.getByRole('link').allTextContents()).toEqual([
      ...['core', 'rack', 'web-1', 'vm-1', 'container-1', 'vm-2'],
    ]);
    const children = graph.getByRole('list', { name: 'Children of web-1' });
    await children.getByText('inactive').waitFor();
    expect(await graph.locator('[aria-current]').allInnerTexts()).toEqual(['web-1']);
    // One line from each parent to each child.
    const lines = web.page.getByRole('tabpanel').locator('svg[viewBox] > path').first();
    await until(
      'the lines are drawn',
      20,
      async () => (await lines.getAttribute('d'))?.match(/M/g)?.length === 5,
    );
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    // Tab leads to one device of the graph.
    expect(await graph.locator('a:not([tabindex="-1"])').allInnerTexts()).toEqual(['web-1']);
    await web.tabTo('link', 'web-1');
    const focused = () => web.page.evaluate<string>('document.activeElement.textContent');
    for (const key of ['ArrowLeft', 'ArrowLeft']) await web.page.keyboard.press(key);
    expect(await focused()).toBe('core');
    await web.page.keyboard.press('ArrowRight');
    const walk = { ArrowRight: 'web-1', ArrowLeft: 'rack', ArrowUp: 'rack' };
    for (const [key, name] of Object.entries(walk)) {
      await web.page.keyboard.press(key);
      expect(await focused()).toBe(name);
    }
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await web.page.keyboard.press(key);
    expect(await focused()).toBe('vm-2');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'vm-2' }).waitFor();
    await web.page
      .getByRole('list', { name: 'Ancestors and descendants of vm-2' })
      .waitFor({ state: 'attached' });
    await web.page.getByRole('heading', { name: 'No children' }).waitFor();
    await web.show(path());
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    await web.page.getByRole('tab', { name: 'Hierarchy' }).click();
    await web.page.getByText('Tree', { exact: true }).click();
    await web.tabTo('button', 'Children of vm-1');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('link', { name: 'container-1' }).waitFor();
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await web.tabTo('link', 'container-1');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'container-1' }).waitFor();
    await web.show(`${path().replace(String(id), String(first.id))}?tab=children&view=tree`);
    await web.page.getByRole('heading', { name: 'vm-1' }).waitFor();
    await web.page.getByRole('link', { name: 'container-1' }).waitFor();
    await web.close();
  });

  it('draws the first children of each device, and opens others', async () => {
    const { region_id, id } = host;
    const hosts = Array.from({ length: 201 }, (_, n) => ({
      ...{ name: `vm-${String(n).padStart(3, '0')}`, region_id, parent_id: id },
      ...{ ip_address: '10.0.0.1', device_type: 'server' },
    }));
    const created = (await admin.post('/v1/hosts', hosts).expect(201)).body as Resource[];
    await admin.host({ name: 'container-1', region_id, parent_id: created[1]!.id });
    const web = await WebPage.signedIn(browser(), admin, `${path()}?tab=children`);
    const children = web.page.getByRole('list', { name: 'Children of web-1' });
    // The last link leads to the others.
    await children.getByRole('link').nth(50).waitFor();
    expect(await children.getByRole('link').count()).toBe(51);
    await web.tabTo('link', 'web-1');
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await web.page.keyboard.press(key);
    await children.getByRole('link', { name: 'container-1' }).waitFor();
    await web.tabTo('button', 'Children of vm-001');
    await web.page.keyboard.press('Enter');
    await children.getByRole('link', { name: 'container-1' }).waitFor({ state: 'detached' });
    await web.page.getByRole('button', { name: 'Children of vm-000' }).click();
    await web.page.getByRole('button', { name: 'Children of vm-000' }).waitFor({ state: 'detached' });
    let respond: () => void = () => undefined;
    const isBusySeen = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await web.page.route(
      (url) => url.searchParams.get('parent_id') === String(created[2]!.id),
      async (route) => {
        await isBusySeen;
        await route.fulfill({ status: 403, json: { code: 'forbidden', message: 'Forbidden.' } });
      },
    );
    await web.page.getByRole('button', { name: 'Children of vm-002' }).click();
    await web.page.locator('button[aria-busy=true]').waitFor();
    respond();
    await web.page.getByText('You may not see this').waitFor();
    await web.page.getByRole('button', { name: 'Children of vm-002' }).click();
    await web.page.getByText('You may not see this').waitFor({ state: 'detached' });
    await web.page.getByRole('link', { name: '+ 151 more children of web-1' }).click();
    await web.page.getByRole('link', { name: 'vm-099' }).waitFor();
    expect(web.path).toBe(`${path()}?tab=children&view=tree`);
    await web.close(/status of 403/);
  });

  it('edits its members in a form, which names the parent by its id alone', async () => {
    await admin.networkDevice({ name: 'rack-switch', region_id: host['region_id'] });
    const web = await WebPage.signedIn(browser(), admin, path());
    await web.tabTo('button', 'Edit');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('textbox', { name: 'Labels' }).fill('');
    await web.page.getByRole('checkbox', { name: 'Active' }).uncheck();
    await web.page.getByRole('combobox', { name: 'Parent' }).fill('rack-sw');
    await web.page.getByRole('option', { name: 'rack-switch' }).click();
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('1 device resolves another value.').waitFor();
    // Its name does not depend on what else a search for the id finds.
    await web.page.route(/\/v1\/search/, (route) => route.fulfill({ json: { hits: [] } }));
    await web.apply();
    await web.page.getByText('inactive', { exact: true }).waitFor();
    await web.page.getByLabel('Members').getByText('none').waitFor();
    await web.page.getByLabel('Members').getByRole('link', { name: 'rack-switch' }).waitFor();
    // Enter in a field selects what is selected already.
    await web.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const parent = web.page.getByRole('combobox', { name: 'Parent' });
    await waitForValue(parent, 'rack-switch');
    await web.page.unrouteAll();
    await parent.focus();
    await web.page.getByRole('option', { name: 'rack-switch' }).waitFor();
    await parent.press('Enter');
    expect(await parent.inputValue()).toBe('rack-switch');
    await web.close();
  });
});
