import type { Locator } from 'playwright-core';
import type { Caller } from '../support/caller';
import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1440],
  ['dark', 360],
] as const;

describeWithBrowser('the account', (browser) => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const statusWith = async (token: string) =>
    (await admin.as({ ...admin.credentials, token }).get('/v1/whoami')).status;

  it('creates an API key with the keyboard, and shows it once', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices', { records: true });
    await web.chooseInMenu('User admin', 'Account and API keys', 1);
    await web.page.getByRole('heading', { name: 'admin' }).waitFor();
    await web.tabTo('button', 'Create an API key');
    await web.page.keyboard.press('Enter');
    await web.page.getByLabel('Expires').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.tabTo('button', 'Preview…');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('muster user key new admin --keep').waitFor();
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    const token = await web.page.getByLabel('New API key of admin').getByText('mst_').innerText();
    expect(await web.violations()).toEqual([]);
    expect(await statusWith(token)).toBe(200);
    // It is shown once: leaving, and reloading the page, ask until it was saved.
    const asked = web.page.waitForEvent('dialog');
    await web.page.evaluate('history.back()');
    const question = await asked;
    expect([question.type(), question.message()]).toEqual([
      'confirm',
      'Leave without “New API key of admin”? It was not copied, and is not shown again.',
    ]);
    await question.dismiss();
    const askedAgain = web.page.waitForEvent('dialog');
    await web.page.evaluate('setTimeout(() => { location.reload(); })');
    const unload = await askedAgain;
    expect(unload.type()).toBe('beforeunload');
    await unload.dismiss();
    expect(await web.page.getByLabel('New API key of admin').getByText(token).isVisible()).toBe(true);
    await web.tabTo('button', 'I have saved it');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    const [, keyId = ''] = token.split('_');
    await web.page.getByRole('row', { name: `${keyId} in use` }).waitFor();
    expect(await web.page.content()).not.toContain(token);
    const bodies = await Promise.all(web.received);
    expect(bodies.filter((body) => body.includes(token))).toHaveLength(1);
    await web.page.getByText('this session').waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.close();
  });

  it('creates a key that expires, and revokes it; asks nothing before the page is left once a new key was copied', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/account', {
      timezoneId: 'Europe/Zurich',
      locale: 'de-CH',
    });
    await web.page.getByRole('button', { name: 'Create an API key' }).click();
    await web.page.getByLabel('Note').fill('the web shop');
    await web.page.getByLabel('Expires').fill('2999-01-01T00:30');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText("--note 'the web shop' --expires 2998-12-31T23:30:00").waitFor();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    const token = await web.page.getByLabel('New API key of admin').getByText('mst_').innerText();
    await web.page.getByRole('button', { name: 'I have saved it' }).click();
    const [, keyId = ''] = token.split('_');
    await web.page.getByRole('button', { name: `Revoke ${keyId}` }).click();
    await web.page.getByText(`muster user key revoke admin ${keyId}`).waitFor();
    await web.apply();
    const row = web.page.getByRole('row', { name: `${keyId} revoked` });
    await row.filter({ hasText: 'the web shop' }).waitFor();
    // The language of the browser has 24 hours.
    await row.filter({ hasText: '01.01.2999, 00:30:00' }).waitFor();
    expect(await statusWith(token)).toBe(401);
    // With the button, or as a selected text.
    await web.show('/devices');
    await web.page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    await web.page.context().grantPermissions(['clipboard-write']);
    const dialogs: string[] = [];
    web.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.accept();
    });
    const copyNewKey = async (copy: (key: Locator) => Promise<void>) => {
      await web.show('/account');
      await web.page.getByRole('button', { name: 'Create an API key' }).click();
      await web.page.getByRole('button', { name: 'Preview…' }).click();
      await web.page.getByRole('button', { name: 'Apply' }).click();
      const key = web.page.getByLabel('New API key of admin').getByText('mst_');
      await key.waitFor();
      await copy(key);
      await web.page.evaluate('history.back()');
      await key.waitFor({ state: 'detached' });
      expect(dialogs).toEqual([]);
    };
    await copyNewKey(async () => {
      await web.page.getByRole('button', { name: 'Copy', exact: true }).click();
      await web.page.getByRole('button', { name: 'Copied' }).waitFor();
    });
    await web.page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    await copyNewKey(async (key) => {
      await key.click({ clickCount: 3 });
      await web.page.keyboard.press('Control+C');
    });
    await web.close();
  });

  it('shows the rights of the session, and reads nothing after its end, however long the sign-in page takes to load', async () => {
    const user = await admin.user({ roles: ['hosts:write', 'ntp_*'] });
    const web = await WebPage.signedIn(browser(), user, '/account', { isNew: true });
    const session = web.page.getByLabel('Session', { exact: true });
    await session.getByText('hosts:write, ntp_*').waitFor();
    await session.getByText(admin.projectId).waitFor();
    await web.page.getByText('this session').waitFor();
    await web.page.waitForLoadState('networkidle');
    const ended = web.page.waitForResponse((response) => response.request().method() === 'DELETE');
    await web.page.route('**/assets/sign-in-page-*.js', async (route) => {
      await ended;
      // The page that is still shown is drawn again.
      await web.page.setViewportSize({ width: 360, height: 800 });
      await web.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      await route.continue();
    });
    await web.page.getByRole('button', { name: 'Sign out' }).click();
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    await web.close();
  });
});
