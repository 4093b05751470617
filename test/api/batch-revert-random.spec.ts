import { sendBatch, hostBody, type Operation, type OperationResult } from '../support/batches';
import { aName, type Resource } from '../support/caller';
import { Dice, KEYS, RandomChanges } from '../support/random-changes';
import { lastChange, revert, type ChangeRecord } from '../support/reverts';
import { type Inventory, readInventory } from '../support/whole-inventory';
import { oneSeed, rounds } from '../support/seeds';
import { sharedService } from '../support/service';

jest.setTimeout(240_000);

const ROUNDS = rounds(3, 6);
const MAX_OPERATIONS = 8;

/** The state without what every write sets. */
const comparable = (here: Inventory): unknown =>
  [...here].map(([collection, resources]) => [
    collection,
    resources
      .map((resource) =>
        Object.fromEntries(
          Object.entries(resource).filter(([name]) => !['version', 'updated_at', 'links'].includes(name)),
        ),
      )
      .sort((a, b) => Number(a['id']) - Number(b['id'])),
  ]);

/** Operations on resources that earlier operations of the same batch create. */
class Referring {
  private readonly names = new Map<string, string[]>();
  private count = 0;

  constructor(private readonly dice: Dice) {}

  private one(collection: string): string | undefined {
    const names = this.names.get(collection) ?? [];
    return names.length === 0 ? undefined : this.dice.oneOf(names);
  }

  private create(collection: string, body: object): Operation {
    const id = `o${String(++this.count)}`;
    this.names.set(collection, [...(this.names.get(collection) ?? []), id]);
    return { id, method: 'POST', path: `/v1/${collection}`, body };
  }

  next(): Operation {
    const region = this.one('regions');
    const host = this.one('hosts');
    const value = { [this.dice.oneOf(KEYS.filter((key) => key !== '__proto__'))]: this.dice.below(3) };
    if (region === undefined) return this.create('regions', { name: aName('r'), variables: value });
    const region_id = { $ref: `${region}.id` };
    const ways: readonly (() => Operation | undefined)[] = [
      () => this.create('hosts', hostBody({ region_id })),
      () =>
        host === undefined
          ? undefined
          : this.create('hosts', hostBody({ region_id, parent_id: { $ref: `${host}.id` } })),
      () =>
        host === undefined
          ? undefined
          : {
              method: 'PUT',
              path: `/v1/hosts/{${host}.id}`,
              body: { parent_id: { $ref: `${this.one('hosts') ?? host}.id` } },
            },
      () => this.create('regions', { name: aName('r') }),
      () => ({ method: 'PUT', path: `/v1/regions/{${region}.id}/variables`, body: value }),
      () => ({ method: 'DELETE', path: `/v1/regions/{${region}.id}` }),
      () =>
        host === undefined
          ? undefined
          : { method: 'PUT', path: `/v1/hosts/{${host}.id}`, body: { region_id } },
      () => (host === undefined ? undefined : { method: 'DELETE', path: `/v1/hosts/{${host}.id}` }),
    ];
    return this.dice.oneOf(ways)() ?? this.create('hosts', hostBody({ region_id }));
  }
}

describe('random batches that use what they create', () => {
  const app = sharedService();

  it('do what their dry run shows, and are reverted and done again as one change', async () => {
    const seed = oneSeed();
    const dice = new Dice(seed);
    const admin = await app.project();
    const changes = new RandomChanges(dice);
    let reverted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const what = `seed ${String(seed)}, round ${String(round)}`;
      const before = await readInventory(admin);
      const referring = new Referring(dice);
      const operations: Operation[] = [];
      for (let i = 0; i < MAX_OPERATIONS; i++) {
        const { method, path, body } = changes.next(before);
        const existing = { method: method.toUpperCase() as Operation['method'], path, body };
        const isInventory = !/^\/v1\/(users|changes)/.test(path);
        const next = dice.below(2) === 0 && isInventory ? existing : referring.next();
        const { status } = await sendBatch(admin, [...operations, next], '?dry_run=true');
        expect([what, next, status < 500]).toEqual([what, next, true]);
        if (status === 200) operations.push(next);
      }
      if (operations.length === 0) continue;
      const { body: preview } = await sendBatch(admin, operations, '?dry_run=true').expect(200);
      const { body } = await sendBatch(admin, operations).expect(200);
      const { change_id, results } = body as { change_id: number | null; results: OperationResult[] };
      expect(results).toHaveLength(operations.length);
      if (change_id === null) continue;
      const record = await lastChange<ChangeRecord & { impact: { devices: number } }>(admin);
      expect([what, record.id, record.impact.devices]).toEqual([what, change_id, preview.impact.devices]);
      const after = await readInventory(admin);
      const undone = await revert(admin, change_id);
      // A change that altered only versions cannot be reverted.
      if (JSON.stringify(comparable(after)) === JSON.stringify(comparable(before))) continue;
      expect([what, undone.status, undone.text]).toEqual([what, 201, expect.any(String)]);
      expect([what, comparable(await readInventory(admin))]).toEqual([what, comparable(before)]);
      expect([what, (await revert(admin, (undone.body as Resource).id)).status]).toEqual([what, 201]);
      expect([what, comparable(await readInventory(admin))]).toEqual([what, comparable(after)]);
      reverted++;
    }
    expect(reverted).toBeGreaterThan(ROUNDS / 3);
  });
});
