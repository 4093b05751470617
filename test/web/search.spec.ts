import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

describeWithBrowser('the search', (browser) => {
  const app = sharedService();

  it('opens with Ctrl-K, and leads to a device with the keyboard', async () => {
    const admin = await app.project();
    await admin.host({ name: 'db-17' });
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByRole('link', { name: 'db-17' }).waitFor();
    await web.page.keyboard.press('Control+K');
    await web.page.getByRole('dialog', { name: 'Search' }).waitFor();
    await web.page.keyboard.type('db-1');
    await web.page.getByRole('option', { name: /db-17/ }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'db-17' }).waitFor();
    await web.close();
  });
});
