import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, waitForFocus, WebPage } from '../support/web-pages';

/** The browser reports every response with an error status. */
const UNAUTHENTICATED = /status of 401/;

describeWithBrowser('signing in', (browser) => {
  const app = sharedService();

  it('with the keyboard says that a key is wrong, and leads back to the page that was asked for', async () => {
    const admin = await app.project();
    const web = await WebPage.open(browser(), admin);
    await web.goto('/devices?name_prefix=web-&sort=created_at');
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    expect(web.path).toMatch(/^\/sign-in\?/);
    expect(await web.violations()).toEqual([]);
    const key = web.page.getByLabel('API key', { exact: true });
    await waitForFocus(key);
    await web.page.keyboard.type('mst_0123456789abcdef_wrong');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('Unknown, expired or revoked key.').waitFor();
    expect(await web.violations()).toEqual([]);
    await key.focus();
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type(admin.credentials.token);
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'Devices' }).waitFor();
    expect(web.path).toBe('/devices?name_prefix=web-&sort=created_at');
    await web.close(UNAUTHENTICATED);
  });

  it('says in one sentence who refused a sign-in at a provider, never leads to another origin, and is needed after signing out', async () => {
    const admin = await app.project();
    const { paths } = (await admin.get('/openapi.json').expect(200)).body as {
      paths: Record<string, { get: { responses: Record<string, { description: string }> } }>;
    };
    const description = paths['/v1/session/oidc/callback']?.get.responses['302']?.description ?? '';
    const codes = Array.from(description.split('error=')[1]?.matchAll(/`(\w+)`/g) ?? [], ([, code]) => code);
    expect(codes).toContain('no_access');
    const web = await WebPage.open(browser(), admin);
    await web.goto('/sign-in');
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    const alert = web.page.getByRole('alert');
    let text = '';
    for (const code of [...codes, 'constructor', 'other']) {
      await web.show(`/sign-in?error=${String(code)}`);
      // Each has a sentence of its own.
      const former = text;
      await until(`it says ${String(code)}`, 20, async () => {
        text = await alert.innerText();
        return text !== former;
      });
      expect(text.includes(`(${String(code)})`)).toBe(!codes.includes(code));
      expect(text).toContain(code === 'no_access' ? 'Muster gives you access to no project' : '.');
    }
    expect(await web.violations(alert)).toEqual([]);
    // web/test/safe-path.spec.ts has others.
    await web.show(`/sign-in?return_to=${encodeURIComponent('/\\example.com')}`);
    await web.signIn(admin.credentials.token);
    await web.page.waitForURL(`${web.pages}/`);
    // Below the account.
    await web.chooseInMenu('User admin', 'Sign out', 2);
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    await web.goto('/devices');
    await web.page.waitForURL(/\/sign-in\?return_to=/);
    await web.close(UNAUTHENTICATED);
  });

  it('is needed when the key was revoked, and keeps the page for another user; not after a response to a former cookie', async () => {
    const admin = await app.project();
    const user = await admin.user({ roles: ['*:write'] });
    const web = await WebPage.signedIn(browser(), user, '/devices');
    await web.page.getByText('No devices yet').waitFor();
    // A response to the cookie before another tab entered a project does not end the session.
    const json = { code: 'unauthenticated', message: 'The session has ended.', details: [], request_id: 'a' };
    await web.page.route('**/v1/audits?*', (route) => route.fulfill({ status: 401, json }), { times: 1 });
    await web.page.getByRole('link', { name: 'Audits' }).click();
    await web.page.getByRole('button', { name: 'Try again' }).click();
    await web.page.getByText('No audits').waitFor();
    expect(web.path).toBe('/audits');
    // It ends when the key is revoked.
    await web.show('/devices');
    await web.page.getByText('No devices yet').waitFor();
    const { user_id } = (await user.get('/v1/whoami').expect(200)).body as { user_id: number };
    await admin.delete(`/v1/users/${String(user_id)}`).expect(204);
    // The page looks for changes by itself: the dialog may cover the button already.
    await web.page.getByText('Network devices', { exact: true }).dispatchEvent('click');
    await web.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(web.path).toContain('/devices?collection=network-devices');
    await web.signIn(admin.credentials.token);
    await web.page.getByRole('button', { name: 'User admin' }).waitFor();
    expect(web.path).toContain('/devices?collection=network-devices');
    await web.close(UNAUTHENTICATED);
  });

  it('again, after the session has ended during a preview, leads back to what was typed; also in another tab', async () => {
    const admin = await app.project();
    const host = await admin.host({ name: 'web-1' });
    const web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}?add=true`);
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).fill('kernel');
    await web.page.getByLabel('Value of the new variable').fill('"6.9"');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    const preview = web.page.getByText('1 device resolves another value.');
    await preview.waitFor();
    const reason = web.page.getByRole('textbox', { name: 'Reason' });
    const dialog = web.page.getByRole('dialog', { name: 'Your session has ended' });
    const endSession = async (typed: string) => {
      await web.page.context().clearCookies();
      await reason.fill(typed);
      await dialog.getByText('Sign in again as admin.').waitFor();
    };

    await endSession('CHG-1');
    expect(await web.violations()).toEqual([]);
    const button = dialog.getByRole('button', { name: 'I have signed in in another tab' });
    await button.click();
    await dialog.getByText('There is no new session yet.').waitFor();
    await web.startSession(admin);
    await button.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await reason.inputValue()).toBe('CHG-1');
    await preview.waitFor();

    await endSession('CHG-1: newer kernel');
    await dialog.getByLabel('API key', { exact: true }).press('Escape');
    await dialog.getByLabel('API key', { exact: true }).fill(admin.credentials.token);
    await web.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await reason.inputValue()).toBe('CHG-1: newer kernel');
    await preview.waitFor();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByRole('row', { name: /^kernel .*CHG-1: newer kernel/ }).waitFor();
    const { body } = await admin.get(`/v1/hosts/${String(host.id)}/variables`).expect(200);
    expect(body).toMatchObject({ variables: { kernel: '6.9' } });
    await web.close(UNAUTHENTICATED);
  });
});
