import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanUp, copyOf, eventually, lastingFolder } from '../embedded/processes';
import { childrenOf, isAlive, processesOn } from '../../support/system-processes';
import { Caller } from '../../support/caller';
import { twoLanes } from './lane';
import { Load } from './load';
import { sharedService } from '../../support/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';

// Every test starts processes, and the machine may be busy.
jest.setTimeout(240_000);

/** The data folder of `first`, which later tests use, or copies of it. */
let dataDir: string;
let first: ServiceProcess;
let root: Caller;

beforeAll(async () => {
  dataDir = join(lastingFolder(), 'data');
  first = startServiceProcess({ DATA_DIR: dataDir, WORKERS: '2' });
  root = await first.root();
  // As a terminal does for Ctrl-C: to the whole group.
  process.kill(-first.pid, 'SIGINT');
  await first.ended;
});
afterAll(cleanUp);

const serve = async (
  folder: string,
  environment: Record<string, string> = {},
): Promise<[ServiceProcess, Caller]> => {
  const service = startServiceProcess({ DATA_DIR: folder, WORKERS: '2', ...environment });
  const caller = new Caller(await service.serving(), root.credentials);
  return [service, caller];
};

/** The processes that serve. */
const workersOf = (service: ServiceProcess): number[] =>
  childrenOf(service.pid).filter((pid) => commandOf(pid).endsWith('main.js'));

const commandOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();

const regions = (caller: Caller) => caller.get('/v1/regions').expect(200);

it('begin with the credentials, printed once, and end at Ctrl-C with exit code 0 and nothing left', async () => {
  expect(first.lines.filter((line) => !line.startsWith('{'))).toEqual([
    expect.stringMatching(/^project: \S+$/),
    expect.stringMatching(/^username: \S+$/),
    expect.stringMatching(/^api key: \S{20,}$/),
  ]);
  expect(first.errorLines).toEqual([
    expect.stringMatching(/serving on http:\S+ with 2 processes$/),
    'muster: stopping, by SIGINT',
    'muster: stopped',
  ]);
  expect(await first.ended).toBe(0);
  expect(processesOn(dataDir)).toEqual([]);
});

describe('of one service', () => {
  let service: ServiceProcess;
  let caller: Caller;
  beforeAll(async () => {
    [service, caller] = await serve(dataDir);
  });
  afterAll(cleanUp);

  it('show on a public port that authentication failed, but not why', async () => {
    expect(await refused(caller, caller)).toEqual(['muster_authentication_refusals_total 2']);
  });

  it('are renewed at SIGHUP, without a request that fails, although clients keep idle connections', async () => {
    const former = workersOf(service);
    expect(former).toHaveLength(2);
    const lanes = await twoLanes(service, caller);
    for (const lane of lanes) for (let i = 0; i < 5; i++) await lane.get(caller, '/v1/cells');
    // The workers are measured together.
    expect(await counted(caller, 'cells')).toBe(10);
    const load = new Load(caller);
    await eventually(() => load.answered > 100, 'some answers');
    const before = load.answered;
    service.kill('SIGHUP');
    await service.said(/the workers are renewed/);
    expect(load.answered).toBeGreaterThan(before);
    await eventually(() => former.every((pid) => !isAlive(pid)), 'the end of the former ones');
    expect(workersOf(service)).toHaveLength(2);
    await load.end();
    expect(load.failures).toEqual([]);
    // What they counted stays counted when others serve in their place.
    expect(await counted(caller, 'cells')).toBe(10);
    // Idle connections are closed.
    for (const lane of lanes) {
      await expect(lane.get(caller, '/v1/cells')).rejects.toThrow('the connection was not kept');
      lane.close();
    }
  });

  it('are replaced when they die, and what they counted stays counted', async () => {
    const atFirst = await counted(caller);
    const asked = 30;
    for (let i = 0; i < asked; i++) await regions(caller);
    expect(await counted(caller)).toBe(atFirst + asked);
    const [victim = 0] = workersOf(service);
    process.kill(victim, 'SIGKILL');
    await service.said(new RegExp(`process ${String(victim)}\\) has ended unexpectedly \\(SIGKILL\\)`));
    await service.said(/serves in its place/);
    await regions(caller);
    // The counts of a process that is killed are known up to the last time that the metrics were read.
    await eventually(async () => (await counted(caller)) === atFirst + asked + 1, 'the sum');
  });
});

// These run at the same time, each on a data folder of its own: they wait for starts, and for the pauses between retries.
describe('of services of their own', () => {
  afterAll(cleanUp);

  it.concurrent(
    'stay as they are when the next ones cannot start; are given up, with a sentence, when none serves and none starts',
    async () => {
      const own = await copyOf(dataDir);
      const crash = crashing();
      const [service, caller] = await serve(own, crash.environment);
      const workers = workersOf(service);
      expect(workers).toHaveLength(2);
      crash.begin();
      service.kill('SIGHUP');
      await service.said(/cannot be renewed, and stay: A worker ended while it was starting \(exit code 9\)/);
      expect(workersOf(service)).toEqual(workers);
      await regions(caller);

      for (const worker of workers) process.kill(worker, 'SIGKILL');
      expect(await service.ended).toBe(1);
      expect(service.errorLines.at(-1)).toMatch(
        /^muster: No worker serves any more, and \d+ in a row could not be started: A worker ended while it was starting/,
      );
      expect(processesOn(own)).toEqual([]);
    },
  );

  it.concurrent(
    'stop at once, by a signal or with a primary that is killed, and a restart at once works',
    async () => {
      const own = await copyOf(dataDir);
      const [service, caller] = await serve(own, { FEED_WAITERS: '1' });
      const wait = (seconds: number) =>
        caller.get(`/v1/changes/feed?after=latest&wait=${String(seconds)}`).then(({ status }) => status);
      const waiting = wait(60);
      // No second one may wait where one does.
      await eventually(async () => (await wait(1)) === 503, 'somebody to wait');
      service.kill('SIGTERM');
      const [second, afterStop] = await serve(own);
      // What is in flight is answered.
      expect(await waiting).toBe(200);
      expect(await service.ended).toBe(0);
      await regions(afterStop);

      const workers = workersOf(second);
      expect(workers).toHaveLength(2);
      second.kill('SIGKILL');
      const [third, afterKill] = await serve(own);
      await regions(afterKill);
      await eventually(() => workers.every((pid) => !isAlive(pid)), 'the end of the workers');
      third.kill('SIGTERM');
      expect(await third.ended).toBe(0);
      expect(processesOn(own)).toEqual([]);
    },
  );

  it.concurrent.each(['1', '2'])(
    'are measured on METRICS_PORT alone where there is one: WORKERS=%s',
    async (WORKERS) => {
      const port = await freePort();
      const { root: caller } = await sharedService().startPeer({ WORKERS, METRICS_PORT: String(port) });
      const metrics = new Caller(`http://127.0.0.1:${String(port)}`, caller.credentials);
      for (let i = 0; i < 10; i++) await regions(caller);
      await caller.get('/metrics').expect(404);
      expect(await counted(metrics)).toBe(10);
      // Why authentication failed is for operators alone.
      expect(await refused(caller, metrics)).toEqual([
        'muster_authentication_refusals_total{reason="no credentials"} 1',
        'muster_authentication_refusals_total{reason="malformed credentials"} 1',
      ]);
    },
  );

  it.concurrent(
    'end with one sentence and exit code 1 when the port is taken, with nothing left running',
    async () => {
      const own = await copyOf(dataDir);
      const other = createServer();
      await new Promise<void>((settle) => other.listen(0, '127.0.0.1', settle));
      const { port } = other.address() as AddressInfo;
      try {
        const refused = startServiceProcess({ DATA_DIR: own, WORKERS: '2', PORT: String(port) });
        expect(await refused.refusal()).toContain(`The port ${String(port)} on 127.0.0.1 is taken`);
        expect(processesOn(own)).toEqual([]);
      } finally {
        other.close();
      }
    },
  );

  it.concurrent('end with one sentence and exit code 1 when workers die at the start', async () => {
    const own = await copyOf(dataDir);
    const crash = crashing();
    crash.begin();
    const refused = startServiceProcess({ DATA_DIR: own, WORKERS: '2', ...crash.environment });
    expect(await refused.refusal()).toBe('muster: A worker ended while it was starting (exit code 9).');
    expect(processesOn(own)).toEqual([]);
  });
});

/** Fails to authenticate twice. @returns what the metrics say about it */
async function refused(caller: Caller, metrics: Caller): Promise<string[]> {
  const unknown = caller.as({ ...caller.credentials, token: 'no key' });
  await unknown.get('/v1/regions').expect(401);
  expect((await fetch(`${caller.url}/v1/regions`)).status).toBe(401);
  const { text } = await metrics.get('/metrics').expect(200);
  return text.split('\n').filter((line) => /^muster_authentication_refusals_total.* [1-9]/.test(line));
}

/** How many requests for a collection the metrics count. */
async function counted(caller: Caller, collection = 'regions'): Promise<number> {
  const { text } = await caller.get('/metrics').expect(200);
  const counts = text.matchAll(new RegExp(`_seconds_count\\{[^}]*"/v1/${collection}"[^}]*\\} (\\d+)`, 'g'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Has workers die as soon as they start, from a moment on. */
function crashing(): { environment: Record<string, string>; begin: () => void } {
  const folder = lastingFolder();
  const [script, sign] = [join(folder, 'crash.cjs'), join(folder, 'now')];
  const condition = `require('node:cluster').isWorker && require('node:fs').existsSync(${JSON.stringify(sign)})`;
  writeFileSync(script, `if (${condition}) process.exit(9);`);
  return {
    environment: { NODE_OPTIONS: `--require ${script}` },
    begin: () => {
      writeFileSync(sign, '');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  await new Promise((settle) => server.close(settle));
  return port;
}
