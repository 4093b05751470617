import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import {
  eachCollection,
  inOneProject,
  makeOne,
  someCollections,
  type CollectionCase,
} from '../support/collections';

/** A write of an existing resource. */
interface Write {
  readonly method: 'put' | 'delete' | 'post';
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
}

/** Every write of an existing resource, with its deletion last. */
function writesOf(one: CollectionCase, path: string): Write[] {
  return [
    { method: 'put', path, body: one.change(), status: 200 },
    ...(one.carriesVariables
      ? ([
          { method: 'put', path: `${path}/variables`, body: { a: 1 }, status: 200 },
          { method: 'delete', path: `${path}/variables`, body: ['a'], status: 204 },
        ] as const)
      : []),
    ...(['hosts', 'network-devices'].includes(one.collection)
      ? ([
          { method: 'put', path: `${path}/labels`, body: { labels: ['a'] }, status: 200 },
          { method: 'delete', path: `${path}/labels`, body: { labels: ['a'] }, status: 204 },
        ] as const)
      : []),
    ...(one.collection === 'users'
      ? ([
          { method: 'post', path: `${path}/api-key`, status: 201 },
          { method: 'post', path: `${path}/api-keys`, status: 201 },
        ] as const)
      : []),
    { method: 'delete', path, status: 204 },
  ];
}

describe('entity tags and If-Match', () => {
  const app = sharedService();
  const shared = inOneProject(app);
  const send = (caller: Caller, { method, path, body }: Write, tag: string) =>
    caller.send(method, path, body, { 'If-Match': tag });
  const versionOf = async (caller: Caller, path: string) =>
    ((await caller.get(path).expect(200)).body as Resource).version;

  it.each(eachCollection)(
    '%s: every write checks If-Match, and a mismatch changes nothing',
    async (_, one) => {
      const { caller, path } = await makeOne(shared, one);
      for (const write of writesOf(one, path)) {
        const version = await versionOf(caller, path);
        for (const stale of [version - 1, version + 1]) {
          const { body } = await send(caller, write, `"${String(stale)}"`).expect(412);
          expect(body).toMatchObject({ code: 'version_mismatch', details: [{ field: 'If-Match' }] });
        }
        expect(await versionOf(caller, path)).toBe(version);
        const { headers, status } = await send(caller, write, `"${String(version)}"`).expect(write.status);
        if (write.method === 'delete' && write.path === path) await caller.get(path).expect(404);
        else expect(await versionOf(caller, path)).toBe(version + 1);
        if (status !== 204) expect(headers['etag']).toBe(`"${String(version + 1)}"`);
      }
    },
  );

  it.each(someCollections)('%s: * matches every version, but not an absent resource', async (_, one) => {
    const { caller, path } = await makeOne(shared, one);
    for (const write of writesOf(one, path)) await send(caller, write, '*').expect(write.status);
    for (const write of writesOf(one, `/v1/${one.collection}/${one.absentId}`))
      for (const tag of ['*', '"1"']) await send(caller, write, tag).expect(404);
  });

  it.each(someCollections.filter(([, one]) => one.carriesVariables))(
    '%s: the tags of the variables and of the resource begin with its version',
    async (_, one) => {
      const { caller, path } = await makeOne(shared, one);
      const put = await caller.put(`${path}/variables`, { a: 1 }).expect(200);
      expect(put.headers['etag']).toBe('"2"');
      for (const at of [path, `${path}/variables`, `${path}/variables?resolved-values=true`])
        expect((await caller.get(at).expect(200)).headers['etag']).toMatch(/^"2-/);
    },
  );

  describe('as a header value', () => {
    let admin: Caller;
    let path: string;
    const aRegion = async () => `/v1/regions/${String((await admin.region()).id)}`;
    beforeAll(async () => {
      admin = await app.project();
      path = await aRegion();
    });

    it.each(['"1"', '"7", "1"', '"1","2"', ' "1" ', '"a", W/"1", "1"', '"a,b", "1"', ', "1",', '*', ' * '])(
      'matches: %j',
      async (tag) => {
        await admin.put(await aRegion(), {}, { 'If-Match': tag }).expect(200);
      },
    );

    it.each(['"2"', '"0"', '""', '"01"', 'W/"1"', '"a", "b"', '"-1"', '"1,2"', '"*"'])(
      'does not match: %j',
      async (tag) => {
        await admin.put(path, {}, { 'If-Match': tag }).expect(412);
        await admin.delete(path, undefined, { 'If-Match': tag }).expect(412);
        expect(await versionOf(admin, path)).toBe(1);
      },
    );

    it.each([
      '1',
      "'1'",
      '"1',
      '1"',
      'w/"1"',
      '"1" "2"',
      '*, "1"',
      '"1", *',
      '**',
      '',
      ',',
      'W/',
      '"a"b',
      '"1 "',
    ])('is malformed: %j', async (tag) => {
      const { body } = await admin.put(path, {}, { 'If-Match': tag }).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ field: 'If-Match' }] });
    });
  });

  it('of two concurrent changes of one version, one gets 412', async () => {
    const admin = await app.project();
    const path = `/v1/regions/${String((await admin.region()).id)}`;
    const both = await Promise.all(
      ['a', 'b'].map((note) => admin.put(path, { note }, { 'If-Match': '"1"' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await versionOf(admin, path)).toBe(2);
  });

  it('a move of a cell changes the tags of the moved resources', async () => {
    const admin = await app.project();
    const { id: region_id } = await admin.region();
    const cell = await admin.cell({ region_id });
    const host = await admin.host({ region_id, cell_id: cell.id });
    const to = await admin.region();
    await admin.put(`/v1/regions/${String(to.id)}`, { cells: [cell.id] }, { 'If-Match': '"1"' }).expect(200);
    await admin.put(`/v1/hosts/${String(host.id)}`, { note: 'n' }, { 'If-Match': '"1"' }).expect(412);
    await admin.put(`/v1/cells/${String(cell.id)}`, { note: 'n' }, { 'If-Match': '"2"' }).expect(200);
  });
});
