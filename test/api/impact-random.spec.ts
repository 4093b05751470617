import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import {
  groupsOf,
  groupTexts,
  impactOf,
  readState,
  type ExpectedImpact,
  type ImpactGroup,
} from '../support/impact-oracle';
import { canonical } from '../support/naive-resolver';
import { expectNetEffects, expectResolvedChanges, type PastStep } from '../support/past-steps';
import { Dice, RandomChanges, type Step } from '../support/random-changes';
import { rounds, seeds } from '../support/seeds';

const PRIVATE = ['c', 'x-*'];
const isPublic = (key: string): boolean => key !== 'c' && !key.startsWith('x-');

/** The ids of created resources differ between runs, but the names do not. */
const withoutNewIds = (impact: ExpectedImpact, known: ReadonlySet<number>): ExpectedImpact => ({
  devices: impact.devices,
  keys: impact.keys,
  items: impact.items.map((item) => (known.has(Number(item['id'])) ? item : { ...item, id: 'new' })),
});

const kinds = ['changes', 'devices', 'hidden', 'refused', 'reverted'] as const;
const zeroCounts = () => ({ changes: 0, devices: 0, hidden: 0, refused: 0, reverted: 0 });

describe('the impact of random changes', () => {
  /** The cases covered, by seed. */
  const all: ReturnType<typeof zeroCounts>[] = [];
  const app = sharedService();
  /** Sends a dry run of a write. */
  const dryRun = (
    caller: Caller,
    { method, path, body }: Step,
    query = 'limit=1000',
  ): PromiseLike<Response> => caller.send(method, `${path}?dry_run=true&${query}`, body);

  it.each(seeds(1))(
    'equals the differences between all resolved variables before and after: seed %i',
    async (seed) => {
      const admin = await app.project();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: PRIVATE }).expect(200);
      const writer = await admin.user({ roles: ['*:write', 'a', 'b', '__proto__'] });
      const dice = new Dice(seed);
      const random = new RandomChanges(dice);
      const counts = zeroCounts();
      const least = rounds(20, 36);
      let before = await readState(admin);
      const steps: PastStep[] = [];
      // Continue until every case has occurred, because a few random steps may miss some.
      for (let i = 0; i < least || (i < 200 && kinds.some((counter) => counts[counter] === 0)); i++) {
        const revert = i % 6 === 5 ? await randomRevert(admin, dice) : undefined;
        const step: Step = revert ?? random.next(before.here);
        const preview = await dryRun(admin, step);
        const asWriter = await dryRun(writer, step);
        const real = await admin.send(step.method, step.path, step.body);
        if (preview.status !== 200) {
          expect([step, outcome(preview)]).toEqual([step, outcome(real)]);
          counts.refused++;
          continue;
        }
        expect([step, Math.floor(real.status / 100)]).toEqual([step, 2]);
        const after = await readState(admin);
        const known = new Set(before.devices.map(({ id }) => id));
        const expected = impactOf(before, after);
        const seen = impactOf(before, after, isPublic);
        expect(actualText(step, preview, known)).toEqual(
          expectedText(step, expected, groupsOf(before, after, expected), known),
        );
        if (asWriter.status === 200)
          expect(actualText(step, asWriter, known)).toEqual(
            expectedText(step, seen, groupsOf(before, after, seen), known),
          );
        expect([step, await recorded(admin, real), await recorded(writer, real)]).toEqual([
          step,
          expected.devices,
          seen.devices,
        ]);
        counts.changes++;
        counts.devices += expected.devices;
        if (seen.devices < expected.devices) counts.hidden++;
        if (revert) counts.reverted++;
        steps.push({ request: String(real.headers['x-request-id']), before, after });
        before = after;
      }
      all.push(counts);
      await expectResolvedChanges(admin, admin, steps, dice);
      await expectResolvedChanges(admin, writer, steps, dice, isPublic);
      await expectNetEffects(admin, steps, dice);
    },
    120_000,
  );

  it('covers every case', () => {
    const total = zeroCounts();
    for (const counts of all) for (const counter of kinds) total[counter] += counts[counter];
    for (const counter of kinds) expect([total, total[counter] > 0]).toEqual([total, true]);
  });

  async function randomRevert(caller: Caller, dice: Dice): Promise<Step | undefined> {
    const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=12').expect(200);
    // Users and settings are not reverted, because permissions must stay as they are.
    const changes = (body as { id: number; objects: { kind: string }[] }[]).filter(({ objects }) =>
      objects.every(({ kind }) => !['user', 'project-settings'].includes(kind)),
    );
    if (changes.length === 0) return undefined;
    return { method: 'post', path: `/v1/changes/${String(dice.oneOf(changes).id)}/revert`, body: {} };
  }

  /** The device count in the record of a write, as seen by the caller. A write that changes nothing has none. */
  async function recorded(caller: Caller, { headers }: Response): Promise<number> {
    const id = String(headers['x-request-id']);
    const { body } = await caller.get(`/v1/changes?request_id=${id}`).expect(200);
    return (body as { impact: { devices: number } }[])[0]?.impact.devices ?? 0;
  }

  const outcome = ({ status, body }: Response): unknown => {
    const { code, message, details } = body as Record<string, unknown>;
    return { status, code, message, details };
  };

  const actualText = (step: Step, { body }: Response, known: ReadonlySet<number>): string => {
    const { change, impact } = body as {
      change: { impact: object };
      impact: ExpectedImpact & { readonly groups: readonly ImpactGroup[] };
    };
    expect([step, change.impact]).toEqual([step, { devices: impact.devices }]);
    return canonical([step, withoutNewIds(impact, known), groupTexts(impact.groups)]);
  };

  const expectedText = (
    step: Step,
    impact: ExpectedImpact,
    groups: readonly string[],
    known: ReadonlySet<number>,
  ): string => {
    const { items, ...others } = withoutNewIds(impact, known);
    const withCreated = items.map((item) => (item['id'] === 'new' ? { ...item, created: true } : item));
    return canonical([step, { ...others, items: withCreated }, groups]);
  };
});
