import { startPrefixProxy, type PrefixProxy } from '../support/prefix-proxy';
import { sharedService, type OwnService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

describeWithBrowser('behind a path prefix', (browser) => {
  let proxy: PrefixProxy;
  let service: OwnService;
  beforeAll(async () => {
    proxy = await startPrefixProxy();
    service = await sharedService().startPeer({ PUBLIC_URL: proxy.publicUrl });
    proxy.forwardTo(service.url);
  });
  afterAll(async () => {
    proxy.close();
    await service.stop();
  });

  it('sign-in, links and reloads work', async () => {
    const admin = await service.project();
    await admin.host({ name: 'web-1' });
    const web = await WebPage.open(browser(), admin, {}, proxy.publicUrl);
    await web.goto('/devices?name_prefix=web-');
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    await web.signIn(admin.credentials.token);
    expect(web.page.url()).toBe(`${proxy.publicUrl}/projects/${admin.projectId}/devices?name_prefix=web-`);
    await web.page.getByRole('link', { name: 'web-1' }).click();
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    expect(web.page.url()).toMatch(
      new RegExp(`^${proxy.publicUrl}/projects/${admin.projectId}/devices/hosts/\\d+$`),
    );
    await web.page.reload();
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    // An address without a project.
    await web.page.goto(`${proxy.publicUrl}/devices?name_prefix=web-`);
    await web.page.waitForURL(`${web.pages}/devices?name_prefix=web-`);
    await web.page.getByRole('link', { name: 'web-1' }).waitFor();
    await web.close(/status of 401/);
  });
});
