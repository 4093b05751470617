import type { Locator } from 'playwright-core';
import type { Caller, Resource } from '../support/caller';
import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForText, waitForValue, WebPage } from '../support/web-pages';

/** How a page looks for changes of others. */
const NEWEST_CHANGE = /\/v1\/changes\?.*fields=id&sort_dir=desc/;

/** Own values with their entity tags, which an editor reads. */
const OWN_VALUE = /\/(hosts|regions)\/\d+\/variables\/(?!explain)\w+$/;

interface TextField {
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

const selectionOf = (field: Locator): Promise<readonly [number, number]> =>
  field.evaluate((element: TextField) => [element.selectionStart, element.selectionEnd] as const);

describeWithBrowser('the editor of a variable', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;

  beforeEach(async () => {
    admin = await app.project();
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8', rack: 4 } });
    host = await admin.host({ name: 'web-1', region_id: region.id });
    await admin.put(variables(), { kernel: '6.12', mtu: 1500, ntp_servers: ['10.1.0.1'] }).expect(200);
  });

  const variables = () => `/v1/hosts/${String(host.id)}/variables`;
  const own = async () => (await admin.get(variables()).expect(200)).text;
  const open = () => WebPage.signedIn(browser(), admin, `/devices/hosts/${String(host.id)}`);
  /** Lets the page show what it has read, although others change it: it finds no newer change. */
  const hideChanges = async (web: WebPage) => {
    const { body } = await admin.get('/v1/changes?fields=id&sort_dir=desc&limit=1').expect(200);
    await web.page.route(NEWEST_CHANGE, (route) => route.fulfill({ json: body }));
  };
  const button = (web: WebPage, name: string) => web.page.getByRole('button', { name, exact: true });
  const editorOf = (web: WebPage, name: string) =>
    web.page.getByRole('textbox', { name: `Value of ${name}` });
  const type = async (web: WebPage, text: string) => {
    for (const key of text) await web.page.keyboard.press(key === ' ' ? 'Space' : key);
  };

  it('takes the keys after the click that opens it, and says which type the value gets', async () => {
    const web = await open();
    const release = await holdBack(web.page, OWN_VALUE);
    await button(web, 'Edit kernel').click();
    await type(web, '"6.13"');
    expect(await editorOf(web, 'kernel').inputValue()).toBe('"6.13"');
    // The preview opens as well, and takes the reason.
    await web.page.keyboard.press('Control+Enter');
    const dialog = web.page.getByRole('dialog');
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    await waitForFocus(reason);
    await type(web, 'CHG-1');
    release();
    await dialog.getByText('1 device resolves another value.').waitFor();
    expect(await reason.inputValue()).toBe('CHG-1');
    await web.apply();
    expect(await own()).toContain('"kernel": "6.13"');
    await web.page.getByRole('row', { name: /^kernel .*CHG-1/ }).waitFor();
    // A number that would lose characters becomes a text, which web/test/typed-text.spec.ts has for others.
    await button(web, 'Edit kernel').click();
    await type(web, '6.20');
    await web.page.getByText('A text: a number would lose its last digits').waitFor();
    await web.page.keyboard.press('Control+Enter');
    await dialog.getByText(`muster vars set host web-1 'kernel:="6.20"'`).waitFor();
    expect(await dialog.getByText('replaces').count()).toBe(0);
    await web.apply();
    expect(await own()).toContain('"kernel": "6.20"');
    await button(web, 'Edit mtu').click();
    await type(web, 'auto');
    await web.page.keyboard.press('Control+Enter');
    await dialog.getByText('a text replaces a number').first().waitFor();
    await web.apply();
    expect(await own()).toContain('"mtu": "auto"');
    // Quotes are offered for a number in place of a text, and the preview says that it changes the type.
    await button(web, 'Edit kernel').click();
    await type(web, '6.13');
    expect(await button(web, 'Write "6.13"').count()).toBe(1);
    await web.page.keyboard.press('Control+Enter');
    await dialog.getByText('1 device resolves another value.').waitFor();
    const written = dialog.getByRole('list', { name: 'Changed resources' });
    await waitForText(written, /"6\.20" → 6\.13 a number replaces a text$/);
    const impact = dialog
      .getByRole('table', { name: 'Impact by variable and value' })
      .getByRole('row')
      .last();
    await waitForText(impact, /"6\.20" → 6\.13 a number replaces a text/);
    expect(await web.violations()).toEqual([]);
    await web.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    web.page.once('dialog', (question) => void question.accept());
    await web.page.keyboard.press('Escape');
    await editorOf(web, 'kernel').waitFor({ state: 'detached' });
    // In an override, it says which type the device gets instead.
    await button(web, 'Override rack').click();
    await type(web, '"4"');
    await web.page.keyboard.press('Control+Enter');
    await dialog.getByText('1 device resolves another value.').waitFor();
    const impactOfRack = dialog
      .getByRole('table', { name: 'Impact by variable and value' })
      .getByRole('row')
      .last();
    await waitForText(impactOfRack, /\b4 → "4" a text replaces a number/);
    await web.close();
  });

  it('selects a scalar, has its caret at the end of a list, and says the current value if the page shows another one', async () => {
    const ratio = (text: string) => admin.put(`${variables()}/ratio`, `{"value": ${text}}`).expect(200);
    await ratio('1.0');
    const web = await open();
    await button(web, 'Edit ratio').waitFor();
    await hideChanges(web);
    const release = await holdBack(web.page, OWN_VALUE);
    await button(web, 'Edit mtu').click();
    expect(await selectionOf(editorOf(web, 'mtu'))).toEqual([0, 4]);
    await web.page.keyboard.press('Escape');
    await button(web, 'Edit ntp_servers').click();
    const list = editorOf(web, 'ntp_servers');
    const text = await list.inputValue();
    expect(await selectionOf(list)).toEqual([text.length, text.length]);
    await web.page.keyboard.press('Escape');
    await button(web, 'Edit on region north: kernel').click();
    const kernel = editorOf(web, 'kernel');
    expect(await kernel.inputValue()).toBe('"6.8"');
    expect(await selectionOf(kernel)).toEqual([0, 5]);
    const level = web.page.getByRole('combobox', { name: 'Set on' });
    await level.selectOption('host web-1');
    expect(await kernel.inputValue()).toBe('"6.12"');
    await level.selectOption('region north');
    await kernel.focus();
    await type(web, '"6.9"');
    expect(await kernel.inputValue()).toBe('"6.9"');
    release();
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByRole('dialog', { name: 'Set kernel on north' }).waitFor();
    await web.page.getByText('No device resolves another value.').waitFor();
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('dialog').waitFor({ state: 'detached' });
    web.page.once('dialog', (question) => void question.accept());
    await web.page.keyboard.press('Escape');
    await kernel.waitFor({ state: 'detached' });
    // Exactly the value that is said is replaced.
    await button(web, 'Edit kernel').waitFor();
    await admin.put(variables(), { kernel: '6.14', mtu: 9000 }).expect(200);
    const releaseOwn = await holdBack(web.page, OWN_VALUE);
    await button(web, 'Edit kernel').click();
    await type(web, '"6.1');
    const row = web.page.getByRole('row').filter({ has: editorOf(web, 'kernel') });
    // Screen readers announce what changes in an element that was there before.
    const status = await row.getByRole('status').filter({ hasText: /^$/ }).elementHandle();
    releaseOwn();
    await web.page.getByText('Current value: "6.14"').waitFor();
    expect(await status.textContent()).toBe('Current value: "6.14"');
    await type(web, '5"');
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByRole('dialog').getByText('1 device resolves another value.').waitFor();
    await web.apply();
    expect(await own()).toContain('"kernel": "6.15"');
    // Where nothing was typed yet, it takes the place of the old one.
    await button(web, 'Edit kernel').waitFor();
    await admin.put(variables(), { mtu: 9001 }).expect(200);
    await button(web, 'Edit mtu').click();
    await waitForValue(editorOf(web, 'mtu'), '9001');
    expect(await selectionOf(editorOf(web, 'mtu'))).toEqual([0, 4]);
    await web.page.keyboard.press('Escape');
    // A value stays as it was when it is entered again, although another one is stored meanwhile.
    await ratio('2.0');
    const releaseRatio = await holdBack(web.page, OWN_VALUE);
    await button(web, 'Edit ratio').click();
    await type(web, '1.0');
    releaseRatio();
    await web.page.getByText('Current value: 2.0').waitFor();
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByRole('dialog').getByText('ratio:=1.0').waitFor();
    await web.close();
  });

  it('neither unsets nor replaces a value that it has not shown', async () => {
    const web = await open();
    await button(web, 'Unset mtu').waitFor();
    // The page is not read again before the click.
    const release = await holdBack(web.page, /\/variables\/explain/);
    await admin.put(variables(), { mtu: 9000 }).expect(200);
    await button(web, 'Unset mtu').click();
    const unset = web.page.getByRole('dialog', { name: 'Unset mtu on web-1' });
    await unset.getByText('Changed by another user meanwhile').waitFor();
    await unset.getByText('9000').waitFor();
    release();
    await unset.getByRole('button', { name: 'Keep theirs' }).click();
    await unset.waitFor({ state: 'detached' });
    await web.page.getByRole('row', { name: /^mtu .* 9000/ }).waitFor();
    expect(await own()).toContain('"mtu": 9000');
    await button(web, 'Unset mtu').click();
    await unset.getByText('1 device resolves another value.').waitFor();
    await web.apply();
    expect(await own()).not.toContain('mtu');
    // Nor is one replaced.
    await hideChanges(web);
    await admin.put(variables(), { ntp_servers: ['10.1.0.1', '10.1.0.2'] }).expect(200);
    const releaseOwn = await holdBack(web.page, OWN_VALUE);
    await button(web, 'Edit ntp_servers').click();
    const list = editorOf(web, 'ntp_servers');
    await web.page.keyboard.press('Backspace');
    await web.page.keyboard.type(', "10.1.0.3"]');
    expect(JSON.parse(await list.inputValue())).toEqual(['10.1.0.1', '10.1.0.3']);
    await web.page.keyboard.press('Control+Enter');
    const dialog = web.page.getByRole('dialog', { name: 'Set ntp_servers on web-1' });
    await waitForFocus(dialog.getByRole('textbox', { name: 'Reason' }));
    releaseOwn();
    await dialog.getByText('Changed by another user meanwhile').waitFor();
    await dialog.getByRole('button', { name: 'Keep theirs' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(JSON.parse(await own())).toMatchObject({ variables: { ntp_servers: ['10.1.0.1', '10.1.0.2'] } });
    await web.close(/status of 412/);
  });

  it('asks before Escape discards what was typed, before a preview is closed with a reason, and once before the page is left', async () => {
    const web = await WebPage.signedIn(browser(), admin, '/account');
    await web.page.getByRole('heading', { name: 'API keys' }).waitFor();
    await web.show(`/devices/hosts/${String(host.id)}`);
    const questions: string[] = [];
    let isAccepted = false;
    web.page.on('dialog', (question) => {
      questions.push(question.message());
      void (isAccepted ? question.accept() : question.dismiss());
    });
    await button(web, 'Edit kernel').click();
    await web.page.keyboard.press('Escape');
    await waitForFocus(button(web, 'Edit kernel'));
    expect(questions).toEqual([]);
    await web.page.keyboard.press('Enter');
    await type(web, '7');
    await web.page.keyboard.press('Escape');
    expect(await editorOf(web, 'kernel').inputValue()).toBe('7');
    isAccepted = true;
    await web.page.keyboard.press('Escape');
    await waitForFocus(button(web, 'Edit kernel'));
    await button(web, 'Add a variable').click();
    await web.page.getByRole('combobox', { name: 'Key of the new variable' }).fill('room');
    await web.page.getByRole('textbox', { name: 'Value of the new variable' }).focus();
    isAccepted = false;
    await web.page.keyboard.press('Escape');
    expect(await web.page.getByRole('textbox', { name: 'Value of the new variable' }).count()).toBe(1);
    isAccepted = true;
    await web.page.keyboard.press('Escape');
    await web.page.getByRole('textbox', { name: 'Value of the new variable' }).waitFor({ state: 'detached' });
    expect(questions.splice(0)).toEqual(Array(4).fill('Discard what you have entered?'));
    // The preview keeps what it previews.
    await button(web, 'Edit kernel').click();
    await type(web, '"7"');
    const preview = web.page.getByRole('dialog', { name: 'Set kernel on web-1' });
    const reason = preview.getByRole('textbox', { name: 'Reason' });
    for (const close of [
      () => web.page.keyboard.press('Escape'),
      () => preview.getByRole('button', { name: 'Close' }).click(),
      () => web.page.mouse.click(5, 5),
    ]) {
      await web.page.keyboard.press('Control+Enter');
      await waitForFocus(reason);
      await close();
      await preview.waitFor({ state: 'detached' });
      expect(questions).toEqual([]);
      await web.page.keyboard.press('Control+Enter');
      await waitForFocus(reason);
      await type(web, 'CHG-1');
      isAccepted = false;
      await close();
      expect(await reason.inputValue()).toBe('CHG-1');
      isAccepted = true;
      await close();
      await preview.waitFor({ state: 'detached' });
      expect(questions.splice(0)).toEqual(
        Array(2).fill('Close the preview, and discard what you have entered in it?'),
      );
    }
    // What was previewed is still there.
    expect(await editorOf(web, 'kernel').inputValue()).toBe('"7"');
    await web.page.keyboard.press('Control+Enter');
    await waitForFocus(reason);
    await type(web, 'CHG-1');
    await web.page.goBack();
    await web.page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(questions).toEqual(['Leave, and discard what you have entered?']);
    // What is typed after a preview was closed stays when its write is done.
    await web.show(`/devices/hosts/${String(host.id)}`);
    await button(web, 'Edit kernel').click();
    await editorOf(web, 'kernel').fill('"7"');
    await web.page.keyboard.press('Control+Enter');
    await preview.getByText('1 device resolves another value.').waitFor();
    const written = /\/variables\/kernel(\?(?!.*dry_run).*)?$/;
    const answer = await holdBack(web.page, written);
    const sent = web.page.waitForRequest(written);
    await preview.getByRole('button', { name: 'Apply' }).click();
    await sent;
    await preview.getByRole('button', { name: 'Cancel' }).click();
    await editorOf(web, 'kernel').fill('"8"');
    answer();
    await web.page.getByText('Done: Set kernel on web-1').waitFor();
    expect(await editorOf(web, 'kernel').inputValue()).toBe('"8"');
    await web.close();
  });
});
