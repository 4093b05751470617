import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

const HOSTS = 3;
/** More than the devices that fail of which the page shows the first ones. */
const MANY_HOSTS = 130;

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1440],
  ['dark', 360],
] as const;

describeWithBrowser('audits', (browser) => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  /** Hosts that inherit a kernel, except the first one. */
  const loadHosts = (hosts = HOSTS) =>
    loadFleet(admin, {
      regions: [{ name: 'north', variables: { kernel: '6.1' } }],
      cells: [],
      labels: [],
      hosts: Array.from({ length: hosts }, (_, n) => ({
        name: `web-${String(n).padStart(3, '0')}`,
        region: 'north',
        cell: null,
        labels: [],
        variables: n === 0 ? { kernel: '6.8' } : {},
        ip_address: `10.1.0.${String(n)}`,
      })),
    });
  const kernelAudit = () =>
    admin.audit({ name: 'new-kernel', kind: 'host', expectation: { vars: 'kernel:"6.8"' } });

  it('are defined, run and remediated with the keyboard', async () => {
    await loadHosts();
    const web = await WebPage.signedIn(browser(), admin, '/audits');
    await web.page.getByText('No audits').waitFor();
    await web.tabTo('button', 'Create an audit');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByRole('textbox', { name: 'Name' }));
    await web.page.keyboard.type('new-kernel');
    await web.tabTo('textbox', 'Expected values');
    await web.page.keyboard.type('kernel = "6.8"');
    expect(await web.violations()).toEqual([]);
    await web.tabTo('button', 'Preview…');
    await web.page.keyboard.press('Enter');
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await web.tabTo('link', 'new-kernel');
    await web.page.keyboard.press('Enter');
    await web.page.getByText(`${String(HOSTS - 1)} of ${String(HOSTS)} fail`).waitFor();
    expect(web.path).toMatch(/^\/audits\/\d+$/);
    await web.page.getByRole('row', { name: /^device web-001 kernel "6\.1"/ }).waitFor();
    await web.tabTo('button', 'Remediate…');
    await web.page.keyboard.press('Enter');
    await web.tabTo('combobox', 'Level');
    await web.page.keyboard.type('north');
    await web.page.getByRole('option', { name: 'region north' }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.chooseOption('region north');
    await web.tabTo('button', 'Preview…');
    await web.page.keyboard.press('Enter');
    await web.page.getByText(`${String(HOSTS - 1)} devices resolve another value.`).waitFor();
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await web.page.getByText(`all ${String(HOSTS)} pass`).waitFor();
    await web.close();
  });

  it('shows more devices that fail, and remediates one of them', async () => {
    await loadHosts(MANY_HOSTS);
    const { id } = await kernelAudit();
    const [last] = (await admin.get('/v1/hosts?name=web-129&fields=id').expect(200)).body as { id: number }[];
    await admin.put(`/v1/hosts/${String(last?.id)}/variables`, { kernel: '5.4' }).expect(200);
    const web = await WebPage.signedIn(browser(), admin, `/audits/${String(id)}`);
    const faults = web.page.getByRole('table', { name: 'Where the wrong values are set' });
    await faults.getByRole('row', { name: /region north kernel "6\.1" 100/ }).waitFor();
    await web.page.getByRole('button', { name: 'Show more' }).click();
    await faults.getByRole('row', { name: /region north kernel "6\.1" 128/ }).waitFor();
    const own = faults.getByRole('row', { name: /1 device, own value kernel "5\.4" 1/ });
    // A number shows exactly its devices.
    await own.getByRole('button', { name: '1', exact: true }).click();
    const listed = web.page.getByRole('table', { name: 'devices that fail' });
    await web.page.getByText('1 device with an own value of kernel').waitFor();
    expect(await listed.getByRole('row', { name: /^device web-/ }).allInnerTexts()).toEqual([
      expect.stringContaining('web-129'),
    ]);
    await faults.getByRole('button', { name: '128', exact: true }).click();
    await web.page.getByText('128 devices with the kernel of region north').waitFor();
    expect(await listed.getByRole('row', { name: /^device web-/ }).count()).toBe(128);
    await web.page.getByRole('button', { name: 'Show all', exact: true }).click();
    await listed.getByText('web-129').first().waitFor();
    // What follows is shown over one row: each step takes longer beside many.
    await own.getByRole('button', { name: '1', exact: true }).click();
    await web.page.getByText('1 device with an own value of kernel').waitFor();
    await faults.getByRole('button', { name: 'Remediate on region north' }).click();
    await waitForValue(web.page.getByRole('combobox', { name: 'Level' }), 'north');
    const value = web.page.getByRole('textbox', { name: 'Value' });
    const preview = web.page.getByRole('button', { name: 'Preview…' });
    await waitForValue(value, '"6.8"');
    await web.page.getByText('Current value on north: "6.1"').waitFor();
    await value.fill('"6.1');
    expect(await preview.isDisabled()).toBe(true);
    await value.fill('"6.1"');
    await web.page.getByText('This is the current value. Enter another one.').waitFor();
    expect(await preview.isDisabled()).toBe(true);
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await web.page.getByRole('button', { name: 'Remediate on web-129' }).click();
    await web.page.getByText('Current value on web-129: "5.4"').waitFor();
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await faults.getByRole('button', { name: 'Remediate all own values of kernel' }).click();
    await web.page.getByText('Of 129 failing devices, 1 sets kernel itself.').waitFor();
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('1 device resolves another value.').waitFor();
    await web.page.getByRole('button', { name: 'Apply', exact: true }).click();
    // The message is below the page, and covers nothing of it.
    await web.page.getByText('Done: Remediate new-kernel on 1 device').waitFor();
    const gap = await web.page.evaluate<number>(`(() => {
      const [page, ...messages] = document.querySelector('#main').children;
      const tops = messages.map((element) => element.getBoundingClientRect().top);
      return Math.min(...tops) - page.getBoundingClientRect().bottom;
    })()`);
    expect(gap).toBeGreaterThanOrEqual(0);
    const failing = `${String(MANY_HOSTS - 2)} of ${String(MANY_HOSTS)} fail`;
    await web.page.getByText(failing, { exact: true }).waitFor();
    await web.close();
  });

  it('edits filters as one line each, leads to the audited devices, changes an audit to a schema, and deletes it', async () => {
    await loadHosts();
    const where = ['kernel >= "6.1"'];
    const { id } = await admin.audit({
      ...{ name: 'old', kind: 'host', vars: 'kernel:"6.1"', where },
      expectation: { where: ['backup_server missing'] },
    });
    const web = await WebPage.signedIn(browser(), admin, `/audits/${String(id)}`);
    const expected = web.page.getByRole('link', { name: 'backup_server missing' });
    await expected.waitFor();
    const passing = new URL((await expected.getAttribute('href')) ?? '', web.url).searchParams;
    expect(passing.getAll('where')).toEqual(['kernel = "6.1"', ...where, 'backup_server missing']);
    await web.page.getByRole('button', { name: 'Edit' }).click();
    const targets = web.page.getByRole('textbox', { name: 'Only devices with' });
    expect(await targets.inputValue()).toBe('kernel = "6.1"\nkernel >= "6.1"');
    await targets.fill('kernel >= "6.1"');
    await web.previewAndApply();
    await web.page.getByRole('link', { name: 'hosts with kernel >= "6.1"' }).click();
    await web.page.getByText(`${String(HOSTS)} hosts`).waitFor();
    expect(new URL(web.page.url()).searchParams.getAll('where')).toEqual(where);
    await admin.delete(`/v1/audits/${String(id)}`).expect(204);
    await kernelAudit();
    await admin.post('/v1/variable-definitions', { key: 'kernel', schema: { const: '6.1' } }).expect(201);
    await web.show('/audits');
    await web.page.getByRole('button', { name: 'Edit new-kernel' }).click();
    await web.page.getByText('Expect a JSON Schema', { exact: true }).click();
    await web.page.getByRole('combobox', { name: 'Key' }).fill('kernel');
    await web.page.getByRole('textbox', { name: 'JSON Schema' }).fill('{"const": "6.1"');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('Not valid JSON. Names and texts need double quotes.').waitFor();
    await web.page.getByRole('button', { name: 'Use the schema of the definition of kernel' }).click();
    await waitForValue(web.page.getByRole('textbox', { name: 'JSON Schema' }), '{ "const": "6.1" }');
    await web.previewAndApply();
    await web.page.getByText('kernel: {"const":"6.1"}').waitFor();
    await web.page.getByRole('button', { name: 'Delete new-kernel' }).click();
    await web.apply();
    await web.page.getByText('No audits').waitFor();
    await web.close();
  });

  it('runs all, shows each verdict in the list, and what fails again after a reload; in any look', async () => {
    await loadHosts();
    for (const name of ['east', 'west']) {
      const region = await admin.region({ name });
      await admin.cell({ name: 'hall-1-row-01', region_id: region.id });
    }
    await kernelAudit();
    const { id } = await admin.audit({ name: 'old-kernel', expectation: { vars: 'kernel:"6.1"' } });
    await admin.audit({
      name: 'kernel-is-text',
      expectation: { key: 'kernel', schema: { type: 'string' } },
    });
    await admin.audit({ name: 'old-kernel-10', expectation: { vars: 'kernel:"6.1"' } });
    await admin.audit({ name: 'old-kernel-9', expectation: { vars: 'kernel:"6.1"' } });
    await admin.audit({ name: 'switches', kind: 'network-device', expectation: { vars: 'a:1' } });
    const web = await WebPage.signedIn(browser(), admin, '/audits');
    await web.page.getByRole('button', { name: 'Run all' }).click();
    const audits = web.page.getByRole('table', { name: 'audits' }).getByRole('link', { name: /^old-/ });
    await audits.first().waitFor();
    expect(await audits.allInnerTexts()).toEqual(['old-kernel', 'old-kernel-9', 'old-kernel-10']);
    await web.page.getByRole('row', { name: /^new-kernel .*2 of 3 fail/ }).waitFor();
    await web.page.getByRole('row', { name: /^kernel-is-text .*all 3 pass/ }).waitFor();
    await web.page.getByRole('row', { name: /^switches .*no devices/ }).waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    // One line for each audit, where there is room for it.
    await web.page.setViewportSize({ width: 1440, height: 900 });
    const heights = await web.page
      .getByRole('row', { name: /^(new-kernel|kernel-is-text|switches) / })
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(3);
    expect(Math.max(...heights)).toBeLessThan(40);
    // Neither the verdict nor the button is cut off in a narrow column.
    await web.page.setViewportSize({ width: 800, height: 600 });
    const button = web.page.getByRole('button', { name: 'Run again new-kernel' });
    const text = button.getByText('Run again', { exact: true });
    expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await web.show(`/audits/${String(id)}`);
    await web.page.getByRole('heading', { name: 'old-kernel' }).waitFor();
    await web.page.getByText('1 of 3 fails').waitFor();
    await web.page.getByRole('row', { name: /^device web-000 kernel "6\.8"/ }).waitFor();
    expect(await web.violationsIn(LOOKS, web.page.getByRole('main'))).toEqual([]);
    // What fails is shown again after a reload.
    const shown = await admin.audit({ name: 'newer', kind: 'host', expectation: { vars: 'kernel:"6.8"' } });
    await web.show(`/audits/${String(shown.id)}`);
    const failing = web.page.getByRole('row', { name: /^device web-001 kernel "6\.1"/ });
    await failing.waitFor();
    await web.page.reload();
    await failing.waitFor();
    // That is no run of its own.
    const runs = await admin.get(`/v1/audits/${String(shown.id)}/runs`).expect(200);
    expect((runs.body as { items: object[] }).items).toHaveLength(1);
    const [north] = (await admin.get('/v1/regions?name=north').expect(200)).body as { id: number }[];
    await web.show(`/audits/${String(shown.id)}?region_id=${String(north?.id)}&cell_id=null`);
    const whole = web.page.getByRole('link', { name: 'Show all failing devices' });
    await whole.waitFor();
    await failing.waitFor();
    await whole.click();
    await whole.waitFor({ state: 'detached' });
    // Cells have the names of their regions.
    await web.page.getByRole('button', { name: 'Remediate…' }).click();
    await web.page.getByRole('combobox', { name: 'Level' }).fill('hall-1-row');
    await web.page.getByRole('option', { name: 'cell east/hall-1-row-01' }).waitFor();
    await web.page.getByRole('option', { name: 'cell west/hall-1-row-01' }).click();
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByRole('dialog', { name: 'Remediate newer on west/hall-1-row-01' }).waitFor();
    await web.close();
  });

  it('says why a role does not suffice', async () => {
    await loadHosts();
    await kernelAudit();
    const web = await WebPage.signedIn(browser(), await admin.user(), '/audits');
    await web.page.getByRole('button', { name: 'Delete new-kernel' }).click();
    await web.page.getByRole('alert').getByText('audits:write').waitFor();
    await web.page.getByRole('button', { name: 'Propose' }).waitFor();
    expect(await web.page.getByRole('button', { name: 'Apply' }).count()).toBe(0);
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await web.page.getByRole('link', { name: 'new-kernel' }).click();
    await web.page
      .getByRole('button', { name: /^Remediate on / })
      .first()
      .click();
    await web.page
      .getByText(/^You need the role \w+:write or kernel for this\. You can propose it\.$/)
      .waitFor();
    await web.close(/status of 403/);
  });
});
