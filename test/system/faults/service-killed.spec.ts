import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp } from '../embedded/processes';
import { childrenOf } from '../../support/system-processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { Caller, type Credentials } from '../../support/caller';
import { auditWrites } from './write-audit';
import { PACE, Writer } from './writer';

/** The number of kills. Each needs a start: `KILLS=90` covers more moments. */
const KILLS = Number(process.env['KILLS'] ?? 4);

jest.setTimeout(120_000 + KILLS * 10_000);

afterAll(cleanUp);

/** At least this many writes are acknowledged before each kill. */
const MIN_ACKNOWLEDGED = 3;
/** The number of concurrent writers: each kill interrupts about as many writes. */
const WRITERS = 8;
/** The number of services that start in advance, because a start takes long. */
const AHEAD = 2;

/** The longest time (ms) between the last acknowledged write and a kill: longer than a write takes. */
const MAX_DELAY = 60;

/** Waits for a moment in the middle of writes, another one in each round. */
async function untilMidWrite(writer: Writer, round: number, rounds: number): Promise<void> {
  await writer.untilAcknowledged(MIN_ACKNOWLEDGED);
  await pause((MAX_DELAY * round) / rounds);
}

describe('a killed service', () => {
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

  it(`loses no acknowledged write when killed ${String(KILLS)} times during writes`, async () => {
    const writer = new Writer(WRITERS, 0);
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
      await writer.stop();
      // Each write sends If-Match with the acknowledged version: it fails if a kill lost that.
      expect(writer.wrong).toEqual([]);
    }
    const [, caller] = await next(KILLS);
    const tally = await auditWrites(writer, caller, environment);
    // The kills interrupted writes.
    expect(tally.unknown).toBeGreaterThan(KILLS);
  });

  it('loses no acknowledged write when a worker is killed and replaced', async () => {
    const service = startServiceProcess({ ...environment, WORKERS: '2' });
    const caller = new Caller(await service.serving(), credentials);
    // Before the writes: no write begins while this process waits for `ps`.
    const [victim] = childrenOf(service.pid);
    if (victim === undefined) throw new Error('there is no worker');
    const writer = new Writer(WRITERS, 0);
    await writer.start(caller);
    await untilMidWrite(writer, 1, 5);
    process.kill(victim, 'SIGKILL');
    writer.pace = PACE;
    await service.untilPrinted(/Worker \d+ is serving/);
    await writer.stop();
    const tally = await auditWrites(writer, caller, environment);
    expect(tally.unknown).toBeGreaterThan(0);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});
