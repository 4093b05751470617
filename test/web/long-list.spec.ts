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

/** Runs in the page: in each frame, adds the names in visible rows by position. `isComplete` is whether all had names. */
const OBSERVER = `
  globalThis.seen = { names: [], isComplete: false, maxRows: 0 };
  requestAnimationFrame(function look() {
    requestAnimationFrame(look);
    const grid = document.querySelector('[role=grid]');
    if (!grid) return;
    const { top, bottom } = grid.getBoundingClientRect();
    const rows = [...grid.querySelectorAll('[role=row][id]')];
    const visible = rows.filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    const names = visible.map((row) => row.querySelector('a')?.textContent);
    visible.forEach((row, i) => {
      if (names[i]) seen.names[row.ariaRowIndex - 2] = names[i];
    });
    seen.isComplete = names.length > 0 && !names.includes(undefined);
    seen.maxRows = Math.max(seen.maxRows, rows.length);
    seen.first = visible[0]?.ariaRowIndex - 2;
    seen.last = visible.at(-1)?.ariaRowIndex - 2;
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

  /** Waits until a frame shows names in all visible rows, after what was just done. */
  async function shown({ page }: WebPage): Promise<void> {
    await page.evaluate('seen.isComplete = false');
    await page.waitForFunction('seen.isComplete', undefined, { polling: 'raf' });
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
        await shown(web);
      }
      expect(await seen('names')).toEqual(NAMES);
      await page.evaluate('seen.names = []');
      await page.getByRole('grid').hover();
      while ((await seen('first')) !== 0) {
        await page.mouse.wheel(0, -delta);
        await shown(web);
      }
      expect(await seen('names')).toEqual(NAMES);
      expect(await seen('maxRows')).toBeLessThan(MAX_ROWS);
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
    await web.close();
  });
});
