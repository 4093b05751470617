import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

describeWithBrowser('the search', (browser) => {
  const app = sharedService();

  const search = async (web: WebPage, text: string) => {
    await web.page.getByRole('button', { name: /^User / }).waitFor();
    await web.page.keyboard.press('Control+K');
    await web.page.getByRole('textbox', { name: 'Search' }).fill(text);
  };

  it('opens with Ctrl-K, leads with the keyboard to devices, actions, changes and values, and says what matches', async () => {
    const admin = await app.project();
    await admin.host({ name: 'db-1', ip_address: '10.0.0.1' });
    await admin.host({ name: 'db-17', ip_address: '10.0.0.2' });
    const nic = { mac: 'AA:BB:CC:00:00:17' };
    const region = await admin.region({ name: 'dfw' });
    const host = await admin.host({
      ...{ name: 'web-1', region_id: region.id, ip_address: '2001:db8:1234::1', variables: { nic } },
    });
    await admin.audit({ name: 'new-kernel', expectation: { vars: 'kernel:"6.8"' } });
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByRole('link', { name: 'db-17' }).waitFor();
    await web.page.keyboard.press('Control+K');
    const dialog = web.page.getByRole('dialog', { name: 'Search' });
    await dialog.waitFor();
    await web.page.keyboard.type('db-1');
    await web.page.getByRole('option', { name: /^device db-17/ }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await web.page.keyboard.press('Control+K');
    await dialog.waitFor();
    await web.page.keyboard.type('db-1');
    await web.page.getByRole('option', { name: /^device db-17/ }).waitFor();
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'db-17' }).waitFor();
    // The keys that follow Ctrl-K are taken at once.
    await web.page.goBack();
    await web.tabTo('grid', 'hosts');
    const release = await holdBack(web.page, /\/v1\/search\?.*q=db-17/);
    await web.page.keyboard.press('Control+K');
    await web.page.keyboard.type('db-1');
    await web.page.getByRole('option', { name: /^device db-1 / }).waitFor();
    // The hits of the former text are still shown.
    await web.page.keyboard.type('7');
    await web.page.keyboard.press('Enter');
    release();
    await web.page.getByRole('heading', { name: 'db-17' }).waitFor();
    await web.show('/devices');
    await web.page.getByRole('link', { name: 'web-1' }).waitFor();
    await web.page.keyboard.press('/');
    const field = web.page.getByRole('textbox', { name: 'Search' });
    for (const [text, found] of [
      ['aa-bb-cc', 'device web-1 host · .* · nic: AA:BB:CC:00:00:17'],
      ['2001:db8:12', 'device web-1 host · .* · address: 2001:db8:1234::1'],
      ['create host', 'New host…'],
      ['run new', 'Run audit new-kernel'],
      ['shortcuts', 'Keyboard shortcuts'],
    ] as const) {
      await field.fill(text);
      await web.page.getByRole('option', { name: new RegExp(found) }).waitFor();
    }
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    await web.page.keyboard.type('gh');
    await web.page.getByRole('heading', { name: 'Changes' }).waitFor();
    await web.page.keyboard.press('?');
    await web.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });

    // It leads to the form for a new variable. web/test/search-text.spec.ts has the other words for it.
    await search(web, 'set variable on dfw');
    await web.page.getByRole('option', { name: 'Set a variable on region dfw…' }).waitFor();
    await web.page.keyboard.press('Enter');
    const key = web.page.getByRole('combobox', { name: 'Key of the new variable' });
    await waitForFocus(key);
    const page = `/inventory/regions/${String(region.id)}`;
    expect(web.path).toBe(`${page}?add=true`);
    await web.page.keyboard.type('kernel');
    await waitForValue(key, 'kernel');
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await key.waitFor({ state: 'detached' });
    expect(web.path).toBe(page);
    // No action is one for the text before.
    await search(web, 'set dfw');
    const action = web.page.getByRole('option', { name: 'Set a variable on region dfw…' });
    await action.waitFor();
    await web.page.route(/\/v1\/search\?.*q=dfwx/, () => undefined);
    const asked = web.page.waitForRequest(/q=dfwx/);
    await web.page.getByRole('textbox', { name: 'Search' }).fill('set dfwx');
    await asked;
    await action.waitFor({ state: 'detached' });
    // What is named as the words for an action is found, too.
    const label = await admin.label({ label: 'set top' });
    await admin.label({ label: 'top' });
    await web.page.getByRole('textbox', { name: 'Search' }).fill('set top');
    await web.page.getByRole('option', { name: 'Set a variable on label top…' }).waitFor();
    await web.page.getByRole('option', { name: /^label set top/ }).click();
    await web.page.getByRole('heading', { name: 'set top' }).waitFor();
    expect(web.path).toBe(`/inventory/labels/${String(label.id)}`);
    // The form leads back from the past.
    const device = `/devices/hosts/${String(host.id)}`;
    await web.show(`${device}?at=${String(host['created_at'])}`);
    await web.page.getByText('This is the past').waitFor();
    await search(web, 'set device web-1');
    await web.page.getByRole('option', { name: /^Set a variable on host web-1….* · back to now$/ }).waitFor();
    await web.page.keyboard.press('Enter');
    await key.waitFor();
    expect(web.path).toBe(`${device}?add=true`);
    await web.close();
  });

  it('offers only what the roles of the user allow', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'dfw' });
    await admin.host({ region_id: region.id, name: 'dfw-1' });
    // web/test/rights.spec.ts has the other roles.
    const web = await WebPage.signedIn(browser(), await admin.user({ roles: ['hosts:write'] }), '/devices');
    await search(web, 'dfw');
    await web.page.getByRole('option', { name: /^device dfw-1/ }).waitFor();
    await web.page.getByRole('option', { name: /^Propose a variable on region dfw…/ }).waitFor();
    const offered = await web.page.getByRole('option', { name: 'Set a variable' }).allInnerTexts();
    expect(offered.map((text) => text.split('\n')[0])).toEqual(['Set a variable on host dfw-1…']);
    await web.close();
  });
});
