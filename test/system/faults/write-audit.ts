import { admin, builtAdmin, printed } from '../../support/admin';
import type { Caller, Resource } from '../../support/caller';
import { everyItem } from '../../support/pages';
import { send } from './send';
import { itemsOf, type Collection, type Creation, type Item, type State, type Writer } from './writer';

/** The counts of a writer's writes. */
export interface Tally {
  readonly acknowledged: number;
  /** Writes with an unknown outcome. */
  readonly unknown: number;
  /** How many of those were done. */
  readonly done: number;
}

/** The state of one resource in the service. */
type Present = State & { readonly id: number };

/**
 * Compares the acknowledged writes with the inventory: no acknowledged write is missing or different; a write with
 * unknown outcome was applied completely, with its record, or not at all; and there are no other resources. Then it
 * retries the unknown writes, each of which must take effect exactly once. Finally it runs `muster-admin verify`.
 * @param environment how the command finds the database
 */
export async function auditWrites(
  writer: Writer,
  caller: Caller,
  environment: Readonly<Record<string, string>>,
): Promise<Tally> {
  expect(writer.wrong.slice(0, 5)).toEqual([]);
  const { items, creations } = writer;
  const tally = { acknowledged: writer.acknowledged, unknown: writer.unknown, done: 0 };
  const before = await readInventory(writer, caller);
  const faults = [
    ...items.flatMap((item) => before.faultsOf(item)),
    ...creations.flatMap((creation) => before.faultsOfCreation(creation)),
    ...before.unknownNames(new Set([...items, ...creations.flatMap(namesOf)].map(nameOf))),
  ];
  expect(faults).toEqual([]);
  tally.done =
    items.filter((item) => item.unknown && before.hasState(item, item.unknown.leaves)).length +
    creations.filter(({ names }) => names.every((name) => before.has(name))).length;

  const made: Item[] = [];
  await Promise.all([
    (async () => {
      for (const item of items) await repeat(item, caller);
    })(),
    (async () => {
      for (const creation of creations) made.push(...(await create(creation, caller)));
    })(),
  ]);
  const after = await readInventory(writer, caller);
  expect([...items, ...made].flatMap((item) => after.faultsOf(item))).toEqual([]);
  writer.items.push(...made);
  creations.length = 0;

  // A program with other migrations needs a process of its own.
  const run = environment['NODE_OPTIONS'] === undefined ? admin : builtAdmin;
  const report = JSON.parse(await printed(run(['verify', '--json'], environment))) as { faults: unknown[] };
  expect(report.faults).toEqual([]);
  return tally;
}

const nameOf = (one: { name: string }): string => one.name;
const namesOf = ({ names }: Creation) => names.map((name) => ({ name }));

/** Retries an update or deletion with unknown outcome. Its If-Match prevents a second effect. */
async function repeat(item: Item, caller: Caller): Promise<void> {
  const { unknown } = item;
  if (!unknown) return;
  const response = await send(caller, unknown.write);
  expect([200, 204, 404, 412]).toContain(response?.status);
  item.now = unknown.leaves;
  delete item.unknown;
}

/** Retries a creation with unknown outcome, with its idempotency key. */
async function create({ write, collection }: Creation, caller: Caller): Promise<Item[]> {
  const response = await send(caller, write);
  if (response?.status !== 201)
    throw new Error(`${write.path}: ${String(response?.status)} ${response?.text ?? ''}`);
  return itemsOf(collection, response);
}

/** A writer's resources and change records. */
class Inventory {
  constructor(
    private readonly present: ReadonlyMap<string, Present>,
    /** The number of change records by name. */
    private readonly records: ReadonlyMap<string, number>,
  ) {}

  has(name: string): boolean {
    return this.present.has(name);
  }

  /** Whether a resource and its change records have this state. */
  hasState({ name, id }: Item, state: State): boolean {
    const present = this.present.get(name);
    if (this.records.get(name) !== state.version) return false;
    if (state.isDeleted || !present) return state.isDeleted && !present;
    const { version, note, value } = present;
    return present.id === id && version === state.version && note === state.note && value === state.value;
  }

  faultsOf(item: Item): string[] {
    const allowed = [item.now, ...(item.unknown ? [item.unknown.leaves] : [])];
    if (allowed.some((state) => this.hasState(item, state))) return [];
    const found = { present: this.present.get(item.name), records: this.records.get(item.name) };
    return [`${item.name}: ${JSON.stringify({ allowed, found })}`];
  }

  /** The resources of a creation must exist all or not at all. */
  faultsOfCreation({ names }: Creation): string[] {
    const there = names.filter((name) => this.has(name));
    const recorded = names.filter((name) => this.records.has(name));
    const isWhole = there.length === recorded.length && [0, names.length].includes(there.length);
    return isWhole ? [] : [`of ${names.join()} there are ${there.join()}, recorded ${recorded.join()}`];
  }

  unknownNames(known: ReadonlySet<string>): string[] {
    const names = [...this.present.keys(), ...this.records.keys()];
    return names.filter((name) => !known.has(name)).map((name) => `unexpected resource ${name}`);
  }
}

async function readInventory(writer: Writer, caller: Caller): Promise<Inventory> {
  const present = new Map<string, Present>();
  for (const collection of ['hosts', 'regions'] satisfies Collection[])
    for await (const { id, name, version, note, variables } of everyItem(
      caller,
      `/v1/${collection}?limit=1000&resolved-values=false`,
    ))
      if (name.startsWith(writer.prefix))
        present.set(name, {
          id,
          version,
          note: String(note),
          value: Number(variables['value']),
          isDeleted: false,
        });
  const records = new Map<string, number>();
  for await (const record of everyItem(caller, '/v1/changes?limit=1000'))
    for (const { name } of objectsOf(record))
      if (name.startsWith(writer.prefix)) records.set(name, (records.get(name) ?? 0) + 1);
  return new Inventory(present, records);
}

const objectsOf = ({ objects }: Resource) => objects as { name: string }[];
