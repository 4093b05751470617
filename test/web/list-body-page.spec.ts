import type { Caller, Resource } from '../support/caller';
import { sharedService, type OwnService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

describeWithBrowser('a deployment with LIST_BODY=page', (browser) => {
  let service: OwnService;
  let admin: Caller;
  let host: Resource;
  beforeAll(async () => {
    service = await sharedService().startPeer({ LIST_BODY: 'page' });
    admin = await service.project();
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    host = await admin.host({ name: 'web-1', region_id: region.id });
    await admin.post('/v1/views', { name: 'ours', address: '/inventory/regions' }).expect(201);
  });
  afterAll(() => service.stop());

  it('has pages with data', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/');
    await web.page.getByRole('list', { name: 'Hosts by region' }).getByText('north').waitFor();
    // With the number of its rows.
    await web.page.getByRole('link', { name: /^ours ?1$/ }).waitFor();
    await web.show('/devices');
    await web.page.getByRole('link', { name: 'web-1' }).waitFor();
    await web.show(`/devices/hosts/${String(host.id)}`);
    await web.page.getByRole('heading', { name: 'web-1' }).waitFor();
    await web.page.getByRole('row', { name: /kernel.*"6\.8"/ }).waitFor();
    await web.show('/inventory/regions');
    await web.page.getByRole('heading', { name: 'Regions' }).waitFor();
    await web.page.getByRole('link', { name: 'north' }).waitFor();
    await web.show('/admin?section=users');
    await web.page.getByRole('row', { name: /^admin / }).waitFor();
    await web.close();
  });

  it('shows an error instead of an empty list if a proxy removes Accept', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/');
    await web.page.route(
      ({ pathname }) => pathname === '/v1/access-secrets',
      (route) => route.continue({ headers: { ...route.request().headers(), accept: '*/*' } }),
    );
    await web.show('/admin?section=secrets');
    await web.page.getByText('The response to GET /v1/access-secrets is not an array.').waitFor();
    await web.close();
  });
});
