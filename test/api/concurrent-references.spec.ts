import { sharedService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';

interface Answered {
  readonly status: number;
}

/** Something that refers to something else, and something that takes that away. */
interface Contest {
  /** Sent at the same moment, in either order. */
  readonly refer: () => PromiseLike<Answered>;
  readonly remove: () => PromiseLike<Answered>;
  /** What the statuses of the two may be: the one or the other came first. */
  readonly outcomes: readonly (readonly [number, number])[];
  /** Where the thing referred to is found, or not. */
  readonly target: string;
}

const at = (collection: string, { id }: Resource): string => `/v1/${collection}/${String(id)}`;
const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status).sort();
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Referred to first: still in use. Removed first: not there to be referred to. */
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

const contests: Record<string, (admin: Caller) => Promise<Contest>> = {
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
  'a cell moved that is being deleted': async (admin) => {
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
  'a device hung below a parent': async (admin) => {
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

describe('simultaneous references and deletions', () => {
  const app = sharedService();
  let secondConnection: SecondConnection;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await secondConnection.close();
  });

  it.each(Object.entries(contests))('leave no orphan: %s', async (_, contest) => {
    const admin = await app.project();
    for (let round = 0; round < 10; round++) {
      const { refer, remove, outcomes, target } = await contest(admin);
      // Now the one is sent first, now the other.
      const [referred, removed] =
        round % 2 === 0
          ? await Promise.all([refer(), remove()])
          : (await Promise.all([remove(), refer()])).reverse();
      const outcome = [referred?.status, removed?.status];
      expect(outcomes).toContainEqual(outcome);
      expect((await admin.get(target)).status).toBe(removed?.status === 204 ? 404 : 200);
    }
  });

  it('wait for a deletion that has begun, and then find the region gone', async () => {
    const admin = await app.project();
    const region = await admin.region({ labels: 'held' });
    // The deletion takes the region first and its labels then: there it is stopped, and the others behind it.
    const answers = await secondConnection.whileHolding(
      { text: 'SELECT FROM region_labels WHERE region_id = $1 FOR UPDATE', values: [region.id] },
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
    expect(statuses(answers)).toEqual([204, 404, 405, 405]);
  });

  it('make a deletion wait for what has begun to refer to the region, and refuse it', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const name = aName('cell');
    const answers = await secondConnection.whileHolding(
      {
        // The cell's creation holds the region and then stops at the name, which somebody else is about to take.
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
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
  });

  it('keep a label that a device was given, or make it anew', async () => {
    const admin = await app.project();
    const host = await admin.host();
    for (let round = 0; round < 10; round++) {
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

  it('make the same labels once, in whatever order and on whatever they are given', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const cell = await admin.cell({ region_id: region.id });
    const hosts = await Promise.all(times(4, () => admin.host({ region_id: region.id })));
    const labelled = [
      ...hosts.map((host) => `${at('hosts', host)}/labels`),
      at('cells', cell),
      at('regions', region),
    ];
    for (let round = 0; round < 8; round++) {
      const names = times(6, () => aName('label'));
      const answers = await Promise.all([
        ...labelled.map((path, i) => {
          const turned = [...names.slice(i), ...names.slice(0, i)];
          return admin.put(path, { labels: i % 2 === 0 ? turned : turned.reverse() });
        }),
        admin.post('/v1/labels', { label: names[2] }),
      ]);
      const made = answers.pop();
      expect(statuses(answers)).toEqual(labelled.map(() => 200));
      expect([201, 409]).toContain(made?.status);
      for (const name of names) expect((await admin.get(`/v1/labels?name=${name}`)).body).toHaveLength(1);
      expect((await admin.get(at('regions', region))).body.labels).toBe([...names].sort().join(','));
    }
  });

  it('move cells while devices are made in them, moved in and out of them and changed', async () => {
    const admin = await app.project();
    const regions = [await admin.region(), await admin.region()] as const;
    const cell = await admin.cell({ region_id: regions[0].id });
    const inside = await Promise.all(
      times(4, () => admin.host({ region_id: regions[0].id, cell_id: cell.id })),
    );
    for (let round = 0; round < 12; round++) {
      const from = regions[round % 2]!;
      const to = regions[(round + 1) % 2]!;
      const answers = await Promise.all([
        admin.put(at('regions', to), { cells: [cell.id] }),
        admin.post('/v1/hosts', { ...newHost(from.id), cell_id: cell.id }),
        admin.post('/v1/network-devices', { ...newHost(to.id), cell_id: cell.id }),
        admin.put(at('hosts', inside[0]!), { cell_id: round % 2 === 0 ? null : cell.id }),
        admin.put(at('hosts', inside[1]!), { region_id: from.id, cell_id: cell.id }),
        admin.put(at('hosts', inside[2]!), { active: round % 2 === 0 }),
        admin.put(at('hosts', inside[3]!), { name: aName('renamed'), cell_id: cell.id }),
        admin.put(at('cells', cell), { note: `round ${String(round)}` }),
      ]);
      for (const { status } of answers) expect([200, 201, 405]).toContain(status);
      expect(answers[0].status).toBe(200);
      for (const i of [5, 7]) expect(answers[i]!.status).toBe(200);
      const { region_id } = (await admin.get(at('cells', cell))).body as Resource;
      expect(region_id).toBe(to.id);
      const inCell = [
        ...(await admin.get(`/v1/hosts?cell_id=${String(cell.id)}`)).body,
        ...(await admin.get(`/v1/network-devices?cell_id=${String(cell.id)}`)).body,
      ] as Resource[];
      expect(inCell.length).toBeGreaterThanOrEqual(2);
      expect(new Set(inCell.map((device) => device['region_id']))).toEqual(new Set([to.id]));
      // Back into the cell, wherever the round has left them.
      await admin.put(at('hosts', inside[0]!), {
        region_id: to.id,
        cell_id: round % 2 === 0 ? null : cell.id,
      });
    }
  });

  it('take a cell before its devices, as those do who move it, and so never wait in a ring', async () => {
    const admin = await app.project();
    const region = await admin.region();
    const cell = await admin.cell();
    const place = { region_id: cell['region_id'], cell_id: cell.id };
    const [first, second] = [await admin.host(place), await admin.host(place)];
    const before = await secondConnection.deadlocks();
    const answers = await secondConnection.whileHolding(
      { text: 'SELECT FROM devices WHERE id = $1 FOR UPDATE', values: [first.id] },
      async () => {
        // Holds the cell and waits for the first of its devices …
        const moved = Promise.all([admin.put(at('regions', region), { cells: [cell.id] })]);
        await secondConnection.waiting(1);
        // … and this, if it held the second already, would wait for the cell while the other waits for the second.
        const changed = Promise.all([
          admin.put(at('hosts', second), { cell_id: cell.id }),
          admin.put(at('hosts', second), { region_id: region.id, cell_id: cell.id }),
        ]);
        return [...(await moved), ...(await changed)];
      },
      3,
    );
    expect(statuses(answers)).toEqual([200, 200, 200]);
    expect(await secondConnection.deadlocks()).toBe(before);
  });

  it('move several cells crosswise between regions', async () => {
    const admin = await app.project();
    const [left, right] = [await admin.region(), await admin.region()];
    const cells = await Promise.all(times(4, () => admin.cell({ region_id: left.id })));
    for (const cell of cells) await admin.host({ region_id: left.id, cell_id: cell.id });
    const ids = cells.map(({ id }) => id);
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([
        admin.put(at('regions', left), { cells: ids }),
        admin.put(at('regions', right), { cells: [...ids].reverse() }),
        admin.put(at('regions', right), { cells: ids.slice(0, 2), name: aName('renamed') }),
      ]);
      expect(statuses(answers)).toEqual([200, 200, 200]);
      const hosts = (await admin.get('/v1/hosts')).body as Resource[];
      const places = new Map(
        ((await admin.get('/v1/cells')).body as Resource[]).map((cell) => [cell.id, cell['region_id']]),
      );
      expect(hosts.map((host) => host['region_id'])).toEqual(
        hosts.map((host) => places.get(host['cell_id'] as number)),
      );
    }
  });
});
