import { readFileSync } from 'node:fs';
import { aName } from '../support/caller';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, tabStops, WebPage } from '../support/web-pages';

/** Runs in the page: notes the elements that get the focus. */
const OBSERVER = `
  globalThis.focused = new Set();
  document.addEventListener('focusin', ({ target }) => focused.add(target));
`;

/** Runs in the page: what Tab should lead to, each by its name or place, and did not. Of radio buttons, Tab leads to one. */
const MISSED = `${tabStops}
  .filter((one) => !focused.has(one) && !(one.type === 'radio' && !one.checked))
  .map((one) => one.outerHTML.slice(0, 200))`;

/** Runs in the page: by how much (px) the document is longer than the window. */
const TOO_LONG = 'document.documentElement.scrollHeight - innerHeight';

/** Runs in the page: by how much (px) the page, and the dialog, are wider than what is shown of them. */
const TOO_WIDE = `[...document.querySelectorAll('[data-scroll-restoration-id=page], [role=dialog]')]
  .map((one) => one.scrollWidth - one.clientWidth)`;

/** Runs in the page: the buttons that are too small to be hit, in px. */
const TOO_SMALL = `[...document.querySelectorAll('button')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0)
  .filter((one) => one.getBoundingClientRect().height < 24 || one.getBoundingClientRect().width < 24)
  .map((one) => one.outerHTML.slice(0, 200))`;

/** The paths of all pages, with any parameters. */
const ROUTES = [...readFileSync('web/src/app/router.tsx', 'utf8').matchAll(/^ {2}path: '(.+)',$/gm)].map(
  ([, path = '']) => new RegExp(`^${path.replaceAll(/\$\w*/g, '[^/]+')}$`),
);

/** The page without the frame, which names the project. */
const OF_NO_PROJECT = new Set(['/sign-in']);

/** The title of a page of something that does not exist. */
const NOT_FOUND = 'Not found';

describeWithBrowser('every page', (browser) => {
  const app = sharedService();

  it('has the frame, is named by the title of the tab, with the project, and is not found if it does not exist', async () => {
    const project = aName('north');
    const admin = await app.project(project);
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
      '/devices/hosts/999999999': NOT_FOUND,
      '/inventory/regions': 'Regions',
      '/inventory/regions/999999999': NOT_FOUND,
      [`/inventory/regions/${String(region.id)}`]: 'Region north',
      [`/inventory/cells/${String(cell.id)}`]: 'Cell north/row-01',
      '/variables': 'Variables',
      '/variables/kernel': 'Variable kernel',
      '/inventory/planets': NOT_FOUND,
      '/changes': 'Changes',
      '/changes/999999999': NOT_FOUND,
      '/changes/between': 'Between two moments',
      '/compare': 'Compare',
      [`/changes/${String(change.id)}`]: `Change ${String(change.id)}`,
      '/audits': 'Audits',
      '/audits/999999999': NOT_FOUND,
      [`/audits/${String(audit.id)}`]: 'Audit new-kernel',
      '/proposals': 'Proposals',
      [`/proposals/${String(proposal)}`]: `Proposal ${String(proposal)}: Port`,
      '/account': 'Account of admin',
      '/admin': 'Administration',
      '/import': 'Import',
      '/sign-in': 'Sign in',
      '/nowhere': 'No such page',
    };
    const untested = ROUTES.filter((route) => !Object.keys(titles).some((path) => route.test(path)));
    expect(untested).toEqual([]);
    const web = await WebPage.signedIn(browser(), admin, '/');
    let isChecked = false;
    for (const [path, title] of Object.entries(titles)) {
      await web.show(path);
      // Several tabs may show the same page of several projects.
      const shown = OF_NO_PROJECT.has(path) ? `${title} · Muster` : `${title} · ${project} · Muster`;
      await until(`${path} is named ${shown}`, 20, async () => (await web.page.title()) === shown);
      if (title !== NOT_FOUND) continue;
      await web.page.getByRole('heading', { name: NOT_FOUND }).waitFor();
      // There is no such collection: nothing was requested.
      if (path !== '/inventory/planets') await web.page.getByText('Request id').waitFor();
      // They look the same.
      if (!isChecked) expect(await web.violations()).toEqual([]);
      isChecked = true;
    }
    // The last one has the frame, and its navigation leads on.
    await web.page.getByRole('heading', { name: 'No such page' }).waitFor();
    expect(await web.violations(web.page.getByRole('main'))).toEqual([]);
    const navigation = web.page.getByRole('navigation', { name: 'Pages' });
    await navigation.getByRole('link', { name: 'Changes' }).click();
    await web.page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor();
    // A long page scrolls within the window.
    const variables = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key_${String(i)}`, i]));
    const long = await admin.host({ name: 'web-2', region_id: region.id, variables });
    await web.show(`/devices/hosts/${String(long.id)}`);
    await web.page.getByRole('link', { name: 'key_59', exact: true }).waitFor();
    expect(await web.page.evaluate(TOO_LONG)).toBe(0);
    await web.close(/status of 404/);
  });

  it('says what to do in an empty project', async () => {
    const web = await WebPage.signedIn(browser(), await app.project(), '/');
    const pages = {
      '/': ['No devices yet', 'No audits', 'All agree'],
      '/inventory/clouds': ['No clouds yet'],
      '/variables': ['No variables yet'],
      '/devices': ['No devices yet'],
      '/variables/none': ['No device has it'],
    };
    for (const [path, texts] of Object.entries(pages)) {
      await web.show(path);
      for (const text of texts) await web.page.getByText(text).waitFor();
      // The frame is the same.
      const part = path === '/' ? undefined : web.page.getByRole('main');
      expect([path, await web.violations(part)]).toEqual([path, []]);
    }
    await web.show('/variables?key=1x');
    await web.page.getByText('Not the beginning of a key').waitFor();
    await web.close();
  });

  it('shows long names and values, and names in any script, within the window, and buttons that can be hit', async () => {
    const admin = await app.project();
    const long = (name: string) => `${name}-${'abcdefghij-'.repeat(20)}`.slice(0, 199) + name.slice(0, 1);
    const key = `key_${'of_many_words_'.repeat(12)}end`;
    const variables = { [key]: 'x'.repeat(300), list: ['10.0.0.1', 'מרכז', '🚀'.repeat(40)] };
    const region = await admin.region({ name: long('region'), variables });
    const cell = await admin.cell({ name: long('cell'), region_id: region.id });
    const host = await admin.host({ name: long('host'), region_id: region.id, cell_id: cell.id });
    const other = await admin.host({ name: 'خادم 1 ويب', region_id: region.id });
    const [left, right] = [String(host.id), String(other.id)];
    const pages = {
      '/': long('region').slice(0, 20),
      '/map': long('cell').slice(0, 8),
      '/devices': long('host').slice(0, 20),
      [`/devices/hosts/${left}`]: key,
      [`/devices/hosts/${left}?tab=timeline`]: key,
      [`/devices/hosts/${right}`]: key,
      [`/inventory/regions/${String(region.id)}?tab=effect`]: key,
      [`/variables/${key}?tab=groups`]: 'Differ',
      [`/compare?left=${left}&right=${right}`]: 'that are equal',
      '/changes': long('region').slice(0, 20),
    };
    const web = await WebPage.signedIn(browser(), admin, '/');
    const expectFitting = (what: string) =>
      web.inLooks(
        [
          ['light', 1440],
          ['light', 360],
        ],
        async ([, width]) => {
          const wide = (await web.page.evaluate<number[]>(TOO_WIDE)).filter((excess) => excess > 0);
          const small = await web.page.evaluate<string[]>(TOO_SMALL);
          expect({ what, width, wide, small }).toEqual({ what, width, wide: [], small: [] });
        },
      );
    for (const [path, shown] of Object.entries(pages)) {
      await web.show(path);
      await web.page.getByRole('main').getByText(shown).first().waitFor();
      await expectFitting(path);
    }
    await web.show(`/devices/hosts/${left}`);
    await web.page.getByRole('button', { name: `Override ${key}` }).click();
    await web.page.getByLabel(`Value of ${key}`).fill(JSON.stringify('y'.repeat(300)));
    await web.page.keyboard.press('Control+Enter');
    await web.page.getByText('1 device resolves another value.').waitFor();
    await expectFitting('a preview');
    await web.close();
  });

  it('is left with Tab after all that can be used in it', async () => {
    const admin = await app.project();
    const region = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
    const host = await admin.host({ name: 'web-1', region_id: region.id });
    const web = await WebPage.signedIn(browser(), admin, '/');
    await web.page.evaluate(OBSERVER);
    /** The heading of each page, and what is read last. */
    const pages = {
      '/devices': ['Devices', 'web-1'],
      [`/devices/hosts/${String(host.id)}`]: ['web-1', 'kernel'],
      '/changes': ['Changes', 'region north'],
    } as const;
    for (const [path, [heading, shown]] of Object.entries(pages)) {
      await web.show(path);
      await web.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await web.page.getByRole('main').getByText(shown).first().waitFor();
      await web.page.evaluate('document.activeElement.blur(); focused.clear()');
      const stops = await web.page.evaluate<number>(`${tabStops}.length`);
      expect(stops).toBeGreaterThan(10);
      // Fields for times have several stops each.
      let missed: string[] = [];
      for (let i = 0; i < 3 * stops && (i < stops || missed.length > 0); i++) {
        await web.page.keyboard.press('Tab');
        if (i >= stops - 1) missed = await web.page.evaluate<string[]>(MISSED);
      }
      expect([path, missed]).toEqual([path, []]);
    }
    await web.close();
  }, 120_000);
});
