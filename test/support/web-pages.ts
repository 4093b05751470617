import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import type { Caller } from './caller';
import { requireOnce } from './require-once';
import { until } from './until';

/** See browser-connection.cjs. */
const shared = requireOnce('./browser-connection.cjs') as {
  freeTab: Page | undefined;
  browserAt(endpoint: string): Promise<Browser>;
};

/** How long (ms) a page may take to show something. */
const TIMEOUT = 20_000;

/** How long (ms) a test may take: it is a task of many steps, beside which other workers run theirs. */
const TASK_TIMEOUT = 180_000;

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The size of a window, unless a test needs another one. */
const VIEWPORT = { width: 1280, height: 720 };

/** Pixels of the screen for each pixel of a page. Nobody looks at it: with fewer of them, drawing takes half the time. */
const PIXEL_RATIO = 0.5;

/** How many steps `tabTo` takes with Tab, if nothing else takes the focus. */
const MAX_STEPS = 1;

/** The elements that Tab leads to: a selector. */
const TAB_STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** The rules of axe-core about colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** A dialog while which nothing else can be used: a selector. */
const MODAL = '[aria-modal=true]';

/** What can be used: the modal dialog, or all of the page. A selector. */
const PAGE = `${MODAL}, :root:not(:has(${MODAL}))`;

/** Runs in the page: the elements that Tab leads to, in order. Of radio buttons, it may lead to another one. */
export const tabStops = `[...document.querySelectorAll('${TAB_STOPS}')].filter((one) =>
  one.tabIndex >= 0 && !one.matches(':disabled, [inert] *') && one.checkVisibility({ visibilityProperty: true }))`;

/** The colours, and the width of the window. */
type Look = readonly ['light' | 'dark', number];

/** How a test wants its tab. */
interface TabOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  /**
   * Whether nothing was cached before, and the tab is closed after the test. It takes twice as long. A test needs it if it
   * installs a clock, which no tab gets rid of, sets headers or permissions, or checks which files are loaded.
   */
  readonly isNew?: boolean;
  /** A script that runs in a new tab before those of each page. */
  readonly script?: string;
  /** The time zone of a new tab. */
  readonly timezoneId?: string;
  /** The language of a new tab. */
  readonly locale?: string;
  /** Whether `received` records responses. */
  readonly records?: boolean;
}

/** `describe` with a connection to the browser of this run, or a loud skip if there is no browser. */
export function describeWithBrowser(name: string, tests: (browser: () => Browser) => void): void {
  const { TEST_BROWSER } = process.env;
  if (TEST_BROWSER === undefined) {
    console.warn(`SKIPPED: ${name}: there is no browser. Install Chrome, or set CHROME_PATH.`);
    describe.skip(name, () => {
      it('needs a browser', () => undefined);
    });
    return;
  }
  jest.setTimeout(TASK_TIMEOUT);
  describe(name, () => {
    let browser: Browser;
    beforeAll(async () => {
      // Starting a browser takes seconds, so web-setup.ts has started one for all files.
      browser = await shared.browserAt(TEST_BROWSER);
    });
    afterAll(async () => {
      // Failed tests leave their tabs.
      const left = browser.contexts().filter((context) => context !== shared.freeTab?.context());
      await Promise.all(left.map((context) => context.close()));
    });
    tests(() => browser);
  });
}

/** Waits until an element has the focus. A dialog is shown before it sets the focus: keys that come earlier go elsewhere. */
export const waitForFocus = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor();

/** Waits until a field has a value: one that is read by the page comes after the field. */
export const waitForValue = (field: Locator, value: string): Promise<void> =>
  waitForText(field, value, () => field.inputValue());

/** Waits until an element has a text, with single spaces. What is read by the page comes after the element. */
export async function waitForText(
  element: Locator,
  expected: string | RegExp,
  read = () => element.innerText(),
): Promise<void> {
  let shown = '';
  try {
    await until('the text is shown', TIMEOUT / 1000, async () => {
      shown = (await read()).replace(/\s+/g, ' ').trim();
      return typeof expected === 'string' ? shown === expected : expected.test(shown);
    });
  } catch (error) {
    expect(shown).toEqual(expected);
    throw error;
  }
}

/** A tab, and what happened in it. */
export class WebPage {
  /** Errors in the console, and uncaught ones, except those that the test expects. */
  readonly errors: string[] = [];
  /** Requests to other origins, and requests to the API that its description does not have. */
  readonly unknownRequests: string[] = [];
  /** The bodies of all responses of the API, if the test wants them: the browser sends each again. */
  readonly received: Promise<string>[] = [];

  private constructor(
    readonly page: Page,
    /** The URL of the application, without a `/` at its end. */
    readonly url: string,
    /** The project whose pages are opened. */
    private readonly projectId: string,
    /** Whether the next test may use the tab. */
    private readonly isReusable: boolean,
  ) {}

  /** Opens a tab without a session. @param url the address of the application, if it is not the service's own */
  static async open(
    browser: Browser,
    caller: Caller,
    { colorScheme, viewport = VIEWPORT, isNew, script, timezoneId, locale, records }: TabOptions = {},
    url = caller.url,
  ): Promise<WebPage> {
    const needsNew = isNew === true || [script, timezoneId, locale].some((option) => option !== undefined);
    const free = needsNew ? undefined : await takeFreeTab();
    const page =
      free ?? (await newTab(browser, { ...(timezoneId && { timezoneId }), ...(locale && { locale }) }));
    await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    if (script !== undefined) await page.addInitScript(script);
    const web = new WebPage(page, url, caller.projectId, !needsNew);
    web.observe(await operationsOf(caller));
    if (records === true) web.record();
    return web;
  }

  /** Opens a page in a tab with a session. */
  static async signedIn(
    browser: Browser,
    caller: Caller,
    path: string,
    options: TabOptions = {},
  ): Promise<WebPage> {
    const web = await WebPage.open(browser, caller, options);
    await web.startSession(caller);
    await web.goto(path);
    return web;
  }

  /** Starts a session in the browser, without a page. */
  async startSession({ credentials, projectId }: Caller): Promise<void> {
    const headers = {
      authorization: `Bearer ${credentials.token}`,
      'x-auth-project': projectId,
      // A connection that is kept may be closed by the service when the next test uses it.
      connection: 'close',
    };
    const response = await this.page.context().request.post(`${this.url}/v1/session`, { headers });
    expect(response.status()).toBe(201);
  }

  /** Signs in on the page that is shown. */
  async signIn(apiKey: string): Promise<void> {
    await this.page.getByLabel('API key', { exact: true }).fill(apiKey);
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('button', { name: /^User / }).waitFor();
  }

  /** Opens a page of the project. */
  async goto(path: string): Promise<void> {
    await this.page.goto(this.pages + path);
  }

  /** Leads to a page of the project as a link does: loading the application again would take most of the time. */
  async show(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState(null, '', ${JSON.stringify(this.pages + path)})`);
  }

  /** The URL of the pages of the project, without a `/` at its end. */
  get pages(): string {
    return `${this.url}/projects/${this.projectId}`;
  }

  /** The path and the query of the page in the project. */
  get path(): string {
    const url = this.page.url();
    if (!url.startsWith(this.pages)) throw new Error(`${url} is no page of the project`);
    return url.slice(this.pages.length);
  }

  /** Another tab of the same browser, with the same session. */
  async newTab(caller: Caller): Promise<WebPage> {
    const page = await this.page.context().newPage();
    page.setDefaultTimeout(TIMEOUT);
    const web = new WebPage(page, this.url, caller.projectId, false);
    web.observe(await operationsOf(caller));
    return web;
  }

  /**
   * Moves the focus with Tab until an element has it. A focus that is far away is first set to an element shortly before: each
   * step takes longer than a click. test/web/every-page.spec.ts walks through whole pages.
   * @param name its role and accessible name
   */
  async tabTo(
    role: 'button' | 'textbox' | 'grid' | 'link' | 'listbox' | 'tab' | 'radio' | 'combobox',
    name: string | RegExp,
  ): Promise<void> {
    const target = this.page
      .getByRole(role, { name, exact: typeof name === 'string' })
      // Tab leads to no button that is disabled, such as Apply while the preview is computed.
      .and(this.page.locator(':not(:disabled)'));
    // Looking for a role and a name in the whole page takes longer than a step: it is done once.
    let element = await target.elementHandle();
    for (let i = 0; i < 100; i++) {
      const focus = await element.evaluate(approach, [TAB_STOPS, MAX_STEPS] as const);
      if (focus === 'here') return;
      if (focus === 'elsewhere') await this.page.keyboard.press('Tab');
      else element = await target.elementHandle();
    }
    throw new Error(`Tab does not reach the ${role} ${String(name)}`);
  }

  /** Applies the write that is previewed, and waits until the dialog is closed. */
  async apply(): Promise<void> {
    const apply = this.page.getByRole('button', { name: 'Apply', exact: true });
    await apply.click();
    await apply.waitFor({ state: 'detached' });
  }

  /** Previews the write of the form, and applies it. */
  async previewAndApply(): Promise<void> {
    await this.page.getByRole('button', { name: 'Preview…' }).click();
    await this.apply();
  }

  /** Chooses an option of the open list of a combobox with the keyboard. @param name its accessible name */
  async chooseOption(name: string): Promise<void> {
    const option = this.page.getByRole('option', { name, exact: true });
    await option.waitFor();
    for (let i = 0; i < 100; i++) {
      // The list begins at its present value in a timer after it is shown: that timer comes first.
      const isNext = await option.evaluate(async (element) => {
        await new Promise((resolve) => setTimeout(resolve));
        return element.hasAttribute('data-combobox-selected');
      });
      await this.page.keyboard.press(isNext ? 'Enter' : 'ArrowDown');
      if (isNext) return;
    }
    throw new Error(`ArrowDown does not reach the option ${name}`);
  }

  /** Opens the menu of a button and chooses an item with the keyboard. @param place the place of the item, from 1 */
  async chooseInMenu(button: string, item: string, place: number): Promise<void> {
    await this.tabTo('button', button);
    await this.page.keyboard.press('Enter');
    // The menu is shown before it has the focus, and does not see keys until then.
    await this.page.getByRole('menu').locator(':focus').waitFor({ state: 'attached' });
    for (let i = 0; i < place; i++) await this.page.keyboard.press('ArrowDown');
    await this.page.getByRole('menuitem', { name: item }).and(this.page.locator(':focus')).waitFor();
    await this.page.keyboard.press('Enter');
  }

  /**
   * The rules of axe-core that the page violates, each with the elements. An open modal dialog is checked alone: nothing
   * else can be used until it is closed, and checking the page behind it again takes most of the time.
   * @param part what is new of a page whose rest another test checks, for the same reason; by default, all of it
   */
  violations(part?: Locator): Promise<string[]> {
    return this.violationsOf(part);
  }

  private async violationsOf(part: Locator | undefined, rules?: readonly string[]): Promise<string[]> {
    // Colours are checked as they are when nothing moves.
    const isAxeLoaded = await this.page.evaluate<boolean>(
      `Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))
        .then(() => typeof axe !== 'undefined')`,
    );
    if (!isAxeLoaded) await this.loadAxe();
    // Only the violations leave the page: passing all results takes five times as long as finding them.
    const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
    const shown = part ?? this.page.locator(PAGE).first();
    // axe-core checks the page if there is no such part.
    await shown.first().waitFor();
    const violations = await shown.evaluateAll(findViolations, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    );
  }

  /** Loads axe-core into the page. The tab stores its code for the next page: sending it takes three times as long as reading it. */
  private async loadAxe(): Promise<void> {
    const isStored = await this.page.evaluate<boolean>(
      `caches.open('axe').then((cache) => cache.match('/axe.js')).then((stored) => stored?.text())
        .then((code) => { globalThis.axeCode = code; return code !== undefined; })`,
    );
    if (!isStored)
      await this.page.evaluate(
        `caches.open('axe').then((cache) => cache.put('/axe.js', new Response(axeCode = ${JSON.stringify(axe)})))`,
      );
    // Not in the promise: only code that is evaluated at once is exempt from the page's security policy.
    await this.page.evaluate('(0, eval)(axeCode)');
  }

  /** What `violations` returns in each look, with one load of the page. */
  async violationsIn(looks: readonly Look[], part?: Locator): Promise<string[]> {
    const found: string[] = [];
    const widths = new Set<number>();
    await this.inLooks(looks, async (look) => {
      const [, width] = look;
      // Other colours in the same layout violate no other rules.
      const rules = widths.has(width) ? COLOR_RULES : undefined;
      widths.add(width);
      for (const violation of await this.violationsOf(part, rules))
        found.push(`${look.join(', ')}: ${violation}`);
    });
    return found;
  }

  /** Checks the page in each look, and returns to the first one. */
  async inLooks(looks: readonly Look[], check: (look: Look) => Promise<void>): Promise<void> {
    const show = async ([colorScheme, width]: Look) => {
      await this.page.emulateMedia({ colorScheme });
      await this.page.setViewportSize({ width, height: 800 });
      // The page is drawn again, also where the application decides by the width.
      await this.page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
    };
    for (const look of looks) {
      await show(look);
      await check(look);
    }
    if (looks[0]) await show(looks[0]);
  }

  /** Expects that nothing went wrong, and ends the session. @param expected matches errors that the test provokes */
  async close(expected?: RegExp): Promise<void> {
    const errors = this.errors.filter((text) => expected?.test(text) !== true);
    const isFine = errors.length === 0 && this.unknownRequests.length === 0;
    if (this.isReusable && isFine && shared.freeTab === undefined) await this.free();
    else await this.page.context().close();
    expect({ errors, unknownRequests: this.unknownRequests }).toEqual({ errors: [], unknownRequests: [] });
  }

  /** Removes what the test has left in the tab, except permissions, headers and clocks: such a test needs a new one. */
  private async free(): Promise<void> {
    const { page } = this;
    for (const other of page.context().pages()) if (other !== page) await other.close();
    for (const type of ['console', 'pageerror', 'request', 'response']) page.removeAllListeners(type);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
    // Ends the application. A page of the same origin keeps the process, and what it has compiled.
    await page.goto(`${this.url}/healthz`);
    // The application may have asked whether to leave.
    page.removeAllListeners('dialog');
    // A test may end while it drags.
    await page.mouse.up();
    // The application has ended: it stores nothing any more.
    await page.evaluate(
      "localStorage.clear(); sessionStorage.clear(); if (!/native/.test(Date)) throw new Error('a clock needs isNew')",
    );
    await page.context().clearCookies();
    shared.freeTab = page;
  }

  private observe(isDescribed: (method: string, path: string) => boolean): void {
    this.page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.errors.push(`${message.text()} ${message.location().url}`);
    });
    this.page.on('pageerror', (error) => this.errors.push(error.stack ?? error.message));
    this.page.on('request', (request) => {
      if (!this.isKnown(request, isDescribed))
        this.unknownRequests.push(`${request.method()} ${request.url()}`);
    });
  }

  private record(): void {
    this.page.on('response', (response) => {
      if (response.url().startsWith(`${this.url}/v1/`)) this.received.push(response.text().catch(() => ''));
    });
  }

  private isKnown(request: Request, isDescribed: (method: string, path: string) => boolean): boolean {
    if (!request.url().startsWith(`${this.url}/`)) return false;
    const { pathname } = new URL(request.url().slice(this.url.length), 'http://any');
    if (pathname.startsWith('/v1/')) return isDescribed(request.method(), pathname);
    return pathname.startsWith('/assets/') || request.isNavigationRequest();
  }
}

/** What `tabTo` uses of an element in the page. */
interface PageElement {
  readonly isConnected: boolean;
  readonly tabIndex: number;
  readonly ownerDocument: {
    readonly activeElement: unknown;
    querySelectorAll(selector: string): Iterable<PageElement>;
  };
  closest(selector: string): unknown;
  matches(selector: string): boolean;
  checkVisibility(options: object): boolean;
  focus(): void;
}

/**
 * Runs in the page, before a step of `tabTo`: sets the focus to a stop shortly before the element if it is further away.
 * @returns where the focus is; `absent` if the element is no longer in the page
 */
async function approach(
  element: PageElement,
  [selector, steps]: readonly [string, number],
): Promise<'here' | 'elsewhere' | 'absent'> {
  // The trap of a dialog moves the focus in a timer after Tab has left a field for times: that timer comes first.
  await new Promise((resolve) => setTimeout(resolve));
  if (!element.isConnected) return 'absent';
  const focused = element.ownerDocument.activeElement;
  if (element === focused) return 'here';
  // Other keys than Tab lead into a dialog and out of it.
  const dialog = element.closest('[role=dialog]');
  const stops = [...element.ownerDocument.querySelectorAll(selector)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled, [inert] *') &&
      one.checkVisibility({ visibilityProperty: true }) &&
      one.closest('[role=dialog]') === dialog,
  );
  const [from = -1, to = -1] = [focused, element].map((one) => stops.findIndex((stop) => stop === one));
  const isNear = from < to && to - from <= steps;
  if (from >= 0 && to > 0 && !isNear) stops[Math.max(0, to - steps)]?.focus();
  return 'elsewhere';
}

/** Runs in the page: the rules of axe-core that elements violate. */
async function findViolations(include: unknown[], options: object): Promise<readonly AxeViolation[]> {
  const { axe } = globalThis as unknown as {
    readonly axe: { run(part: unknown, how: object): Promise<{ violations: AxeViolation[] }> };
  };
  return (await axe.run({ include }, options)).violations;
}

/** The free tab, unless it was closed or has crashed. */
async function takeFreeTab(): Promise<Page | undefined> {
  const page = shared.freeTab;
  shared.freeTab = undefined;
  if (!page || page.isClosed()) return undefined;
  // A tab that has crashed is not closed, but answers nothing.
  return page.evaluate('true').then(
    () => page,
    () => undefined,
  );
}

async function newTab(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext({ deviceScaleFactor: PIXEL_RATIO, ...options })).newPage();
  page.setDefaultTimeout(TIMEOUT);
  return page;
}

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Whether the API description has an operation. All services of a file have the same description. */
let isDescribed: Promise<(method: string, path: string) => boolean> | undefined;

function operationsOf(caller: Caller): Promise<(method: string, path: string) => boolean> {
  isDescribed ??= describedOperations(caller).catch((error: unknown) => {
    // One lost connection does not fail the other tests of the file.
    isDescribed = undefined;
    throw error;
  });
  return isDescribed;
}

async function describedOperations(caller: Caller): Promise<(method: string, path: string) => boolean> {
  const { paths } = (await caller.get('/openapi.json').expect(200)).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  return (method, path) =>
    operations.some((operation) => operation.method === method && operation.pattern.test(path));
}
