import { aName, type Caller } from '../support/caller';
import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** The browser reports every response with an error status. */
const OTHER_PROJECT = /status of 409/;

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

  const membersOf = async (caller: Caller, collection: string) =>
    (await caller.get(`/v1/${collection}?project_id=${caller.projectId}`).expect(200)).body as Record<
      string,
      unknown
    >[];
  const kernelsOf = async (caller: Caller) =>
    (await membersOf(caller, 'hosts')).map(({ variables }) => variables);

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

  const dialogOf = (web: WebPage, name: string) =>
    web.page.getByRole('dialog', { name: `This tab shows the project ${name}` });

  it('are not mixed by a bulk change in a tab that shows the former one, which keeps what was typed', async () => {
    const web = await WebPage.signedIn(browser(), inA, '/devices');
    await web.page.getByRole('checkbox', { name: 'Select twin-1' }).check();
    await web.page.getByRole('button', { name: 'Change…' }).click();
    await web.page.getByRole('combobox', { name: 'Key' }).fill('kernel');
    await web.page.getByRole('textbox', { name: 'Value' }).fill('"6.12"');
    const tab = await enterBInAnotherTab(web);
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await dialogOf(web, nameA).getByText(`You work in the project ${nameB} now`).waitFor();
    expect(await web.violations()).toEqual([]);
    const before = { kernel: '6.8' };
    expect([await kernelsOf(inA), await kernelsOf(inB)]).toEqual([[before], [before]]);
    await web.tabTo('button', `Work in ${nameA}`);
    await web.page.keyboard.press('Enter');
    await dialogOf(web, nameA).waitFor({ state: 'detached' });
    await web.page.getByText('1 is changed. 1 device resolves another value.').waitFor();
    await web.page
      .getByText(`muster host update twin-1 --set 'kernel:="6.12"' --project ${inA.projectId}`)
      .waitFor();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByText('1 selected').waitFor({ state: 'detached' });
    expect([await kernelsOf(inA), await kernelsOf(inB)]).toEqual([[{ kernel: '6.12' }], [before]]);
    // Now the other tab shows the former project, and sees it when it looks for new changes.
    await dialogOf(tab, nameB)
      .getByRole('button', { name: `Go to ${nameA}` })
      .click();
    await tab.page.waitForURL(web.pages);
    await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(tab.errors.filter((text) => !OTHER_PROJECT.test(text))).toEqual([]);
    await web.close(OTHER_PROJECT);
  });

  it('are not mixed by a new audit that was previewed before another tab entered another one', async () => {
    const web = await WebPage.signedIn(browser(), inA, '/audits');
    await web.page.getByRole('button', { name: 'Create an audit' }).click();
    await web.page.getByRole('textbox', { name: 'Name' }).fill('new-kernel');
    await web.page.getByRole('textbox', { name: 'Expected values' }).fill('kernel:"6.8"');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('No device resolves another value.').waitFor();
    await enterBInAnotherTab(web);
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await dialogOf(web, nameA)
      .getByRole('button', { name: `Work in ${nameA}` })
      .click();
    await dialogOf(web, nameA).waitFor({ state: 'detached' });
    expect([await membersOf(inA, 'audits'), await membersOf(inB, 'audits')]).toEqual([[], []]);
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByRole('link', { name: 'new-kernel' }).waitFor();
    expect((await membersOf(inA, 'audits')).map(({ name }) => name)).toEqual(['new-kernel']);
    expect(await membersOf(inB, 'audits')).toEqual([]);
    await web.close(OTHER_PROJECT);
  });

  it('are part of addresses: that of another one is offered, and read only when it is entered', async () => {
    const web = await WebPage.signedIn(browser(), inA, '/devices');
    await web.page.getByText('1 host').waitFor();
    // An address without a project is one of the session's.
    await web.page.goto(`${web.url}/changes?reason=none`);
    await web.page.waitForURL(`${web.pages}/changes?reason=none`);
    const address = `${web.url}/projects/${inB.projectId}/devices/hosts/${String(hostB)}`;
    await web.page.goto(address);
    await dialogOf(web, nameB).waitFor();
    expect(await web.page.getByRole('heading', { name: 'twin-1' }).count()).toBe(0);
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('button', { name: `Work in ${nameB}` }).click();
    await web.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    expect(web.page.url()).toBe(address);
    const absent = '00000000-0000-4000-8000-000000000000';
    await web.page.goto(`${web.url}/projects/${absent}/devices`);
    await web.page.getByRole('button', { name: `Work in ${absent}` }).click();
    await web.page.getByRole('alert').getByText(absent).waitFor();
    await web.page.getByRole('button', { name: `Go to ${nameB}` }).click();
    await web.page.waitForURL(`${web.url}/projects/${inB.projectId}`);
    await web.close(/status of (404|409)/);
  });

  it('of a resource are in the header of its page, if it belongs to another one', async () => {
    const web = await WebPage.signedIn(browser(), inA, `/devices/hosts/${String(hostB)}`);
    await web.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    await web.page
      .getByRole('alert')
      .getByText(`This belongs to the project ${nameB}, not to ${nameA}.`)
      .waitFor();
    // Its region is one of the other project.
    await web.page.getByRole('link', { name: 'north' }).first().waitFor();
    expect(await web.violations()).toEqual([]);
    await web.page.getByRole('button', { name: 'Override kernel' }).click();
    await web.page.getByRole('textbox', { name: 'Value of kernel' }).fill('"6.12"');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page
      .getByText(`muster vars set host twin-1 'kernel:="6.12"' --project ${inB.projectId}`)
      .waitFor();
    await web.page.getByRole('button', { name: 'Apply' }).click();
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect([await kernelsOf(inA), await kernelsOf(inB)]).toEqual([[{ kernel: '6.8' }], [{ kernel: '6.12' }]]);
    await web.page.getByRole('button', { name: `Work in ${nameB}` }).click();
    await web.page.waitForURL(`${web.url}/projects/${inB.projectId}/devices/hosts/${String(hostB)}`);
    await web.page.getByRole('button', { name: `Project ${nameB}` }).waitFor();
    await web.page.getByRole('heading', { name: 'twin-1' }).waitFor();
    expect(await web.page.getByRole('alert').count()).toBe(0);
    await web.close();
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
