import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller, Resource } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { holdBack } from '../support/hold-back';
import { smallNetBox } from '../support/netbox/inventory';
import { sharedService } from '../support/service';
import { muster, temporaryFolder } from '../support/shell';
import { describeWithBrowser, waitForValue, WebPage } from '../support/web-pages';

describeWithBrowser('the import', (browser) => {
  const app = sharedService();
  let admin: Caller;

  beforeEach(async () => {
    admin = await app.project();
    await admin.region({ name: 'north', variables: { kernel: '6.8', ntp_servers: ['10.1.0.1'] } });
  });

  const choose = async (web: WebPage, name: string, text: string) => {
    const buffer = Buffer.from(text);
    await web.page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'text/plain', buffer });
  };
  const fill = async (web: WebPage, name: string, text: string) => {
    const field = web.page.getByRole('combobox', { name, exact: true });
    await field.fill(text);
    // Closes the completions.
    await field.blur();
  };
  const preview = (web: WebPage) => web.page.getByRole('button', { name: 'Preview…' }).click();
  const apply = async (web: WebPage, name: string) => {
    await web.page.getByRole('button', { name: 'Apply' }).and(web.page.locator(':enabled')).click();
    await web.page.getByText(`Done: Import ${name}`).waitFor();
  };
  /** Shows the page without what was entered. */
  const again = async (web: WebPage) => {
    await web.show('/account');
    await web.page.getByRole('heading', { name: 'API keys' }).waitFor();
    await web.show('/import');
    await web.page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  };
  const lines = () => exportLines(admin, '?kind=host');

  it('of a table says what its columns become, names all faults by line, and is one change', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByRole('link', { name: 'Import a file' }).click();
    await web.page.getByRole('heading', { name: 'Import' }).waitFor();
    const table = [
      ...['Hostname;IP;Rack unit;Kernel;Remark', 'web-1;10.9.0.1;12;6.8;"left;\nfront"'],
      ...['web-2;nowhere;13;6.10;', ';10.9.0.3;14;6.9;', 'web-4;nowhere;15;6.9;'],
    ];
    await choose(web, 'rack.csv', `\uFEFF${table.join('\r\n')}`);
    await web.page.getByRole('row', { name: /^Hostname .*"web-1"/ }).waitFor();
    await web.page.getByRole('row', { name: /^Rack unit .*Detect per cell.* 12\s+13\s+14/ }).waitFor();
    await web.page
      .getByRole('row', { name: /^Kernel .*Text because of 6\.10 "6\.8"\s+"6\.10"\s+"6\.9"/ })
      .waitFor();
    // The variable that is in use, whatever the case; others are offered.
    const kernel = web.page.getByRole('combobox', { name: 'What Kernel becomes' });
    expect(await kernel.inputValue()).toBe('variables.kernel');
    const description = await kernel.getAttribute('aria-describedby');
    expect(await web.page.locator(`[id="${String(description)}"]`).innerText()).toBe('existing variable');
    await web.page.getByRole('row', { name: /^Rack unit .*new variable/ }).waitFor();
    await kernel.click();
    await web.page.getByRole('option', { name: 'variables.ntp_servers' }).waitFor();
    await web.page.getByRole('option', { name: 'variables.Kernel', exact: true }).click();
    await web.page.getByRole('row', { name: /^Kernel .*new variable/ }).waitFor();
    await kernel.fill('ntp');
    await web.page.getByRole('option', { name: 'variables.ntp_servers' }).waitFor();
    expect(await web.page.getByRole('option', { name: 'variables.kernel' }).count()).toBe(0);
    await fill(web, 'What Kernel becomes', 'variables.Kernel');
    expect(await web.page.getByText('Needed for new devices').count()).toBe(2);
    await fill(web, 'What IP becomes', '');
    await web.page.getByText('No column becomes ip_address, which new devices need.').waitFor();
    await fill(web, 'What IP becomes', 'ip_address');
    await fill(web, 'What Remark becomes', '');
    await fill(web, 'Region', 'north');
    await fill(web, 'Device type', 'server');
    await web.page.setViewportSize({ width: 360, height: 720 });
    expect(await web.violations()).toEqual([]);
    await web.page.setViewportSize({ width: 1280, height: 720 });
    await preview(web);
    const dialog = web.page.getByRole('dialog', { name: 'Import rack.csv' });
    const faults = dialog.getByRole('list', { name: 'Faults' });
    await faults.waitFor();
    expect((await faults.getByRole('listitem').allInnerTexts()).map((text) => text.slice(0, 19))).toEqual([
      '2 lines (4, 6): ip_',
      'Line 5: name: must ',
    ]);
    expect(await web.violations()).toEqual([]);
    // The service would reject it as a command, too.
    expect(await dialog.getByRole('tablist', { name: 'The same as a command' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // As a spreadsheet copies it.
    const copied = 'Hostname\tIP\tRack unit\tKernel\tRemark\r\nweb-1\t10.9.0.1\t12\t6.8\t"left;\nfront"\r\n';
    await web.page.evaluate(
      `(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(copied)});
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); })()`,
    );
    await web.page.getByRole('row', { name: /^Rack unit .*12$/ }).waitFor();
    // No text is in it any more, unless the user says so.
    await web.page.getByRole('combobox', { name: 'Type of Kernel' }).selectOption('Text');
    // What was entered is still there.
    await fill(web, 'What Remark becomes', 'note');
    await fill(web, 'Region', 'south');
    await preview(web);
    const pasted = web.page.getByRole('dialog', { name: 'Import pasted.csv' });
    await pasted.getByRole('button', { name: 'Create region south…' }).click();
    const creation = web.page.getByRole('dialog', { name: 'Create region south' });
    await creation.getByText('1 is created. 0 are changed. No device resolves another value.').waitFor();
    await creation.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByText('Done: Create region south').waitFor();
    await pasted.getByText('1 is created. 0 are changed. 1 device resolves another value.').waitFor();
    await pasted.getByText('Kernel would be a new variable. Did you mean kernel?').waitFor();
    const affected = pasted.getByRole('region', { name: 'Affected devices' });
    await affected.getByText('web-1').first().waitFor();
    expect(await affected.getByRole('link').count()).toBe(0);
    // The file would be lost.
    const asked = web.page.waitForEvent('dialog').then((question) => question.dismiss());
    await Promise.all([asked, pasted.getByRole('link', { name: 'south' }).first().click()]);
    await apply(web, 'pasted.csv');
    const result = web.page.getByRole('status').filter({ hasText: 'pasted.csv is imported' });
    await result.getByText('1 is created. 0 are changed.').waitFor();
    expect(await web.violations(result)).toEqual([]);
    await result.getByRole('link', { name: /^Show what change \d+ created and changed$/ }).click();
    await web.page.getByRole('heading', { name: /^Change \d+$/ }).waitFor();
    await web.page.getByRole('tabpanel').getByRole('link', { name: 'web-1' }).waitFor();
    expect(await lines()).toMatchObject([
      { name: 'web-1', region: 'south', note: 'left;\nfront', variables: { Rack_unit: 12, Kernel: '6.8' } },
    ]);
    await web.close(/status of 40\d/);
  });

  it('of a table names the cells that are broken lists, and the lists that texts replace', async () => {
    const region = (await admin.get('/v1/regions?name=north').expect(200)).body[0] as Resource;
    for (const name of ['web-1', 'web-2'])
      await admin.host({ name, region_id: region.id, variables: { ntp_servers: ['10.1.0.7'] } });
    const web = await WebPage.signedIn(browser(), admin, '/import');
    await choose(web, 'ntp.csv', 'name,ntp_servers\nweb-1,[10.1.0.7]\nweb-2,10.1.0.9\n');
    await web.page.getByRole('combobox', { name: 'Type of ntp_servers' }).selectOption('Detect per cell');
    await preview(web);
    const warnings = web.page.getByRole('dialog', { name: 'Import ntp.csv' }).getByRole('status');
    await warnings.getByText('[10.1.0.7] (line 2) is a text, because it is not valid JSON.').waitFor();
    await warnings.getByText('ntp_servers of web-2 (line 3, array → string)').waitFor();
    await web.close();
  });

  it('closes the file once it is proposed', async () => {
    const web = await WebPage.signedIn(browser(), await admin.user(), '/import');
    const hosts = ['1', '2'].map((number) => ({
      ...{ kind: 'host', name: `web-${number}`, region: 'north' },
      ...{ ip_address: `10.9.0.${number}`, device_type: 'server' },
    }));
    await choose(web, 'one.json', JSON.stringify(hosts.slice(1)));
    await web.page.getByText('1 resource in the file.').waitFor();
    await preview(web);
    const propose = web.page.getByRole('button', { name: 'Propose', exact: true });
    const proposed = web.page.getByRole('dialog', { name: 'Proposed' });
    const closeProposed = () => proposed.getByRole('button', { name: 'Close' }).last().click();
    // Another file that is chosen before the response stays.
    const answer = await holdBack(web.page, /\/v1\/import\?.*propose=/);
    const sent = web.page.waitForRequest(/\/v1\/import\?.*propose=/);
    await propose.click();
    await sent;
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await choose(web, 'two.json', JSON.stringify(hosts));
    const two = web.page.getByText('2 resources in the file.');
    await two.waitFor();
    answer();
    await proposed.getByRole('link', { name: /^Proposal \d+: Import one\.json$/ }).waitFor();
    await closeProposed();
    await preview(web);
    await propose.click();
    await proposed.getByRole('link', { name: /^Proposal \d+: Import two\.json$/ }).waitFor();
    expect(await two.count()).toBe(0);
    await closeProposed();
    await web.page.getByText('Choose a file…').waitFor();
    await web.close(/status of 403/);
  });

  it('keeps what was entered while variables are read again; reads YAML with all digits, inventories of Ansible, and folders of NetBox', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/import');
    // What was entered is lost on the way from one import to the next.
    web.page.on('dialog', (question) => void question.accept());
    // Variables are read again after a failure.
    const keys = /\/v1\/variable-keys\?.*limit=10000/;
    await web.page.route(keys, (route) => route.fulfill({ status: 503, json: {} }));
    await choose(web, 'rack.csv', 'name,Kernel\nweb-1,6.10\n');
    await fill(web, 'What Kernel becomes', 'variables.version');
    await web.page.unroute(keys);
    const answer = await holdBack(web.page, keys);
    const target = web.page.getByRole('combobox', { name: 'What Kernel becomes' });
    const read = web.page.waitForRequest(keys);
    await web.page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await read;
    await waitForValue(target, 'variables.version');
    answer();
    await target.click();
    await web.page.getByRole('option', { name: 'variables.ntp_servers' }).waitFor();
    await waitForValue(target, 'variables.version');

    await again(web);
    const members = 'region: north, ip_address: 10.9.0.1, device_type: server';
    const serial = '90071992547409931234';
    await choose(
      web,
      'one.yaml',
      `- {kind: host, name: web-1, ${members}, variables: {serial: ${serial}, pad: ${'x'.repeat(100_000)}}}\n`,
    );
    await web.page.getByText('1 resource in the file.').waitFor();
    const network = await web.page.context().newCDPSession(web.page);
    const throttle = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
      });
    // It is not sent before the throttle ends.
    await throttle(5_000);
    await preview(web);
    await web.page
      .getByRole('status')
      .filter({ hasText: /^[\d.]+ MB of 0\.1 MB were sent\.$/ })
      .waitFor();
    expect(await web.violations()).toEqual([]);
    await throttle(-1);
    await web.page.getByText('muster import one.yaml').waitFor();
    // Each resource, with what becomes of it.
    const resources = web.page.getByRole('list', { name: 'Changed resources' });
    await resources.getByText('web-1', { exact: true }).waitFor();
    expect((await resources.innerText()).replace(/\s+/g, ' ')).toMatch(
      /web-1 host created .*IP address not set → "10\.9\.0\.1" .*Own values of host web-1 .*serial not set → 90071992547409931234/,
    );
    await apply(web, 'one.yaml');
    await web.page.getByText('one.yaml is imported').waitFor();
    const [host] = (await admin.get('/v1/hosts?name=web-1').expect(200)).body as Resource[];
    const own = await admin.get(`/v1/hosts/${String(host?.id)}/variables`).expect(200);
    expect(own.text).toContain(serial);

    await again(web);
    const group = { hosts: ['web-2', 'web-3'], vars: { dns: '10.9.0.53' } };
    const inventory = (third: object) => {
      const hostvars = { 'web-2': { ansible_host: '10.9.0.2', kernel: '6.9' }, 'web-3': third };
      return JSON.stringify({ _meta: { hostvars }, web: group, north_1: group });
    };
    await choose(web, 'inventory.json', inventory({}));
    await web.page.getByRole('combobox', { name: 'What north_1 becomes' }).click();
    await web.page.getByRole('option', { name: 'the cell' }).click();
    await fill(web, 'Region', 'north');
    await preview(web);
    await web.page.getByText('web-3 has no address in ansible_host or ansible_ssh_host.').waitFor();
    await choose(web, 'inventory.json', inventory({ ansible_host: '10.9.0.3' }));
    await preview(web);
    await web.page.getByText('4 are created.').waitFor();
    await apply(web, 'inventory.json');
    expect(await lines()).toMatchObject([
      { name: 'web-1' },
      { name: 'web-2', region: 'north', cell: 'north_1', labels: ['web'], variables: { kernel: '6.9' } },
      { name: 'web-3', ip_address: '10.9.0.3' },
    ]);
    const [label] = (await admin.get('/v1/labels?label=web').expect(200)).body as Resource[];
    const { body } = await admin.get(`/v1/labels/${String(label?.id)}/variables`).expect(200);
    expect(body).toMatchObject({ variables: { dns: '10.9.0.53' } });

    await again(web);
    const folder = join(temporaryFolder(), 'netbox');
    for (const [path, results] of Object.entries(smallNetBox())) {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, 'page-001.json'), JSON.stringify({ results }));
    }
    await web.page.getByLabel('Folder').setInputFiles(folder);
    const summary = web.page.getByRole('list', { name: 'What is imported' });
    await summary.getByText('10 devices and 4 virtual machines.').waitFor();
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await preview(web);
    await web.page.getByText('muster import --from netbox --files netbox').waitFor();
    await apply(web, 'netbox');
    const verified = await muster(admin, ['import', '--from', 'netbox', '--files', folder, '--verify']);
    expect(verified).toMatchObject({ code: 0 });
    await web.close(/status of 503/);
  });
});
