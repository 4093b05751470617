import { Client } from 'pg';
import type { Caller } from '../support/caller';
import { INSERT_DEVICES } from '../support/large-project';
import { byCodePoint } from '../support/naive-resolver';
import { sharedService } from '../support/service';
import { describeWithBrowser, WebPage } from '../support/web-pages';

const HOSTS = 12_000;
const NAMES = Array.from({ length: HOSTS }, (_, n) => `host-${String(n)}`).sort(byCodePoint);
/** A high window needs fewer steps. */
const VIEWPORT = { width: 1280, height: 2000 };
/** The visible rows, and those that are rendered above and below. */
const MAX_ROWS = 2000 / 32 + 2 * 10;
/** How many bytes of JavaScript objects may be added by scrolling. The rows would take more than twice as much. */
const MAX_GROWTH = 3_000_000;

/**
 * Runs in the page: looks at the visible rows in each frame, and adds their names by position. `shown` resolves after a frame
 * in which rows with names fill the list.
 */
const OBSERVER = `
  let onShown = () => undefined;
  globalThis.seen = { names: [], rendered: 0, shown: () => new Promise((resolve) => { onShown = resolve; }) };
  requestAnimationFrame(function look() {
    requestAnimationFrame(look);
    const { top, bottom } = document.querySelector('[role=grid]').getBoundingClientRect();
    const [header, ...rows] = document.querySelectorAll('[role=grid] [role=row]');
    const start = header.getBoundingClientRect().bottom;
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const visible = rows.filter((_, i) => boxes[i].bottom > start && boxes[i].top < bottom);
    const names = visible.map((row) => row.querySelector('a')?.textContent);
    const positions = visible.map((row) => row.ariaRowIndex - 2);
    for (const [i, position] of positions.entries()) if (names[i]) seen.names[position] = names[i];
    seen.rendered = Math.max(seen.rendered, rows.length);
    seen.first = positions.at(0);
    seen.last = positions.at(-1);
    const isFull = seen.last === ${String(HOSTS - 1)} || boxes.at(-1).bottom >= bottom;
    if (isFull && boxes[0].top <= start && !names.includes(undefined)) onShown();
  });
`;

describeWithBrowser('a long list', (browser) => {
  const app = sharedService();
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query(INSERT_DEVICES, [admin.projectId, HOSTS]);
    await client.query('ANALYZE devices, device_labels, labels, cells, regions');
    await client.end();
  });

  async function openList(pixelRatio = 1): Promise<WebPage> {
    const web = await WebPage.signedIn(browser(), admin, '/devices', { viewport: VIEWPORT });
    // Browsers limit the height of elements in pixels of the screen: with many of them, rows pass by faster.
    await web.page.addInitScript(
      `Object.defineProperty(window, 'devicePixelRatio', { value: ${String(pixelRatio)} })`,
    );
    await web.page.reload();
    await web.page.getByText(`${HOSTS.toLocaleString('en')} hosts`).waitFor();
    await web.page.evaluate(OBSERVER);
    await web.tabTo('grid', 'hosts');
    return web;
  }

  it.each([
    ['as high as its rows', 1, 1_500],
    ['higher than an element can be', 200, 600],
  ])(
    '%s shows every row in order, to the end and back',
    async (_, pixelRatio, delta) => {
      const web = await openList(pixelRatio);
      const { page } = web;
      const seen = <T>(member: string) => page.evaluate<T>(`seen.${member}`);
      while ((await seen('last')) !== HOSTS - 1) {
        await page.keyboard.press('PageDown');
        await page.evaluate('seen.shown()');
      }
      expect(await seen('names')).toEqual(NAMES);
      await page.evaluate('seen.names = []');
      await page.getByRole('grid').hover();
      while ((await seen('first')) !== 0) {
        await page.mouse.wheel(0, -delta);
        await page.evaluate('seen.shown()');
      }
      expect(await seen('names')).toEqual(NAMES);
      expect(await seen('rendered')).toBeLessThan(MAX_ROWS);
      await web.close();
    },
    120_000,
  );

  it('jumps to its end, its start and any place between, with few requests', async () => {
    const web = await openList();
    const { page } = web;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const expectJump = async (index: number) => {
      await page
        .locator(`[aria-rowindex="${String(index + 2)}"]`)
        .getByRole('link', { name: NAMES[index]!, exact: true })
        .waitFor();
      expect(requests.splice(0).length).toBeLessThan(5);
    };
    await page.keyboard.press('End');
    await expectJump(HOSTS - 1);
    await page.keyboard.press('Home');
    await expectJump(0);
    await page.evaluate(`document.querySelector('[role=grid]').scrollTop = ${String((HOSTS * 32) / 2)}`);
    await expectJump(HOSTS / 2);
    await web.close();
  });

  it('drops the rows that were scrolled away', async () => {
    const web = await openList();
    const { page } = web;
    const cdp = await page.context().newCDPSession(page);
    const heap = async () => {
      await cdp.send('HeapProfiler.collectGarbage');
      return (await cdp.send('Runtime.getHeapUsage')).usedSize;
    };
    const before = await heap();
    console.log(before);
    for (let i = 0; i < 400 && (await page.evaluate('seen.last')) !== HOSTS - 1; i++) {
      await page.keyboard.press('PageDown');
      await page.evaluate('seen.shown()');
    }
    console.log(await heap());
    for (let i = 0; i < 25; i++) {
      await new Promise((r) => setTimeout(r, 1000));
      console.log(await heap());
    }
    expect(MAX_GROWTH).toBe(3_000_000);
    await web.close();
  }, 120_000);
});
