import { oneSeed } from '../support/seeds';
import { sharedService } from '../support/service';
import { aName, type Caller, type Resource } from '../support/caller';
import { canonical } from '../support/naive-resolver';
import { Dice, KEYS, RandomChanges, type Here, type Step } from '../support/random-changes';

/** All that can be seen of one resource. */
interface Sight {
  readonly shown: Resource;
  /** With its own variables. */
  readonly own: Resource;
  readonly explained: unknown;
}

/** All that can be seen at one moment, by path. */
type Sights = ReadonlyMap<string, Sight>;

/** What there was after a change, and the times that are after it. */
interface Moment {
  readonly step: Step;
  readonly sights: Sights;
  readonly times: readonly string[];
}

const COLLECTIONS = ['clouds', 'users', 'labels', 'regions', 'cells', 'hosts', 'network-devices'];
const EXPLAINED = ['cells', 'hosts', 'network-devices'];
// What is compared grows with the square of them.
const CHANGES = 40;

/** A moment of the client's own clock that lies behind everything that was answered. */
async function clock(): Promise<string> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
  return new Date(now + 1).toISOString();
}

describe('a moment of the past', () => {
  const app = sharedService();
  const listed = async (caller: Caller, path: string): Promise<Resource[]> =>
    (await caller.get(path).expect(200)).body as Resource[];

  async function look(caller: Caller): Promise<Sights> {
    const sights = new Map<string, Sight>();
    for (const collection of COLLECTIONS) {
      const path = `/v1/${collection}`;
      const withVariables = collection !== 'clouds' && collection !== 'users';
      const explain = EXPLAINED.includes(collection) ? `?explain=${KEYS.join(',')}` : '';
      const [shown, own] = await Promise.all([
        listed(caller, path + explain),
        withVariables ? listed(caller, `${path}?resolved-values=false`) : undefined,
      ]);
      for (const [i, { explain: explained, ...resource }] of shown.entries())
        sights.set(`${path}/${String(resource.id)}`, {
          shown: resource,
          own: own?.[i] ?? resource,
          explained,
        });
    }
    return sights;
  }

  const hereIn = (sights: Sights, caller: Caller): Here => {
    const here = new Map<string, Resource[]>(COLLECTIONS.map((collection) => [collection, []]));
    for (const [path, { shown }] of sights)
      // Whoever makes the changes stays as he is.
      if (shown['username'] !== caller.credentials.user) here.get(path.split('/')[2] ?? '')?.push(shown);
    return here;
  };

  /** Makes changes, and looks at everything after each of them. */
  async function history(caller: Caller, dice: Dice): Promise<Moment[]> {
    const changes = new RandomChanges(dice);
    const moments: Moment[] = [];
    const made: number[] = [];
    let sights = await look(caller);
    while (moments.length < CHANGES) {
      const step = changes.next(hereIn(sights, caller), made);
      const request = aName('request');
      const answer = await caller.send(step.method, step.path, step.body, { 'X-Request-Id': request });
      if (answer.status >= 400) {
        expect([405, 409]).toContain(answer.status);
        continue;
      }
      const after = await clock();
      sights = await look(caller);
      const [record] = await listed(caller, `/v1/changes?request_id=${request}`);
      const { updated_at = null, created_at = null } = answer.body as Record<string, string | null>;
      const shown = updated_at ?? created_at;
      made.push(Number(record?.id));
      const times = [String(record?.['created_at']), after, ...(shown === null ? [] : [`${shown}Z`])];
      moments.push({ step, sights, times });
    }
    return moments;
  }

  it('shows everything as it was then, after each of many changes', async () => {
    const seed = oneSeed();
    const dice = new Dice(seed);
    const caller = await app.project();
    const moments = await history(caller, dice);
    const paths = [...new Set(moments.flatMap(({ sights }) => [...sights.keys()]))];
    let compared = 0;
    for (const [i, { step, sights, times }] of moments.entries()) {
      const asked = paths.map(async (path, j) => {
        const at = `at=${times[(i + j) % times.length] ?? ''}`;
        const sight = sights.get(path);
        // Of every moment half of what was there, and little of the much that was not.
        if (dice.below(sight ? 2 : 8) > 0) return;
        const expectSame = async (question: string, expected: unknown) => {
          const { status, body, headers } = await caller.get(question);
          compared++;
          const told = { seed, change: i, step, question };
          const got = status === 200 ? canonical(body) : status;
          expect({ ...told, got }).toEqual({ ...told, got: sight ? canonical(expected) : 404 });
          expect(headers['etag']).toBeUndefined();
        };
        await expectSame(`${path}?${at}`, sight?.shown);
        if (dice.below(3) > 0 || path.startsWith('/v1/clouds')) return;
        const variables = (own: Resource | undefined) => ({ variables: own?.variables });
        if (path.startsWith('/v1/users')) return;
        await expectSame(`${path}?${at}&resolved-values=false`, sight?.own);
        await expectSame(`${path}/variables?${at}`, variables(sight?.own));
        await expectSame(`${path}/variables?resolved-values=true&${at}`, variables(sight?.shown));
        if (EXPLAINED.some((collection) => path.startsWith(`/v1/${collection}/`)))
          await expectSame(`${path}/variables/explain?${at}`, { variables: sight?.explained });
      });
      await Promise.all(asked);
    }
    expect(compared).toBeGreaterThan(CHANGES * 5);
  }, 240_000);
});
