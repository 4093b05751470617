import { sharedService } from '../support/service';
import { lockRows, SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';

interface StatusOnly {
  readonly status: number;
}

/** A request that references a resource, and a concurrent request that deletes or moves it. */
interface Race {
  /** Sent concurrently, in either order. */
  readonly refer: () => PromiseLike<StatusOnly>;
  readonly remove: () => PromiseLike<StatusOnly>;
  /** The possible statuses of the two, depending on which is first. */
  readonly outcomes: readonly (readonly [number, number])[];
  /** The path of the referenced resource. */
  readonly target: string;
}

const at = (collection: string, { id }: Resource): string => `/v1/${collection}/${String(id)}`;
const statuses = (responses: readonly StatusOnly[]): number[] => responses.map(({ status }) => status).sort();
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Reference first: still in use. Deletion first: the target no longer exists. */
const EITHER = (made: number) =>
  [
    [made, 409],
    [405, 204],
  ] as const;

const newHost = (region_id: number) => ({
  name: aName('host'),
  region_id,
  ip_address: '10.0.0.1',
  device_type: 'server',
});

const races: Record<string, (admin: Caller) => Promise<Race>> = {
  'a cell made in a region': async (admin) => {
    const region = await admin.region();
    return {
      refer: () => admin.post('/v1/cells', { name: aName('cell'), region_id: region.id }),
      remove: () => admin.delete(at('regions', region)),
      outcomes: EITHER(201),
      target: at('regions', region),
    };
  },
  'a device made in a region': async (admin) => {
    const region = await admin.region();
    return {
      refer: () => admin.post('/v1/hosts', newHost(region.id)),
      remove: () => admin.delete(at('regions', region)),
      outcomes: EITHER(201),
      target: at('regions', region),
    };
  },
  'a device made in a cell': async (admin) => {
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    return {
      refer: () => admin.post('/v1/hosts', { ...newHost(region.id), cell_id: cell.id }),
      remove: () => admin.delete(at('cells', cell)),
      outcomes: EITHER(201),
      target: at('cells', cell),
    };
  },
  'a device moved into a cell': async (admin) => {
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    const host = await admin.host({ region_id: region.id });
    return {
      refer: () => admin.put(at('hosts', host), { cell_id: cell.id }),
      remove: () => admin.delete(at('cells', cell)),
      outcomes: EITHER(200),
      target: at('cells', cell),
    };
  },
  'a cell moved into a region': async (admin) => {
    const region = await admin.region();
    const cell = await admin.cell();
    return {
      refer: () => admin.put(at('regions', region), { cells: [cell.id] }),
      remove: () => admin.delete(at('regions', region)),
      outcomes: [
        [200, 409],
        [404, 204],
      ],
      target: at('regions', region),
    };
  },
  'a cell moved while it is deleted': async (admin) => {
    const region = await admin.region();
    const cell = await admin.cell();
    return {
      refer: () => admin.put(at('regions', region), { cells: [cell.id] }),
      remove: () => admin.delete(at('cells', cell)),
      outcomes: [
        [200, 204],
        [405, 204],
      ],
      target: at('cells', cell),
    };
  },
  'a region put into a cloud': async (admin) => {
    const cloud = await admin.cloud();
    const region = await admin.region();
    return {
      refer: () => admin.put(at('regions', region), { cloud_id: cloud.id }),
      remove: () => admin.delete(at('clouds', cloud)),
      outcomes: EITHER(200),
      target: at('clouds', cloud),
    };
  },
  'a host given a secret': async (admin) => {
    const secret = await admin.secret();
    const host = await admin.host();
    return {
      refer: () => admin.put(at('hosts', host), { access_secret_id: secret.id }),
      remove: () => admin.delete(at('access-secrets', secret)),
      outcomes: EITHER(200),
      target: at('access-secrets', secret),
    };
  },
  'a device made below a parent': async (admin) => {
    const parent = await admin.networkDevice();
    const region_id = (await admin.region()).id;
    return {
      refer: () => admin.post('/v1/hosts', { ...newHost(region_id), parent_id: parent.id }),
      remove: () => admin.delete(at('network-devices', parent)),
      outcomes: EITHER(201),
      target: at('network-devices', parent),
    };
  },
  'a device moved below a parent': async (admin) => {
    const parent = await admin.host();
    const host = await admin.host();
    return {
      refer: () => admin.put(at('hosts', host), { parent_id: parent.id }),
      remove: () => admin.delete(at('hosts', parent)),
      outcomes: EITHER(200),
      target: at('hosts', parent),
    };
  },
};

/** Half of them send the deletion first. A lock that is missing shows in about every third round. */
const ROUNDS = 6;

describe('simultaneous references and deletions', () => {
  const app = sharedService();
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await secondConnection.close();
  });

  it.each(Object.entries(races))('leave no dangling reference: %s', async (_, race) => {
    const admin = await app.project();
    for (let round = 0; round < ROUNDS; round++) {
      const { refer, remove, outcomes, target } = await race(admin);
      // Alternate which request is sent first.
      const [referred, removed] =
        round % 2 === 0
          ? await Promise.all([refer(), remove()])
          : (await Promise.all([remove(), refer()])).reverse();
      const outcome = [referred?.status, removed?.status];
      expect(outcomes).toContainEqual(outcome);
      expect((await admin.get(target)).status).toBe(removed?.status === 204 ? 404 : 200);
    }
  });

  it('wait for a deletion in progress, and then report the region as missing', async () => {
    const admin = await app.project();
    const region = await admin.region({ labels: 'held' });
    // The deletion locks the region, then waits for its labels. The other requests wait for the region.
    const responses = await secondConnection.whileHolding(
      {
        text: 'SELECT FROM region_labels WHERE project_id = $1 AND region_id = $2 FOR UPDATE',
        values: [admin.projectId, region.id],
      },
      async () => {
        const removed = Promise.all([admin.delete(at('regions', region))]);
        await secondConnection.waiting(1);
        const others = Promise.all([
          admin.post('/v1/cells', { name: aName('cell'), region_id: region.id }),
          admin.post('/v1/hosts', newHost(region.id)),
          admin.put(at('regions', region), { note: 'late' }),
        ]);
        return [...(await removed), ...(await others)];
      },
      4,
    );
    expect(statuses(responses)).toEqual([204, 404, 405, 405]);
  });

  it('make a deletion wait for a reference in progress, and reject it', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const name = aName('cell');
    const responses = await secondConnection.whileHolding(
      {
        // The creation of the cell locks the region, then waits for the name that this transaction inserts.
        text: 'INSERT INTO cells (project_id, region_id, name) VALUES ($1, $2, $3)',
        values: [admin.projectId, region.id, name],
      },
      () =>
        Promise.all([
          admin.post('/v1/cells', { name, region_id: region.id }),
          admin.delete(at('regions', region)),
        ]),
      2,
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 409]);
  });

  it('keep a label that a device was given, or create it again', async () => {
    const admin = await app.project();
    const host = await admin.host();
    for (let round = 0; round < ROUNDS; round++) {
      const name = aName('label');
      const label = await admin.label({ label: name });
      const [given, removed] = await Promise.all([
        admin.put(`${at('hosts', host)}/labels`, { labels: [name] }),
        admin.delete(at('labels', label)),
      ]);
      expect(given.status).toBe(200);
      expect([204, 409]).toContain(removed.status);
      expect((await admin.get(at('hosts', host))).body.labels.split(',')).toContain(name);
      expect((await admin.get(`/v1/labels?name=${name}`)).body).toHaveLength(1);
    }
  });

  it('create the same labels once, in any order and on any resource', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    const hosts = await Promise.all(times(4, () => admin.host({ region_id: region.id })));
    const labelled = [
      ...hosts.map((host) => `${at('hosts', host)}/labels`),
      at('cells', cell),
      at('regions', region),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      const names = times(6, () => aName('label'));
      const responses = await Promise.all([
        ...labelled.map((path, i) => {
          const rotated = [...names.slice(i), ...names.slice(0, i)];
          return admin.put(path, { labels: i % 2 === 0 ? rotated : rotated.reverse() });
        }),
        admin.post('/v1/labels', { label: names[2] }),
      ]);
      const made = responses.pop();
      expect(statuses(responses)).toEqual(labelled.map(() => 200));
      expect([201, 409]).toContain(made?.status);
      for (const name of names) expect((await admin.get(`/v1/labels?name=${name}`)).body).toHaveLength(1);
      expect((await admin.get(at('regions', region))).body.labels).toBe([...names].sort().join(','));
    }
  });

  it('move cells while devices are created in them, moved in and out of them and changed', async () => {
    const admin = await app.project();
    const regions = [await admin.region(), await admin.region()] as const;
    const cell = await admin.cell({ region_id: regions[0].id });
    const inside = await Promise.all(
      times(4, () => admin.host({ region_id: regions[0].id, cell_id: cell.id })),
    );
    for (let round = 0; round < ROUNDS; round++) {
      const from = regions[round % 2]!;
      const to = regions[(round + 1) % 2]!;
      const responses = await Promise.all([
        admin.put(at('regions', to), { cells: [cell.id] }),
        admin.post('/v1/hosts', { ...newHost(from.id), cell_id: cell.id }),
        admin.post('/v1/network-devices', { ...newHost(to.id), cell_id: cell.id }),
        admin.put(at('hosts', inside[0]!), { cell_id: round % 2 === 0 ? null : cell.id }),
        admin.put(at('hosts', inside[1]!), { region_id: from.id, cell_id: cell.id }),
        admin.put(at('hosts', inside[2]!), { active: round % 2 === 0 }),
        admin.put(at('hosts', inside[3]!), { name: aName('renamed'), cell_id: cell.id }),
        admin.put(at('cells', cell), { note: `round ${String(round)}` }),
      ]);
      for (const { status } of responses) expect([200, 201, 405]).toContain(status);
      expect(responses[0].status).toBe(200);
      for (const i of [5, 7]) expect(responses[i]!.status).toBe(200);
      const { region_id } = (await admin.get(at('cells', cell))).body as Resource;
      expect(region_id).toBe(to.id);
      const inCell = [
        ...(await admin.get(`/v1/hosts?cell_id=${String(cell.id)}`)).body,
        ...(await admin.get(`/v1/network-devices?cell_id=${String(cell.id)}`)).body,
      ] as Resource[];
      expect(inCell.length).toBeGreaterThanOrEqual(2);
      expect(new Set(inCell.map((device) => device['region_id']))).toEqual(new Set([to.id]));
      // Restore the first host for the next round.
      await admin.put(at('hosts', inside[0]!), {
        region_id: to.id,
        cell_id: round % 2 === 0 ? null : cell.id,
      });
    }
  });

  it('lock a cell before its devices, like moves of cells do, and so never deadlock', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const cell = await admin.cell();
    const location = { region_id: cell['region_id'], cell_id: cell.id };
    const [first, second] = [await admin.host(location), await admin.host(location)];
    const before = await secondConnection.deadlocks();
    const responses = await secondConnection.whileHolding(
      lockRows('devices', admin.projectId, first.id),
      async () => {
        // Locks the cell and waits for its first device.
        const moved = Promise.all([admin.put(at('regions', region), { cells: [cell.id] })]);
        await secondConnection.waiting(1);
        // If this locked the second device first, it would wait for the cell while the move waits for the device.
        const changed = Promise.all([
          admin.put(at('hosts', second), { cell_id: cell.id }),
          admin.put(at('hosts', second), { region_id: region.id, cell_id: cell.id }),
        ]);
        return [...(await moved), ...(await changed)];
      },
      3,
    );
    expect(statuses(responses)).toEqual([200, 200, 200]);
    expect(await secondConnection.deadlocks()).toBe(before);
  });

  it('move several cells between regions in opposite directions', async () => {
    const admin = await app.project();
    const [left, right] = [await admin.region(), await admin.region()];
    const cells = await Promise.all(times(4, () => admin.cell({ region_id: left.id })));
    for (const cell of cells) await admin.host({ region_id: left.id, cell_id: cell.id });
    const ids = cells.map(({ id }) => id);
    for (let round = 0; round < ROUNDS; round++) {
      const responses = await Promise.all([
        admin.put(at('regions', left), { cells: ids }),
        admin.put(at('regions', right), { cells: [...ids].reverse() }),
        admin.put(at('regions', right), { cells: ids.slice(0, 2), name: aName('renamed') }),
      ]);
      expect(statuses(responses)).toEqual([200, 200, 200]);
      const hosts = (await admin.get('/v1/hosts')).body as Resource[];
      const regionsOfCells = new Map(
        ((await admin.get('/v1/cells')).body as Resource[]).map((cell) => [cell.id, cell['region_id']]),
      );
      expect(hosts.map((host) => host['region_id'])).toEqual(
        hosts.map((host) => regionsOfCells.get(host['cell_id'] as number)),
      );
    }
  });
});
