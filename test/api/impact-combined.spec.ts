import fc from 'fast-check';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { loadFleet } from '../support/fleet';
import { impactOf, readState, type ExpectedImpact, type State } from '../support/impact-oracle';
import { asLines, sendImport } from '../support/importing';
import { canonical } from '../support/naive-resolver';
import { Dice, KEYS } from '../support/random-changes';
import { fleets } from '../support/random-fleet';
import { seeds } from '../support/seeds';

const VALUES: readonly unknown[] = [null, 1, 'one', [1, 2], true];

interface ImpactAnswer extends ExpectedImpact {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/**
 * Imports change many levels at once, and reverting an import changes them back: whatever is combined, the groups of devices
 * that are counted must neither overlap nor leave any out.
 */
describe('the impact of a change of many resources at once', () => {
  const app = sharedService();

  it.each(seeds(2))(
    'equals what every device resolves before and after: seed %i',
    async (seed) => {
      const admin = await app.project();
      const [fleet] = fc.sample(fleets, { seed, numRuns: 1 });
      await loadFleet(admin, fleet!);
      const dice = new Dice(seed);
      let before = await readState(admin);
      let affected = 0;
      let reverted = 0;
      for (let i = 0; i < 12; i++) {
        const lines = asLines(randomLines(before, dice));
        const tried = (await sendImport(admin, lines, '?dry_run=true').expect(200)).body as {
          impact: ExpectedImpact;
        };
        const changed = (await sendImport(admin, lines).expect(200)).body as { updated: number };
        const after = await readState(admin);
        const expected = impactOf(before, after);
        expect([i, tried.impact.devices]).toEqual([i, expected.devices]);
        affected += expected.devices;
        if (changed.updated === 0) continue;
        const newest = await newestChange(admin);
        expect([i, newest.impact.devices]).toEqual([i, expected.devices]);
        const path = `/v1/changes/${String(newest.id)}`;
        const listed = await everyPage((page) => admin.get(`${path}/impact?${page}`).expect(200));
        expect(canonical([i, listed.items])).toBe(canonical([i, expected.items]));
        before = after;
        if (dice.below(2) === 0) continue;

        const preview = await everyPage(async (page) => {
          const { body } = await admin.post(`${path}/revert?dry_run=true&${page}`).expect(200);
          return { body: (body as { impact: ImpactAnswer }).impact };
        });
        await admin.post(`${path}/revert`).expect(201);
        const back = await readState(admin);
        const expectedBack = impactOf(before, back);
        expect(canonical([i, preview])).toBe(canonical([i, expectedBack]));
        expect([i, (await newestChange(admin)).impact.devices]).toEqual([i, expectedBack.devices]);
        reverted++;
        before = back;
      }
      expect(affected).toBeGreaterThan(20);
      expect(reverted).toBeGreaterThan(0);
    },
    120_000,
  );
});

/** Reads an impact page by page, so that pages are compared with the whole, too. */
async function everyPage(read: (page: string) => PromiseLike<{ body: unknown }>): Promise<ExpectedImpact> {
  const items: ExpectedImpact['items'][number][] = [];
  for (let page = 'limit=10'; ;) {
    const impact = (await read(page)).body as ImpactAnswer;
    items.push(...impact.items);
    const next = impact.links.find(({ rel }) => rel === 'next');
    if (!next) return { devices: impact.devices, keys: impact.keys, items };
    page = `limit=10&marker=${new URL(next.href).searchParams.get('marker') ?? ''}`;
  }
}

async function newestChange(caller: Caller): Promise<{ id: number; impact: { devices: number } }> {
  const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
  return (body as { id: number; impact: { devices: number } }[])[0]!;
}

/** Up to six lines, each about another resource: variables of any level, hosts that move, labels that come and go. */
function randomLines({ here }: State, dice: Dice): object[] {
  const of = (collection: string): readonly Resource[] => here.get(collection) ?? [];
  const regionName = (id: unknown) => of('regions').find((region) => region.id === id)?.name;
  const variables = () =>
    Object.fromEntries(dice.some(KEYS, 3).map((key) => [key, dice.oneOf(VALUES)] as const));
  const makers: (() => readonly [string, object])[] = [
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
      const place = { region: regionName(cell['region_id']), cell: cell.name };
      const labels = dice.some(of('labels'), 3).map((label) => String(label['label']));
      const line = { kind: 'host', name, variables: variables() };
      return [`host ${name}`, dice.below(2) === 0 ? { ...line, ...place } : { ...line, labels }];
    },
  ];
  const lines = Array.from({ length: 1 + dice.below(6) }, () => dice.oneOf(makers)());
  // A resource may stand in an import once.
  return [...new Map(lines).values()];
}
