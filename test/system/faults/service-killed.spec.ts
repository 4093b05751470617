import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { childrenOf } from '../../support/system-processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { Caller, type Credentials } from '../../support/caller';
import { auditWrites } from './write-audit';
import { Writer } from './writer';

/** How many times a service is killed. A kill costs a start: `KILLS=90` covers more moments. */
const KILLS = Number(process.env['KILLS'] ?? 8);
/** These start a PostgreSQL too, which recovers first. */
const KILLS_WITH_DATABASE = Math.ceil(KILLS / 5);

jest.setTimeout(120_000 + KILLS * 10_000);

afterAll(cleanUp);

/** At least this many writes are acknowledged before each kill. */
const MIN_ACKNOWLEDGED = 3;
/** The number of concurrent writers: each kill interrupts about as many writes. */
const WRITERS = 8;
/** This many services start while another one is killed: starting is what takes the time. */
const AHEAD = 2;

/** The longest time (ms) between the last acknowledged write and a kill: longer than a write takes. */
const MAX_DELAY = 60;

/** Waits for a moment in the middle of writes, another one in each round. */
async function untilMidWrite(writer: Writer, round: number, rounds: number): Promise<void> {
  await writer.acknowledges(MIN_ACKNOWLEDGED);
  await pause((MAX_DELAY * round) / rounds);
}

describe('of a service with a database that goes on', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let first: ServiceProcess;
  let credentials: Credentials;
  beforeAll(async () => {
    database = await createTestDatabase();
    environment = { DATABASE_URL: database.url, WORKERS: '1', LOG_LEVEL: 'silent' };
    first = startServiceProcess(environment);
    ({ credentials } = await first.root());
  });
  afterAll(() => database.drop());

  it(`keeps what it has acknowledged when it is killed in the middle of writes, ${String(KILLS)} times`, async () => {
    const writer = new Writer(WRITERS);
    const services = [first];
    const next = async (round: number): Promise<[ServiceProcess, Caller]> => {
      while (services.length <= AHEAD && round + services.length <= KILLS)
        services.push(startServiceProcess(environment));
      const service = services.shift() ?? first;
      return [service, new Caller(await service.serving(), credentials)];
    };
    for (let round = 0; round < KILLS; round++) {
      const [service, caller] = await next(round);
      await writer.start(caller);
      await untilMidWrite(writer, round, KILLS);
      service.kill('SIGKILL');
      expect(await service.ended).toBe('SIGKILL');
      await writer.rest();
      // Each write names the version that was acknowledged before: after a kill that lost one, it is refused.
      expect(writer.wrong).toEqual([]);
    }
    const [, caller] = await next(KILLS);
    const tally = await auditWrites(writer, caller, environment);
    // It was in the middle of something.
    expect(tally.unknown).toBeGreaterThan(KILLS);
  });

  it('and one of its workers, while the others serve and another takes its place', async () => {
    const service = startServiceProcess({ ...environment, WORKERS: '2' });
    const caller = new Caller(await service.serving(), credentials);
    const writer = new Writer(WRITERS);
    await writer.start(caller);
    await untilMidWrite(writer, 1, 5);
    const [victim] = childrenOf(service.pid);
    if (victim === undefined) throw new Error('there is no worker');
    process.kill(victim, 'SIGKILL');
    await service.said(/Worker \d+ is serving/);
    await writer.rest();
    const tally = await auditWrites(writer, caller, environment);
    expect(tally.unknown).toBeGreaterThan(0);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});

// Jest starts concurrent tests first: this one runs beside the others.
it.concurrent(`and its database with it, ${String(KILLS_WITH_DATABASE)} times`, async () => {
  const environment = { DATA_DIR: join(temporaryFolder(), 'data'), WORKERS: '1', LOG_LEVEL: 'silent' };
  let service = startServiceProcess(environment);
  const { credentials } = await service.root();
  const writer = new Writer(WRITERS);
  for (let round = 0; round < KILLS_WITH_DATABASE; round++) {
    await writer.start(new Caller(await service.serving(), credentials));
    await untilMidWrite(writer, round, KILLS_WITH_DATABASE);
    service.kill('SIGKILL');
    await service.ended;
    await writer.rest();
    expect(writer.wrong).toEqual([]);
    service = startServiceProcess(environment);
  }
  const caller = new Caller(await service.serving(), credentials);
  const tally = await auditWrites(writer, caller, environment);
  expect(tally.unknown).toBeGreaterThan(KILLS_WITH_DATABASE);
});
