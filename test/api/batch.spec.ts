import { sharedService } from '../support/service';
import { countOfChanges, doBatch, hostBody, sendBatch, type Operation } from '../support/batches';
import { aName, type Caller, type Resource } from '../support/caller';
import { FeedReader } from '../support/feed-reader';

interface ChangedObject {
  readonly kind: string;
  readonly id: number;
  readonly action: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly variables: unknown;
}

// The feed waits for transactions of other test files.
jest.setTimeout(120_000);

const objectsOf = async (caller: Caller, id: number | null): Promise<ChangedObject[]> => {
  const { body } = await caller.get(`/v1/changes/${String(id)}`).expect(200);
  return (body as { objects: ChangedObject[] }).objects;
};

describe('POST /v1/batch', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ name: 'north', variables: { ntp: 'a' } });
  });
  const regionPath = (suffix = '') => `/v1/regions/${String(region.id)}${suffix}`;

  it('does writes in order, with one record, and returns the response of each', async () => {
    const before = await countOfChanges(admin);
    const { change_id, results } = await doBatch(admin, [
      { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'rack-7', region_id: region.id } },
      {
        method: 'POST',
        path: '/v1/hosts',
        body: hostBody({ name: 'web', region_id: region.id, cell_id: { $ref: 'rack.id' }, labels: ['www'] }),
      },
      { method: 'PUT', path: '/v1/cells/{rack.id}/variables', body: { ntp: 'b' } },
      { method: 'PUT', path: regionPath(), body: { name: 'south' }, if_match: '"1"' },
      { method: 'DELETE', path: regionPath('/variables'), body: ['none'] },
    ]);
    const [rack, web] = [results[0]!.body, results[1]!.body];
    expect(results.map(({ id, status, etag }) => [id, status, etag])).toEqual([
      ['rack', 201, '"1"'],
      [null, 201, '"1"'],
      [null, 200, '"2"'],
      [null, 200, '"2"'],
      [null, 204, null],
    ]);
    expect(web).toMatchObject({ cell_id: rack.id, variables: { ntp: 'a' }, labels: 'www' });
    expect(results[2]!.body).toEqual({ variables: { ntp: 'b' } });
    expect(results[4]!.body).toBeNull();
    expect((await admin.get(`/v1/hosts/${String(web.id)}`).expect(200)).body).toMatchObject({
      variables: { ntp: 'b' },
    });
    expect((await objectsOf(admin, change_id)).map(({ kind, action }) => `${action} ${kind}`).sort()).toEqual(
      ['create cell', 'create host', 'create label', 'update region'],
    );
    expect(await countOfChanges(admin)).toBe(before + 1);
  });

  it('gives one resource that several operations write the state before and after all of them', async () => {
    const { change_id, results } = await doBatch(admin, [
      { method: 'PUT', path: regionPath('/variables'), body: { a: 1 } },
      { method: 'PUT', path: regionPath('/variables'), body: { b: 2 }, if_match: '"2"' },
      { method: 'PUT', path: regionPath(), body: { name: 'n' }, if_match: '"3"' },
    ]);
    expect(results.map(({ etag }) => etag)).toEqual(['"2"', '"3"', '"4"']);
    expect(await objectsOf(admin, change_id)).toEqual([
      expect.objectContaining({
        action: 'update',
        before: expect.objectContaining({ version: 1, name: 'north' }),
        after: expect.objectContaining({ version: 4, name: 'n' }),
        variables: { a: { after: 1 }, b: { after: 2 } },
      }),
    ]);
  });

  it('records a resource that it creates and updates as created, with its last state', async () => {
    const { change_id, results } = await doBatch(admin, [
      { id: 'r', method: 'POST', path: '/v1/regions', body: { name: 'x', variables: { k: 1 } } },
      { method: 'PUT', path: '/v1/regions/{r.id}', body: { name: 'y' } },
      { method: 'PUT', path: '/v1/regions/{r.id}/variables/k', body: { value: 2 } },
    ]);
    expect(results[2]!.etag).toBe(`"c${String(change_id)}"`);
    expect(await objectsOf(admin, change_id)).toEqual([
      expect.objectContaining({
        action: 'create',
        before: null,
        after: expect.objectContaining({ name: 'y', version: 3 }),
        variables: { k: { after: 2 } },
      }),
    ]);
  });

  it('records a resource that it updates and deletes as deleted, with its first state', async () => {
    const { change_id } = await doBatch(admin, [
      { method: 'PUT', path: regionPath(), body: { name: 'gone' } },
      { method: 'DELETE', path: regionPath(), if_match: '"2"' },
    ]);
    expect(await objectsOf(admin, change_id)).toEqual([
      expect.objectContaining({
        action: 'delete',
        before: expect.objectContaining({ name: 'north', version: 1 }),
        after: null,
        variables: { ntp: { before: 'a' } },
      }),
    ]);
    const { id } = (await admin.post(`/v1/changes/${String(change_id)}/revert`).expect(201)).body as Resource;
    expect(id).toBeGreaterThan(change_id ?? 0);
    expect((await admin.get(regionPath()).expect(200)).body).toMatchObject({ name: 'north' });
  });

  it('records nothing of a resource that it creates and deletes', async () => {
    const undone: Operation[] = [
      { id: 'c', method: 'POST', path: '/v1/clouds', body: { name: 'short' } },
      { method: 'PUT', path: '/v1/clouds/{c.id}', body: { name: 'shorter' } },
      { method: 'DELETE', path: '/v1/clouds/{c.id}' },
    ];
    expect((await doBatch(admin, undone)).change_id).toBeNull();
    const { change_id } = await doBatch(admin, [
      ...undone,
      { method: 'PUT', path: regionPath(), body: { name: 'z' } },
    ]);
    expect((await objectsOf(admin, change_id)).map(({ kind }) => kind)).toEqual(['region']);
    expect((await admin.get('/v1/clouds').expect(200)).body).toEqual([]);
  });

  it('raises no version of what an operation leaves as it is', async () => {
    const cell = await admin.cell({ region_id: region.id, variables: { k: 1 } });
    const unchanged: Operation[] = [
      { method: 'PUT', path: regionPath(), body: { name: 'north' } },
      { method: 'PUT', path: `/v1/cells/${String(cell.id)}/variables/k`, body: { value: 1 } },
    ];
    const before = (await admin.get(`/v1/cells/${String(cell.id)}/variables/k`).expect(200)).headers['etag'];
    const { change_id, results } = await doBatch(admin, unchanged);
    expect(change_id).toBeNull();
    expect(results.map(({ etag }) => etag)).toEqual(['"1"', before]);
    const mixed = await doBatch(admin, [
      ...unchanged,
      { method: 'PUT', path: regionPath(), body: { name: 'other' } },
    ]);
    expect(mixed.results.map(({ etag }) => etag)).toEqual(['"1"', before, '"2"']);
    expect((await objectsOf(admin, mixed.change_id)).map(({ kind }) => kind)).toEqual(['region']);
  });

  it('keeps every digit of the bodies', async () => {
    const text = `{"operations": [ {"path":"/v1/labels","body" : {"label":"a","variables":{"n": 9007199254740993, "s":"],[{\\"}\\\\\\","}} ,"method":"POST"} ]}`;
    const { text: response } = await admin.post('/v1/batch', text).expect(200);
    expect(response).toContain('"n": 9007199254740993');
    expect(response).toContain('"s": "],[{\\"}\\\\\\","');
  });

  it('takes its reason from the header, else from note, and demands one where the project does', async () => {
    await admin
      .put(`/v1/projects/${admin.projectId}/settings`, { change_reason: { required: true, pattern: '^CHG' } })
      .expect(200);
    const operations = [{ method: 'PUT', path: regionPath(), body: { name: 'x', note: 'CHG-1' } }];
    const { body: error } = await admin.post('/v1/batch', { operations }).expect(400);
    expect((error.details as { field: string }[])[0]?.field).toBe('X-Change-Reason');
    const { body } = await admin.post('/v1/batch', { operations, note: 'CHG-2' }).expect(200);
    const { body: record } = await admin.get(`/v1/changes/${String(body.change_id)}`).expect(200);
    expect(record.reason).toBe('CHG-2');
  });

  it('repeats nothing for an Idempotency-Key, even if it deleted what a path leads to', async () => {
    const { uuid } = await admin.host({ region_id: region.id });
    const headers = { 'Idempotency-Key': aName('key') };
    const operations: Operation[] = [
      { id: 'c', method: 'POST', path: '/v1/clouds', body: { name: 'west' } },
      { method: 'PUT', path: '/v1/clouds/{c.id}', body: { name: 'east' } },
      { method: 'DELETE', path: `/v1/hosts/${uuid}` },
    ];
    const first = await sendBatch(admin, operations, '', headers).expect(200);
    const again = await sendBatch(admin, operations, '', headers).expect(200);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await admin.get('/v1/clouds').expect(200)).body).toHaveLength(1);
    await sendBatch(admin, operations.slice(1, 2), '', headers).expect(400);
  });

  it('is previewed by a dry run, with the record and the impact that it then has', async () => {
    const moved = await admin.host({ region_id: region.id });
    const other = await admin.region({ name: 'other', variables: { ntp: 'z' } });
    const operations: Operation[] = [
      { method: 'PUT', path: regionPath('/variables'), body: { ntp: 'b', dns: 'c' } },
      { method: 'PUT', path: `/v1/hosts/${String(moved.id)}`, body: { region_id: other.id } },
      { method: 'PUT', path: `/v1/regions/${String(other.id)}/variables/ntp`, body: { value: 'y' } },
      { method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: region.id }) },
    ];
    const { body: preview } = await sendBatch(admin, operations, '?dry_run=true').expect(200);
    const { body: unchanged } = await admin.get(`/v1/hosts/${String(moved.id)}`).expect(200);
    expect(unchanged).toMatchObject({ version: 1, variables: { ntp: 'a' } });
    const { change_id } = await doBatch(admin, operations);
    const { body: record } = await admin.get(`/v1/changes/${String(change_id)}`).expect(200);
    expect(preview.impact.devices).toBe(2);
    expect(record.impact).toEqual({ devices: 2 });
    const shown = (objects: ChangedObject[]) =>
      objects.map(({ kind, action, variables }) => [kind, action, variables]);
    expect(shown(preview.change.objects as ChangedObject[])).toEqual(
      shown(record.objects as ChangedObject[]),
    );
    const { body: impact } = await admin.get(`/v1/changes/${String(change_id)}/impact`).expect(200);
    const changesOf = (items: { id: number; variables: unknown }[]) =>
      items.filter(({ id }) => id === moved.id).map(({ variables }) => variables);
    expect(changesOf(preview.impact.items)).toEqual(changesOf(impact.items));
  });

  describe('single variables', () => {
    const path = () => regionPath('/variables/ntp');

    it('have the tag of the change once an earlier operation has altered them', async () => {
      const { headers } = await admin.get(path()).expect(200);
      const tag = String(headers['etag']);
      const set = (value: unknown, more: object = {}): Operation => ({
        method: 'PUT',
        path: path(),
        body: { value },
        ...more,
      });
      const { change_id, results } = await doBatch(admin, [
        set('b', { if_match: tag }),
        set('c', { if_match: '*' }),
      ]);
      expect(results.map(({ etag, body }) => [etag, body])).toEqual([
        [`"c${String(change_id)}"`, { key: 'ntp', value: 'b' }],
        [`"c${String(change_id)}"`, { key: 'ntp', value: 'c' }],
      ]);
      const now = `"c${String(change_id)}"`;
      expect((await admin.get(path()).expect(200)).headers['etag']).toBe(now);
      const refused = await sendBatch(admin, [set('d'), set('e', { if_match: now })]).expect(412);
      expect(refused.body.message).toMatch(/^operations\[1\]: /);
      await sendBatch(admin, [
        set('d'),
        { method: 'DELETE', path: path() },
        set('e', { if_match: '*' }),
      ]).expect(412);
      await sendBatch(admin, [{ method: 'DELETE', path: path() }, set('e', { if_none_match: '*' })]).expect(
        200,
      );
      const again = await sendBatch(admin, [
        { method: 'PUT', path: regionPath('/variables'), body: { fresh: 1 } },
        { method: 'PUT', path: regionPath('/variables/fresh'), body: { value: 2 }, if_none_match: '*' },
      ]).expect(412);
      expect((again.body.details as { field: string }[])[0]?.field).toBe('operations[1].If-None-Match');
    });

    it('keep their tag if the batch restores their value', async () => {
      const tag = String((await admin.get(path()).expect(200)).headers['etag']);
      const { results } = await doBatch(admin, [
        { method: 'PUT', path: path(), body: { value: 'b' } },
        { method: 'PUT', path: path(), body: { value: 'a' } },
      ]);
      expect(results[1]!.etag).toBe(tag);
      expect((await admin.get(path()).expect(200)).headers['etag']).toBe(tag);
    });
  });

  describe('variables of many resources', () => {
    it('are set together with other writes, and see their effects', async () => {
      const one = await admin.host({ region_id: region.id });
      const { change_id, results } = await doBatch(admin, [
        { method: 'PUT', path: '/v1/hosts/variables?vars=ntp:%22a%22', body: { variables: { x: 1 } } },
        { id: 'h', method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: region.id }) },
        {
          method: 'PUT',
          path: `/v1/hosts/variables?region_id=${String(region.id)}`,
          body: { variables: { y: 2 } },
        },
        {
          method: 'PUT',
          path: '/v1/hosts/variables',
          body: { ids: [one.id, { $ref: 'h.id' }], variables: { y: 2 } },
        },
      ]);
      expect(results.map(({ body }) => body)).toEqual([
        { matched: 1, updated: 1, unchanged: 0 },
        expect.objectContaining({ region_id: region.id }),
        { matched: 2, updated: 2, unchanged: 0 },
        { matched: 2, updated: 0, unchanged: 2 },
      ]);
      const objects = await objectsOf(admin, change_id);
      expect(objects.map(({ action, variables }) => [action, variables])).toEqual([
        ['update', { x: { after: 1 }, y: { after: 2 } }],
        ['create', { y: { after: 2 } }],
      ]);
    });

    it('are not selected by variables after other operations', async () => {
      const { body } = await sendBatch(admin, [
        { method: 'PUT', path: regionPath('/variables'), body: { ntp: 'b' } },
        { method: 'PUT', path: '/v1/hosts/variables?vars=ntp:%22b%22', body: { variables: { x: 1 } } },
      ]).expect(400);
      expect((body.details as { field: string }[])[0]?.field).toBe('operations[1].path');
    });
  });

  it('needs for each operation the roles that it needs alone', async () => {
    const clerk = await admin.user({ roles: ['clouds:write', 'ntp'] });
    await doBatch(clerk, [
      { method: 'POST', path: '/v1/clouds', body: { name: 'west' } },
      { method: 'PUT', path: regionPath('/variables'), body: { ntp: 'b' } },
    ]);
    const refused: Operation[] = [
      { method: 'PUT', path: regionPath('/variables'), body: { dns: 'b' } },
      { method: 'POST', path: '/v1/cells', body: { name: 'x', region_id: region.id } },
      { method: 'DELETE', path: regionPath() },
    ];
    for (const operation of refused) {
      const { body } = await sendBatch(clerk, [
        { method: 'POST', path: '/v1/clouds', body: { name: 'east' } },
        operation,
      ]).expect(403);
      expect(body.message).toMatch(/^operations\[1\]: /);
    }
    expect((await admin.get('/v1/clouds').expect(200)).body).toHaveLength(1);
  });

  it('hides private variables, in results and in records', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['secret*'] }).expect(200);
    await admin.put(regionPath('/variables'), { secret: 'S3' }).expect(200);
    const writer = await admin.user({ roles: ['*:write'] });
    const response = await sendBatch(writer, [
      { method: 'PUT', path: regionPath('/variables'), body: { ntp: 'b' } },
      { method: 'PUT', path: regionPath(), body: { name: 'other' } },
      { method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: region.id }) },
    ]).expect(200);
    expect(response.text).not.toContain('S3');
    const { body } = await sendBatch(writer, [
      { method: 'POST', path: '/v1/clouds', body: { name: 'x' } },
      { method: 'PUT', path: regionPath('/variables/secret'), body: { value: 'S3' } },
    ]).expect(403);
    expect(body.message).toMatch(/^operations\[1\]: /);
    const preview = await sendBatch(
      writer,
      [{ method: 'DELETE', path: `/v1/hosts/${String(response.body.results[2].body.id)}` }],
      '?dry_run=true',
    ).expect(200);
    expect(preview.text).not.toContain('S3');
  });

  it('refuses paths to other projects, which a root user can reach', async () => {
    const elsewhere = await (await app.project()).region({ name: 'far' });
    const root = app.root.in(admin.projectId);
    await doBatch(root, [{ method: 'PUT', path: regionPath(), body: { name: 'near' } }]);
    for (const operation of [
      { method: 'PUT', path: `/v1/regions/${String(elsewhere.id)}`, body: { name: 'x' } },
      { method: 'PUT', path: `/v1/regions/${String(elsewhere.id)}`, body: { name: 'far' } },
      { method: 'DELETE', path: `/v1/regions/${String(elsewhere.id)}` },
    ] as const) {
      const { body } = await sendBatch(root, [operation]).expect(400);
      expect((body.details as { field: string }[])[0]?.field).toBe('operations[0].path');
    }
  });

  it('appears in the feed, and is reverted, as one change', async () => {
    const { change_id } = await doBatch(admin, [
      { id: 'c', method: 'POST', path: '/v1/cells', body: { name: 'c', region_id: region.id } },
      {
        method: 'POST',
        path: '/v1/hosts',
        body: hostBody({ region_id: region.id, cell_id: { $ref: 'c.id' } }),
      },
      { method: 'PUT', path: regionPath(), body: { name: 'other' } },
    ]);
    const reader = new FeedReader(admin);
    await reader.toEnd();
    expect(reader.ids.filter((id) => id === change_id)).toHaveLength(1);
    await admin.post(`/v1/changes/${String(change_id)}/revert`).expect(201);
    expect((await admin.get('/v1/hosts').expect(200)).body).toEqual([]);
    expect((await admin.get('/v1/cells').expect(200)).body).toEqual([]);
    expect((await admin.get(regionPath()).expect(200)).body).toMatchObject({ name: 'north' });
  });
});
