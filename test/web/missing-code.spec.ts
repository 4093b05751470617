import type { Page } from 'playwright-core';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** The browser reports every request that fails. */
const FAILED =
  /ERR_INTERNET_DISCONNECTED|status of 404|Couldn't load preload assets|Failed to fetch dynamically imported module/;

/** Without files of earlier tests in the memory of the browser. */
const NEW = { isNew: true };

describeWithBrowser('code that cannot be loaded', (browser) => {
  const app = sharedService();

  /** As after an update of the service, whose files have other names. */
  const removeFiles = (page: Page) => page.route(/\/assets\//, (route) => route.fulfill({ status: 404 }));
  const isLoaded = async (page: Page, files: readonly string[]) => {
    for (const file of files)
      await until(`${file} is loaded`, 20, () =>
        page.evaluate<boolean>(
          `performance.getEntriesByType('resource').some(({ name }) => name.includes('/${file}-'))`,
        ),
      );
  };
  const restoreFiles = (page: Page) => page.unrouteAll();

  it('concerns no edit that has begun, although its session ends, too', async () => {
    const admin = await app.project();
    const host = await admin.host({ name: 'web-1' });
    const web = await WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}?add=true`, NEW);
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).fill('rack');
    await web.page.getByLabel('Value of the new variable').fill('"r1"');
    await isLoaded(web.page, ['write-dialog', 'sign-in-again']);
    await removeFiles(web.page);
    await web.page.context().clearCookies();
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    const again = web.page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('API key', { exact: true }).fill(admin.credentials.token);
    await web.page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await web.page.getByText('1 device resolves another value.').waitFor();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByText(/^Done: /).waitFor();
    await web.close(/status of 40[14]/);
  });

  it('leaves the page as it is: a message offers to reload it', async () => {
    const admin = await app.project();
    const host = await admin.host({ name: 'web-1' });
    const web = await WebPage.open(browser(), admin, NEW);
    await web.startSession(admin);
    // The page was loaded before the update, and what is opened on it was not.
    await web.page.route(/\/new-variable-row-/, (route) => route.fulfill({ status: 404 }));
    await web.goto(`/devices/hosts/${String(host.id)}`);
    await web.page.getByText('No variables').waitFor();
    await removeFiles(web.page);
    await web.page.getByRole('button', { name: 'Add a variable' }).click();
    await web.page.getByText('This part of Muster could not be loaded').waitFor();
    await web.page.getByText('A new version of Muster was installed.').waitFor();
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    expect(await web.violations()).toEqual([]);
    await restoreFiles(web.page);
    await web.page.getByRole('button', { name: 'Reload the page' }).click();
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).waitFor();
    // Nothing is entered on a page that is not there yet: the new version opens it at once.
    let reloads = 0;
    web.page.on('request', (request) => {
      reloads += Number(request.isNavigationRequest());
    });
    await web.page.route(/\/assets\//, (route) =>
      reloads > 0 ? route.continue() : route.fulfill({ status: 404 }),
    );
    await web.page.getByRole('link', { name: 'Audits' }).click();
    await web.page.getByRole('heading', { name: 'Audits', exact: true }).waitFor();
    expect(reloads).toBe(1);
    // The page came from a replica with the old version again.
    await removeFiles(web.page);
    await web.page.getByRole('link', { name: 'Variables', exact: true }).click();
    await web.page.getByRole('heading', { name: 'The page could not be loaded' }).waitFor();
    expect(await web.violations()).toEqual([]);
    expect(reloads).toBe(1);
    await web.close(FAILED);
  });

  it('does not concern what is loaded with the page, as the search, and leaves the frame as it is if the service is away', async () => {
    const admin = await app.project();
    await admin.host({ name: 'db-17' });
    const web = await WebPage.signedIn(browser(), admin, '/devices', NEW);
    await web.page.getByRole('link', { name: 'db-17' }).waitFor();
    // What is opened is loaded as soon as the page shows what it has read.
    await isLoaded(web.page, [
      'cell-editing',
      'write-dialog',
      'create-dialog',
      'column-choices',
      'shell-menu-items',
    ]);
    await web.page.keyboard.press('Control+K');
    await web.page.getByRole('dialog', { name: 'Search' }).waitFor();
    await web.page.keyboard.press('Escape');
    await removeFiles(web.page);
    await web.page.keyboard.press('Control+K');
    await web.page.keyboard.type('db-17');
    await web.page.getByRole('option', { name: /^device db-17/ }).waitFor();
    await web.page.keyboard.press('Escape');
    await restoreFiles(web.page);
    await web.page.context().setOffline(true);
    await web.page.getByRole('link', { name: 'Audits' }).click();
    await web.page.getByRole('heading', { name: 'The page could not be loaded' }).waitFor();
    await web.page.getByRole('button', { name: 'User admin' }).waitFor();
    await web.page.context().setOffline(false);
    await web.page.getByRole('button', { name: 'Reload the page' }).click();
    await web.page.getByRole('heading', { name: 'Audits', exact: true }).waitFor();
    await web.close(FAILED);
  });
});
