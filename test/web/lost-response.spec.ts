import type { Caller } from '../support/caller';
import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** The browser reports every request that fails. */
const LOST = /ERR_FAILED|ERR_INTERNET_DISCONNECTED/;
const LOST_OR_REJECTED = /ERR_FAILED|status of 4(09|12)/;

const NOT_ARRIVED = 'The response of the service did not arrive';

describeWithBrowser('a write whose response does not arrive', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let web: WebPage;
  beforeEach(async () => {
    admin = await app.project();
  });

  /** Loses the response to the next write to a path, after the service has sent it. */
  const loseResponse = (path: string) =>
    web.page.route(
      (url) => url.pathname.endsWith(path) && !url.searchParams.has('dry_run'),
      async (route) => {
        if (route.request().method() === 'GET') {
          await route.fallback();
          return;
        }
        expect((await route.fetch()).status()).toBeLessThan(300);
        await route.abort();
      },
      { times: 1 },
    );
  const button = (name: string) => web.page.getByRole('button', { name, exact: true });
  const enterUser = async () => {
    web = await WebPage.signedIn(browser(), admin, '/admin?section=users');
    await button('Create a user').click();
    await web.page.getByRole('textbox', { name: 'Username' }).fill('operator');
    await button('Preview…').click();
    await web.page.getByText('muster user create operator', { exact: true }).waitFor();
  };
  const expectKey = async () => {
    const token = await web.page.getByLabel('API key of operator').getByText('mst_').innerText();
    const operator = admin.as({ ...admin.credentials, user: 'operator', token });
    await operator.get('/v1/whoami').expect(200);
    await button('I have saved it').click();
    const { body } = await admin.get(`/v1/users?username=operator&project_id=${admin.projectId}`).expect(200);
    expect(body).toHaveLength(1);
  };

  it('is done once: the second "Apply" shows the API key of the new user', async () => {
    await enterUser();
    await loseResponse('/v1/users');
    await button('Apply').click();
    await web.page.getByText(NOT_ARRIVED).waitFor();
    expect(await web.violations()).toEqual([]);
    // A reason that is entered now changes nothing of it.
    await web.page.getByRole('textbox', { name: 'Reason' }).fill('CHG-1');
    await button('Apply').click();
    await expectKey();
    await web.page.getByText('Done at the first attempt: Create the user operator').waitFor();
    await web.close(LOST);
  });

  it('is done once, also if it is previewed again, which says that it is done', async () => {
    await enterUser();
    const dialog = web.page.getByRole('dialog', { name: 'Create the user operator' });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('CHG-1');
    await loseResponse('/v1/users');
    await button('Apply').click();
    await dialog.getByText(NOT_ARRIVED).waitFor();
    // Escape asks nothing: nothing of it can be discarded any more.
    await web.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const admins = web.page.getByRole('checkbox', { name: 'Admin' });
    await admins.check();
    await button('Preview…').click();
    // Another user has the name, as it seems.
    await web.page.getByText('An earlier attempt may have been written').waitFor();
    await web.page.getByText(/its API key is lost: create another one/).waitFor();
    expect(await web.violations()).toEqual([]);
    expect(await button('Apply').isDisabled()).toBe(true);
    await button('Cancel').click();
    await admins.uncheck();
    await button('Preview…').click();
    await web.page.getByText(NOT_ARRIVED).waitFor();
    await button('Apply').click();
    await expectKey();
    await web.close(LOST_OR_REJECTED);
  });

  it('is done, if the service has never got it, whose return repeats a preview by itself', async () => {
    await enterUser();
    await button('Cancel').click();
    await web.page.context().setOffline(true);
    await button('Preview…').click();
    const error = web.page.getByRole('dialog').getByText('The service cannot be reached.');
    await error.waitFor();
    await web.page.context().setOffline(false);
    await web.page.getByText('muster user create operator', { exact: true }).waitFor();
    await error.waitFor({ state: 'detached' });
    await web.page.context().setOffline(true);
    await button('Apply').click();
    await web.page.getByText(NOT_ARRIVED).waitFor();
    await web.page.context().setOffline(false);
    await button('Apply').click();
    await expectKey();
    await web.close(LOST);
  });

  it('is shown on the page once the dialog is closed, and can be undone after the second "Apply"', async () => {
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    const path = `/v1/regions/${String(region.id)}/variables/kernel`;
    web = await WebPage.signedIn(browser(), admin, `/inventory/regions/${String(region.id)}`);
    const set = async (value: string) => {
      await button('Edit kernel').click();
      await web.page.getByLabel('Value of kernel').fill(value);
      await button('Preview…').click();
      await web.page.getByText('No device resolves another value.').waitFor();
      await loseResponse(path);
      await button('Apply').click();
      await web.page.getByText(NOT_ARRIVED).waitFor();
    };
    await set('"6.9"');
    await button('Cancel').last().click();
    await button('Cancel').click();
    await web.page.getByRole('row', { name: /kernel.*"6\.9"/ }).waitFor();
    await set('"6.10"');
    // Not the conflict with its own first attempt.
    await button('Apply').click();
    await web.page.getByText('Done at the first attempt: Set kernel on north').waitFor();
    await button('Undo…').click();
    await web.page
      .getByRole('dialog', { name: /^Revert change/ })
      .getByText('"6.9"')
      .first()
      .waitFor();
    await web.close(LOST_OR_REJECTED);
  });
});
