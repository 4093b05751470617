import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { impactOf, readState, type ExpectedImpact } from '../support/impact-oracle';
import { canonical } from '../support/naive-resolver';
import { Dice, RandomChanges, type Step } from '../support/random-changes';
import { seeds } from '../support/seeds';

const PRIVATE = ['c', 'x-*'];
const isPublic = (key: string): boolean => key !== 'c' && !key.startsWith('x-');

/** The ids of what comes into being differ from one try to the next; the names do not. */
const withoutNewIds = (impact: ExpectedImpact, known: ReadonlySet<number>): ExpectedImpact => ({
  devices: impact.devices,
  keys: impact.keys,
  items: impact.items.map((item) => (known.has(Number(item['id'])) ? item : { ...item, id: 'new' })),
});

const kinds = ['changes', 'devices', 'hidden', 'refused', 'reverted'] as const;
const nothing = () => ({ changes: 0, devices: 0, hidden: 0, refused: 0, reverted: 0 });

describe('the impact of random changes', () => {
  /** What was met, seed by seed. */
  const all: ReturnType<typeof nothing>[] = [];
  const app = sharedService();
  /** Tries a write. */
  const tried = (caller: Caller, { method, path, body }: Step, query = 'limit=1000'): PromiseLike<Response> =>
    caller.send(method, `${path}?dry_run=true&${query}`, body);

  it.each(seeds(2))(
    'is what every device, resolved before and after, says it is: seed %i',
    async (seed) => {
      const admin = await app.project();
      await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: PRIVATE }).expect(200);
      const writer = await admin.user({ roles: ['*:write', 'a', 'b', '__proto__'] });
      const dice = new Dice(seed);
      const random = new RandomChanges(dice);
      const told = nothing();
      let before = await readState(admin);
      // On and on until everything was met, which a few steps may leave to chance.
      for (let i = 0; i < 40 || (i < 200 && kinds.some((what) => told[what] === 0)); i++) {
        const undo = i % 6 === 5 ? await somethingToUndo(admin, dice) : undefined;
        const step: Step = undo ?? random.next(before.here);
        const preview = await tried(admin, step);
        const asWriter = await tried(writer, step);
        const real = await admin.send(step.method, step.path, step.body);
        if (preview.status !== 200) {
          expect([step, outcome(preview)]).toEqual([step, outcome(real)]);
          told.refused++;
          continue;
        }
        expect([step, Math.floor(real.status / 100)]).toEqual([step, 2]);
        const after = await readState(admin);
        const known = new Set(before.devices.map(({ id }) => id));
        const expected = impactOf(before, after);
        const seen = impactOf(before, after, isPublic);
        expect(says(step, preview, known)).toEqual(wants(step, expected, known));
        if (asWriter.status === 200) expect(says(step, asWriter, known)).toEqual(wants(step, seen, known));
        expect([step, await recorded(admin), await recorded(writer)]).toEqual([
          step,
          expected.devices,
          seen.devices,
        ]);
        told.changes++;
        told.devices += expected.devices;
        if (seen.devices < expected.devices) told.hidden++;
        if (undo) told.reverted++;
        before = after;
      }
      all.push(told);
    },
    120_000,
  );

  it('was looked at in every way', () => {
    const total = nothing();
    for (const told of all) for (const what of kinds) total[what] += told[what];
    for (const what of kinds) expect([total, total[what] > 0]).toEqual([total, true]);
  });

  async function somethingToUndo(caller: Caller, dice: Dice): Promise<Step | undefined> {
    const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=12').expect(200);
    // Not who may ask, and what is hidden: that has to stay as it is.
    const changes = (body as { id: number; objects: { kind: string }[] }[]).filter(({ objects }) =>
      objects.every(({ kind }) => !['user', 'project-settings'].includes(kind)),
    );
    if (changes.length === 0) return undefined;
    return { method: 'post', path: `/v1/changes/${String(dice.oneOf(changes).id)}/revert`, body: {} };
  }

  /** The number in the newest record, as one sees it. */
  async function recorded(caller: Caller): Promise<number> {
    const { body } = await caller.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
    return (body as { impact: { devices: number } }[])[0]!.impact.devices;
  }

  const outcome = ({ status, body }: Response): unknown => {
    const { code, message, details } = body as Record<string, unknown>;
    return { status, code, message, details };
  };

  const says = (step: Step, { body }: Response, known: ReadonlySet<number>): string => {
    const { change, impact } = body as { change: { impact: object }; impact: ExpectedImpact };
    expect([step, change.impact]).toEqual([step, { devices: impact.devices }]);
    return canonical([step, withoutNewIds(impact, known)]);
  };

  const wants = (step: Step, impact: ExpectedImpact, known: ReadonlySet<number>): string =>
    canonical([step, withoutNewIds(impact, known)]);
});
