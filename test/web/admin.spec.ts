import { aName, type Caller } from '../support/caller';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, WebPage } from '../support/web-pages';

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1440],
  ['dark', 360],
] as const;

describeWithBrowser('the administration', (browser) => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });

  const open = (section: string, caller = admin, options = {}) =>
    WebPage.signedIn(browser(), caller, `/admin?section=${section}`, options);

  it('creates a user with the keyboard: name, completed role, preview, key', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/devices', { records: true });
    await web.tabTo('link', 'Administration');
    await web.page.keyboard.press('Enter');
    await web.tabTo('button', 'Create a user');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByRole('textbox', { name: 'Username' }));
    await web.page.keyboard.type('operator');
    await web.tabTo('combobox', 'Roles');
    await web.page.keyboard.type('host');
    await web.chooseOption('hosts:write');
    await web.page.keyboard.type('ntp_*');
    await web.page.keyboard.press('Enter');
    await web.tabTo('button', 'Preview…');
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Enter');
    await web.page.getByText("muster user create operator --role hosts:write --role 'ntp_*'").waitFor();
    // No user changes what devices resolve.
    await web.page.getByText('operator user created').waitFor();
    expect(await web.page.getByText('another value').count()).toBe(0);
    // The key is shown once: it does not wait for the list.
    let read: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      read = resolve;
    });
    await web.page.route(/\/v1\/users\?/, async (request) => {
      await held;
      await request.continue();
    });
    await web.tabTo('button', 'Apply');
    await web.page.keyboard.press('Enter');
    const token = await web.page.getByLabel('API key of operator').getByText('mst_').innerText();
    read?.();
    await web.tabTo('button', 'I have saved it');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('row', { name: 'operator by roles hosts:write, ntp_*' }).waitFor();
    const operator = admin.as({ ...admin.credentials, user: 'operator', token });
    expect((await operator.get('/v1/whoami').expect(200)).body).toMatchObject({
      roles: ['hosts:write', 'ntp_*'],
    });
    const bodies = await Promise.all(web.received);
    expect(bodies.filter((body) => body.includes(token))).toHaveLength(1);
    await web.close();
  });

  it('lists users in natural order', async () => {
    const usernames = ['operator-10', 'operator-9', 'Operator-8'];
    // More than a page of other lists.
    const others = Array.from({ length: 100 }, (_, n) => `user-${String(n)}`);
    await admin
      .post(
        '/v1/users',
        [...usernames, ...others].map((username) => ({ username })),
      )
      .expect(201);
    const web = await open('users');
    await web.page.getByRole('link', { name: 'user-99', exact: true }).waitFor();
    const names = await web.page.getByRole('table', { name: 'users' }).getByRole('link').allInnerTexts();
    expect(names.filter((name) => /^(operator|user-\d+$)/i.test(name))).toEqual([
      ...['Operator-8', 'operator-9', 'operator-10'],
      ...others,
    ]);
    await web.close();
  });

  it("offers only roles that exist, changes a user's roles, revokes a key, and deletes the user", async () => {
    const { user } = (await admin.user({ roles: ['hosts:write'] })).credentials;
    const web = await open('users');
    await web.page.getByRole('button', { name: 'Create a user' }).click();
    await web.page.getByRole('combobox', { name: 'Roles' }).fill(':write');
    await web.page.getByRole('option').first().waitFor();
    const roles = await web.page.getByRole('option').allInnerTexts();
    expect(roles.length).toBeGreaterThan(5);
    await admin.post('/v1/users?dry_run=true', { username: aName('user'), roles }).expect(200);
    // Once a role is entered, nothing covers the rest of the form.
    await web.page.getByRole('combobox', { name: 'Roles' }).fill('ntp_*');
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('option').first().waitFor({ state: 'detached' });
    await web.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await web.page.getByRole('button', { name: `Edit ${user}` }).click();
    await web.page.getByRole('checkbox', { name: 'Admin' }).check();
    await web.previewAndApply();
    await web.page.getByRole('row', { name: `${user} admin` }).waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.page.getByRole('link', { name: user }).click();
    await web.page.getByRole('heading', { name: `API keys of ${user}` }).waitFor();
    expect(web.path).toMatch(/^\/admin\?section=users&id=\d+$/);
    await web.page.getByRole('button', { name: 'Revoke' }).click();
    await web.apply();
    await web.page.getByText('revoked', { exact: true }).waitFor();
    expect(await web.violations(web.page.getByRole('tabpanel'))).toEqual([]);
    await web.page.getByRole('link', { name: 'All users' }).click();
    await web.page.getByRole('button', { name: `Delete ${user}` }).click();
    await web.apply();
    await web.page.getByRole('link', { name: user }).waitFor({ state: 'detached' });
    await web.close();
  });

  it('is forbidden for others, and not in their navigation', async () => {
    const web = await open('users', await admin.user({ roles: ['*:write'] }));
    await web.page.getByText('You may not see this').waitFor();
    expect(await web.page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await web.close();
  });

  it('changes access secrets, whose content it never shows, and the settings, also after somebody else has', async () => {
    // The content of a secret is sent, and never received.
    const web = await open('secrets', admin, { records: true });
    await web.page.getByRole('button', { name: 'Create an access secret' }).click();
    await web.page.getByRole('textbox', { name: 'Content' }).fill('hunter2-first');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('{"cert":"…"}').waitFor();
    expect(await web.page.content()).not.toContain('hunter2');
    await web.apply();
    await web.page.getByRole('cell', { name: 'never' }).waitFor();
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.page.getByRole('button', { name: /^Replace access secret/ }).click();
    await web.page.getByRole('textbox', { name: 'Content' }).fill('hunter2-second');
    await web.previewAndApply();
    const [secret] = (await admin.get('/v1/access-secrets').expect(200)).body as { id: number }[];
    const { cert } = (await admin.get(`/v1/access-secrets/${String(secret?.id)}`).expect(200)).body as {
      cert: string;
    };
    expect(cert).toBe('hunter2-second');
    // The row has the version that is deleted.
    await web.page.getByRole('cell', { name: 'never' }).waitFor({ state: 'detached' });
    await web.page.getByRole('button', { name: /^Delete access secret/ }).click();
    await web.apply();
    await web.page.getByText('No access secrets').waitFor();
    const received = [...(await Promise.all(web.received)), await web.page.content()].join('\n');
    expect(received).not.toContain('hunter2');
    // Somebody else changes another setting meanwhile.
    const settings = `/v1/projects/${admin.projectId}/settings`;
    await web.page.getByRole('tab', { name: 'Settings' }).click();
    await web.page.getByRole('button', { name: 'Edit the settings' }).click();
    await web.page.getByRole('checkbox', { name: 'Every change needs a reason' }).check();
    await web.page.getByRole('textbox', { name: 'Pattern of reasons' }).fill('^CHG-[0-9]+');
    await admin.put(settings, { private: ['db_password'] }).expect(200);
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    // Another setting was changed: there is nothing to choose from.
    const conflict = web.page.getByRole('alert').filter({ hasText: 'But not what you change here.' });
    await conflict.waitFor();
    expect(await web.violations()).toEqual([]);
    expect(await conflict.getByRole('button').allInnerTexts()).toEqual(['Discard mine', 'Go on']);
    await conflict.getByRole('button', { name: 'Go on' }).click();
    // Neither the id of the project, nor a command that only few read.
    await web.page.getByText('Settings of the project updated').waitFor();
    await web.page
      .getByText("muster project settings set --require-reason --reason-pattern '^CHG-[0-9]+'")
      .waitFor();
    await web.apply();
    await web.page.getByText('^CHG-[0-9]+').waitFor();
    await web.page.getByText('db_password').waitFor();
    expect(await web.violationsIn(LOOKS, web.page.getByRole('tabpanel'))).toEqual([]);
    expect((await admin.get(settings).expect(200)).body).toMatchObject({
      change_reason: { required: true, pattern: '^CHG-[0-9]+' },
      private: ['db_password'],
    });
    // Only root sees projects.
    await web.show('/admin?section=projects');
    await web.page.getByText('You may not see this').waitFor();
    expect(await web.page.getByRole('tab', { name: 'Projects' }).count()).toBe(0);
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    await web.close(/status of 4(12|03)/);
  });

  it('defines a variable, shows its violations, and deletes the definition', async () => {
    await admin.region({ name: 'north', variables: { kernel: 6 } });
    const web = await open('definitions');
    await web.page.getByText('No variable definitions').waitFor();
    await web.page.getByRole('button', { name: 'Create a definition' }).click();
    await web.page.getByRole('textbox', { name: 'Key', exact: true }).fill('kernel');
    await web.page.getByRole('textbox', { name: 'JSON Schema' }).fill('{"type": "string"');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await web.page.getByText('Not valid JSON.').waitFor();
    await web.page.getByRole('textbox', { name: 'JSON Schema' }).fill('{"type": "string"}');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    // Before anything is written, one sees what it would be.
    const preview = web.page.getByRole('dialog');
    await preview.getByText('1 existing value violates it, on 1 region.').waitFor();
    await preview.getByRole('row', { name: /^region north .*kernel .*6 .*must be string/ }).waitFor();
    expect(await web.violations()).toEqual([]);
    await web.apply();
    await web.page.getByRole('link', { name: 'Show violations of kernel' }).click();
    await web.page.getByRole('row', { name: /^region north .*kernel .*6 .*must be string/ }).waitFor();
    const shown = web.page.getByRole('tabpanel');
    expect(await web.violations(shown)).toEqual([]);
    await web.page.getByRole('link', { name: 'All definitions' }).click();
    await web.page.getByRole('button', { name: 'Edit the definition of kernel' }).click();
    await web.page.getByRole('textbox', { name: 'JSON Schema' }).fill('{"maximum": 12345678901234567890}');
    await web.page.getByRole('button', { name: 'Preview…' }).click();
    await preview.getByText('No existing value violates it.').waitFor();
    await web.apply();
    await web.page.getByText('12345678901234567890').waitFor();
    expect(await web.violationsIn(LOOKS, shown)).toEqual([]);
    await web.page.getByRole('button', { name: 'Delete the definition of kernel' }).click();
    await web.apply();
    await web.page.getByText('No variable definitions').waitFor();
    await web.close();
  });

  it('creates, renames and deletes projects as root', async () => {
    const root = app.root.in(admin.projectId);
    // The first one of the list, whatever other tests have created.
    const name = aName('0');
    const web = await open('projects', root);
    await web.page.getByRole('button', { name: 'Create a project' }).click();
    await web.page.getByRole('textbox', { name: 'Name' }).fill(name);
    await web.previewAndApply();
    await web.page.getByRole('button', { name: `Rename ${name}`, exact: true }).click();
    await web.page.getByRole('textbox', { name: 'Name' }).fill(`${name}-renamed`);
    await web.previewAndApply();
    await web.page.getByRole('button', { name: `Delete ${name}-renamed` }).click();
    await web.apply();
    await web.page.getByRole('row', { name }).waitFor({ state: 'detached' });
    await web.close();
  });
});
