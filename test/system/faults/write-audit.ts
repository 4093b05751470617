import { admin, printed } from '../../support/admin';
import type { Caller, Resource } from '../../support/caller';
import { everyItem } from '../../support/pages';
import { send } from './send';
import { itemsOf, type Collection, type Creation, type Item, type State, type Writer } from './writer';

/** How the account of a writer ended. */
export interface Tally {
  readonly acknowledged: number;
  /** Writes of which the writer did not know whether they were done. */
  readonly unknown: number;
  /** How many of those were done. */
  readonly done: number;
}

/** What the service has of one resource. */
type Present = State & { readonly id: number };

/**
 * Holds what a writer was told against what is there: nothing that was acknowledged is missing or different, what nobody
 * knew of is there as a whole or not at all, with its record, and nothing is there of which the writer does not know. Then
 * it sends again, once, what nobody knew of: that is done afterwards, and done once. At last `muster-admin verify` has to
 * be content.
 * @param environment by which the command finds the database
 */
export async function auditWrites(
  writer: Writer,
  caller: Caller,
  environment: Readonly<Record<string, string>>,
): Promise<Tally> {
  expect(writer.wrong.slice(0, 5)).toEqual([]);
  const { items, creations } = writer;
  const tally = { acknowledged: writer.acknowledged, unknown: writer.unknown, done: 0 };
  const there = await everything(writer, caller);
  const faults = [
    ...items.flatMap((item) => there.faultsOf(item)),
    ...creations.flatMap((creation) => there.faultsOfCreation(creation)),
    ...there.strangers(new Set([...items, ...creations.flatMap(namesOf)].map(nameOf))),
  ];
  expect(faults).toEqual([]);
  tally.done =
    items.filter((item) => item.unknown && there.isAs(item, item.unknown.leaves)).length +
    creations.filter(({ names }) => names.every((name) => there.has(name))).length;

  const made: Item[] = [];
  await Promise.all([
    (async () => {
      for (const item of items) await repeat(item, caller);
    })(),
    (async () => {
      for (const creation of creations) made.push(...(await create(creation, caller)));
    })(),
  ]);
  const after = await everything(writer, caller);
  expect([...items, ...made].flatMap((item) => after.faultsOf(item))).toEqual([]);
  writer.items.push(...made);
  creations.length = 0;

  const report = JSON.parse(await printed(admin(['verify', '--json'], environment))) as { faults: unknown[] };
  expect(report.faults).toEqual([]);
  return tally;
}

const nameOf = (one: { name: string }): string => one.name;
const namesOf = ({ names }: Creation) => names.map((name) => ({ name }));

/** Sends an unknown write of one resource again. What it is to find tells the service whether it was done. */
async function repeat(item: Item, caller: Caller): Promise<void> {
  const { unknown } = item;
  if (!unknown) return;
  const answer = await send(caller, unknown.write);
  expect([200, 204, 404, 412]).toContain(answer?.status);
  item.now = unknown.leaves;
  delete item.unknown;
}

/** Sends an unknown creation again, with its key. */
async function create({ write, collection }: Creation, caller: Caller): Promise<Item[]> {
  const answer = await send(caller, write);
  if (answer?.status !== 201)
    throw new Error(`${write.path}: ${String(answer?.status)} ${answer?.text ?? ''}`);
  return itemsOf(collection, answer);
}

/** What a writer has left in the inventory. */
class Inventory {
  constructor(
    private readonly present: ReadonlyMap<string, Present>,
    /** How many records each name has. */
    private readonly records: ReadonlyMap<string, number>,
  ) {}

  has(name: string): boolean {
    return this.present.has(name);
  }

  /** Whether a resource, and its records, are just so. */
  isAs({ name, id }: Item, state: State): boolean {
    const present = this.present.get(name);
    if (this.records.get(name) !== state.version) return false;
    if (state.isGone || !present) return state.isGone && !present;
    const { version, note, value } = present;
    return present.id === id && version === state.version && note === state.note && value === state.value;
  }

  faultsOf(item: Item): string[] {
    const allowed = [item.now, ...(item.unknown ? [item.unknown.leaves] : [])];
    if (allowed.some((state) => this.isAs(item, state))) return [];
    const found = { present: this.present.get(item.name), records: this.records.get(item.name) };
    return [`${item.name}: ${JSON.stringify({ allowed, found })}`];
  }

  /** All of them as they were made, or none. */
  faultsOfCreation({ names }: Creation): string[] {
    const there = names.filter((name) => this.has(name));
    const recorded = names.filter((name) => this.records.has(name));
    const isWhole = there.length === recorded.length && [0, names.length].includes(there.length);
    return isWhole ? [] : [`of ${names.join()} there are ${there.join()}, recorded ${recorded.join()}`];
  }

  strangers(known: ReadonlySet<string>): string[] {
    const names = [...this.present.keys(), ...this.records.keys()];
    return names.filter((name) => !known.has(name)).map((name) => `nobody has made ${name}`);
  }
}

async function everything(writer: Writer, caller: Caller): Promise<Inventory> {
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
          isGone: false,
        });
  const records = new Map<string, number>();
  for await (const record of everyItem(caller, '/v1/changes?limit=1000'))
    for (const { name } of objectsOf(record))
      if (name.startsWith(writer.prefix)) records.set(name, (records.get(name) ?? 0) + 1);
  return new Inventory(present, records);
}

const objectsOf = ({ objects }: Resource) => objects as { name: string }[];
