import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { childrenOf } from '../../support/system-processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { Caller } from '../../support/caller';
import { agreement } from './account';
import { ownServer } from './own-server';
import { Writer } from './writer';

/** How often a service is killed. Each kill costs a start, so only `KILLS=90` looks at many moments. */
const ROUNDS = Number(process.env['KILLS'] ?? 5);
const ROUNDS_WITH_DATABASE = Math.ceil(ROUNDS / 3);

jest.setTimeout(120_000 + ROUNDS * 10_000);

afterEach(cleanUp);

/** So many writes at least are acknowledged before each kill. */
const ACKNOWLEDGED = 3;
/** So many write at a time: each kill leaves about as many writes of which nobody knows. */
const WRITERS = 4;
/** So many are started before it is their turn: starting is what takes the time. */
const AHEAD = 1;

/** The longest time (ms) between the last acknowledged write and a kill: longer than a write takes. */
const MAX_MOMENT = 60;

/** Waits for a moment in the middle of writes, another one in each round. */
async function aMoment(writer: Writer, round: number): Promise<void> {
  await writer.acknowledges(ACKNOWLEDGED);
  await pause((MAX_MOMENT * (round % ROUNDS)) / ROUNDS);
}

it(`keeps what it has acknowledged when it is killed in the middle of writes, ${String(ROUNDS)} times`, async () => {
  const own = await ownServer();
  try {
    const environment = { DATABASE_URL: own.url, WORKERS: '1', LOG_LEVEL: 'silent' };
    const first = startServiceProcess(environment);
    const root = await first.root();
    const turns: ServiceProcess[] = [first];
    const next = async (): Promise<[ServiceProcess, Caller]> => {
      while (turns.length <= AHEAD) turns.push(startServiceProcess(environment));
      const service = turns.shift() ?? first;
      return [service, new Caller(await service.serving(), root.credentials)];
    };
    const writer = new Writer(WRITERS);
    for (let round = 0; round < ROUNDS; round++) {
      const [service, caller] = await next();
      await writer.start(caller);
      await aMoment(writer, round);
      service.kill('SIGKILL');
      expect(await service.ended).toBe('SIGKILL');
      await writer.rest();
    }
    const [, caller] = await next();
    const tally = await agreement(writer, caller, environment);
    // It was in the middle of something.
    expect(tally.unknown).toBeGreaterThan(ROUNDS);
  } finally {
    await cleanUp();
    await own.end();
  }
});

it(`and its database with it, ${String(ROUNDS_WITH_DATABASE)} times`, async () => {
  const environment = { DATA_DIR: join(temporaryFolder(), 'data'), WORKERS: '1', LOG_LEVEL: 'silent' };
  const first = startServiceProcess(environment);
  const root = await first.root();
  const writer = new Writer(WRITERS);
  let service = first;
  for (let round = 0; round < ROUNDS_WITH_DATABASE; round++) {
    const caller = new Caller(await service.serving(), root.credentials);
    await writer.start(caller);
    await aMoment(writer, round);
    service.kill('SIGKILL');
    await service.ended;
    await writer.rest();
    service = startServiceProcess(environment);
  }
  const caller = new Caller(await service.serving(), root.credentials);
  const tally = await agreement(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(ROUNDS_WITH_DATABASE);
});

it('and one of its workers, while the others serve and another takes its place', async () => {
  const environment = { DATA_DIR: join(temporaryFolder(), 'data'), WORKERS: '2', LOG_LEVEL: 'silent' };
  const service = startServiceProcess(environment);
  const caller = await service.root();
  const writer = new Writer(8);
  await writer.start(caller);
  await aMoment(writer, 1);
  const [victim] = workersOf(service);
  if (victim === undefined) throw new Error('there is no worker');
  process.kill(victim, 'SIGKILL');
  await service.said(/serves in its place/);
  await writer.rest();
  const tally = await agreement(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(0);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

const workersOf = (service: ServiceProcess): number[] =>
  childrenOf(service.pid).filter((pid) =>
    readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').includes(join('dist', 'src', 'main.js')),
  );
