import { verifyDatabase } from '../support/admin';
import { sendBatch, type Operation } from '../support/batches';
import type { Caller, Resource } from '../support/caller';
import { Dice, RandomChanges, type Step } from '../support/random-changes';
import { RandomInventory } from '../support/random-inventory';
import { lastChange, revert, type ChangedObject, type ChangeRecord } from '../support/reverts';
import { oneSeed, rounds } from '../support/seeds';
import { startService, type OwnService } from '../support/service';
import { COLLECTIONS, type Inventory, readInventory } from '../support/whole-inventory';

jest.setTimeout(240_000);

/** The integrity check reads the whole database, so these tests have their own. */
let app: OwnService;
beforeAll(async () => {
  app = await startService();
});
afterAll(() => app.stop());

const NOT_COMPARED = ['updated_at', 'version', 'links'];

type State = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The state of all resources by kind and id: fields, label names and own variables. */
async function stateOf(caller: Caller): Promise<State> {
  const state: Record<string, Record<string, unknown>> = {};
  for (const collection of COLLECTIONS) {
    const own = collection === 'clouds' ? '' : '&resolved-values=false';
    const { body } = await caller.get(`/v1/${collection}?limit=10000${own}`).expect(200);
    for (const resource of body as Record<string, unknown>[])
      state[`${collection.slice(0, -1)} ${String(resource['id'])}`] = Object.fromEntries(
        Object.entries(resource).filter(([name]) => !NOT_COMPARED.includes(name)),
      );
  }
  return state;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const membersTouched = ({ action, before, after }: ChangedObject): string[] =>
  Object.keys(before ?? after ?? {}).filter(
    (name) =>
      !['version', 'updated_at'].includes(name) &&
      (action !== 'update' || !same(before?.[name], after?.[name])),
  );

/** Whether a later change conflicts with reverting an earlier one. A direct implementation of the rule. */
function touchesTheSame(earlier: ChangeRecord, later: ChangeRecord): boolean {
  return earlier.objects.some((object) =>
    later.objects.some(
      (other) =>
        other.kind === object.kind &&
        other.id === object.id &&
        (object.action !== 'update' ||
          membersTouched(other).some((name) => membersTouched(object).includes(name)) ||
          Object.keys(other.variables).some((key) => Object.hasOwn(object.variables, key))),
    ),
  );
}

describe('random changes and reverts', () => {
  it('restore the previous state, and the state after it when the revert is reverted', async () => {
    const admin = await app.project();
    const inventory = new RandomInventory(admin);
    await inventory.grow();
    let before = await stateOf(admin);
    for (let round = 0; round < rounds(4, 7); round++) {
      const previous = await lastChange(admin);
      const change = await inventory.change();
      const after = await stateOf(admin);
      const what = `seed ${String(inventory.seed)}, round ${String(round)}: ${change}`;
      const { id } = await lastChange(admin);
      // A change that alters nothing has no record.
      if (id === previous.id) {
        expect([what, after]).toEqual([what, before]);
        continue;
      }
      const reverted = await revert(admin, id);
      expect([what, reverted.status]).toEqual([what, 201]);
      expect([what, await stateOf(admin)]).toEqual([what, before]);
      const revertedAgain = await revert(admin, (reverted.body as ChangeRecord).id);
      expect([what, revertedAgain.status]).toEqual([what, 201]);
      expect([what, await stateOf(admin)]).toEqual([what, after]);
      before = after;
    }
  });

  it('keep the changes of others in between, or are rejected because of them', async () => {
    const admin = await app.project();
    const inventory = new RandomInventory(admin);
    await inventory.grow();
    const outcomes = { reverted: 0, rejected: 0 };
    const count = rounds(10, 16);
    for (let round = 0; round < count; round++) {
      const previous = await lastChange(admin);
      const change = await inventory.change();
      const earlier = await lastChange(admin);
      if (earlier.id === previous.id) continue;
      const laterChanges: ChangeRecord[] = [];
      for (let i = 0; i < (round % 4) * 3; i++) {
        await inventory.change();
        const later = await lastChange(admin);
        if (later.id !== (laterChanges.at(-1) ?? earlier).id) laterChanges.push(later);
      }
      const before = await stateOf(admin);
      const what = `seed ${String(inventory.seed)}, round ${String(round)}: ${change}`;
      const response = await revert(admin, earlier.id);
      const after = await stateOf(admin);
      const conflicting = laterChanges.some((later) => touchesTheSame(earlier, later));
      if (response.status === 409) {
        outcomes.rejected++;
        expect([what, after]).toEqual([what, before]);
        const message = String(response.body.message);
        const why = /conflict with|in use|used by|already|no longer exists|nothing that is recorded|ancestor/;
        expect([what, message]).toEqual([what, expect.stringMatching(why)]);
        expect([what, conflicting]).toEqual([what, message.includes('conflict with')]);
        continue;
      }
      outcomes.reverted++;
      expect([what, response.status, conflicting]).toEqual([what, 201, false]);
      expect([what, after]).toEqual([what, expectedAfter(before, earlier, after)]);
    }
    expect(outcomes.reverted).toBeGreaterThan(count / 3);
    expect(outcomes.rejected).toBeGreaterThan(1);
  });
});

/** The state with the fields and variables of the change restored, and everything else as before the revert. */
function expectedAfter(found: State, { objects }: ChangeRecord, now: State): State {
  const expected = new Map<string, Record<string, unknown>>(Object.entries(structuredClone(found)));
  for (const object of objects) {
    const name = `${object.kind} ${String(object.id)}`;
    if (object.action === 'create') {
      expected.delete(name);
      continue;
    }
    const empty = object.kind === 'cloud' ? {} : { variables: {} };
    const resource = expected.get(name) ?? { ...now[name], ...empty };
    expected.set(name, resource);
    for (const member of membersTouched(object))
      if (!NOT_COMPARED.includes(member)) resource[member] = object.before?.[member];
    if (object.kind === 'cloud') continue;
    // A map, because `__proto__` is an ordinary key.
    const variables = new Map<string, unknown>(Object.entries(resource['variables'] ?? {}));
    for (const [key, sides] of Object.entries(object.variables))
      if ('before' in sides) variables.set(key, sides.before);
      else variables.delete(key);
    resource['variables'] = Object.fromEntries(variables);
  }
  for (const [name, resource] of expected) {
    // These derive from other resources, which are compared themselves: a region's cells, and label names.
    if ('cells' in resource) resource['cells'] = now[name]?.['cells'];
    if ('labels' in resource) resource['labels'] = now[name]?.['labels'];
  }
  return Object.fromEntries(expected);
}

const ROUNDS = rounds(4, 6);
const MAX_STEPS = 8;

/** Ids of one project as those of another one, by the order of creation. */
class Twins {
  private readonly twins = new Map<string, number>();

  constructor(one: Inventory, other: Inventory) {
    for (const collection of COLLECTIONS)
      for (const [i, { id }] of (one.get(collection) ?? []).entries())
        this.twins.set(`${collection} ${String(id)}`, other.get(collection)?.[i]?.id ?? 0);
  }

  private idOf(collection: string, id: unknown): unknown {
    return typeof id === 'number' ? this.twins.get(`${collection} ${String(id)}`) : id;
  }

  /** The same step in the other project. */
  step({ method, path, body }: Step): Step {
    const [, collection = '', id] = /^\/v1\/([a-z-]+)(?:\/(\d+))?/.exec(path) ?? [];
    const twin =
      id === undefined ? path : path.replace(`/${id}`, `/${String(this.idOf(collection, Number(id)))}`);
    return { method, path: twin, body: this.members(body) };
  }

  private members(body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const device = (id: unknown) => this.idOf('hosts', id) ?? this.idOf('network-devices', id);
    const converters: Record<string, (id: unknown) => unknown> = {
      cloud_id: (id) => this.idOf('clouds', id),
      region_id: (id) => this.idOf('regions', id),
      cell_id: (id) => this.idOf('cells', id),
      parent_id: (id) => (id === null ? null : device(id)),
      cells: (ids) => (ids as unknown[]).map((id) => this.idOf('cells', id)),
    };
    // Keys of variables can be names of `Object.prototype`.
    const convert = (name: string, value: unknown): unknown =>
      Object.hasOwn(converters, name) ? converters[name]?.(value) : value;
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, convert(name, value)]));
  }

  /** The state of the first project, without what differs between projects. */
  static comparable(here: Inventory): unknown {
    const positions = new Map<string, string>();
    for (const collection of COLLECTIONS)
      for (const [i, { id }] of (here.get(collection) ?? []).entries())
        positions.set(`${collection} ${String(id)}`, `${collection} ${String(i)}`);
    const position = (collection: string, id: unknown) =>
      typeof id === 'number' ? positions.get(`${collection} ${String(id)}`) : null;
    return COLLECTIONS.map((collection) =>
      (here.get(collection) ?? []).map((resource) => {
        const { id, uuid, project_id, created_at, updated_at, links, ...members } = resource;
        expect([id, uuid, project_id, created_at, updated_at]).not.toContain(undefined);
        return {
          ...members,
          links: links === undefined ? undefined : 'links',
          cells: (members['cells'] as Resource[] | undefined)?.map(({ name }) => name),
          cloud_id: position('clouds', members['cloud_id']),
          region_id: position('regions', members['region_id']),
          cell_id: position('cells', members['cell_id']),
          parent_id:
            position('hosts', members['parent_id']) ?? position('network-devices', members['parent_id']),
        };
      }),
    );
  }
}

const isBatchable = ({ path }: Step): boolean => !/^\/v1\/(users|changes)/.test(path);

const toOperation = ({ method, path, body }: Step): Operation => ({
  method: method.toUpperCase() as Operation['method'],
  path,
  body,
});

type Objects = readonly ChangedObject[];

/** What differs between the projects and between a preview and a record is left out: ids, names of parents, versions. */
const summary = (objects: Objects): string[] =>
  objects.map(({ kind, action, variables }) => JSON.stringify([kind, action, sorted(variables)])).sort();

const sorted = (variables: ChangedObject['variables']) =>
  Object.entries(variables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, sides]) => [
      key,
      'before' in sides ? [sides.before] : [],
      'after' in sides ? [sides.after] : [],
    ]);

/** Combines records: of each resource the state before the first one and after the last one. */
function combined(records: readonly Objects[]): ChangedObject[] {
  const all = new Map<string, ChangedObject>();
  for (const object of records.flat()) {
    const key = `${object.kind} ${String(object.id)}`;
    const known = all.get(key);
    all.set(key, known ? joined(known, object) : object);
  }
  return [...all.values()].filter(({ before, after }) => before !== null || after !== null);
}

function joined(first: ChangedObject, second: ChangedObject): ChangedObject {
  const [before, after] = [first.before, second.after];
  const variables = new Map(Object.entries(first.variables));
  for (const [key, sides] of Object.entries(second.variables)) {
    const start = variables.get(key) ?? sides;
    variables.set(key, {
      ...('before' in start ? { before: start.before } : {}),
      ...('after' in sides ? { after: sides.after } : {}),
    });
  }
  const changed = [...variables].filter(
    ([, sides]) => JSON.stringify(sides.before) !== JSON.stringify(sides.after),
  );
  return {
    ...second,
    before,
    after,
    action: before === null ? 'create' : after === null ? 'delete' : 'update',
    // `__proto__` is an ordinary key.
    variables: Object.fromEntries(changed),
  };
}

describe('random batches', () => {
  it('do the same as their operations one by one, with a record that combines theirs', async () => {
    const seed = oneSeed();
    const dice = new Dice(seed);
    const [single, batched] = [await app.project(), await app.project()];
    const changes = new RandomChanges(dice);
    let recorded = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await readInventory(single), await readInventory(batched)];
      const twins = new Twins(one, other);
      const { id: before } = await lastChange(single);
      const steps: Step[] = [];
      // Each step refers to what was there before the batch, which both projects have.
      for (let i = 0; i <= dice.below(MAX_STEPS); i++) {
        const step = changes.next(one);
        if (isBatchable(step) && (await single.send(step.method, step.path, step.body)).status < 300)
          steps.push(step);
      }
      if (steps.length === 0) continue;
      const what = `seed ${String(seed)}, round ${String(round)}`;
      const operations = steps.map((step) => toOperation(twins.step(step)));
      const { body: preview } = await sendBatch(batched, operations, '?dry_run=true');
      const response = await sendBatch(batched, operations);
      expect([what, response.status, response.text]).toEqual([what, 200, expect.any(String)]);
      expect([what, Twins.comparable(await readInventory(batched))]).toEqual([
        what,
        Twins.comparable(await readInventory(single)),
      ]);
      const { body: all } = await single.get('/v1/changes?limit=10000').expect(200);
      const records = (all as ChangeRecord[]).filter(({ id }) => id > before).map(({ objects }) => objects);
      const { change_id } = response.body as { change_id: number | null };
      const objects = change_id === null ? [] : (await lastChange(batched)).objects;
      expect([what, summary(objects)]).toEqual([what, summary(combined(records))]);
      expect([what, summary(preview.change.objects as Objects)]).toEqual([what, summary(objects)]);
      if (change_id !== null) recorded++;
    }
    expect(recorded).toBeGreaterThan(ROUNDS / 3);
  });
});

it('random changes, reverts and batches leave a consistent database', async () => {
  const { checks, faults } = await verifyDatabase(app.databaseUrl);
  expect(checks.length).toBeGreaterThan(5);
  expect(faults).toEqual([]);
});
