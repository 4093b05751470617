import type { Caller, Resource } from '../support/caller';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

describeWithBrowser('creating, moving and deleting', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;

  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
  });

  const names = async () =>
    ((await admin.get('/v1/hosts?fields=name&sort_keys=id').expect(200)).body as Resource[]).map(
      ({ name }) => name,
    );
  const field = (web: WebPage, name: string) => web.page.getByRole('textbox', { name, exact: true });

  it('a range of devices is created with the keyboard in one change, and undone', async () => {
    const web = await WebPage.signedIn(browser(), admin, `/devices?region_id=${String(region.id)}`, {
      viewport: { width: 360, height: 720 },
      colorScheme: 'dark',
    });
    await web.tabTo('button', 'New host');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByRole('textbox', { name: 'Name' }));
    await web.page.keyboard.type('z-{1..12}');
    await web.page.getByText('Creates 12: z-1, z-2 … z-12').waitFor();
    // The region is that of the list.
    await waitForValue(web.page.getByRole('combobox', { name: 'Region' }), 'north');
    await web.tabTo('textbox', 'IP address');
    await web.page.keyboard.type('10.9.0.{1..12}');
    await web.tabTo('textbox', 'Device type');
    await web.page.keyboard.type('server');
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Enter');
    const dialog = web.page.getByRole('dialog', { name: 'Create 12 hosts: z-1, z-2 … z-12' });
    await dialog.getByText('12 devices resolve another value.').waitFor();
    await dialog.getByText(`muster host create 'z-{1..12}'`).waitFor();
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('12 hosts', { exact: true }).waitFor();
    expect(await names()).toHaveLength(12);
    await web.tabTo('button', 'Undo…');
    await web.page.keyboard.press('Enter');
    const undo = web.page.getByRole('dialog', { name: /^Revert change / });
    expect(await undo.getByLabel('Reason').inputValue()).toMatch(
      /^Reverts #\d+: Create 12 hosts: z-1, z-2 … z-12 $/,
    );
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('No device matches').waitFor();
    expect(await names()).toEqual([]);
    await web.close();
  });

  it('a device is copied, moved and deleted; the changes link to each other', async () => {
    const south = await admin.region({ name: 'south' });
    const rack = await admin.cell({ name: 'rack-a', region_id: south.id });
    const host = await admin.host({ name: 'web-1', region_id: region.id, labels: ['web'] });
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, { serial: 17 }).expect(200);
    const web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}`);
    await web.chooseInMenu('More', 'Copy…', 1);
    await field(web, 'Name').fill('web-2');
    await field(web, 'IP address').fill('10.9.0.2');
    await web.previewAndApply();
    await web.page.getByRole('heading', { name: 'web-2' }).waitFor();
    await web.page.getByRole('row', { name: /^serial .*17/ }).waitFor();
    expect(await names()).toEqual(['web-1', 'web-2']);

    await web.tabTo('button', 'Move…');
    await web.page.keyboard.press('Enter');
    const location = web.page.getByRole('combobox', { name: 'Location' });
    await waitForFocus(location);
    await web.page.keyboard.type('rack');
    const option = web.page.getByRole('option', { name: 'south/rack-a' });
    await option.and(web.page.locator('[data-combobox-selected]')).waitFor();
    expect(await web.violations()).toEqual([]);
    // The first location that is found is chosen; without a preview of it, nothing is written.
    await web.page.keyboard.press('Enter');
    await waitForValue(location, 'south/rack-a');
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('1 device resolves another value.').waitFor();
    await web.apply();
    await web.page.getByRole('link', { name: 'rack-a' }).waitFor();
    const [moved] = (await admin.get('/v1/hosts?name=web-2').expect(200)).body as Resource[];
    expect(moved).toMatchObject({ region_id: south.id, cell_id: rack.id, labels: 'web' });

    await web.chooseInMenu('More', 'Delete…', 3);
    await web.page.getByRole('dialog', { name: 'Delete host web-2' }).waitFor();
    await web.apply();
    await web.page.getByText('1 host', { exact: true }).waitFor();
    // The messages about the other changes offer to undo these.
    const deleted = web.page.getByRole('alert').filter({ hasText: 'Done: Delete host web-2' });
    await deleted.getByRole('button', { name: 'Undo…' }).click();
    await web.apply();
    await web.page.getByText('2 hosts', { exact: true }).waitFor();
    const [revert] = (await admin.get('/v1/changes?limit=1&sort_dir=desc').expect(200)).body as Resource[];
    const [deletion = 0] = revert!['reverts'] as number[];
    await web.show(`/changes/${String(revert!.id)}`);
    // The messages have links to changes, too.
    const page = web.page.locator('[data-scroll-restoration-id=page]');
    await page.getByRole('link', { name: `Change ${String(deletion)}` }).click();
    await page.getByRole('link', { name: `Change ${String(revert?.id)}` }).waitFor();
    await web.close();
  });

  it('selected devices are moved and deleted together', async () => {
    await admin.region({ name: 'south' });
    for (const name of ['web-1', 'web-2']) await admin.host({ name, region_id: region.id });
    const web = await WebPage.signedIn(browser(), admin, '/devices?columns=name&columns=region_id');
    const change = async (action: string) => {
      for (const name of ['web-1', 'web-2'])
        await web.page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await web.page.getByRole('button', { name: 'Change…' }).click();
      await web.page.getByRole('combobox', { name: 'What to do' }).click();
      await web.page.getByRole('option', { name: action }).click();
    };
    await change('Move to another region or cell');
    await web.page.getByRole('combobox', { name: 'Location' }).click();
    await web.page.getByRole('option', { name: 'south' }).click();
    await web.previewAndApply();
    await web.page.getByRole('gridcell', { name: 'region south' }).nth(1).waitFor();
    await change('Delete');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByRole('dialog', { name: 'Delete 2 devices' }).waitFor();
    await web.apply();
    await web.page.getByText('No devices yet').waitFor();
    expect(await names()).toEqual([]);
    await web.close();
  });

  it('a region is created, and deleted once nothing belongs to it', async () => {
    const host = await admin.host({ name: 'web-1', region_id: region.id });
    const web = await WebPage.signedIn(browser(), admin, '/inventory/regions');
    await web.page.getByRole('button', { name: 'New region' }).click();
    await field(web, 'Name').fill('east');
    await field(web, 'Variables').fill('{"kernel": "6.9"}');
    await web.previewAndApply();
    await web.page.getByRole('heading', { name: 'east' }).waitFor();
    await web.page.getByRole('row', { name: /^kernel .*"6\.9"/ }).waitFor();
    // Back opens no form that was closed.
    await web.page.goBack();
    await web.page.getByRole('link', { name: 'east' }).waitFor();
    expect(web.path).toBe('/inventory/regions');

    await web.show(`/inventory/regions/${String(region.id)}`);
    await web.page.getByRole('heading', { name: 'north' }).waitFor();
    await web.chooseInMenu('More', 'Delete…', 2);
    await web.page.getByText('The region north is still used by 1 device').first().waitFor();
    expect(await web.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await admin.delete(`/v1/hosts/${String(host.id)}`).expect(204);
    await web.chooseInMenu('More', 'Delete…', 2);
    await web.apply();
    await web.page.getByText('1 region', { exact: true }).waitFor();
    await web.close(/status of 409/);
  });

  it('a user without the role may propose it, and reads which role is missing', async () => {
    const reader = await admin.user();
    const web = await WebPage.signedIn(browser(), reader, '/inventory/labels?create=true');
    await web.page.getByText('labels:write').waitFor();
    await field(web, 'Label').fill('web');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByRole('button', { name: 'Propose' }).waitFor();
    // Before a file is chosen.
    web.page.once('dialog', (question) => void question.accept());
    await web.show('/import');
    await web.page.getByText(/^You do not have the roles .*hosts:write.* can only be proposed\.$/).waitFor();
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await web.close(/status of 403/);
  });
});
