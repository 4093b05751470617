import { sharedService } from '../support/service';
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

describeWithBrowser('the Tab key', (browser) => {
  const app = sharedService();

  it('leads to all that can be used in a page, and beyond its end', async () => {
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
      await web.page.getByRole('heading', { name: heading }).waitFor();
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
