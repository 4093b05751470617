import { sharedService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';

interface ChangedObject {
  readonly before: { readonly labels: string; readonly version: number } | null;
  readonly after: { readonly labels: string; readonly version: number } | null;
  readonly variables: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}

interface ChangeRecord {
  readonly id: number;
  readonly created_at: string;
  readonly objects: readonly ChangedObject[];
}

const statuses = (responses: readonly { readonly status: number }[]): number[] =>
  responses.map(({ status }) => status).sort();

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** The updates of a host, oldest first. */
async function updatesOf(
  caller: Caller,
  id: number,
): Promise<{ record: ChangeRecord; host: ChangedObject }[]> {
  const { body } = await caller.get(`/v1/changes?kind=host&object_id=${String(id)}`).expect(200);
  return (body as ChangeRecord[]).slice(1).map((record) => ({ record, host: record.objects[0]! }));
}

describe('simultaneous changes', () => {
  const app = sharedService();
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await secondConnection.close();
  });

  const whileLockingDevices = <T>(
    { projectId }: Caller,
    ids: readonly number[],
    act: () => Promise<T>,
    waiting: number,
  ): Promise<T> => secondConnection.whileHolding(lockRows('devices', projectId, ...ids), act, waiting);

  /** The change that set each variable of a host. */
  const changeIdsByKey = async (caller: Caller, id: number) => {
    const { body } = await caller.get('/v1/variables?kind=host&fields=key,id,change_id').expect(200);
    const set = body as { readonly key: string; readonly id: number; readonly change_id: number }[];
    return Object.fromEntries(set.filter((one) => one.id === id).map((one) => [one.key, one.change_id]));
  };

  describe('of variables', () => {
    it('keeps different keys set by two clients, with a record and a correlation for each', async () => {
      const admin = await app.project();
      const { id } = await admin.host();
      const path = `/v1/hosts/${String(id)}/variables`;
      const rounds = 15;
      for (let round = 0; round < rounds; round++) {
        const responses = await Promise.all([
          admin.put(path, { [`left_${String(round)}`]: round }),
          admin.put(path, { [`right_${String(round)}`]: round }),
        ]);
        expect(statuses(responses)).toEqual([200, 200]);
      }
      const expected = Object.fromEntries(
        times(rounds, (i) => [
          [`left_${String(i)}`, i],
          [`right_${String(i)}`, i],
        ]).flat() as [string, number][],
      );
      expect((await admin.get(path)).body.variables).toEqual(expected);
      const updates = await updatesOf(admin, id);
      expect(updates).toHaveLength(2 * rounds);
      const recorded = updates.flatMap(({ record, host }) =>
        Object.entries(host.variables).map(([key, { after }]) => ({ key, after, change: record.id })),
      );
      expect(Object.fromEntries(recorded.map(({ key, after }) => [key, after]))).toEqual(expected);
      expect(await changeIdsByKey(admin, id)).toEqual(
        Object.fromEntries(recorded.map(({ key, change }) => [key, change])),
      );
    });

    it('keeps both when one is sure to wait for the other', async () => {
      const admin = await app.project();
      const { id } = await admin.host({ variables: { unchanged: 1 } });
      const path = `/v1/hosts/${String(id)}/variables`;
      const responses = await whileLockingDevices(
        admin,
        [id],
        () =>
          Promise.all([
            admin.put(path, { left: 1 }),
            admin.put(path, { right: 2 }),
            admin.delete(path, ['unchanged']),
          ]),
        3,
      );
      expect(statuses(responses)).toEqual([200, 200, 204]);
      expect((await admin.get(path)).body.variables).toEqual({ left: 1, right: 2 });
      expect((await admin.get(`/v1/hosts/${String(id)}`)).body.version).toBe(4);
      expect(Object.keys(await changeIdsByKey(admin, id)).sort()).toEqual(['left', 'right']);
    });

    it('lets the last write of one key win, and chains the records', async () => {
      const admin = await app.project();
      const { id } = await admin.host();
      const path = `/v1/hosts/${String(id)}/variables`;
      const responses = await whileLockingDevices(
        admin,
        [id],
        () => Promise.all(times(8, (i) => admin.put(path, { contested: i }))),
        8,
      );
      expect(statuses(responses)).toEqual(times(8, () => 200));
      const updates = await updatesOf(admin, id);
      expect(updates).toHaveLength(8);
      let value: unknown;
      let time = '';
      for (const { record, host } of updates) {
        expect(host.variables['contested']?.before).toEqual(value);
        value = host.variables['contested']?.after;
        expect(record.created_at >= time).toBe(true);
        time = record.created_at;
      }
      expect((await admin.get(path)).body.variables).toEqual({ contested: value });
      expect(await changeIdsByKey(admin, id)).toEqual({ contested: updates.at(-1)?.record.id });
    });
  });

  it('chains the records of labels that are set at the same time', async () => {
    const admin = await app.project();
    const { id } = await admin.host({ labels: ['first'] });
    const names = times(5, () => aName('label'));
    const responses = await whileLockingDevices(
      admin,
      [id],
      () =>
        Promise.all([
          ...names.map((name) => admin.put(`/v1/hosts/${String(id)}/labels`, { labels: [name] })),
          admin.put(`/v1/hosts/${String(id)}`, { labels: 'alone' }),
        ]),
      6,
    );
    expect(statuses(responses)).toEqual(times(6, () => 200));
    const updates = await updatesOf(admin, id);
    expect(updates).toHaveLength(6);
    let labels = 'first';
    for (const { host } of updates) {
      expect(host.before?.labels).toBe(labels);
      labels = host.after?.labels ?? '';
    }
    expect((await admin.get(`/v1/hosts/${String(id)}`)).body.labels).toBe(labels);
  });

  describe('with If-Match', () => {
    it.each([
      ['members', '', (i: number) => ({ device_type: `type-${String(i)}` })],
      ['variables', '/variables', (i: number) => ({ contested: i })],
      ['labels', '/labels', (i: number) => ({ labels: [`label-${String(i)}`] })],
    ])('accepts exactly one of several concurrent changes of %s', async (_, path, body) => {
      const admin = await app.project();
      const { id } = await admin.host();
      const host = `/v1/hosts/${String(id)}`;
      const responses = await whileLockingDevices(
        admin,
        [id],
        () => Promise.all(times(6, (i) => admin.put(host + path, body(i), { 'If-Match': '"1"' }))),
        6,
      );
      expect(statuses(responses)).toEqual([200, 412, 412, 412, 412, 412]);
      expect((await admin.get(host)).body.version).toBe(2);
    });

    it('does not delete a host that was changed concurrently', async () => {
      const admin = await app.project();
      for (let round = 0; round < 10; round++) {
        const { id } = await admin.host();
        const path = `/v1/hosts/${String(id)}`;
        const [changed, deleted] = await Promise.all([
          admin.put(path, { active: false }, { 'If-Match': '"1"' }),
          admin.delete(path, undefined, { 'If-Match': '"1"' }),
        ]);
        const outcome = [changed.status, deleted.status];
        expect([
          [200, 412],
          [404, 204],
        ]).toContainEqual(outcome);
        expect((await admin.get(path)).status).toBe(deleted.status === 204 ? 404 : 200);
      }
    });
  });

  describe('of parents', () => {
    const parentOf = async (admin: Caller, { id }: Resource) =>
      (await admin.get(`/v1/hosts/${String(id)}`).expect(200)).body.parent_id as number | null;

    async function expectNoLoop(admin: Caller, hosts: readonly Resource[]): Promise<void> {
      const parents = new Map<number, number | null>();
      for (const host of hosts) parents.set(host.id, await parentOf(admin, host));
      for (const host of hosts) {
        let above: number | null = host.id;
        for (let steps = 0; above !== null; steps++) {
          expect(steps).toBeLessThanOrEqual(hosts.length);
          above = parents.get(above) ?? null;
        }
      }
    }

    it.each([2, 3])('create no cycle of %i devices', async (size) => {
      const admin = await app.project();
      const region_id = (await admin.region()).id;
      for (let round = 0; round < 6; round++) {
        const hosts = await Promise.all(times(size, () => admin.host({ region_id })));
        const setParents = () =>
          Promise.all(
            hosts.map(({ id }, i) =>
              admin.put(`/v1/hosts/${String(id)}`, { parent_id: hosts[(i + 1) % size]?.id }),
            ),
          );
        // In the last rounds, hold the locks so that all requests start before the first can finish.
        const ids = hosts.map(({ id }) => id);
        const responses =
          round < 4 ? await setParents() : await whileLockingDevices(admin, ids, setParents, size);
        expect(statuses(responses)).toEqual([...times(size - 1, () => 200), 405]);
        await expectNoLoop(admin, hosts);
      }
    });

    it('create no cycle through devices of another kind, nor through root in another project', async () => {
      const admin = await app.project();
      const { root } = app;
      const region_id = (await admin.region()).id;
      for (let round = 0; round < 2; round++) {
        const host = await admin.host({ region_id });
        const device = await admin.networkDevice({ region_id });
        const responses = await whileLockingDevices(
          admin,
          [host.id, device.id],
          () =>
            Promise.all([
              admin.put(`/v1/hosts/${String(host.id)}`, { parent_id: device.id }),
              root.put(`/v1/network-devices/${String(device.id)}`, { parent_id: host.id }),
            ]),
          2,
        );
        expect(statuses(responses)).toEqual([200, 405]);
      }
    });
  });

  describe('of names', () => {
    const region = async (admin: Caller) => ({ region_id: (await admin.region()).id });
    const device = async (admin: Caller) => ({
      ...(await region(admin)),
      ip_address: '10.0.0.1',
      device_type: 'server',
    });
    const nothing = () => Promise.resolve({});

    it.each([
      ['projects', 'name', nothing],
      ['users', 'username', nothing],
      ['clouds', 'name', nothing],
      ['regions', 'name', nothing],
      ['cells', 'name', region],
      ['labels', 'label', nothing],
      ['hosts', 'name', device],
      ['network-devices', 'name', device],
    ])('create one of %s, and reject the others with 409', async (collection, member, others) => {
      const project = await app.project();
      const caller = collection === 'projects' ? app.root : project;
      const members = await others(project);
      const path = `/v1/${collection}`;
      for (let round = 0; round < 2; round++) {
        const name = aName('contested');
        const body = { ...members, [member]: name };
        const responses = await Promise.all(times(10, () => caller.post(path, body)));
        expect(statuses(responses)).toEqual([201, ...times(9, () => 409)]);
        const found = await caller.get(`${path}?${member}=${name}`).expect(200);
        expect(found.body).toHaveLength(1);
      }
      // The same for renames.
      const name = aName('contested');
      const made = await Promise.all(
        times(6, () => caller.post(path, { ...members, [member]: aName('one') }).expect(201)),
      );
      const renamed = await Promise.all(
        made.map(({ body }) => caller.put(`${path}/${String(body.id)}`, { [member]: name })),
      );
      expect(statuses(renamed)).toEqual([200, ...times(5, () => 409)]);
    });

    it('create one device per name, regardless of its kind', async () => {
      const admin = await app.project();
      const members = await device(admin);
      for (let round = 0; round < 6; round++) {
        const body = { ...members, name: aName('contested') };
        const responses = await Promise.all(
          times(6, (i) => admin.post(i % 2 === 0 ? '/v1/hosts' : '/v1/network-devices', body)),
        );
        expect(statuses(responses)).toEqual([201, 409, 409, 409, 409, 409]);
      }
    });
  });
});
