import { verifyDatabase } from '../support/admin';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { RandomInventory } from '../support/random-inventory';
import { lastChange, revert, type ChangedObject, type ChangeRecord } from '../support/reverts';

jest.setTimeout(240_000);

const NOT_COMPARED = ['updated_at', 'version', 'links'];
const COLLECTIONS = ['clouds', 'regions', 'cells', 'labels', 'hosts', 'network-devices'];

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
  const app = sharedService();
  const projects: string[] = [];
  const aProject = async () => {
    const admin = await app.project();
    projects.push(admin.projectId);
    return admin;
  };

  it('restore the previous state, and the state after it when the revert is reverted', async () => {
    const admin = await aProject();
    const inventory = new RandomInventory(admin);
    await inventory.grow();
    let before = await stateOf(admin);
    for (let round = 0; round < 20; round++) {
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
    const admin = await aProject();
    const inventory = new RandomInventory(admin);
    await inventory.grow();
    const outcomes = { reverted: 0, rejected: 0 };
    for (let round = 0; round < 28; round++) {
      const previous = await lastChange(admin);
      const change = await inventory.change();
      const earlier = await lastChange(admin);
      if (earlier.id === previous.id) continue;
      const laterChanges: ChangeRecord[] = [];
      for (let i = 0; i < (round % 4) * 6; i++) {
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
    expect(outcomes.reverted).toBeGreaterThan(10);
    expect(outcomes.rejected).toBeGreaterThan(2);
  });

  it('leave a consistent database', async () => {
    const { checks, faults } = await verifyDatabase(app.databaseUrl);
    expect(checks.length).toBeGreaterThan(5);
    // Other test files use the same database, and some of them damage it.
    expect(faults.filter(({ project_id }) => projects.includes(project_id ?? ''))).toEqual([]);
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
