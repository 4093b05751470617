import { startPrefixProxy, type PrefixProxy } from '../support/prefix-proxy';
import { sharedService, type OwnService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

describeWithBrowser('a deployment behind a path prefix, with LIST_BODY=page', (browser) => {
  let proxy: PrefixProxy;
  let service: OwnService;
  beforeAll(async () => {
    proxy = await startPrefixProxy();
    service = await sharedService().startPeer({ PUBLIC_URL: proxy.publicUrl, LIST_BODY: 'page' });
    proxy.forwardTo(service.url);
  });
  afterAll(async () => {
    proxy.close();
    await service.stop();
  });

  it('has sign-in, links, reloads and pages with data, and shows an error instead of an empty list', async () => {
    const admin = await service.project();
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    const host = await admin.host({ name: 'web-1', region_id: region.id });
    await admin.post('/v1/views', { name: 'ours', address: '/inventory/regions' }).expect(201);
    const web = await WebPage.open(browser(), admin, {}, proxy.publicUrl);
    await web.goto('/devices?name_prefix=web-');
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    await web.signIn(admin.credentials.token);
    const project = `${proxy.publicUrl}/projects/${admin.projectId}`;
    expect(web.page.url()).toBe(`${project}/devices?name_prefix=web-`);
    await web.page.getByRole('link', { name: 'web-1' }).click();
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    expect(web.page.url()).toBe(`${project}/devices/hosts/${String(host.id)}`);
    await web.page.reload();
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    await web.page.getByRole('row', { name: /kernel.*"6\.8"/ }).waitFor();
    // An address without a project.
    await web.page.goto(`${proxy.publicUrl}/devices?name_prefix=web-`);
    await web.page.waitForURL(`${web.pages}/devices?name_prefix=web-`);
    await web.page.getByRole('link', { name: 'web-1' }).waitFor();

    // Lists are objects with their items.
    await web.show('/');
    await web.page.getByRole('list', { name: 'Hosts by region' }).getByText('north').waitFor();
    // With the number of its rows.
    await web.page.getByRole('link', { name: /^ours ?1$/ }).waitFor();
    await web.show('/inventory/regions');
    await web.page.getByRole('heading', { name: 'Regions' }).waitFor();
    await web.page.getByRole('link', { name: 'north' }).waitFor();
    await web.show('/admin?section=users');
    await web.page.getByRole('row', { name: /^admin / }).waitFor();

    // A proxy removes the header that asks for arrays.
    await web.page.route(/\/v1\/access-secrets/, (route) =>
      route.continue({ headers: { ...route.request().headers(), accept: '*/*' } }),
    );
    await web.show('/admin?section=secrets');
    await web.page.getByText('The response to GET /v1/access-secrets is not an array.').waitFor();
    await web.close(/status of 401/);
  });
});
