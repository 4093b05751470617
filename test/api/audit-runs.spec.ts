import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';

interface Result {
  readonly devices: number;
  readonly passed: number;
  readonly locations?: readonly object[];
  readonly locations_total?: number;
  readonly remediation?: object | null;
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

  it('are limited to regions and cells, page by page', async () => {
    const region = await admin.region({ variables: { k: 2 } });
    const cell = await admin.cell({ region_id: region.id });
    const inCell = [
      await admin.host({ region_id: region.id, cell_id: cell.id }),
      await admin.host({ region_id: region.id, cell_id: cell.id }),
    ];
    const inNone = await admin.host({ region_id: region.id });
    await admin.host({ region_id: region.id, cell_id: cell.id, variables: { k: 1 } });
    const other = await admin.host();
    const located = async (path: string, location: string) => {
      const { devices, items } = await run(`${path}?store=false&${location}`);
      return [devices, items.map(({ id }) => id)];
    };
    for (const expectation of [{ vars: 'k:1' }, { key: 'k', schema: { const: 1 } }])
      for (const members of [{}, { where: ['role missing'] }]) {
        const path = await runOf(expectation, members);
        const ids = inCell.map(({ id }) => id);
        expect(await located(path, `region_id=${String(region.id)}`)).toEqual([4, [...ids, inNone.id]]);
        expect(await located(path, `cell_id=${String(cell.id)}`)).toEqual([3, ids]);
        expect(await located(path, `region_id=${String(region.id)}&cell_id=null`)).toEqual([1, [inNone.id]]);
        expect(await located(path, `region_id=${String(other['region_id'])}`)).toEqual([1, [other.id]]);
        const first = await run(`${path}?limit=1&cell_id=${String(cell.id)}`);
        const next = new URL(first.links.find(({ rel }) => rel === 'next')?.href ?? '');
        expect((await run(next.pathname + next.search)).items.map(({ id }) => id)).toEqual(ids.slice(1));
        expect(first.locations).toEqual([{ region_id: region.id, cell_id: cell.id, devices: 3, failed: 2 }]);
      }
    const path = await runOf({ vars: 'k:1' });
    await admin.post(`${path}?region_id=${String((await (await app.project()).region()).id)}`).expect(404);
    await admin.post(`${path}?region_id=null`).expect(400);
    await admin.post(`${path}?store=maybe`).expect(400);
    const { body } = await admin.post(`${path}?foo=1`).expect(400);
    expect(body).toMatchObject({ message: 'foo: is not a parameter here' });
  });

  it('say what a remediation sets, with every digit', async () => {
    const remediationOf = async (expectation: object) => {
      const { text } = await admin.post(await runOf(expectation)).expect(200);
      return /"remediation":(.*?),"items":/.exec(text)?.[1];
    };
    expect(await remediationOf({ vars: 'k:9007199254740993' })).toBe('{"key":"k","value":9007199254740993}');
    expect(await remediationOf({ key: 'k', schema: { const: { a: null } } })).toBe(
      '{"key":"k","value":{"a": null}}',
    );
    expect(await remediationOf({ where: ['k exists'] })).toBe('{"key":"k"}');
    expect(await remediationOf({ vars: 'k:1,l:1' })).toBe('null');
  });

  describe('are stored', () => {
    interface PastRun {
      readonly devices: number;
      readonly failed: number;
      readonly username: string | null;
      readonly regions: readonly object[];
      readonly cells: readonly object[];
    }
    const EXPECTED = { vars: 'k:1' };
    const pastRuns = async (path: string, by = admin) =>
      ((await by.get(`${path}s`).expect(200)).body as { items: readonly PastRun[] }).items;

    it('with their counts in all and by region, the last ones, the latest first', async () => {
      const path = await runOf(EXPECTED);
      expect(await pastRuns(path)).toEqual([]);
      const [good, bad] = [await admin.region({ variables: { k: 1 } }), await admin.region()];
      await admin.host({ region_id: good.id });
      await admin.host({ region_id: bad.id });
      const host = await admin.host({ region_id: bad.id, variables: { k: 1 } });
      await admin.user().then((user) => user.post(path).expect(200));
      await admin.put(`/v1/hosts/${String(host.id)}/variables`, { k: 2 }).expect(200);
      await run(`${path}?limit=1`);
      const [last, first, ...others] = await pastRuns(path);
      expect([last, first]).toMatchObject([
        { devices: 3, failed: 2, regions: [{ id: bad.id, name: bad.name, devices: 2, failed: 2 }] },
        { devices: 3, failed: 1, regions: [{ id: bad.id, name: bad.name, devices: 2, failed: 1 }] },
      ]);
      expect(last?.username).toBe(admin.credentials.user);
      expect(others).toEqual([]);
      // Further pages are no runs of their own.
      const { links } = await run(`${path}?limit=1`);
      const next = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '');
      await run(next.pathname + next.search);
      expect(await pastRuns(path)).toHaveLength(3);
      // Nor are those that only look, or look at a part of the fleet.
      for (const query of ['store=false', `region_id=${String(bad.id)}`]) await run(`${path}?${query}`);
      expect(await pastRuns(path)).toHaveLength(3);
      for (let i = 0; i < 50; i++) await run(path);
      expect(await pastRuns(path)).toHaveLength(50);
    });

    it('with their counts by cell, which a run has for all cells', async () => {
      const path = await runOf({ key: 'k', schema: { const: 1 } });
      const region = await admin.region({ variables: { k: 1 } });
      const [good, bad] = [
        await admin.cell({ region_id: region.id }),
        await admin.cell({ region_id: region.id, variables: { k: 2 } }),
      ];
      for (const cell_id of [good.id, bad.id, bad.id]) await admin.host({ region_id: region.id, cell_id });
      await admin.host({ region_id: region.id, variables: { k: 3 } });
      const first = await run(`${path}?limit=1`);
      const region_id = region.id;
      expect(first.locations).toEqual([
        { region_id, cell_id: bad.id, devices: 2, failed: 2 },
        { region_id, cell_id: null, devices: 1, failed: 1 },
        { region_id, cell_id: good.id, devices: 1, failed: 0 },
      ]);
      expect(first.locations_total).toBe(3);
      const next = new URL(first.links.find(({ rel }) => rel === 'next')?.href ?? '');
      const further = await run(next.pathname + next.search);
      for (const member of ['locations', 'locations_total']) expect(further).not.toHaveProperty(member);
      const named = { id: region.id, name: region.name };
      expect((await pastRuns(path))[0]).toMatchObject({
        regions: [{ ...named, devices: 4, failed: 3 }],
        cells: [{ id: bad.id, name: bad.name, region: named, devices: 2, failed: 2 }],
      });
    });

    it('until the audit checks something else, or is deleted', async () => {
      const path = await runOf(EXPECTED);
      const audit = path.replace(/\/run$/, '');
      await run(path);
      await admin.put(audit, { description: 'Only another text.' }).expect(200);
      expect(await pastRuns(path)).toHaveLength(1);
      await admin.put(audit, { vars: 'role:"db"' }).expect(200);
      expect(await pastRuns(path)).toEqual([]);
      await admin.put(audit, { vars: null }).expect(200);
      expect(await pastRuns(path)).toHaveLength(1);
      await admin.delete(audit).expect(204);
      await admin.get(`${path}s`).expect(404);
    });

    it('without their users for readers from whom the project hides them', async () => {
      const path = await runOf(EXPECTED);
      const reader = await admin.user();
      await run(path);
      await reader.post(path).expect(200);
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { restricts_readers: true }).expect(200);
      expect((await pastRuns(path, reader)).map(({ username }) => username)).toEqual([
        reader.credentials.user,
        null,
      ]);
    });

    it('for those who may see the audit', async () => {
      const reader = await admin.user();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['k'] }).expect(200);
      const path = await runOf(EXPECTED);
      await run(path);
      await reader.get(`${path}s`).expect(404);
      await (await app.project()).get(`${path}s`).expect(404);
    });
  });
});
