import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, WebPage } from '../support/web-pages';

describeWithBrowser('the explorer on a long day', (browser) => {
  const app = sharedService();

  it('shows its frame at once, and keeps what is typed for the search until it is loaded', async () => {
    const admin = await app.project();
    await admin.host({ name: 'db-17' });
    const web = await WebPage.signedIn(browser(), admin, '/account', { isNew: true });
    await web.page.getByRole('button', { name: 'User admin' }).waitFor();
    const release = await holdBack(web.page, /\/v1\/session$/);
    const asked = [/\/v1\/session$/, /\/assets\/device-list-page-/, /\/v1\/hosts\?.*limit=250/].map((url) =>
      web.page.waitForRequest(url),
    );
    const lists: string[] = [];
    web.page.on('request', (request) => {
      if (request.url().includes('limit=250')) lists.push(request.url());
    });
    await web.goto('/devices?sort=created_at&dir=desc');
    // The application runs, and has nothing to show yet. It has asked for all that the list needs in one round.
    await Promise.all(asked);
    expect(await web.page.locator('#skeleton i').first().isVisible()).toBe(true);
    await web.page.keyboard.press('/');
    await web.page.keyboard.type('db-177');
    await web.page.keyboard.press('Backspace');
    await web.page.keyboard.press('Enter');
    release();
    await web.page.getByRole('heading', { name: 'db-17' }).waitFor();
    await web.page.locator('#skeleton i').first().waitFor({ state: 'hidden' });
    expect(lists).toHaveLength(1);
    await web.close();
  });

  it('keeps what is typed for the search at an address without a project, too', async () => {
    const admin = await app.project();
    await admin.host({ name: 'db-17' });
    const web = await WebPage.open(browser(), admin);
    await web.startSession(admin);
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await web.page.route(
      /\/v1\/session$/,
      async (route) => {
        await isReleased;
        await route.continue();
      },
      { times: 1 },
    );
    const isAsked = web.page.waitForRequest(/\/v1\/session$/);
    await web.page.goto(`${admin.url}/`);
    await isAsked;
    await web.page.keyboard.press('Control+K');
    await web.page.keyboard.type('db-17');
    await web.page.keyboard.press('Enter');
    release();
    await web.page.getByRole('heading', { name: 'db-17' }).waitFor();
    await web.close();
  });

  it('keeps the selection after Back, asks before input is lost, and shows what others change', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { kernel: '6.8' } });
    const first = await admin.host({ name: 'web-1', region_id: region.id });
    for (const name of ['web-2', 'web-3']) await admin.host({ name, region_id: region.id });
    const web = await WebPage.signedIn(browser(), admin, '/devices');
    await web.page.getByText('3 hosts').waitFor();
    await web.tabTo('grid', 'hosts');
    await web.page.keyboard.press('Space');
    await web.page.keyboard.press('Shift+ArrowDown');
    await web.page.getByText('2 selected').waitFor();
    await web.page.keyboard.press('Control+A');
    await web.page.getByText('3 selected').waitFor();
    await web.page.getByRole('checkbox', { name: 'Select web-3' }).uncheck();
    await web.page.getByRole('link', { name: 'web-1' }).click();
    await web.page.getByText('"6.8"').waitFor();
    await web.page.goBack();
    await web.page.getByText('2 selected').waitFor();
    await web.page.goForward();

    await web.page.getByRole('button', { name: 'Override kernel' }).click();
    await web.page.getByLabel('Value of kernel').fill('"6.10"');
    const questions: string[] = [];
    /** Does what asks a question, and answers it. */
    const answer = async (isAccepted: boolean, ask: () => Promise<unknown>) => {
      const answered = web.page.waitForEvent('dialog').then(async (dialog) => {
        questions.push(dialog.message());
        await (isAccepted ? dialog.accept() : dialog.dismiss());
      });
      await Promise.all([answered, ask()]);
    };
    const toRegions = () => web.page.getByRole('link', { name: 'Regions' }).click();
    await answer(false, toRegions);
    expect(await web.page.getByLabel('Value of kernel').inputValue()).toBe('"6.10"');
    // Another tab of the page closes the editor, too.
    await answer(false, () => web.page.getByRole('tab', { name: 'History' }).click());
    expect(await web.page.getByLabel('Value of kernel').inputValue()).toBe('"6.10"');
    await answer(true, toRegions);
    await web.page.getByRole('heading', { name: 'Regions' }).waitFor();
    expect(questions.splice(0)).toEqual(Array(3).fill('Leave, and discard what you have entered?'));

    // A choice is input, too; Back leads to the same page without the form.
    await web.page.getByRole('link', { name: 'Devices' }).click();
    await web.page.getByRole('button', { name: 'New host' }).click();
    const chosen = web.page.getByRole('combobox', { name: 'Region' });
    await chosen.click();
    await web.chooseOption(region.name);
    await answer(false, () => web.page.goBack());
    await web.page.waitForURL(/create=true/);
    const escape = () => web.page.keyboard.press('Escape');
    await answer(false, escape);
    expect(await chosen.inputValue()).toBe(region.name);
    await answer(true, escape);
    await chosen.waitFor({ state: 'detached' });
    expect(questions).toEqual([
      'Leave, and discard what you have entered?',
      ...Array<string>(2).fill('Discard what you have entered?'),
    ]);

    await web.show(`/devices/hosts/${String(first.id)}`);
    await web.page.getByText('"6.8"').waitFor();
    const requests: string[] = [];
    web.page.on('request', (request) => requests.push(request.url()));
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { kernel: '6.12' }).expect(200);
    await web.page.getByText('"6.12"').waitFor();
    // There may be many saved views, each with a number.
    expect(requests.filter((url) => url.includes('/v1/views'))).toEqual([]);
    await web.close();
  });

  it('offers newer changes of an open list, and loses neither the cursor, nor the selection, nor edits', async () => {
    const admin = await app.project();
    const region = await admin.region({ variables: { kernel: '6.8' } });
    for (const name of ['web-2', 'web-3']) await admin.host({ name, region_id: region.id });
    const web = await WebPage.signedIn(browser(), admin, '/devices?columns=name&columns=var:kernel');
    // A change is newer than the one of the first look.
    await Promise.all([
      web.page.getByText('2 hosts').waitFor(),
      web.page.waitForResponse(/\/v1\/changes\?.*fields=id&sort_dir=desc/),
    ]);
    const grid = web.page.getByRole('grid', { name: 'hosts' });
    const offer = web.page.getByRole('button', { name: 'Show newer changes' });
    await web.tabTo('grid', 'hosts');
    await web.page.keyboard.press('ArrowDown');
    await web.page.keyboard.press('Space');
    await web.page.getByText('1 selected').waitFor();
    const names = () => grid.getByRole('link', { name: /^web-/ }).allInnerTexts();
    await admin.host({ name: 'web-1', region_id: region.id });
    await offer.waitFor();
    // The bar of the selection does not cover it.
    await web.inLooks(
      [
        ['light', 1280],
        ['light', 360],
      ],
      () => offer.click({ trial: true }),
    );
    expect(await web.violations(offer.locator('..'))).toEqual([]);
    // Nothing has moved yet.
    expect(await names()).toEqual(['web-2', 'web-3']);
    await web.tabTo('button', 'Show newer changes');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('3 hosts').waitFor();
    await offer.waitFor({ state: 'detached' });
    expect(await names()).toEqual(['web-1', 'web-2', 'web-3']);
    await waitForFocus(grid);
    expect(await web.page.getByRole('checkbox', { name: 'Select web-3' }).isChecked()).toBe(true);
    // The cursor is still on the same device.
    await web.page.keyboard.press('Enter');
    await web.page.getByRole('heading', { name: 'web-3' }).waitFor();
    await web.page.goBack();
    await web.page.getByText('1 selected').waitFor();
    // One's own changes are shown, and not offered.
    await web.page.getByRole('button', { name: 'Change…' }).click();
    await web.page.getByRole('combobox', { name: 'What to do' }).click();
    await web.page.getByRole('option', { name: 'Make inactive' }).click();
    await web.previewAndApply();
    await web.page.getByText(/^Done: /).waitFor();
    // Once the page has looked for changes again.
    await web.page.waitForResponse(/\/v1\/changes\?.*fields=id&sort_dir=desc/);
    expect(await offer.count()).toBe(0);
    await web.close();
  });
});
