import type { Caller, Resource } from './caller';
import { oneSeed } from './seeds';

type Members = Readonly<Record<string, unknown>>;

const KEYS = ['a', 'b', 'c', 'x-y', '__proto__'];
const LABELS = ['red', 'green', 'blue', 'mauve'];
const LEVELS = ['regions', 'cells', 'labels', 'hosts', 'network-devices'];

let names = 0;

/** A small inventory with random changes over HTTP, reproducible by seed. */
export class RandomInventory {
  readonly seed: number;
  private state: number;

  constructor(
    private readonly caller: Caller,
    seed = oneSeed(),
  ) {
    this.seed = seed;
    this.state = seed;
  }

  /** Creates a few resources of each kind. */
  async grow(): Promise<void> {
    for (const label of LABELS) await this.caller.label({ label, variables: this.variables() });
    for (let i = 0; i < 3; i++) {
      const region = await this.caller.region({ variables: this.variables(), labels: this.labels() });
      for (let j = 0; j < 2; j++)
        await this.caller.cell({ region_id: region.id, variables: this.variables() });
    }
    for (let i = 0; i < 6; i++) await this.make(i % 2 === 0 ? 'hosts' : 'network-devices');
  }

  /** Makes one successful change. @returns its description */
  async change(): Promise<string> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const done = await this.pick([
        () => this.make(this.pick(['hosts', 'network-devices', 'cells', 'regions', 'labels', 'clouds'])),
        () => this.update(),
        () => this.update(),
        () => this.setVariables(),
        () => this.setVariables(),
        () => this.removeVariables(),
        () => this.relabel(),
        () => this.moveCells(),
        () => this.delete(),
      ])();
      if (done !== undefined) return done;
    }
    throw new Error('no change succeeds');
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  private random(): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  private pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.random() * choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  private chance(part: number): boolean {
    return this.random() < part;
  }

  private variables(): Members {
    // Parsed from JSON text, because `__proto__` is an ordinary key.
    const members = KEYS.filter(() => this.chance(0.3)).map(
      (key) => `${JSON.stringify(key)}:${this.value()}`,
    );
    return JSON.parse(`{${members.join(',')}}`) as Members;
  }

  private value(): string {
    return this.pick(['1', '2', '"one"', 'null', '[1,{"p":null}]', '{"q":1.5}', 'true']);
  }

  private labels(): string[] {
    return [...LABELS, `new-${String(++names)}`].filter((_, i) => this.chance(i < LABELS.length ? 0.4 : 0.1));
  }

  private async all(collection: string): Promise<Resource[]> {
    // Without variables, to avoid resolving them.
    const fields = collection === 'cells' ? 'id,region_id' : 'id';
    return (await this.caller.get(`/v1/${collection}?fields=${fields}&limit=10000`).expect(200))
      .body as Resource[];
  }

  private async one(collection: string): Promise<Resource | undefined> {
    const all = await this.all(collection);
    return all.length === 0 ? undefined : this.pick(all);
  }

  private async place(): Promise<Members> {
    const region = await this.one('regions');
    const cells = (await this.all('cells')).filter((cell) => cell['region_id'] === region?.id);
    return {
      region_id: region?.id,
      cell_id: cells.length > 0 && this.chance(0.6) ? this.pick(cells).id : null,
    };
  }

  private async parent(): Promise<number | null> {
    return this.chance(0.4) ? ((await this.one(this.pick(['hosts', 'network-devices'])))?.id ?? null) : null;
  }

  private async membersOf(collection: string): Promise<Members> {
    const note = this.pick(['one', 'two', null]);
    if (collection === 'labels') return { label: `label-${String(++names)}` };
    const name = `${collection}-${String(++names)}`;
    if (collection === 'clouds') return { name, note };
    if (collection === 'regions')
      return { name, note, cloud_id: this.chance(0.5) ? ((await this.one('clouds'))?.id ?? null) : null };
    if (collection === 'cells') return { name, note };
    return {
      name,
      note,
      ...(await this.place()),
      ip_address: `10.0.0.${String(1 + Math.floor(this.random() * 200))}`,
      device_type: this.pick(['server', 'switch']),
      active: this.chance(0.5),
      parent_id: await this.parent(),
      ...(collection === 'network-devices' ? { vlans: this.pick([null, [1, 2], { a: 1.5 }]) } : {}),
    };
  }

  private async make(collection: string): Promise<string | undefined> {
    const carries = collection !== 'clouds';
    const labelled = carries && collection !== 'labels';
    return this.done('post', `/v1/${collection}`, {
      ...(await this.membersOf(collection)),
      ...(collection === 'cells' ? { region_id: (await this.one('regions'))?.id } : {}),
      ...(carries ? { variables: this.variables() } : {}),
      ...(labelled ? { labels: this.labels() } : {}),
    });
  }

  private async update(): Promise<string | undefined> {
    const collection = this.pick(['clouds', ...LEVELS]);
    const resource = await this.one(collection);
    if (!resource) return undefined;
    const members = Object.entries(await this.membersOf(collection)).filter(() => this.chance(0.4));
    const labelled = collection !== 'clouds' && collection !== 'labels' && this.chance(0.3);
    const body = {
      ...Object.fromEntries(members),
      ...(labelled ? { labels: this.labels() } : {}),
      ...(collection !== 'clouds' && this.chance(0.3) ? { variables: this.variables() } : {}),
    };
    return this.done('put', `/v1/${collection}/${String(resource.id)}`, body);
  }

  private async setVariables(): Promise<string | undefined> {
    const collection = this.pick(LEVELS);
    const resource = await this.one(collection);
    if (!resource) return undefined;
    return this.done('put', `/v1/${collection}/${String(resource.id)}/variables`, this.variables());
  }

  private async removeVariables(): Promise<string | undefined> {
    const collection = this.pick(LEVELS);
    const resource = await this.one(collection);
    if (!resource) return undefined;
    const keys = KEYS.filter(() => this.chance(0.4));
    return this.done('delete', `/v1/${collection}/${String(resource.id)}/variables`, keys);
  }

  private async relabel(): Promise<string | undefined> {
    const collection = this.pick(['hosts', 'network-devices']);
    const resource = await this.one(collection);
    if (!resource) return undefined;
    const path = `/v1/${collection}/${String(resource.id)}/labels`;
    return this.done(this.pick(['put', 'delete']), path, { labels: this.labels() });
  }

  private async moveCells(): Promise<string | undefined> {
    const region = await this.one('regions');
    const cells = (await this.all('cells')).filter(() => this.chance(0.3)).map(({ id }) => id);
    if (!region || cells.length === 0) return undefined;
    return this.done('put', `/v1/regions/${String(region.id)}`, { cells });
  }

  private async delete(): Promise<string | undefined> {
    const collection = this.pick(['clouds', ...LEVELS]);
    const resource = await this.one(collection);
    if (!resource) return undefined;
    return this.done('delete', `/v1/${collection}/${String(resource.id)}`);
  }

  /** Sends a write. @returns its description; undefined if the service rejects it */
  private async done(
    method: 'post' | 'put' | 'delete',
    path: string,
    body?: unknown,
  ): Promise<string | undefined> {
    const response = await this.caller[method](path, body);
    if (response.status >= 500 || response.status === 400)
      throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${response.text}`);
    return response.status < 300 ? `${method} ${path} ${JSON.stringify(body)}` : undefined;
  }
}
