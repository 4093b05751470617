import fc from 'fast-check';
import type { Type } from '@nestjs/common';
import { commandContext } from '../../src/accounts/command-context';
import { Cell, cellShape } from '../../src/cells/cell';
import type { ChangeSet } from '../../src/changes/change-set';
import { Changes } from '../../src/changes/changes.service';
import { Host, host } from '../../src/devices/kinds/host/host';
import { deviceLabels } from '../../src/devices/device';
import { Label, labelShape } from '../../src/labels/label';
import { LabelAssignments } from '../../src/labels/label-assignments';
import { Region, regionShape } from '../../src/regions/region';
import type { Answer } from '../../src/shared/http/answer';
import { Interruption } from '../../src/shared/http/interruption';
import { JsonInput } from '../../src/shared/json/json-input';
import type { VariableOwnerEntity } from '../../src/shared/resources/resource.entity';
import type { ResourceShape } from '../../src/shared/resources/resource-shape';
import { sharedService, type Service } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { impactOf, readState, type ExpectedImpact, type State } from '../support/impact-oracle';
import { canonical } from '../support/naive-resolver';
import { Dice, KEYS } from '../support/random-changes';
import { fleets } from '../support/random-fleet';
import { seeds } from '../support/seeds';

const VALUES: readonly unknown[] = [null, 1, 'one', [1, 2], true];

/** One thing among those that a change does. */
type Deed = (change: ChangeSet) => Promise<void>;

/**
 * No request alters many levels at once, but imports and reverts do: whatever is combined, the groups of devices that
 * are counted must neither overlap nor leave any out.
 */
describe('the impact of a change that does many things at once', () => {
  const app = sharedService();
  it.each(seeds(3))(
    'is what every device, resolved before and after, says it is: seed %i',
    async (seed) => {
      const admin = await app.project();
      const [fleet] = fc.sample(fleets, { seed, numRuns: 1 });
      await loadFleet(admin, fleet!);
      const dice = new Dice(seed);
      let before = await readState(admin);
      let affected = 0;
      for (let i = 0; i < 40; i++) {
        const deeds = Array.from({ length: 1 + dice.below(6) }, () => deed(app, before, dice));
        const tried = await preview(app, admin, deeds);
        await write(app, admin, deeds);
        const after = await readState(admin);
        const expected = impactOf(before, after);
        expect(canonical([i, tried])).toBe(canonical([i, expected]));
        expect([i, await recorded(admin)]).toEqual([i, expected.devices]);
        affected += expected.devices;
        before = after;
      }
      expect(affected).toBeGreaterThan(100);
    },
    60_000,
  );
});

const write = (app: Service, caller: Caller, deeds: readonly Deed[]): Promise<void> =>
  app.nest.get(Changes).write(commandContext('many at once', caller.projectId), undefined, doing(deeds));

const doing = (deeds: readonly Deed[]) => async (change: ChangeSet) => {
  for (const one of deeds) await one(change);
};

/** Page by page, so that pages are held against the whole, too. */
async function preview(app: Service, caller: Caller, deeds: readonly Deed[]): Promise<ExpectedImpact> {
  const items: object[] = [];
  for (let marker: number | undefined; ;) {
    const page = { limit: 7, marker, path: '/', query: new URLSearchParams() };
    const ctx = { ...commandContext('a try', caller.projectId), preview: page };
    const impact = await app.nest
      .get(Changes)
      .write(ctx, undefined, doing(deeds))
      .then(
        () => Promise.reject(new Error('it was not tried but done')),
        (error: unknown) => {
          if (error instanceof Interruption) return impactIn(textOf(error.answer));
          throw error;
        },
      );
    items.push(...impact.items);
    const next = impact.links.find(({ rel }) => rel === 'next');
    if (!next) return { devices: impact.devices, keys: impact.keys, items: items as ExpectedImpact['items'] };
    marker = Number(new URL(next.href, 'http://service').searchParams.get('marker'));
  }
}

const textOf = ({ body }: Answer): string => (typeof body === 'string' ? body : '');

const impactIn = (text: string) =>
  (JSON.parse(text) as { impact: ExpectedImpact & { links: { rel: string; href: string }[] } }).impact;

/** The number in the newest record. */
async function recorded(caller: Caller): Promise<number> {
  const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
  return (body as { impact: { devices: number } }[])[0]!.impact.devices;
}

function deed(app: Service, { here }: State, dice: Dice): Deed {
  const one = (collection: string): Resource => dice.oneOf(here.get(collection) ?? []);
  const variables = (shape: ResourceShape, entity: Type<VariableOwnerEntity>): Deed => {
    const { id } = one(shape.collection);
    const document = Object.fromEntries(dice.some(KEYS, 3).map((key) => [key, dice.oneOf(VALUES)]));
    const removed = dice.some(KEYS, 2);
    const removes = dice.below(3) === 0;
    return async (change) => {
      const owner = await change.lock(shape, id);
      await change.update(
        owner,
        entity,
        {},
        removes ? { remove: removed } : { merge: JsonInput.of(document) },
      );
    };
  };
  const renaming = (): Deed => {
    const { id } = one('labels');
    const name = `${dice.oneOf(['0', 'M', 'z', '~'])}${String(dice.below(1_000_000))}`;
    return async (change) => {
      await change.update(await change.lock(labelShape, id), Label, { label: name });
    };
  };
  const move = (): Deed => {
    const { id } = one('hosts');
    const cell = one('cells');
    return async (change) => {
      const device = await change.lock(host.shape, id);
      await change.update(device, Host, { region_id: Number(cell['region_id']), cell_id: cell.id });
    };
  };
  const labelling = (): Deed => {
    const { id } = one('hosts');
    const names = dice.some(here.get('labels') ?? [], 3).map((label) => String(label['label']));
    return async (change) => {
      const device = await change.lock(host.shape, id);
      await app.nest.get(LabelAssignments).replace(change, deviceLabels, device, names);
    };
  };
  return dice.oneOf([
    () => variables(regionShape, Region),
    () => variables(cellShape, Cell),
    () => variables(cellShape, Cell),
    () => variables(labelShape, Label),
    () => variables(labelShape, Label),
    () => variables(host.shape, Host),
    renaming,
    move,
    labelling,
  ])();
}
