import fc from '../support/property-testing';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { loadFleet } from '../support/fleet';
import {
  groupsOf,
  groupTexts,
  impactOf,
  type ImpactGroup,
  readState,
  type ExpectedImpact,
  type State,
} from '../support/impact-oracle';
import { asLines, sendImport } from '../support/importing';
import { canonical } from '../support/naive-resolver';
import { Dice, KEYS } from '../support/random-changes';
import { fleets } from '../support/random-fleet';
import { rounds, seeds } from '../support/seeds';

const VALUES: readonly unknown[] = [null, 1, 'one', [1, 2], true];

interface ImpactResponse extends ExpectedImpact {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/**
 * An import changes many levels at once, and its revert changes them back. The counted groups of devices must
 * neither overlap nor omit a device.
 */
describe('the impact of a change of many resources at once', () => {
  const app = sharedService();

  it.each(seeds(rounds(1, 2)))(
    'equals the differences between all resolved variables before and after: seed %i',
    async (seed) => {
      const admin = await app.project();
      const [fleet] = fc.sample(fleets, { seed, numRuns: 1 });
      await loadFleet(admin, fleet!);
      const dice = new Dice(seed);
      let before = await readState(admin);
      let affected = 0;
      let reverted = 0;
      for (let i = 0; i < 6; i++) {
        const lines = asLines(randomLines(before, dice));
        const dryRun = (await sendImport(admin, lines, '?dry_run=true').expect(200)).body as {
          impact: ExpectedImpact & { readonly groups: readonly ImpactGroup[] };
        };
        const changed = (await sendImport(admin, lines).expect(200)).body as { updated: number };
        const after = await readState(admin);
        const expected = impactOf(before, after);
        expect([i, dryRun.impact.devices]).toEqual([i, expected.devices]);
        const groups = groupsOf(before, after, expected);
        expect([i, groupTexts(dryRun.impact.groups)]).toEqual([i, groups]);
        affected += expected.devices;
        if (changed.updated === 0) continue;
        const newest = await newestChange(admin);
        expect([i, newest.impact.devices]).toEqual([i, expected.devices]);
        const path = `/v1/changes/${String(newest.id)}`;
        const listed = await everyPage((page) => admin.get(`${path}/impact?${page}`).expect(200));
        expect(canonical([i, listed.items])).toBe(canonical([i, expected.items]));
        const grouped = (await admin.get(`${path}/impact/groups`).expect(200)).body as {
          groups: ImpactGroup[];
        };
        expect(grouped).toMatchObject({ devices: expected.devices, complete: true });
        expect([i, groupTexts(grouped.groups)]).toEqual([i, groups]);
        before = after;
        if (dice.below(2) === 0) continue;

        const preview = await everyPage(async (page) => {
          const { body } = await admin.post(`${path}/revert?dry_run=true&${page}`).expect(200);
          return { body: (body as { impact: ImpactResponse }).impact };
        });
        await admin.post(`${path}/revert`).expect(201);
        const afterRevert = await readState(admin);
        const expectedRevert = impactOf(before, afterRevert);
        expect(canonical([i, preview])).toBe(canonical([i, expectedRevert]));
        expect([i, (await newestChange(admin)).impact.devices]).toEqual([i, expectedRevert.devices]);
        reverted++;
        before = afterRevert;
      }
      expect(affected).toBeGreaterThan(20);
      expect(reverted).toBeGreaterThan(0);
    },
    120_000,
  );
});

/** Reads all pages of an impact, so that the test compares them, too. */
async function everyPage(read: (page: string) => PromiseLike<{ body: unknown }>): Promise<ExpectedImpact> {
  const items: ExpectedImpact['items'][number][] = [];
  for (let page = 'limit=20'; ;) {
    const impact = (await read(page)).body as ImpactResponse;
    items.push(...impact.items);
    const next = impact.links.find(({ rel }) => rel === 'next');
    if (!next) return { devices: impact.devices, keys: impact.keys, items };
    page = `limit=20&marker=${new URL(next.href).searchParams.get('marker') ?? ''}`;
  }
}

async function newestChange(caller: Caller): Promise<{ id: number; impact: { devices: number } }> {
  const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
  return (body as { id: number; impact: { devices: number } }[])[0]!;
}

/** Up to six lines, each for another resource: variables of any level, moved hosts and changed labels. */
function randomLines({ here }: State, dice: Dice): object[] {
  const of = (collection: string): readonly Resource[] => here.get(collection) ?? [];
  const regionName = (id: unknown) => of('regions').find((region) => region.id === id)?.name;
  const variables = () =>
    Object.fromEntries(dice.some(KEYS, 3).map((key) => [key, dice.oneOf(VALUES)] as const));
  const generators: (() => readonly [string, object])[] = [
    () => {
      const { name } = dice.oneOf(of('regions'));
      return [`region ${name}`, { kind: 'region', name, variables: variables() }];
    },
    () => {
      const { id, name, region_id } = dice.oneOf(of('cells'));
      return [
        `cell ${String(id)}`,
        { kind: 'cell', region: regionName(region_id), name, variables: variables() },
      ];
    },
    () => {
      const label = dice.oneOf(of('labels'))['label'];
      return [`label ${String(label)}`, { kind: 'label', label, variables: variables() }];
    },
    () => {
      const { name } = dice.oneOf(of('hosts'));
      const cell = dice.oneOf(of('cells'));
      const location = { region: regionName(cell['region_id']), cell: cell.name };
      const labels = dice.some(of('labels'), 3).map((label) => String(label['label']));
      const line = { kind: 'host', name, variables: variables() };
      return [`host ${name}`, dice.below(2) === 0 ? { ...line, ...location } : { ...line, labels }];
    },
  ];
  const lines = Array.from({ length: 1 + dice.below(6) }, () => dice.oneOf(generators)());
  // An import may contain a resource only once.
  return [...new Map(lines).values()];
}
