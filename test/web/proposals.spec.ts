import type { Locator } from 'playwright-core';
import type { Caller, Resource } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { holdBack } from '../support/hold-back';
import { sharedService } from '../support/service';
import { describeWithBrowser, waitForFocus, waitForValue, WebPage } from '../support/web-pages';

/** How long (ms) two people at two browsers may take. */
const TWO_PEOPLE_TIMEOUT = 180_000;

const NTP = ['10.1.0.1', '10.1.0.2'];

/** The colours, and the width of the window, in which pages are checked. */
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

describeWithBrowser('proposals', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let north: number;
  let farRack: number;

  /** A region with two hosts, and another one with a rack of three. */
  beforeEach(async () => {
    admin = await app.project();
    const host = (name: string, region: string, cell: string | null) => ({
      ...{ name, region, cell, labels: [], variables: {} },
    });
    const { regions, cells } = await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { ntp_servers: NTP, kernel: '6.8' } },
        { name: 'south', variables: { ntp_servers: ['10.2.0.1'] } },
      ],
      cells: [{ region: 'south', name: 'rack-9', variables: {} }],
      labels: [],
      hosts: [
        host('web-1', 'north', null),
        host('web-2', 'north', null),
        ...['db-1', 'db-2', 'db-3'].map((name) => host(name, 'south', 'rack-9')),
      ],
    });
    north = regions.get('north') ?? 0;
    farRack = cells.get('south/rack-9') ?? 0;
  });

  const regionPath = () => `/inventory/regions/${String(north)}`;
  const variablesPath = () => `/v1/regions/${String(north)}/variables`;
  const variables = async () =>
    ((await admin.get(variablesPath()).expect(200)).body as { variables: Record<string, unknown> }).variables;

  /** Every change of the NTP servers of a region needs an approval. */
  const demandApprovals = () =>
    admin
      .put(`/v1/projects/${admin.projectId}/settings`, {
        approvals: [{ keys: ['ntp_*'], collections: ['regions'], approvals: 1 }],
      })
      .expect(200);

  const propose = async (author: Caller, body: unknown, title: string): Promise<Resource> =>
    (await author.put(`${variablesPath()}?propose=${encodeURIComponent(title)}`, body).expect(202))
      .body as Resource;

  const editValue = async (web: WebPage, key: string, text: string) => {
    await web.tabTo('button', `Edit ${key}`);
    await web.page.keyboard.press('Enter');
    await web.page.getByLabel(`Value of ${key}`).fill(text);
    await web.page.keyboard.press('Control+Enter');
  };

  it(
    'are made, discussed, amended, approved and applied by two people; a rack that moves in between is shown',
    async () => {
      await demandApprovals();
      const amy = await admin.user({ username: 'amy', roles: ['*:write'] });
      const bob = await admin.user({ username: 'bob', roles: ['*:write'] });

      // Amy may not set the servers at once, and proposes them.
      const amyWeb = await WebPage.signedIn(browser(), amy, regionPath());
      await editValue(amyWeb, 'ntp_servers', '["10.1.0.9"]');
      const preview = amyWeb.page.getByRole('dialog');
      await preview.getByText('This needs an approval').waitFor();
      await preview.getByText('2 devices resolve another value.').waitFor();
      expect(await preview.getByRole('button', { name: 'Apply', exact: true }).count()).toBe(0);
      expect(await preview.getByRole('button', { name: 'Override…' }).count()).toBe(0);
      expect(await amyWeb.violations()).toEqual([]);
      await waitForFocus(preview.getByRole('textbox', { name: 'Reason' }));
      await amyWeb.page.keyboard.type('CHG-1: new servers');
      await amyWeb.tabTo('textbox', 'Title of the proposal');
      await amyWeb.page.keyboard.press('Control+A');
      await amyWeb.page.keyboard.type('NTP servers of north');
      await amyWeb.page.keyboard.press('Enter');
      const link = amyWeb.page.getByRole('link', { name: /^Proposal \d+: NTP servers of north$/ });
      await waitForFocus(link);
      expect(await amyWeb.violations()).toEqual([]);
      await amyWeb.page.keyboard.press('Enter');
      await amyWeb.page.getByRole('heading', { name: 'NTP servers of north' }).waitFor();
      expect(await variables()).toMatchObject({ ntp_servers: NTP });

      // Bob sees that something waits for him, and what it would do.
      const bobWeb = await WebPage.signedIn(browser(), bob, '/');
      await bobWeb.page.getByRole('link', { name: 'Proposals 1 waiting for me' }).click();
      await bobWeb.tabTo('grid', 'proposals');
      await bobWeb.page.keyboard.press('Enter');
      await bobWeb.page.getByRole('heading', { name: '2 devices resolve another value' }).waitFor();
      const groups = bobWeb.page.getByRole('table', { name: 'Impact by variable and value' });
      expect(await groups.getByRole('row').last().innerText()).toMatch(
        /2 ×\s+ntp_servers\s+\["10\.1\.0\.1","10\.1\.0\.2"\]\s+→\s+\["10\.1\.0\.9"\]/,
      );
      await bobWeb.page.getByLabel('Changed resources').getByText('region updated').waitFor();

      // He asks for an amendment, which Amy sees without doing anything, and makes.
      await bobWeb.tabTo('textbox', 'Comment');
      await bobWeb.page.keyboard.type('Please keep a second server.');
      await bobWeb.page.keyboard.press('Control+Enter');
      const comments = (web: WebPage) => web.page.getByRole('list', { name: 'Comments' });
      await comments(bobWeb).getByText('Please keep a second server.').waitFor();
      await comments(amyWeb).getByText('Please keep a second server.').waitFor();
      await bobWeb.page.getByRole('button', { name: 'Approve for 2 devices' }).click();
      await amyWeb.tabTo('button', 'Amend…');
      await amyWeb.page.keyboard.press('Enter');
      const amend = amyWeb.page.getByRole('dialog');
      await amend.getByRole('textbox').fill('{"val": []}');
      await amend.getByRole('button', { name: 'Make a new revision' }).click();
      await amend.getByText('Set ntp_servers on the region north', { exact: true }).last().waitFor();
      await amend.getByRole('list', { name: 'Faults' }).waitFor();
      await amend.getByRole('textbox').fill('{"value": ["10.1.0.9", "10.1.0.2"]}');
      expect(await amyWeb.violations()).toEqual([]);
      await amyWeb.tabTo('button', 'Make a new revision');
      await amyWeb.page.keyboard.press('Enter');
      await amyWeb.page.getByText('revision 2').waitFor();

      // He approves the new revision; the review that he had begun is about the former one.
      await bobWeb.page.getByRole('dialog').getByRole('button', { name: 'Approve for 2 devices' }).click();
      await bobWeb.page
        .getByText('Your review was not stored: The proposal has the revision 2 now.')
        .waitFor();
      expect(await bobWeb.violations()).toEqual([]);
      await bobWeb.page.getByRole('button', { name: 'Look at the proposal again' }).click();
      const added = groups.getByRole('group', { name: 'added' }).getByText('"10.1.0.9"');
      await added.waitFor();
      await bobWeb.tabTo('button', 'Approve for 2 devices');
      await bobWeb.page.keyboard.press('Enter');
      await bobWeb.page.getByRole('dialog').getByRole('textbox', { name: 'Note' }).fill('Looks right.');
      expect(await bobWeb.violations()).toEqual([]);
      await bobWeb.page.getByRole('dialog').getByRole('button', { name: 'Approve for 2 devices' }).click();
      await bobWeb.page.getByText('1 of 1 approval').waitFor();
      await bobWeb.page
        .getByRole('button', { name: /^Approve/ })
        .first()
        .waitFor({ state: 'detached' });
      await amyWeb.page.getByText('1 of 1 approval').waitFor();

      // Meanwhile a rack moves into the region: the apply says what is different.
      const move = { cells: [{ id: farRack }] };
      // The rule is also about what the rack inherits.
      const override = { 'X-Change-Override': 'The rack is on the lorry.' };
      await admin.put(`/v1/regions/${String(north)}`, move, override).expect(200);
      await amyWeb.tabTo('button', 'Apply');
      await amyWeb.page.keyboard.press('Enter');
      await amyWeb.page.getByRole('button', { name: 'Apply for 2 devices' }).click();
      const refusal = amyWeb.page.getByRole('dialog', { name: 'It would do something else now' });
      await refusal
        .getByText('3 devices would change now, and would not have when it was approved.')
        .waitFor();
      expect(await refusal.getByRole('row').filter({ hasText: 'db-1' }).innerText()).toMatch(
        /db-1\s+ntp_servers\s+what the device resolves\s+no change\s+−\s*"10\.1\.0\.1"\s+\+\s*"10\.1\.0\.9"/,
      );
      await refusal.getByRole('link', { name: 'ntp_servers' }).first().waitFor();
      expect(await amyWeb.violations()).toEqual([]);
      await amyWeb.tabTo('button', 'Look at the proposal again');
      await amyWeb.page.keyboard.press('Enter');
      await amyWeb.page.getByText('What the proposal does has changed since: it no longer counts.').waitFor();
      await amyWeb.page.getByText('0 of 1 approval').waitFor();
      expect(await variables()).toMatchObject({ ntp_servers: NTP });

      // It is approved again, and applied; the change and the proposal lead to each other.
      await bobWeb.page.reload();
      await bobWeb.page.getByRole('button', { name: 'Approve for 5 devices' }).click();
      await bobWeb.page.getByRole('dialog').getByRole('button', { name: 'Approve for 5 devices' }).click();
      await bobWeb.page.getByText('1 of 1 approval').waitFor();
      await bobWeb.tabTo('button', 'Apply');
      await bobWeb.page.keyboard.press('Enter');
      await bobWeb.page.getByRole('button', { name: 'Apply for 5 devices' }).click();
      await amyWeb.page.getByText('It was applied by').waitFor();
      // What it did is read from the change.
      await amyWeb.page
        .getByRole('table', { name: 'Impact by variable and value' })
        .getByRole('cell', { name: '5 ×' })
        .waitFor();
      await amyWeb.page.getByText('Replaced by a later review.').waitFor();
      // What an open proposal does not show, as reviews.
      expect(await amyWeb.violations(amyWeb.page.getByRole('main'))).toEqual([]);
      await amyWeb.page.getByRole('link', { name: /^change \d+$/ }).click();
      await amyWeb.page.getByText('by amy, revision 2, approved by bob').waitFor();
      await amyWeb.page.getByText('CHG-1: new servers').waitFor();
      await amyWeb.page.getByRole('link', { name: /^Proposal \d+$/ }).click();
      await amyWeb.page.getByRole('heading', { name: 'NTP servers of north' }).waitFor();
      expect(await variables()).toMatchObject({ ntp_servers: ['10.1.0.9', '10.1.0.2'] });
      await amyWeb.close(/status of 400|status of 409|status of 403/);
      await bobWeb.close(/status of 409/);
    },
    TWO_PEOPLE_TIMEOUT,
  );

  it('are made by who has no role for the change, and beside Apply by who has', async () => {
    const reader = await admin.user({ username: 'reader' });
    const web = await WebPage.signedIn(browser(), reader, regionPath());
    await web.page.getByRole('button', { name: 'Propose a variable' }).waitFor();
    await web.page.getByRole('button', { name: 'Propose an edit' }).waitFor();
    await web.page.getByRole('button', { name: 'Edit kernel' }).click();
    await web.page
      .getByText('You need the role regions:write or kernel for this. You can propose it.')
      .waitFor();
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await editValue(web, 'kernel', '"6.12"');
    await web.page.getByText('You may only propose this').waitFor();
    await web.page.getByText('2 devices resolve another value.').waitFor();
    await web.page.getByRole('dialog').getByRole('button', { name: 'Propose', exact: true }).click();
    await web.page.getByRole('link', { name: /^Proposal \d+: Set kernel on north$/ }).waitFor();
    await web.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await web.page.getByRole('button', { name: 'Edit kernel' }).waitFor();
    await web.close(/status of 403/);

    const adminWeb = await WebPage.signedIn(browser(), admin, regionPath());
    await editValue(adminWeb, 'kernel', '"6.13"');
    await adminWeb.tabTo('button', 'Propose…');
    await adminWeb.page.keyboard.press('Enter');
    await waitForFocus(adminWeb.page.getByRole('textbox', { name: 'Title of the proposal' }));
    await adminWeb.page.getByText(`--propose 'Set kernel on north'`).waitFor();
    // What is typed replaces the title.
    await adminWeb.page.keyboard.type('Next kernel');
    await adminWeb.page.getByText(`--propose 'Next kernel'`).waitFor();
    expect(await adminWeb.violations()).toEqual([]);
    await adminWeb.tabTo('button', 'Do not propose');
    await adminWeb.page.keyboard.press('Enter');
    await adminWeb.tabTo('button', 'Apply');
    await adminWeb.page.keyboard.press('Enter');
    await adminWeb.page.getByText('Done: Set kernel on north').waitFor();
    expect(await variables()).toMatchObject({ kernel: '6.13' });
    await adminWeb.close();
  });

  it('link to nothing that does not exist yet', async () => {
    const east = { region_id: { $ref: 'east.id' } };
    const placed = { ...east, cell_id: { $ref: 'rack.id' }, ip_address: '10.9.0.1', device_type: 'server' };
    const operations = [
      { method: 'PUT', path: variablesPath(), body: { kernel: '6.9', first_key: 1 } },
      {
        id: 'east',
        method: 'POST',
        path: '/v1/regions',
        body: { name: 'east', variables: { kernel: '6.1' } },
      },
      { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'rack-1', ...east } },
      { method: 'POST', path: '/v1/hosts', body: { name: 'east-1', ...placed } },
    ];
    const { id } = (await admin.post('/v1/batch?propose=A+region', { operations }).expect(202))
      .body as Resource;
    const web = await WebPage.signedIn(browser(), admin, `/proposals/${String(id)}`);
    const linksIn = async (part: Locator) => (await part.getByRole('link').allInnerTexts()).sort();
    const objects = web.page.getByRole('list', { name: 'Changed resources' });
    await objects.getByText('east-1').waitFor();
    // Once by the variable of the new region, too, whose key exists.
    await objects.getByRole('link', { name: 'kernel' }).nth(1).waitFor();
    expect(await linksIn(objects)).toEqual(['"6.8"', 'kernel', 'kernel', 'north']);
    const groups = web.page.getByRole('table', { name: 'Impact by variable and value' });
    await groups.getByText('first_key').waitFor();
    expect(await linksIn(groups)).toEqual(['"6.8"', 'kernel', 'kernel', 'north', 'north']);
    expect(await groups.getByText('east', { exact: true }).count()).toBe(1);
    await web.page.getByRole('tab', { name: /^Devices/ }).click();
    const devices = web.page.getByRole('region', { name: 'Affected devices' });
    await devices.getByRole('link', { name: 'kernel' }).nth(2).waitFor();
    expect(await linksIn(devices)).toEqual([
      '"6.8"',
      '"6.8"',
      ...Array(3).fill('kernel'),
      ...Array(2).fill('web-1'),
      ...Array(2).fill('web-2'),
    ]);
    await web.close();
  });

  it('are listed by who they wait for, author and state, and the URL says which; in any look', async () => {
    const amy = await admin.user({ username: 'amy' });
    await propose(amy, { kernel: '6.9' }, 'Kernel of north');
    const title = 'Other servers of the first site';
    const { id } = await propose(admin, { ntp_servers: ['10.1.0.3'] }, title);
    const web = await WebPage.signedIn(browser(), admin, '/proposals');
    await web.page.getByRole('gridcell', { name: 'Kernel of north' }).waitFor();
    await web.page.getByText('1 proposal', { exact: true }).waitFor();
    await web.page.getByText('Mine', { exact: true }).click();
    await web.page.getByRole('link', { name: title }).waitFor();
    expect(web.path).toBe('/proposals?view=mine');
    expect(await web.violationsIn(LOOKS)).toEqual([]);
    await web.page.getByText('All', { exact: true }).click();
    await web.page.getByText('2 proposals', { exact: true }).waitFor();
    await web.page.getByRole('combobox', { name: 'Variable' }).fill('kernel');
    await web.page.getByRole('button', { name: 'Filter', exact: true }).click();
    await web.page.getByText('1 proposal', { exact: true }).waitFor();
    expect(web.path).toBe('/proposals?view=all&key=kernel');
    await web.show('/proposals?view=all&state=applied');
    await web.page.getByText('No proposal matches').waitFor();
    for (const [tab, name, text] of [
      ['effect', /^What it does/, '2 devices resolve another value'],
      ['devices', /^Devices/, 'web-1'],
      ['operations', /^Operations/, 'PUT /v1/regions'],
    ] as const) {
      await web.show(`/proposals/${String(id)}?tab=${tab}`);
      await web.page.getByRole('tabpanel', { name }).getByText(text).first().waitFor();
      // Around the tabs, the page is the same.
      const part = tab === 'effect' ? undefined : web.page.getByRole('tabpanel');
      expect(await web.violationsIn(LOOKS, part)).toEqual([]);
      await web.inLooks(LOOKS, async () => {
        const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        expect(await web.page.evaluate(isWide)).toBe(false);
      });
    }
    await web.close();
  });

  it('with conflicts show three values, and their author answers them', async () => {
    const amy = await admin.user({ username: 'amy', roles: ['*:write'] });
    const { id } = await propose(amy, { ntp_servers: ['10.1.0.3'], kernel: '6.9' }, 'North');
    await admin.put(variablesPath(), { ntp_servers: ['10.1.0.4'], kernel: '6.10' }).expect(200);
    const web = await WebPage.signedIn(browser(), amy, `/proposals/${String(id)}`);
    await web.page.getByText('2 values were changed by others since this was proposed').waitFor();
    // The three values say it.
    expect(await web.page.getByText('It cannot be applied as it is').count()).toBe(0);
    const conflict = web.page.getByRole('group', { name: 'ntp_servers of north' });
    expect((await conflict.innerText()).replace(/\s+/g, ' ')).toContain(
      'When it was proposed ["10.1.0.1","10.1.0.2"] Now ["10.1.0.4"] Proposed ["10.1.0.3"]',
    );
    expect(await web.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    expect(await web.violations()).toEqual([]);
    await conflict.getByText('Keep mine').click();
    await web.page.getByText('1 answer is missing.').waitFor();
    await web.page.getByRole('group', { name: 'kernel of north' }).getByText('Take theirs').click();
    await web.page.getByRole('button', { name: 'Amend the proposal' }).click();
    await web.page.getByText('revision 2').waitFor();
    await web.page.getByText('changed by others').waitFor({ state: 'detached' });
    await web.show(`/proposals/${String(id)}?tab=operations`);
    const operations = web.page.getByRole('list', { name: 'Operations' });
    await operations.getByText('{"ntp_servers":["10.1.0.3"]}').waitFor();
    await web.page.getByRole('link', { name: '1', exact: true }).click();
    await operations.getByText('"kernel":"6.9"').waitFor();
    expect(await web.violations()).toEqual([]);
    await web.close();
  });

  it('are rejected with a note, edited and withdrawn', async () => {
    const amy = await admin.user({ username: 'amy' });
    const { id } = await propose(amy, { kernel: '6.9' }, 'Kernel');
    const adminWeb = await WebPage.signedIn(browser(), admin, `/proposals/${String(id)}`);
    await adminWeb.page.getByRole('button', { name: 'Reject…' }).click();
    const reject = adminWeb.page.getByRole('dialog').getByRole('button', { name: 'Reject' });
    expect(await reject.isDisabled()).toBe(true);
    await adminWeb.page.getByRole('textbox', { name: 'Note' }).fill('Not in this week.');
    await reject.click();
    await adminWeb.page.getByRole('list', { name: 'Reviews' }).getByText('Not in this week.').waitFor();
    await adminWeb.page.getByText('rejected', { exact: true }).first().waitFor();
    await adminWeb.close();
    const web = await WebPage.signedIn(browser(), amy, `/proposals/${String(id)}`);
    await web.page.getByRole('button', { name: 'Edit the text…' }).click();
    await web.page.getByRole('textbox', { name: 'Description' }).fill('For the new firmware.');
    web.page.once('dialog', (dialog) => void dialog.dismiss());
    const isAsked = web.page.waitForEvent('dialog');
    await web.page.keyboard.press('Escape');
    expect((await isAsked).message()).toBe('Discard what you have entered?');
    // What is entered after a dialog was closed stays when its write is done.
    const answer = await holdBack(web.page, new RegExp(`/v1/proposals/${String(id)}$`));
    const sent = web.page.waitForRequest((request) => request.method() === 'PUT');
    await web.page.getByRole('button', { name: 'Save' }).click();
    await sent;
    await web.page.getByRole('button', { name: 'Cancel' }).click();
    await web.page.getByRole('button', { name: 'Edit the text…' }).click();
    await web.page.getByRole('textbox', { name: 'Description' }).fill('For the newest firmware.');
    answer();
    const description = (text: string) => web.page.locator('p').filter({ hasText: text });
    await description('For the new firmware.').waitFor();
    await web.page.getByRole('button', { name: 'Save' }).click();
    await description('For the newest firmware.').waitFor();
    const comment = web.page.getByRole('textbox', { name: 'Comment' });
    const comments = web.page.getByRole('list', { name: 'Comments' });
    // The browser says that it is missing.
    await comment.fill(' ');
    await web.page.getByRole('button', { name: 'Comment' }).click();
    await web.page.locator('textarea:invalid:focus').waitFor();
    await comment.fill('Next week, then.');
    await web.tabTo('button', 'Comment');
    await web.page.keyboard.press('Enter');
    await comments.getByText('Next week, then.').waitFor();
    await waitForFocus(web.page.getByRole('button', { name: 'Comment' }));
    await waitForValue(comment, '');
    const answerComment = await holdBack(web.page, /\/comments$/);
    const sentComment = web.page.waitForRequest((request) => request.method() === 'POST');
    await comment.fill('Or later.');
    await web.page.keyboard.press('Control+Enter');
    await sentComment;
    await comment.fill('Or never.');
    answerComment();
    await comments.getByText('Or later.').waitFor();
    await web.page.keyboard.press('Control+Enter');
    await comments.getByText('Or never.').waitFor();
    await web.page.getByRole('button', { name: 'Withdraw…' }).click();
    await web.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await web.page.getByText('withdrawn', { exact: true }).waitFor();
    await web.page.getByRole('button', { name: 'Amend…' }).waitFor({ state: 'detached' });
    await web.close();
  });
});

describeWithBrowser('rules for approvals', (browser) => {
  const app = sharedService();

  it('are edited by admins, who can override them with a reason', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'north', variables: { ntp_servers: NTP } });
    const web = await WebPage.signedIn(browser(), admin, '/admin?section=settings');
    await web.page.getByRole('button', { name: 'Edit the settings' }).click();
    await web.page.getByRole('button', { name: 'Add a rule for approvals' }).click();
    const rule = web.page.getByRole('group', { name: 'Approval rule 1' });
    await rule.getByRole('combobox', { name: 'Variables' }).fill('ntp_*');
    await web.page.keyboard.press('Enter');
    await rule.getByRole('combobox', { name: 'Collections' }).fill('regions');
    await web.page.keyboard.press('Enter');
    await rule.getByText('regions', { exact: true }).first().waitFor();
    expect(await web.violations()).toEqual([]);
    await web.previewAndApply();
    await web.page.getByText('ntp_* on regions: 1 approval').waitFor();

    await web.show(`/inventory/regions/${String(region.id)}`);
    await web.page.getByRole('button', { name: 'Edit ntp_servers' }).click();
    await web.page.getByLabel('Value of ntp_servers').fill('[]');
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('This needs an approval').waitFor();
    await web.tabTo('button', 'Override…');
    await web.page.keyboard.press('Enter');
    await waitForFocus(web.page.getByRole('textbox', { name: 'Why it cannot wait for an approval' }));
    await web.page.keyboard.type('All clocks are wrong – now');
    expect(await web.violations()).toEqual([]);
    await web.tabTo('button', 'Override and apply');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('Done: Set ntp_servers on north').waitFor();

    await web.show('/changes?override=true');
    await web.page.getByRole('button', { name: 'Remove the filter override' }).waitFor();
    await web.page.getByText('1 change', { exact: true }).waitFor();
    await web.tabTo('grid', 'changes');
    await web.page.keyboard.press('Enter');
    await web.page.getByText('All clocks are wrong – now').waitFor();
    await web.close(/status of 403/);
  });
});
