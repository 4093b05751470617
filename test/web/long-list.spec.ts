import { Client } from 'pg';
import type { Page } from 'playwright-core';
import type { Caller } from '../support/caller';
import { INSERT_DEVICES } from '../support/large-project';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** A page more than `MAX_ROWS_IN_MEMORY`. */
const HOSTS = 1_750;
/** In natural order. */
const namesOf = (hosts: number) => Array.from({ length: hosts }, (_, n) => `host-${String(n)}`);
const NAMES = namesOf(HOSTS);
/** A high window needs fewer steps. */
const VIEWPORT = { width: 1280, height: 2000 };
/** The visible rows, and those that are rendered above and below: as many elements show all rows. */
const MAX_ROWS = 2000 / 32 + 2 * 10;
/** The hosts of the lists in which hosts are deleted: five pages. */
const FEW_HOSTS = 1_100;
const FEW_NAMES = namesOf(FEW_HOSTS);
/** The hosts of the list of which each row is looked at: three pages. */
const SEEN_HOSTS = 510;
const SEEN_NAMES = namesOf(SEEN_HOSTS);
/** One column: most of the time of these tests is the rendering of cells. */
const LIST = '/devices?columns=name';
const PAGE_SIZE = 250;
/** The rows of the pages around the visible rows, and of those that are released last. There are more rows in all. */
const MAX_ROWS_IN_MEMORY = 6 * PAGE_SIZE;

/**
 * Runs in the page: looks at the visible rows in each frame, and adds their names by position. `shown` resolves after a frame
 * in which rows with names fill the list.
 */
const OBSERVER = `
  let onShown = () => undefined;
  const elements = new Set();
  globalThis.seen = { names: [], rendered: 0, hosts: 0, shown: () => new Promise((resolve) => { onShown = resolve; }) };
  requestAnimationFrame(function look() {
    requestAnimationFrame(look);
    const { top, bottom } = document.querySelector('[role=grid]').getBoundingClientRect();
    const all = [...document.querySelectorAll('[role=grid] [role=row]')];
    const [header, ...rows] = all.sort((a, b) => a.ariaRowIndex - b.ariaRowIndex);
    const start = header.getBoundingClientRect().bottom;
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const visible = rows.filter((_, i) => boxes[i].bottom > start && boxes[i].top < bottom);
    const names = visible.map((row) => row.querySelector('a')?.textContent);
    const positions = visible.map((row) => row.ariaRowIndex - 2);
    for (const [i, position] of positions.entries()) if (names[i]) seen.names[position] = names[i];
    for (const row of rows) elements.add(row);
    seen.rendered = elements.size;
    seen.first = positions.at(0);
    seen.last = positions.at(-1);
    const isFull = seen.last === seen.hosts - 1 || boxes.at(-1).bottom >= bottom;
    if (isFull && boxes[0].top <= start && !names.includes(undefined)) onShown();
  });
`;

describeWithBrowser('a long list', (browser) => {
  const app = sharedService();
  let client: Client;
  let admin: Caller;
  let seenHosts: Caller;
  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    admin = await projectWith(HOSTS);
    seenHosts = await projectWith(SEEN_HOSTS);
  });
  afterAll(() => client.end());

  async function projectWith(hosts: number): Promise<Caller> {
    const owner = await app.project();
    await client.query(INSERT_DEVICES, [owner.projectId, hosts]);
    await client.query('ANALYZE devices, device_labels, labels, cells, regions');
    return owner;
  }

  /** Waits until a row with a name is shown. @param index its position in the list */
  const waitForRow = (page: Page, index: number, name: string): Promise<void> =>
    page
      .locator(`[aria-rowindex="${String(index + 2)}"]`)
      .getByRole('link', { name, exact: true })
      .waitFor();

  const scrollTo = (page: Page, index: number): Promise<void> =>
    page.evaluate(`document.querySelector('[role=grid]').scrollTop = ${String(index * 32)}`);

  async function openList(
    owner = admin,
    hosts = HOSTS,
    { pixelRatio = 1, isNew = false } = {},
  ): Promise<WebPage> {
    // Browsers limit the height of elements in pixels of the screen: with many of them, rows pass by faster.
    const script = `Object.defineProperty(window, 'devicePixelRatio', { value: ${String(pixelRatio)} })`;
    const web = await WebPage.signedIn(browser(), owner, LIST, {
      viewport: VIEWPORT,
      ...(pixelRatio === 1 ? { isNew } : { script }),
    });
    await web.page.getByText(`${hosts.toLocaleString('en')} hosts`).waitFor();
    await web.page.evaluate(OBSERVER);
    await web.page.evaluate(`seen.hosts = ${String(hosts)}`);
    await web.tabTo('grid', 'hosts');
    return web;
  }

  it.each([
    ['as high as its rows', 1, 1_500],
    // Half as high as its rows.
    ['higher than an element can be', 3_600, 600],
  ])(
    '%s shows every row in order, to the end and back',
    async (_, pixelRatio, delta) => {
      const web = await openList(seenHosts, SEEN_HOSTS, { pixelRatio });
      const { page } = web;
      const seen = <T>(member: string) => page.evaluate<T>(`seen.${member}`);
      while ((await seen('last')) !== SEEN_HOSTS - 1) {
        await page.keyboard.press('PageDown');
        await page.evaluate('seen.shown()');
      }
      expect(await seen('names')).toEqual(SEEN_NAMES);
      await page.evaluate('seen.names = []');
      await page.getByRole('grid').hover();
      while ((await seen('first')) !== 0) {
        await page.mouse.wheel(0, -delta);
        await page.evaluate('seen.shown()');
      }
      expect(await seen('names')).toEqual(SEEN_NAMES);
      expect(await seen('rendered')).toBeLessThan(MAX_ROWS);
      await web.close();
    },
    120_000,
  );

  it('jumps to any place with few requests, and is where it was left after Back, with its active row and the focus', async () => {
    const web = await WebPage.signedIn(browser(), admin, LIST, { viewport: VIEWPORT });
    const { page } = web;
    await page.getByText(`${HOSTS.toLocaleString('en')} hosts`).waitFor();
    await web.tabTo('grid', 'hosts');
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/hosts')) requests.push(request.url());
    });
    const expectJump = async (index: number) => {
      await waitForRow(page, index, NAMES[index]!);
      expect(requests.splice(0).length).toBeLessThan(5);
    };
    await page.keyboard.press('End');
    await expectJump(HOSTS - 1);
    await page.keyboard.press('Home');
    await expectJump(0);
    await scrollTo(page, HOSTS / 2);
    await expectJump(HOSTS / 2);
    const index = 1_200;
    await scrollTo(page, index - 10);
    await waitForRow(page, index, NAMES[index]!);
    const top = await page.getByRole('grid').evaluate(({ scrollTop }) => scrollTop);
    await page.getByRole('link', { name: NAMES[index]!, exact: true }).click();
    await page.getByRole('heading', { name: NAMES[index]! }).waitFor();
    await page.goBack();
    await waitForRow(page, index, NAMES[index]!);
    const grid = page.getByRole('grid', { name: 'hosts' }).and(page.locator(':focus'));
    await grid.waitFor();
    expect(await grid.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
    // The keyboard goes on at the row.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: NAMES[index + 1]! }).waitFor();
    // A link leads to the start of the list.
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await waitForRow(page, 0, NAMES[0]!);
    await web.close();
  });

  it('drops the rows that were scrolled away', async () => {
    const web = await openList(admin, HOSTS, { isNew: true });
    const { page } = web;
    const cdp = await page.context().newCDPSession(page);
    const { result: prototype } = await cdp.send('Runtime.evaluate', { expression: 'Object.prototype' });
    /** Collects garbage, and counts the objects that have the name of a host. */
    const rowsInMemory = async () => {
      const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId: prototype.objectId! });
      const { result } = await cdp.send('Runtime.callFunctionOn', {
        objectId: objects.objectId!,
        functionDeclaration: `function () {
          const nameOf = (object) => Object.getOwnPropertyDescriptor(object, 'name')?.value;
          return this.filter((object) => String(nameOf(object)).startsWith('host-')).length;
        }`,
        returnByValue: true,
      });
      await cdp.send('Runtime.releaseObject', { objectId: objects.objectId! });
      return result.value as number;
    };
    await page.clock.install();
    // Pages stay in memory for a short time: here for longer, as a slow machine needs more time to look at all.
    await page.evaluate(
      `{ const set = setTimeout; setTimeout = (run, ms, ...rest) => set(run, ms < 10_000 ? ms : ms * 10, ...rest); }`,
    );
    for (let index = 0; index < HOSTS; index += PAGE_SIZE) {
      await scrollTo(page, index);
      await waitForRow(page, index, NAMES[index]!);
    }
    expect(await rowsInMemory()).toBeGreaterThan(MAX_ROWS_IN_MEMORY);
    await page.clock.fastForward(300_000);
    await until('the rows are dropped', 30, async () => (await rowsInMemory()) <= MAX_ROWS_IN_MEMORY);
    await web.close();
  });

  it('shows the rows after a page whose last row was renamed', async () => {
    const owner = await projectWith(FEW_HOSTS);
    const web = await WebPage.signedIn(browser(), owner, LIST, { viewport: VIEWPORT });
    const { page } = web;
    await page.getByText('1,100 hosts').waitFor();
    await waitForRow(page, 0, FEW_NAMES[0]!);
    const last = FEW_NAMES[PAGE_SIZE - 1]!;
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM devices WHERE project_id = $1 AND name = $2',
      [owner.projectId, last],
    );
    await owner.put(`/v1/hosts/${String(rows[0]?.id)}`, { name: 'z' }).expect(200);
    await web.tabTo('grid', 'hosts');
    await scrollTo(page, PAGE_SIZE);
    await waitForRow(page, PAGE_SIZE, FEW_NAMES[PAGE_SIZE]!);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(FEW_HOSTS + 1));
    await web.close();
  });

  it('shows any place although rows at the starts of pages were deleted', async () => {
    const owner = await projectWith(FEW_HOSTS);
    const web = await WebPage.signedIn(browser(), owner, LIST, { viewport: VIEWPORT });
    const { page } = web;
    await page.getByText('1,100 hosts').waitFor();
    await web.tabTo('grid', 'hosts');
    // Shows where all pages start, but reads only the last ones.
    await page.keyboard.press('End');
    await waitForRow(page, FEW_HOSTS - 1, FEW_NAMES.at(-1)!);
    const deleted = [FEW_NAMES[PAGE_SIZE - 1]!, FEW_NAMES[2 * PAGE_SIZE - 1]!];
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM devices WHERE project_id = $1 AND name = ANY ($2)',
      [owner.projectId, deleted],
    );
    for (const { id } of rows) await owner.delete(`/v1/hosts/${id}`).expect(204);
    const others = FEW_NAMES.filter((name) => !deleted.includes(name));
    const middle = 2.5 * PAGE_SIZE;
    await scrollTo(page, middle);
    await waitForRow(page, middle, others[middle]!);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(others.length + 1));
    await page.getByText('1,098 hosts').waitFor();
    await page.keyboard.press('End');
    await waitForRow(page, others.length - 1, others.at(-1)!);
    await page.keyboard.press('Home');
    await waitForRow(page, 0, others[0]!);
    await web.close(/status of 400/);
  });
});
