import type { Test } from 'supertest';
import { aName, type Caller, type Resource } from './caller';
import { seedOf } from './seeds';

/** A linear congruential generator: the same seed gives the same numbers. */
export function randomGenerator(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const COLLECTIONS = ['regions', 'cells', 'hosts', 'network-devices', 'labels', 'clouds'] as const;
const LABELS = ['red', 'green', 'blue', 'rack:1', 'rack:2'];
const KEYS = ['a', 'b', 'c', 'ntp_servers', '__proto__'];

const KINDS: ReadonlySet<string> = new Set(COLLECTIONS.map((collection) => collection.replace(/s$/, '')));

interface Change {
  readonly id: number;
  readonly objects: readonly { readonly kind: string }[];
}

type Collection = (typeof COLLECTIONS)[number];
type Known = Record<Collection, number[]>;

/** Concurrent clients that send random writes to one project. */
export class ConcurrentWriters {
  private readonly known: Known = {
    regions: [],
    cells: [],
    hosts: [],
    'network-devices': [],
    labels: [],
    clouds: [],
  };
  /** The number of responses by status. */
  readonly statuses = new Map<number, number>();

  constructor(private readonly caller: Caller) {}

  /** @param writes the number of writes of each client */
  async run(clients: number, writes: number): Promise<void> {
    const seed = seedOf('concurrent writers');
    await this.createFirst();
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const roll = randomGenerator(seed + client);
        for (let n = 0; n < writes; n++) await this.act(roll);
      }),
    );
  }

  private async createFirst(): Promise<void> {
    for (let n = 0; n < 2; n++) {
      const region = await this.caller.region();
      this.known.regions.push(region.id);
      this.known.cells.push((await this.caller.cell({ region_id: region.id })).id);
    }
  }

  private async act(roll: (sides: number) => number): Promise<void> {
    const pick = <T>(from: readonly T[]): T | undefined => from[roll(from.length)];
    const some = <T>(from: readonly T[]): T[] => from.filter(() => roll(2) === 0);
    const collection = pick(COLLECTIONS) ?? 'hosts';
    const id = pick(this.known[collection]);
    const path = `/v1/${collection}/${String(id)}`;
    const document = () =>
      Object.fromEntries(some(KEYS).map((key) => [key, pick([1, 'x', null, [1.5], { y: {} }])]));
    const device = pick(['hosts', 'network-devices'] as const) ?? 'hosts';
    const devicePath = `/v1/${device}/${String(pick(this.known[device]))}`;
    switch (roll(id === undefined ? 2 : 13)) {
      case 0:
      case 1:
        await this.create(collection, this.body(collection, pick, some, document));
        return;
      case 2:
      case 3:
      case 4:
        await this.send(this.caller.put(path, this.body(collection, pick, some, document)));
        return;
      case 5:
      case 6:
        await this.send(this.caller.put(`${path}/variables`, document()));
        return;
      case 7:
        await this.send(this.caller.delete(`${path}/variables`, some(KEYS)));
        return;
      case 8:
        await this.send(
          this.caller.put(`/v1/regions/${String(pick(this.known.regions))}`, {
            cells: some(this.known.cells),
          }),
        );
        return;
      case 9:
        await this.send(this.caller.put(`${devicePath}/labels`, { labels: some(LABELS) }));
        return;
      case 10:
        await this.send(this.caller.delete(`${devicePath}/labels`, { labels: some(LABELS) }));
        return;
      case 11:
        await this.revert(pick);
        return;
      default:
        await this.send(this.caller.delete(path));
    }
  }

  private body(
    collection: Collection,
    pick: <T>(from: readonly T[]) => T | undefined,
    some: <T>(from: readonly T[]) => T[],
    document: () => object,
  ): object {
    const name = { [collection === 'labels' ? 'label' : 'name']: aName(collection) };
    if (collection === 'clouds') return name;
    if (collection === 'labels') return { ...name, variables: document() };
    const labels = some(LABELS).join(',');
    const region_id = pick(this.known.regions);
    if (collection === 'regions')
      return { ...name, labels, variables: document(), cloud_id: pick([...this.known.clouds, null]) };
    if (collection === 'cells') return { ...name, labels, variables: document(), region_id };
    return {
      ...name,
      labels,
      variables: document(),
      region_id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      active: pick([true, false]),
      cell_id: pick([...this.known.cells, null]),
      parent_id: pick([...this.known.hosts, ...this.known['network-devices'], null]),
    };
  }

  private async create(collection: Collection, body: object): Promise<void> {
    const answer = await this.send(this.caller.post(`/v1/${collection}`, body));
    if (answer.status === 201) this.known[collection].push((answer.body as Resource).id);
  }

  /**
   * Reverts one of the latest changes of the inventory. The first changes of a project create the user and the API key
   * of this caller: reverting one of those would lock all clients out.
   */
  private async revert(pick: <T>(from: readonly T[]) => T | undefined): Promise<void> {
    const { body } = await this.caller.get('/v1/changes?sort_dir=desc&limit=12').expect(200);
    const changes = (body as Change[]).filter(({ objects }) => objects.every(({ kind }) => KINDS.has(kind)));
    const change = pick(changes);
    if (change) await this.send(this.caller.post(`/v1/changes/${String(change.id)}/revert`));
  }

  private async send(request: Test): Promise<{ status: number; body: unknown }> {
    const { status, body } = await request;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    return { status, body: body as unknown };
  }
}
