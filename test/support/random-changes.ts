import { aName, type Resource } from './caller';

/** A seeded random number generator. */
export class Dice {
  constructor(private state: number) {}

  /** A number from 0 to `end` - 1. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  oneOf<T>(things: readonly T[]): T {
    const thing = things[this.below(things.length)];
    if (thing === undefined) throw new Error('nothing to choose from');
    return thing;
  }

  some<T>(things: readonly T[], max: number): T[] {
    if (things.length === 0) return [];
    return [...new Set(Array.from({ length: this.below(max + 1) }, () => this.oneOf(things)))];
  }
}

/** Few keys, so that levels often override each other. */
export const KEYS = ['a', 'b', 'c', '__proto__', 'x-y'];
const VALUES: readonly unknown[] = [null, 1, 1.5, 'one', '', [1, 2], { p: { q: null } }, true];
/** In UTF-16 order, the last two are swapped. */
export const LABELS = ['10', '9', 'A', 'role:x', 'é', '\uff5e', '\u{1f600}'];
const NAMES = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'];

/** The maximum number of resources by collection. */
const MAX_COUNT: Readonly<Record<string, number>> = {
  clouds: 2,
  users: 2,
  regions: 3,
  cells: 5,
  hosts: 7,
  'network-devices': 3,
};
const LABELLED = ['regions', 'cells', 'hosts', 'network-devices'];
const DEVICES = ['hosts', 'network-devices'];
const WITH_VARIABLES = [...LABELLED, 'labels', 'users'];

/** A write request. */
export interface Step {
  readonly method: 'post' | 'put' | 'delete';
  readonly path: string;
  readonly body?: unknown;
}

/** The existing resources by collection. */
export type Here = ReadonlyMap<string, readonly Resource[]>;

/**
 * Generates random writes of every kind to a small inventory: creation, deletion, re-creation with the same name,
 * moves, renames and reverts. The service may reject some of them, which the sender has to handle.
 */
export class RandomChanges {
  private here: Here = new Map();
  private made: readonly number[] = [];

  constructor(private readonly dice: Dice) {}

  /**
   * Generates a write to the existing resources.
   * @param made the IDs of earlier changes, which may be reverted
   */
  next(here: Here, made: readonly number[] = []): Step {
    this.here = here;
    this.made = made;
    for (;;) {
      const step = this.dice.oneOf(this.ways)();
      if (step) return step;
    }
  }

  private readonly ways: readonly (() => Step | undefined)[] = [
    () => this.creation(),
    () => this.creation(),
    () => this.creation(),
    () => this.deletion(),
    () => this.variables(),
    () => this.variables(),
    () => this.variables(),
    () => this.renaming(),
    () => this.labelRenaming(),
    () => this.labelling(),
    () => this.labelling(),
    () => this.deviceMove(),
    () => this.deviceMove(),
    () => this.cellMove(),
    () => this.parent(),
    () => this.revert(),
    () => this.revert(),
  ];

  private all(collection: string): readonly Resource[] {
    return this.here.get(collection) ?? [];
  }

  private one(collection: string): Resource | undefined {
    const all = this.all(collection);
    return all.length === 0 ? undefined : this.dice.oneOf(all);
  }

  /** A random resource of these collections. */
  private any(collections: readonly string[]): { path: string; resource: Resource } | undefined {
    const collection = this.dice.oneOf(collections);
    const resource = this.one(collection);
    return resource && { path: `/v1/${collection}/${String(resource.id)}`, resource };
  }

  private document(): Record<string, unknown> {
    const keys = this.dice.some(KEYS, 3);
    // `__proto__` is an ordinary key.
    return Object.fromEntries(keys.map((key) => [key, this.dice.oneOf(VALUES)]));
  }

  private place(): { region_id: number; cell_id: number | null } | undefined {
    const region = this.one('regions');
    if (!region) return undefined;
    const cells = this.all('cells').filter(({ region_id }) => region_id === region.id);
    const cell = cells.length > 0 && this.dice.below(3) > 0 ? this.dice.oneOf(cells) : undefined;
    return { region_id: region.id, cell_id: cell?.id ?? null };
  }

  private creation(): Step | undefined {
    const collection = this.dice.oneOf(Object.keys(MAX_COUNT));
    if (this.all(collection).length >= (MAX_COUNT[collection] ?? 0)) return undefined;
    const path = `/v1/${collection}`;
    const name = this.dice.oneOf(NAMES);
    const shared = { name, variables: this.document(), labels: this.dice.some(LABELS, 3) };
    if (collection === 'clouds') return { method: 'post', path, body: { name } };
    if (collection === 'users') return { method: 'post', path, body: { username: aName(name) } };
    if (collection === 'regions')
      return { method: 'post', path, body: { ...shared, cloud_id: this.one('clouds')?.id ?? null } };
    const place = this.place();
    if (!place) return undefined;
    if (collection === 'cells')
      return { method: 'post', path, body: { ...shared, region_id: place.region_id } };
    const device = { ...shared, ...place, ip_address: '10.0.0.1', device_type: 'server' };
    return { method: 'post', path, body: device };
  }

  private deletion(): Step | undefined {
    const chosen = this.any([...WITH_VARIABLES, 'clouds']);
    return chosen && { method: 'delete', path: chosen.path };
  }

  private variables(): Step | undefined {
    const chosen = this.any(WITH_VARIABLES);
    if (!chosen) return undefined;
    const path = `${chosen.path}/variables`;
    return this.dice.below(3) === 0
      ? { method: 'delete', path, body: this.dice.some(KEYS, 3) }
      : { method: 'put', path, body: this.document() };
  }

  private renaming(): Step | undefined {
    const chosen = this.any([...LABELLED, 'clouds']);
    const note = this.dice.oneOf([null, 'a note', 'another']);
    return chosen && { method: 'put', path: chosen.path, body: { name: this.dice.oneOf(NAMES), note } };
  }

  private labelRenaming(): Step | undefined {
    const chosen = this.any(['labels']);
    return chosen && { method: 'put', path: chosen.path, body: { label: this.dice.oneOf(LABELS) } };
  }

  private labelling(): Step | undefined {
    if (this.dice.below(2) === 0) {
      const chosen = this.any(LABELLED);
      const labels = this.dice.some(LABELS, 4);
      return chosen && { method: 'put', path: chosen.path, body: { labels, variables: this.document() } };
    }
    const chosen = this.any(DEVICES);
    const labels = [this.dice.oneOf(LABELS)];
    const method = this.dice.oneOf(['put', 'delete'] as const);
    return chosen && { method, path: `${chosen.path}/labels`, body: { labels } };
  }

  private deviceMove(): Step | undefined {
    const [chosen, place] = [this.any(DEVICES), this.place()];
    return chosen && place && { method: 'put', path: chosen.path, body: place };
  }

  private cellMove(): Step | undefined {
    const region = this.any(['regions']);
    const cells = this.dice.some(this.all('cells'), 3).map(({ id }) => id);
    if (!region || cells.length === 0) return undefined;
    return { method: 'put', path: region.path, body: { cells, variables: this.document() } };
  }

  private revert(): Step | undefined {
    // Older changes have more conflicts.
    const id = this.made.at(-1 - this.dice.below(12));
    return id === undefined ? undefined : { method: 'post', path: `/v1/changes/${String(id)}/revert` };
  }

  private parent(): Step | undefined {
    const [chosen, parent] = [this.any(DEVICES), this.any(DEVICES)];
    const parent_id = this.dice.below(4) === 0 ? null : (parent?.resource.id ?? null);
    return (
      chosen && { method: 'put', path: chosen.path, body: { parent_id, active: this.dice.below(2) === 0 } }
    );
  }
}
