import { Muster } from '../../client/src';
import { sharedService } from '../support/service';
import { readPage, type Page } from '../support/read-pages';

const app = sharedService();

/** The limit of the header `Link`, with which Node's `fetch` still reads all headers of the response. */
const MAX_HEADER = 8 * 1024;

/** A condition with 100 texts, one of which is that of `tz`. */
const longCondition = (tz: string, length: number) =>
  `tz in ${JSON.stringify(Array.from({ length: 100 }, (_, i) => (i === 99 ? tz : String(i).padEnd(length, 'z'))))}`;

it.each([
  [
    '3.7 kB',
    28,
    [
      ['next', 'self'],
      ['next', 'prev'],
      ['prev', 'self'],
    ],
  ],
  ['7.5 kB', 66, [['next'], ['next'], ['prev']]],
])('a list whose URL has %s is read to the end', async (_url, length, rels) => {
  const admin = await app.project();
  const region = await admin.region({ variables: { tz: 'Europe/Berlin' } });
  const expected = Array.from({ length: 25 }, (_, i) => `node-${String(i)}`);
  const hosts = expected.map((name) => ({
    name,
    region_id: region.id,
    ip_address: '10.0.0.1',
    device_type: 'server',
  }));
  await admin.post('/v1/hosts', hosts).expect(201);
  const where = longCondition('Europe/Berlin', length);
  const names: string[] = [];
  const query = { where: [where], limit: 10, fields: ['name'] as 'name'[] };
  const client = new Muster({ ...admin.credentials, url: app.url });
  for await (const { name } of client.list('/v1/hosts', { query })) names.push(String(name));
  expect(names).toEqual(expected);

  let path: string | undefined = `/v1/hosts?limit=10&${new URLSearchParams({ where }).toString()}`;
  const pages: Page[] = [];
  const inBodies: string[][] = [];
  while (path !== undefined) {
    const page: Page = await readPage(admin, path);
    pages.push(page);
    inBodies.push(Object.keys((await readPage(admin, path, 'page')).links));
    path = page.links['next']?.replace(app.url, '');
  }
  expect(pages.map(({ links }) => Object.keys(links))).toEqual(rels);
  for (const { links } of pages)
    expect(
      Object.entries(links)
        .map(([rel, href]) => `<${href}>; rel="${rel}"`)
        .join(', ').length,
    ).toBeLessThan(MAX_HEADER);
  expect(inBodies[1]).toEqual(['self', 'first', 'prev', 'next', 'last']);
});
