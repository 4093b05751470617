import { aName, type Caller } from '../support/caller';
import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

describeWithBrowser('projects', (browser) => {
  const app = sharedService();
  /** The root user, in two projects that both have a host `twin-1` in a region `north`. */
  let inA: Caller;
  let inB: Caller;
  let [nameA, nameB] = ['', ''];
  let hostB = 0;

  beforeEach(async () => {
    // The session lists the first 1,000 projects by name.
    [nameA, nameB] = [aName('00-a'), aName('00-b')];
    [inA, inB] = [
      app.root.in((await app.project(nameA)).projectId),
      app.root.in((await app.project(nameB)).projectId),
    ];
    const twin = async (caller: Caller): Promise<number> => {
      const { id: region_id } = await caller.region({ name: 'north', variables: { kernel: '6.8' } });
      return (await caller.host({ name: 'twin-1', region_id })).id;
    };
    await twin(inA);
    hostB = await twin(inB);
  });

  const kernelsOf = async (caller: Caller) =>
    (
      (await caller.get(`/v1/hosts?project_id=${caller.projectId}`).expect(200)).body as Record<
        string,
        unknown
      >[]
    ).map(({ variables }) => variables);

  /** Enters project B in another tab. */
  async function enterBInAnotherTab(web: WebPage): Promise<WebPage> {
    const tab = await web.newTab(inB);
    await tab.page.goto(`${web.pages}/devices`);
    await tab.page.getByRole('button', { name: `Project ${nameA}` }).click();
    await tab.page.getByRole('menuitem', { name: nameB }).click();
    await tab.page.getByRole('button', { name: `Project ${nameB}` }).waitFor();
    expect(tab.path).toBe('');
    return tab;
  }

  it('are those of their tabs: what was typed in one is applied there after another one has entered another project', async () => {
    const web = await WebPage.signedIn(browser(), inA, '/devices');
    await web.page.getByRole('checkbox', { name: 'Select twin-1' }).check();
    await web.page.getByRole('button', { name: 'Change…' }).click();
    await web.page.getByRole('combobox', { name: 'Key' }).fill('kernel');
    await web.page.getByRole('textbox', { name: 'Value' }).fill('"6.12"');
    const tab = await enterBInAnotherTab(web);
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('1 is changed. 1 device resolves another value.').waitFor();
    await web.page
      .getByText(`muster host update twin-1 --set 'kernel:="6.12"' --project ${inA.projectId}`)
      .waitFor();
    await web.apply();
    await web.page.getByText('1 selected').waitFor({ state: 'detached' });
    expect([await kernelsOf(inA), await kernelsOf(inB)]).toEqual([[{ kernel: '6.12' }], [{ kernel: '6.8' }]]);
    // The other tab works in its own.
    await tab.page.getByRole('link', { name: 'Devices' }).click();
    await tab.page.getByRole('link', { name: 'twin-1' }).click();
    await tab.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    expect(tab.path).toBe(`/devices/hosts/${String(hostB)}`);
    expect(tab.errors).toEqual([]);
    await web.close();
  });

  it('are part of addresses; one that cannot be entered leads to another, and that of a resource is on its page', async () => {
    const web = await WebPage.signedIn(browser(), inA, '/devices');
    await web.page.getByText('1 host').waitFor();
    // An address without a project is one of the session's.
    await web.page.goto(`${web.url}/changes?reason=none`);
    await web.page.waitForURL(`${web.pages}/changes?reason=none`);
    const address = `${web.url}/projects/${inB.projectId}/devices/hosts/${String(hostB)}`;
    await web.page.goto(address);
    await web.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    expect(web.page.url()).toBe(address);
    const absent = '00000000-0000-4000-8000-000000000000';
    await web.page.goto(`${web.url}/projects/${absent}/devices`);
    const dialog = web.page.getByRole('dialog', { name: `You cannot enter the project ${absent}` });
    await dialog.waitFor();
    expect(await web.page.getByRole('grid').count()).toBe(0);
    expect(await web.violations()).toEqual([]);
    await web.tabTo('button', `Go to ${nameA}`);
    await web.page.keyboard.press('Enter');
    await web.page.waitForURL(`${web.url}/projects/${inA.projectId}`);
    // The page of a resource of another project says so.
    await web.show(`/devices/hosts/${String(hostB)}`);
    await web.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    await web.page
      .getByRole('alert')
      .getByText(`This belongs to the project ${nameB}, not to ${nameA}.`)
      .waitFor();
    // Its region is one of the other project.
    await web.page.getByRole('link', { name: 'north' }).first().waitFor();
    expect(await web.violations(web.page.getByRole('alert'))).toEqual([]);
    await web.page.getByRole('button', { name: 'Override kernel' }).click();
    await web.page.getByRole('textbox', { name: 'Value of kernel' }).fill('"6.12"');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page
      .getByText(`muster vars set host twin-1 'kernel:="6.12"' --project ${inB.projectId}`)
      .waitFor();
    await web.apply();
    expect([await kernelsOf(inA), await kernelsOf(inB)]).toEqual([[{ kernel: '6.8' }], [{ kernel: '6.12' }]]);
    await web.page.getByRole('button', { name: `Work in ${nameB}` }).click();
    await web.page.waitForURL(`${web.url}/projects/${inB.projectId}/devices/hosts/${String(hostB)}`);
    await web.page.getByRole('button', { name: `Project ${nameB}` }).waitFor();
    await web.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    await web.page.getByText('This belongs to the project').waitFor({ state: 'detached' });
    await web.close(/status of 409/);
  });

  it('of an address are entered by signing in', async () => {
    const web = await WebPage.open(browser(), inB);
    await web.goto('/devices');
    await web.page.getByLabel('API key', { exact: true }).waitFor();
    await web.signIn(app.root.credentials.token);
    await web.page.getByRole('link', { name: 'twin-1' }).waitFor();
    expect(web.path).toBe('/devices');
    await web.close(/status of 401/);
  });
});
