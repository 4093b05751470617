import fc from '../../support/property-testing';
import { join } from 'node:path';
import { verifyDatabase } from '../../support/admin';
import { oneSeed } from '../../support/seeds';
import { sharedService, startService, type OwnService } from '../../support/service';
import { MARK, fullProject, spreadIds } from '../../support/two-projects';
import { Api, type Operation } from './api';
import { Promises, secretsOf } from './response-invariants';
import { Requests } from './request-generators';
import { State } from './state';
import { Client, formatRequest, buildRequest } from './wire';
import { World } from './fuzz-project';

/** Requests per operation. Seven of ten operations write. */
const RUNS = wholeNumber('FUZZ_RUNS', 2);
const SEED = oneSeed();
/** How many operations are tested concurrently. */
const CONCURRENCY = 6;
/** In bytes. Much more than the service retains, and much less than a leak would. */
const MAX_HEAP_GROWTH = 200 * 1024 * 1024;

/** A line that inspect.cjs prints. */
interface Inspected {
  readonly ordinal: number;
  readonly heap_bytes: number;
  readonly properties: readonly string[];
  readonly enumerable: readonly string[];
}

function wholeNumber(name: string, defaultValue: number): number {
  const text = process.env[name] ?? '';
  if (!/^\d{0,10}$/.test(text)) throw new Error(`${name} must be a whole number: ${text}`);
  return text === '' ? defaultValue : Number(text);
}

describe(`random requests to every route (SEED=${String(SEED)})`, () => {
  let app: OwnService;
  let inspections = 0;
  /** The service before the first request. */
  let initial: Inspected;
  let api: Api;
  let state: State;
  /** Names that no response may contain (see State.namesWithin). */
  let internalNames: ReadonlySet<string>;
  let client: Client;
  let promises: Promises;
  let requests: Requests;
  let hidden: Awaited<ReturnType<typeof fullProject>>;
  let tampered = false;
  /** The number of responses by status. */
  const statuses = new Map<number, number>();

  beforeAll(async () => {
    app = await startService({ NODE_OPTIONS: `--require ${join(__dirname, 'inspect.cjs')}` });
    initial = await inspect();
    await spreadIds(app.databaseUrl);
    hidden = await fullProject(app, MARK);
    api = await Api.of(sharedService());
    state = await State.of(app.databaseUrl);
    internalNames = await state.namesWithin(api);
    client = new Client(app.url);
    requests = new Requests(api);
  });
  beforeEach(() => statuses.clear());
  afterAll(async () => {
    client.close();
    await state.close();
    await app.stop();
  });

  /** Requests the state of the service process (see inspect.cjs). */
  async function inspect(): Promise<Inspected> {
    const ordinal = ++inspections;
    app.program.kill('SIGUSR2');
    return app.program.line((line) => {
      if (!line.startsWith('{"inspected":')) return undefined;
      const { inspected } = JSON.parse(line) as { inspected: Inspected };
      return inspected.ordinal === ordinal ? inspected : undefined;
    }, 'the output of inspect.cjs');
  }

  /** Sends random requests to one operation. @throws Error with the smallest request that violates an invariant */
  async function fuzz(operation: Operation, world: World, runs: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(requests.to(operation), async (plan) => {
        const sent = buildRequest(plan, world);
        const response = await client.send(sent).catch((error: unknown) => {
          throw new Error(`${formatRequest(sent)}\n\n${String(error)}`);
        });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const broken = promises.brokenBy(sent, response);
        if (broken.length > 0)
          throw new Error(
            `${broken.join('; ')}\n\n${formatRequest(sent)}\n\n${String(response.status)} ${response.text.slice(0, 2_000)}`,
          );
        await world.learn(api.matching(sent.method, sent.path), sent, response);
      }),
      {
        numRuns: runs,
        seed: SEED,
        plugins: [() => ({ onAllRunsComplete: reportFailure })],
        endOnFailure: true,
      },
    );
  }

  /** Tests every operation, a few concurrently. */
  async function fuzzAll(world: World, runs: number): Promise<void> {
    const remaining = [...api.operations];
    const faults: string[] = [];
    for (let batch = remaining.splice(0, 48); batch.length > 0; batch = remaining.splice(0, 48)) {
      await world.renew();
      await Promise.all(
        Array.from({ length: CONCURRENCY }, async () => {
          for (let operation = batch.pop(); operation; operation = batch.pop())
            await fuzz(operation, world, runs).catch((error: unknown) => {
              faults.push(String(error));
            });
        }),
      );
    }
    tampered ||= world.tampered;
    if (faults.length > 0) throw new Error(faults.join(`\n\n${'-'.repeat(40)}\n\n`));
  }

  it(
    'get valid responses in a project, without internals or data of other projects, which stay unchanged',
    async () => {
      promises = new Promises(api, internalNames, secretsOf(hidden.inventory));
      const world = await World.ofProject(app, state, hidden.inventory);
      const before = await state.rowsOf(hidden.admin.projectId);
      const { heap_bytes: heapBefore } = await inspect();
      await fuzzAll(world, RUNS);
      expect(await state.rowsOf(hidden.admin.projectId)).toEqual(before);
      expect(statuses.get(200)).toBeGreaterThan(RUNS);
      expect(statuses.get(201)).toBeGreaterThan(0);
      expect(statuses.get(204)).toBeGreaterThan(0);
      expect((await inspect()).heap_bytes - heapBefore).toBeLessThan(MAX_HEAP_GROWTH);
    },
    120_000 + RUNS * 60_000,
  );

  it(
    'get valid responses as root, without internals',
    async () => {
      promises = new Promises(api, internalNames, []);
      await fuzzAll(await World.ofRoot(app, state), Math.ceil(RUNS / 4));
    },
    120_000 + RUNS * 20_000,
  );

  it('leave the service alive, idle, unpolluted and consistent', async () => {
    await app.root.get('/healthz').expect(200);
    await app.root.get('/readyz').expect(200);
    await state.untilIdle();
    const { properties, enumerable } = await inspect();
    expect({ properties, enumerable }).toEqual({ properties: initial.properties, enumerable: [] });
    const { faults } = await verifyDatabase(app.databaseUrl);
    expect(faults.filter(({ kind }) => !(tampered && kind === 'project-settings'))).toEqual([]);
  }, 120_000);
});

/** Fails with the smallest failing request and the seed that reproduces it. */
function reportFailure<T>(details: fc.RunDetails<T>): void {
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
