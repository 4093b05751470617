import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

interface Result {
  readonly devices: number;
  readonly passed: number;
  readonly items: readonly { readonly id: number; readonly value?: unknown; readonly message: string }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

describe('audit runs', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  /** Creates an audit and returns the path of its run. */
  const runOf = async (expectation: object, members: object = {}) => {
    const body = { name: aName('audit'), expectation, ...members };
    return `/v1/audits/${String(((await admin.post('/v1/audits', body).expect(201)).body as Resource).id)}/run`;
  };
  const run = async (path: string) => (await admin.post(path).expect(200)).body as Result;

  it('validate long values like short ones, at every level', async () => {
    const long = (end: string) => `${'x'.repeat(5_000)}${end}`;
    const schema = { type: 'string', pattern: 'good$' };
    const region = await admin.region({ variables: { k: long('bad') } });
    const cell = await admin.cell({ region_id: region.id, variables: { k: long('good') } });
    await admin.post('/v1/labels', { label: 'a', variables: { k: long('good') } }).expect(201);
    await admin.post('/v1/labels', { label: 'b', variables: { k: long('bad') } }).expect(201);
    const labelled = async (members: object, ...labels: string[]) => {
      const host = await admin.host({ region_id: region.id, ...members });
      if (labels.length > 0) await admin.put(`/v1/hosts/${String(host.id)}/labels`, { labels }).expect(200);
      return host.id;
    };
    const failing = [
      await labelled({}),
      await labelled({ cell_id: cell.id }, 'b', 'a'),
      await labelled({ cell_id: cell.id, variables: { k: long('bad') } }, 'a'),
    ];
    await labelled({ cell_id: cell.id });
    await labelled({}, 'a');
    await labelled({ variables: { k: long('good') } }, 'b');
    const result = await run(await runOf({ key: 'k', schema }));
    expect(result).toMatchObject({ devices: 6, passed: 3 });
    expect(result.items.map(({ id }) => id)).toEqual(failing);
    for (const { value, message } of result.items)
      expect([value, message]).toEqual([long('bad'), 'must match pattern "good$"']);
  });

  it('end a page before it exceeds the size limit, for filters and schemas', async () => {
    const big = 'x'.repeat(1_000_000);
    const hosts: Resource[] = [];
    for (let i = 0; i < 5; i++) hosts.push(await admin.host({ variables: { big } }));
    for (const expectation of [{ vars: 'big:1' }, { key: 'big', schema: { type: 'number' } }]) {
      const pages: Result[] = [];
      let next: string | undefined = await runOf(expectation);
      while (next !== undefined) {
        const page: Result = await run(next);
        pages.push(page);
        const link = page.links.find(({ rel }) => rel === 'next');
        next = link && new URL(link.href).pathname + new URL(link.href).search;
      }
      expect(pages.map(({ items }) => items.length)).toEqual([4, 1]);
      expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(hosts.map(({ id }) => id));
    }
  });
});
