import type { Caller } from '../support/caller';
import { loadFleet, type LoadedFleet } from '../support/fleet';
import { sharedService } from '../support/service';
import { until } from '../support/until';
import { describeWithBrowser, WebPage } from '../support/web-pages';

/** A number of a page, and the list of devices that it leads to. */
interface CountLink {
  readonly href: string;
  /** What is around the link. */
  readonly text: string;
  readonly count: number;
}

/**
 * Runs in the page: the links to lists of devices that are, or stand beside, a number of devices. That of a bar or of the legend is in
 * the item of the list, that of a tile in its description.
 */
const COUNT_LINKS = `[...document.querySelectorAll('main a[href*="/devices?"]')].flatMap((link) => {
  const clean = (element) => element.innerText.replace(/\\s+/g, ' ').trim();
  const item = link.closest('li');
  const own = link.matches('[data-tile]') ? link.title.replace(/^.*?, (?=\\d)/, '') : clean(link);
  const beside = item && !link.matches('[data-tile]') ? clean(item).split(clean(link)).at(-1).trim() : '';
  const [number] = /^[\\d,]+(?= |$)/.exec(own) ?? /^[\\d,]+(?= |$)/.exec(beside) ?? [];
  if (number === undefined) return [];
  const text = clean(item ?? link.parentElement);
  return [{ href: link.getAttribute('href'), text, count: Number(number.replaceAll(',', '')) }];
})`;

/** The search parameters of a list of devices that select none of them. */
const VIEW = ['collection', 'columns', 'sort', 'dir', 'tree'];

/** The collection and the search parameters of a list of devices, without their values. */
function parametersOf(href: string): string {
  const { searchParams } = new URL(href, 'http://any');
  return [searchParams.get('collection') ?? '', ...new Set(searchParams.keys())].toSorted().join(' ');
}

/** Sorted lists in an order in which few have as many rows as the one before: one of the first half, one of the second, and so on. */
function interleaved<T>(sorted: readonly T[]): T[] {
  const half = Math.ceil(sorted.length / 2);
  return sorted.slice(0, half).flatMap((one, i) => [one, ...sorted.slice(half + i, half + i + 1)]);
}

describeWithBrowser('numbers of devices', (browser) => {
  const app = sharedService();
  let admin: Caller;
  let fleet: LoadedFleet;

  beforeAll(async () => {
    admin = await app.project();
    const device = (name: string, cell: string | null, kernel: unknown, active = true) => ({
      ...{ name, region: 'north', cell, labels: ['web'], active },
      variables: kernel === undefined ? {} : { kernel },
    });
    fleet = await loadFleet(admin, {
      regions: [
        { name: 'north', variables: { kernel: '6.8' } },
        { name: 'empty', variables: { kernel: '6.9' } },
      ],
      cells: [{ region: 'north', name: 'rack-1', variables: {} }],
      labels: [{ label: 'web', variables: { console: { baud: 9600 } } }],
      // Values of which a filter by one matches another one.
      hosts: [
        device('web-1', 'rack-1', undefined),
        device('web-2', 'rack-1', ['6.8', '6.9']),
        device('web-3', null, ['6.9'], false),
        device('web-4', null, { a: 1, b: 2 }),
        device('web-5', null, { a: 1 }),
        device('web-6', null, null),
      ],
      'network-devices': [device('sw-1', 'rack-1', undefined), device('sw-2', null, '6.12', false)],
    });
  });

  /** The number of rows of the list that a link leads to. @param before that of the list that was shown before */
  async function rowsBehind({ page }: WebPage, href: string, before: number | undefined): Promise<number> {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(href)})`);
    let rows: number | undefined;
    await until(`${href} is read`, 20, async () => {
      if ((await page.getByText(/^No .* match/).count()) > 0) rows = 0;
      const grid = page.locator('[role=grid][aria-label=hosts], [role=grid][aria-label="network devices"]');
      const counted = (await grid.count()) > 0 ? Number(await grid.getAttribute('aria-rowcount')) : 0;
      if (counted > 0) rows = counted - 1;
      return rows !== undefined && rows !== before;
    });
    return rows ?? -1;
  }

  /** The number of devices that the API lists for an address: the list sends its filters as they are. */
  async function listedBehind(href: string): Promise<number> {
    const { searchParams } = new URL(href, admin.url);
    const collection = searchParams.get('collection') ?? 'hosts';
    for (const name of VIEW) searchParams.delete(name);
    const { body } = await admin.get(`/v1/${collection}?${searchParams.toString()}`).expect(200);
    return (body as unknown[]).length;
  }

  /** Shows a page without lists, so that the next one is not mistaken for one before it with as many rows. */
  async function leave(web: WebPage): Promise<void> {
    await web.show('/account');
    const { user } = admin.credentials;
    await web.page.getByRole('heading', { name: user, exact: true }).waitFor();
  }

  it('lead to lists with as many rows', async () => {
    const { id: audit } = await admin.audit({ name: 'new-kernel', expectation: { vars: 'kernel:"6.12"' } });
    const hosts = await admin.audit({
      ...{ name: 'host-kernel', kind: 'host' },
      expectation: { where: ['kernel exists', 'kernel = "6.8"'] },
    });
    for (const id of [audit, hosts.id]) await admin.post(`/v1/audits/${String(id)}/run`).expect(200);
    const region = String(fleet.regions.get('north'));
    const [label] = (await admin.get('/v1/labels?label=web').expect(200)).body as { id: number }[];
    const web = await WebPage.signedIn(browser(), admin, '/account');
    const pages: Readonly<Record<string, string>> = {
      '/': 'Values of kernel',
      '/map': 'rack-1, 2 hosts',
      '/map?collection=network-devices': 'rack-1, 1 network device',
      '/map?key=kernel': 'rack-1, 2 hosts',
      '/map?key=kernel&table=true': 'rack-1',
      [`/map?audit=${String(audit)}`]: 'rack-1, 3 devices',
      [`/map?audit=${String(hosts.id)}`]: 'rack-1, 2 hosts',
      [`/audits/${String(audit)}`]: '7 of 8 fail',
      [`/audits/${String(hosts.id)}`]: 'Devices that fail',
      '/inventory/regions': 'empty',
      '/inventory/cells': 'rack-1',
      '/inventory/labels': 'web',
      [`/inventory/regions/${region}`]: '6 hosts',
      [`/inventory/regions/${region}?tab=effect`]: 'What they resolve',
      [`/inventory/labels/${String(label?.id)}?tab=effect`]: 'What they resolve',
      '/variables/kernel': 'different values',
      '/variables/kernel?collection=network-devices': 'different values',
      '/variables/kernel?tab=groups&group_by=cell': 'Not set',
      '/variables/kernel?tab=groups&group_by=label': 'Not set',
    };
    const found: (CountLink & { readonly page: string })[] = [];
    for (const [page, shown] of Object.entries(pages)) {
      await web.show(page);
      const is = [web.page.getByTitle(shown), web.page.getByLabel(shown)];
      await is
        .reduce((any, one) => any.or(one), web.page.getByText(shown))
        .first()
        .waitFor();
      await until('all numbers are read', 20, async () => {
        const text = await web.page.getByRole('main').innerText();
        return !/(^|\t)(Loading .*)?…$/m.test(text);
      });
      const links = await web.page.evaluate<CountLink[]>(COUNT_LINKS);
      found.push(...links.map((link) => ({ ...link, page })));
      await leave(web);
    }
    const wrong: string[] = [];
    const expectRows = ({ page, href, text, count }: (typeof found)[number], rows: number) => {
      if (rows !== count) wrong.push(`${page}: ${text}: ${String(count)} leads to ${String(rows)}: ${href}`);
    };
    const lists = new Map(found.map((link) => [`${link.href} ${String(link.count)}`, link]));
    for (const link of lists.values()) expectRows(link, await listedBehind(link.href));
    expect(wrong).toEqual([]);
    // The lists themselves, one for each set of parameters.
    const examples = new Map([...lists.values()].map((link) => [parametersOf(link.href), link]));
    const ordered = interleaved([...examples.values()].sort((one, other) => one.count - other.count));
    let before: number | undefined;
    for (const link of ordered) {
      if (link.count === before) {
        await leave(web);
        before = undefined;
      }
      before = await rowsBehind(web, link.href, before);
      expectRows(link, before);
    }
    expect(wrong).toEqual([]);
    expect(examples.size).toBeGreaterThan(5);
    expect(new Set(found.map(({ page }) => page)).size).toBeGreaterThan(12);
    expect(found.length).toBeGreaterThan(60);
    await web.close();
  });
});
