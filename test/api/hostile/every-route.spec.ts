import fc from 'fast-check';
import { join } from 'node:path';
import { verifyDatabase } from '../../support/admin';
import { oneSeed } from '../../support/seeds';
import { startService, type OwnService } from '../../support/service';
import { MARK, fullProject, spreadIds } from '../../support/two-projects';
import { until } from '../../support/until';
import { Api, type Operation } from './api';
import { Promises, secretsOf } from './promises';
import { Requests } from './requests';
import { State } from './state';
import { Client, shown, written } from './wire';
import { World } from './world';

/** For each operation. Seven operations out of ten write. */
const RUNS = wholeNumber('FUZZ_RUNS', 24);
const SEED = oneSeed();
/** So many operations are asked at once. */
const AT_ONCE = 6;
/** In bytes: what is kept of so many requests is little, and a leak would be much. */
const MOST_GROWTH = 200 * 1024 * 1024;

/** A line that inspect.cjs prints. */
interface Inspected {
  readonly ordinal: number;
  readonly heap_bytes: number;
  readonly properties: readonly string[];
  readonly enumerable: readonly string[];
}

function wholeNumber(name: string, usual: number): number {
  const text = process.env[name] ?? '';
  if (!/^\d{0,10}$/.test(text)) throw new Error(`${name} must be a whole number: ${text}`);
  return text === '' ? usual : Number(text);
}

describe(`requests at random to every route (SEED=${String(SEED)})`, () => {
  let app: OwnService;
  let inspections = 0;
  /** The service before the first request. */
  let untouched: Inspected;
  let api: Api;
  let state: State;
  /** What no answer names: see State.namesWithin. */
  let inside: ReadonlySet<string>;
  let client: Client;
  let promises: Promises;
  let requests: Requests;
  let hidden: Awaited<ReturnType<typeof fullProject>>;
  let tampered = false;
  /** How often which status was answered. */
  const statuses = new Map<number, number>();

  beforeAll(async () => {
    app = await startService({ NODE_OPTIONS: `--require ${join(__dirname, 'inspect.cjs')}` });
    untouched = await inspect();
    await spreadIds(app.databaseUrl);
    hidden = await fullProject(app, MARK);
    api = await Api.of(app);
    state = await State.of(app.databaseUrl);
    inside = await state.namesWithin(api);
    client = new Client(app.url);
    requests = new Requests(api);
  });
  beforeEach(() => statuses.clear());
  afterAll(async () => {
    client.close();
    await state.close();
    await app.stop();
  });

  /** What the service's process shows of itself: see inspect.cjs. */
  async function inspect(): Promise<Inspected> {
    const ordinal = ++inspections;
    app.program.kill('SIGUSR2');
    return app.program.line((line) => {
      if (!line.startsWith('{"inspected":')) return undefined;
      const { inspected } = JSON.parse(line) as { inspected: Inspected };
      return inspected.ordinal === ordinal ? inspected : undefined;
    }, 'what inspect.cjs prints');
  }

  /** Sends one operation what comes to mind. @throws Error that tells of the smallest request that breaks a promise */
  async function ask(operation: Operation, world: World, runs: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(requests.to(operation), async (plan) => {
        const sent = written(plan, world);
        const answer = await client.send(sent).catch((error: unknown) => {
          throw new Error(`${shown(sent)}\n\n${String(error)}`);
        });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const broken = promises.brokenBy(sent, answer);
        if (broken.length > 0)
          throw new Error(
            `${broken.join('; ')}\n\n${shown(sent)}\n\n${String(answer.status)} ${answer.text.slice(0, 2_000)}`,
          );
        await world.learn(api.matching(sent.method, sent.path), sent, answer);
      }),
      { numRuns: runs, seed: SEED, reporter: told, endOnFailure: true },
    );
  }

  /** Every operation, a few at a time. */
  async function askAll(world: World, runs: number): Promise<void> {
    const left = [...api.operations];
    const faults: string[] = [];
    for (let batch = left.splice(0, 24); batch.length > 0; batch = left.splice(0, 24)) {
      await world.renew();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let operation = batch.pop(); operation; operation = batch.pop())
            await ask(operation, world, runs).catch((error: unknown) => {
              faults.push(String(error));
            });
        }),
      );
    }
    tampered ||= world.tampered;
    if (faults.length > 0) throw new Error(faults.join(`\n\n${'-'.repeat(40)}\n\n`));
  }

  it(
    'in a project: every answer is as described, shows nothing of the inside, and touches no other project',
    async () => {
      promises = new Promises(api, inside, secretsOf(hidden.inventory));
      const world = await World.ofProject(app, state, hidden.inventory);
      const before = await state.rowsOf(hidden.admin.projectId);
      const { heap_bytes: heapBefore } = await inspect();
      await askAll(world, RUNS);
      expect(await state.rowsOf(hidden.admin.projectId)).toEqual(before);
      expect(statuses.get(200)).toBeGreaterThan(RUNS);
      expect(statuses.get(201)).toBeGreaterThan(0);
      expect(statuses.get(204)).toBeGreaterThan(0);
      expect((await inspect()).heap_bytes - heapBefore).toBeLessThan(MOST_GROWTH);
    },
    120_000 + RUNS * 60_000,
  );

  it(
    'as root: every answer is as described and shows nothing of the inside',
    async () => {
      promises = new Promises(api, inside, []);
      await askAll(await World.ofRoot(app, state), Math.ceil(RUNS / 4));
    },
    120_000 + RUNS * 20_000,
  );

  it('is alive after all that, idle, as it was made, and agrees with itself', async () => {
    await app.root.get('/healthz').expect(200);
    await app.root.get('/readyz').expect(200);
    await until('nobody does anything on the database', 60, () => state.isIdle());
    const { properties, enumerable } = await inspect();
    expect({ properties, enumerable }).toEqual({ properties: untouched.properties, enumerable: [] });
    const { faults } = await verifyDatabase(app.databaseUrl);
    expect(faults.filter(({ kind }) => !(tampered && kind === 'project-settings'))).toEqual([]);
  }, 120_000);
});

/** Fails with the last, smallest request, and what makes it again. */
function told<T>(details: fc.RunDetails<T>): void {
  if (!details.failed) return;
  const { seed, numShrinks, errorInstance } = details;
  const why =
    errorInstance instanceof Error || isErrorLike(errorInstance)
      ? errorInstance.message
      : String(errorInstance);
  throw new Error(`SEED=${String(seed)} (shrunk ${String(numShrinks)} times): ${why}`);
}

const isErrorLike = (thrown: unknown): thrown is Error =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown;
