import type { Caller } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, waitForFocus, WebPage } from '../support/web-pages';

describeWithBrowser('the list of devices, filtered by columns', (browser) => {
  const app = sharedService();
  let owner: Caller;
  let regions: ReadonlyMap<string, number>;
  let cells: ReadonlyMap<string, number>;
  beforeAll(async () => {
    owner = await app.project();
    const device = { cell: null, labels: [], variables: {} };
    ({ regions, cells } = await loadFleet(owner, {
      regions: ['north', 'south', 'west'].map((region) => ({ name: region, variables: {} })),
      cells: [{ region: 'north', name: 'rack-a', variables: {} }],
      labels: ['db', 'retired'].map((label) => ({ label, variables: {} })),
      hosts: [
        { ...device, name: 'DB-1', region: 'north', cell: 'rack-a', labels: ['db'] },
        { ...device, name: 'db-2', region: 'north', labels: ['db', 'retired'] },
        { ...device, name: 'mydb-3', region: 'south', device_type: 'blade' },
        { ...device, name: 'web-4', region: 'west', device_type: 'blade' },
      ],
    }));
  });

  const expectHosts = async (web: WebPage, ...expected: string[]) => {
    const links = web.page.getByRole('grid', { name: 'hosts' }).getByRole('link');
    await until(`${expected.join(', ')} are shown`, 20, async () => {
      const shown = await links.allInnerTexts();
      return shown.toSorted().join(', ') === expected.join(', ');
    });
  };
  const searchOf = (web: WebPage) => new URL(web.page.url()).searchParams;

  it('has a chip for each filter, which edits its text, or opens the list from which it was chosen, and the URL has all', async () => {
    const web = await WebPage.signedIn(browser(), owner, '/devices?columns=name');
    await web.tabTo('button', 'More filters');
    await web.page.keyboard.press('Enter');
    await web.tabTo('textbox', 'Name contains');
    await web.page.keyboard.type('DB');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'DB-1', 'db-2', 'mydb-3');
    await web.page.getByRole('button', { name: 'More filters' }).click();
    await web.page.getByRole('combobox', { name: 'Without' }).click();
    await web.page.getByRole('option', { name: 'labels' }).waitFor();
    expect(await web.page.getByRole('option').allInnerTexts()).toEqual([
      ...['cell', 'parent', 'access secret', 'labels'],
    ]);
    await web.page.getByRole('option', { name: 'cell' }).click();
    await web.page.getByRole('option', { name: 'labels' }).click();
    await expectHosts(web, 'mydb-3');
    expect(await web.violations(web.page.getByRole('search'))).toEqual([]);
    await web.page.getByRole('textbox', { name: 'Without the label' }).fill('retired');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('button', { name: 'Remove the filter without labels' }).click();
    await web.tabTo('button', 'Edit the filter name contains DB');
    await web.page.keyboard.press('Enter');
    await web.page.locator('input:focus').waitFor();
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('EB-');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'web-4');
    expect([...searchOf(web)].filter(([key]) => key !== 'columns')).toEqual([
      ['name_contains', 'EB-'],
      ['cell_id', 'null'],
      ['without_label', 'retired'],
    ]);
    expect(await web.violations(web.page.getByLabel('Filters in effect'))).toEqual([]);
    const north = String(regions.get('north'));
    // Chips of places and states open the list from which they were chosen.
    await web.show(`/devices?columns=name&region_id=${north}&active=true&cell_id=null`);
    await expectHosts(web, 'db-2');
    await web.tabTo('button', 'Edit the filter region north');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByRole('combobox', { name: 'Region' }));
    await web.page.keyboard.type('sou');
    await web.chooseOption('south');
    expect(await web.violations(web.page.getByRole('dialog'))).toEqual([]);
    // Nothing is filtered until all of it is chosen.
    expect(searchOf(web).getAll('region_id')).toEqual([north]);
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'db-2', 'mydb-3');
    await web.page.getByRole('button', { name: 'Edit the filter region south' }).waitFor();
    await web.page.getByRole('button', { name: 'Edit the filter without cell' }).click();
    await web.page.getByRole('combobox', { name: 'Without' }).press('Backspace');
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await expectHosts(web, 'DB-1', 'db-2', 'mydb-3');
    await web.page.getByRole('button', { name: 'Edit the filter state active' }).click();
    await web.page.getByRole('combobox', { name: 'State' }).click();
    await web.page.getByRole('option', { name: 'inactive', exact: true }).click();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByText('No device matches').waitFor();
    expect(searchOf(web).get('active')).toBe('false');
    const id = (name: string) => String(regions.get(name));
    const places = `region_id=${id('north')}&region_id=${id('west')}&cell_id=${String(cells.get('north/rack-a'))}`;
    // A link has places, types and absences.
    await web.show(`/devices?columns=name&${places}&cell_id=null`);
    await expectHosts(web, 'DB-1', 'db-2', 'web-4');
    // The cell of the region goes with it.
    await web.page.getByRole('button', { name: 'Remove the filter region north' }).click();
    await expectHosts(web, 'web-4');
    expect(searchOf(web).getAll('cell_id')).toEqual(['null']);
    await web.page.getByRole('button', { name: 'More filters' }).click();
    await web.page.getByRole('combobox', { name: 'Region' }).click();
    await web.page.getByRole('option', { name: 'south' }).click();
    await expectHosts(web, 'mydb-3', 'web-4');
    await web.show('/devices?columns=name&device_type=server&device_type=blade&parent_id=null');
    await web.page.getByRole('button', { name: 'Remove the filter type server' }).click();
    await expectHosts(web, 'mydb-3', 'web-4');
    await web.page.getByRole('button', { name: 'Remove the filter without parent' }).click();
    await web.page
      .getByRole('button', { name: 'Remove the filter without parent' })
      .waitFor({ state: 'detached' });
    expect([searchOf(web).get('parent_id'), searchOf(web).getAll('device_type')]).toEqual([null, ['blade']]);
    await web.close();
  });

  it('shows an error for a filter of a link or a view that cannot be read, and the list without it', async () => {
    const address = '/devices?columns=name&region_id=north&device_type=blade';
    await owner.post('/v1/views', { name: 'North', address }).expect(201);
    const web = await WebPage.signedIn(browser(), owner, '/devices?columns=name&collection=routers');
    await web.page.getByRole('heading', { name: 'The address cannot be read' }).waitFor();
    await web.page.getByText('The address has collection=routers, which this page cannot read').waitFor();
    expect(await web.page.getByRole('grid').count()).toBe(0);
    await web.page.getByRole('link', { name: 'North' }).click();
    await web.page.getByText('The address has region_id=north, which this page cannot read').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.tabTo('button', 'Open without it');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'mydb-3', 'web-4');
    expect(web.path).toBe('/devices?columns=name&device_type=blade');
    // That list has no such filter.
    await web.show('/inventory/labels?cell_id=null');
    await web.page.getByText('The address has cell_id=null, which this page cannot read').waitFor();
    await web.tabTo('button', 'Open without it');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('link', { name: 'retired' }).waitFor();
    expect(web.path).toBe('/inventory/labels');
    // React logs the errors that pages show.
    await web.close(/"message": "Invalid/);
  });

  it('shows an error for a name that it does not know, and the default columns if it knows none of a link', async () => {
    const address = '/devices?regoin=north&device_type=blade&utm_source=mail';
    await owner.post('/v1/views', { name: 'Blades', address }).expect(201);
    const web = await WebPage.signedIn(browser(), owner, address);
    const says = (text: string) => web.page.getByText(text).waitFor();
    await says('The address has regoin=north, which this page cannot read');
    await says('This page has no “regoin”.');
    expect(await web.page.getByRole('grid').count()).toBe(0);
    // Nor is the whole fleet counted for the view.
    expect(await web.page.getByRole('link', { name: /^Blades/ }).innerText()).toBe('Blades');
    expect(await web.violations()).toEqual([]);
    await web.tabTo('button', 'Open without it');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('link', { name: 'web-4' }).waitFor();
    expect(web.path).toBe('/devices?device_type=blade');
    await web.show('/changes?user=nobody');
    await says('This page has no “user”.');
    await web.show('/proposals?kye=kernel');
    await says('This page has no “kye”.');
    await web.tabTo('button', 'Open without it');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'Proposals' }).waitFor();
    await web.show('/devices?columns=nmae&columns=toString');
    await web.page.getByRole('columnheader', { name: 'Address' }).waitFor();
    await web.page.getByRole('link', { name: 'web-4' }).waitFor();
    await web.show('/inventory/regions?columns=nmae');
    await web.page.getByRole('columnheader', { name: 'Hosts' }).waitFor();
    await web.close(/"message": "Invalid/);
  });

  it('has chips of parents, access secrets and labels that open their fields, with the keyboard alone', async () => {
    const project = await app.project();
    const [rack, shelf] = [await project.host({ name: 'rack-1' }), await project.host({ name: 'shelf-2' })];
    const [secret, other] = [await project.secret(), await project.secret()];
    await project.host({ name: 'a', parent_id: rack.id, access_secret_id: secret.id, labels: 'db' });
    await project.host({ name: 'b', parent_id: shelf.id, access_secret_id: other.id, labels: 'web' });
    const edit = async (chip: string, role: 'combobox', field: string) => {
      await web.tabTo('button', `Edit the filter ${chip}`);
      await web.page.keyboard.press('Enter');
      await waitForFocus(web.page.getByRole(role, { name: field }));
    };
    const web = await WebPage.signedIn(browser(), project, `/devices?columns=name&parent_id=${rack.id}`);
    await expectHosts(web, 'a');
    await edit('parent rack-1', 'combobox', 'Parent');
    await web.page.keyboard.press('Control+A');
    await web.page.keyboard.type('shelf');
    await web.chooseOption('shelf-2');
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'b');
    await web.show(`/devices?columns=name&access_secret_id=${secret.id}`);
    await expectHosts(web, 'a');
    await edit(`access secret ${secret.id}`, 'combobox', 'Access secret');
    await web.chooseOption(`#${other.id}`);
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'b');
    await web.show('/devices?columns=name&has_labels=true');
    await expectHosts(web, 'a', 'b');
    await edit('with labels', 'combobox', 'Labels');
    await web.page.keyboard.type('db');
    await web.chooseOption('db');
    expect(await web.violations(web.page.getByRole('dialog'))).toEqual([]);
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    await expectHosts(web, 'a');
    expect([...searchOf(web)]).toEqual([
      ['columns', 'name'],
      ['label', 'db'],
    ]);
    await web.page.getByRole('button', { name: 'More filters' }).click();
    await web.page.getByRole('combobox', { name: 'Parent' }).fill('rack');
    await web.page.getByRole('option', { name: 'rack-1' }).click();
    await web.page.getByRole('button', { name: 'Edit the filter parent rack-1' }).waitFor();
    expect(searchOf(web).getAll('parent_id')).toEqual([String(rack.id)]);
    await web.close();
  });
});
