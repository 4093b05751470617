import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, WebPage } from '../support/web-pages';

describeWithBrowser('the title of the tab', (browser) => {
  const app = sharedService();

  it('names the page', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    const cell = await admin.cell({ name: 'row-01', region_id: region.id });
    const host = await admin.host({ name: 'web-1', region_id: region.id });
    const audit = await admin.audit({
      name: 'new-kernel',
      kind: 'host',
      expectation: { vars: 'kernel:"6.8"' },
    });
    const [change] = (await admin.get('/v1/changes?limit=1').expect(200)).body as [{ id: number }];
    const proposed = await admin
      .put(`/v1/hosts/${String(host.id)}/variables?propose=Port`, { port: 1 })
      .expect(202);
    const proposal = (proposed.body as { readonly id: number }).id;
    const titles = {
      '/': 'Overview',
      '/map': 'Fleet map',
      '/devices': 'Devices',
      [`/devices/hosts/${String(host.id)}`]: 'web-1',
      '/devices/hosts/999999999': 'Not found',
      '/inventory/regions': 'Regions',
      [`/inventory/regions/${String(region.id)}`]: 'Region north',
      [`/inventory/cells/${String(cell.id)}`]: 'Cell north/row-01',
      '/variables': 'Variables',
      '/variables/kernel': 'Variable kernel',
      '/changes': 'Changes',
      '/changes/between': 'Between two moments',
      '/compare': 'Compare',
      [`/changes/${String(change.id)}`]: `Change ${String(change.id)}`,
      '/audits': 'Audits',
      [`/audits/${String(audit.id)}`]: 'Audit new-kernel',
      '/proposals': 'Proposals',
      [`/proposals/${String(proposal)}`]: `Proposal ${String(proposal)}: Port`,
      '/account': 'Account of admin',
      '/admin': 'Administration',
      '/sign-in': 'Sign in',
      '/nowhere': 'No such page',
    };
    const web = await WebPage.signedIn(browser(), admin, '/');
    for (const [path, title] of Object.entries(titles)) {
      await web.show(path);
      await until(
        `${path} is named ${title}`,
        20,
        async () => (await web.page.title()) === `${title} · Muster`,
      );
    }
    await web.close(/status of 404/);
  });
});
