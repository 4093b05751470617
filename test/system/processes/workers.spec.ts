import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanUp, lastingFolder } from '../embedded/processes';
import { counted, expectMetricsOnTheirPort, failAuthentication } from './metrics-port';
import { Caller } from '../../support/caller';
import { freePort } from '../../support/free-port';
import { sharedService } from '../../support/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { childrenOf, isAlive } from '../../support/system-processes';
import { until } from '../../support/until';

// Each test starts processes, and the machine may be busy.
jest.setTimeout(120_000);
afterAll(cleanUp);

/** Starts two workers on the database that all tests share. */
function start(environment: Record<string, string>): ServiceProcess {
  const { databaseUrl } = sharedService();
  return startServiceProcess({
    DATABASE_URL: databaseUrl,
    WORKERS: '2',
    LOG_LEVEL: 'silent',
    ...environment,
  });
}

const regions = (caller: Caller) => caller.get('/v1/regions').expect(200);

describe('processes of the service', () => {
  it.concurrent('two workers share metrics, are replaced when they exit, and exit with the primary', async () => {
    const crash = crashing();
    // Without a fixed port, the replacements of all workers would choose another one.
    const service = start({ ...crash.environment, PORT: String(await freePort()) });
    const caller = new Caller(await service.serving(), sharedService().root.credentials);
    // Each request opens a connection, and the primary distributes connections round-robin.
    for (let i = 0; i < 10; i++) await regions(caller);
    expect(await counted(caller)).toBe(10);
    // The public port does not show why authentication failed.
    expect(await failAuthentication(caller, caller)).toEqual(['muster_authentication_failures_total 2']);

    const workers = childrenOf(service.pid);
    expect(workers).toHaveLength(2);
    const [first = 0, second = 0] = workers;
    crash.begin();
    process.kill(first, 'SIGKILL');
    await service.untilPrinted(new RegExp(`Worker ${String(first)} exited: SIGKILL\\. Starting another one`));
    await service.untilPrinted(/exited: exit code 9\. Starting another one/, 2);
    // The other one serves meanwhile.
    await regions(caller);
    process.kill(second, 'SIGTERM');
    await service.untilPrinted(
      new RegExp(`Worker ${String(second)} exited: exit code 0\\. Starting another one`),
    );
    crash.end();
    await service.untilPrinted(/Worker \d+ is serving/, 2);
    await regions(caller);
    expect(await counted(caller)).toBe(1);

    const replacements = childrenOf(service.pid);
    expect(replacements).toHaveLength(2);
    service.kill('SIGKILL');
    await until('the workers exit', 30, () => Promise.resolve(!replacements.some(isAlive)));
  });

  it.concurrent('two workers exit with one sentence and exit code 1 when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      expect(await start({ PORT: String(port) }).refusal()).toContain(
        `Port ${String(port)} on 127.0.0.1 is already in use`,
      );
    } finally {
      other.close();
    }
  });

  it.concurrent('two workers exit with one sentence and exit code 1 when none of them starts', async () => {
    const crash = crashing();
    crash.begin();
    expect(await start(crash.environment).refusal()).toBe(
      'muster: A worker exited while it was starting: exit code 9.',
    );
  });

  it.concurrent('workers whose primary ends while they start exit without a message', async () => {
    const service = start(losingPrimary());
    expect(await service.ended).toBe('SIGKILL');
    expect([...service.lines, ...service.errorLines]).toEqual([]);
  });

  it.concurrent('a single process serves its metrics on METRICS_PORT alone', async () => {
    const port = await freePort();
    const service = start({ WORKERS: '1', METRICS_PORT: String(port) });
    const caller = new Caller(await service.serving(), sharedService().root.credentials);
    await expectMetricsOnTheirPort(caller, port);
  });
});

/** Makes workers exit as soon as they start, between `begin` and `end`. */
function crashing(): { environment: Record<string, string>; begin: () => void; end: () => void } {
  const folder = lastingFolder();
  const [script, flag] = [join(folder, 'crash.cjs'), join(folder, 'now')];
  const condition = `require('node:cluster').isWorker && require('node:fs').existsSync(${JSON.stringify(flag)})`;
  writeFileSync(script, `if (${condition}) process.exit(9);`);
  return {
    environment: { NODE_OPTIONS: `--require ${script}` },
    begin: () => {
      writeFileSync(flag, '');
    },
    end: () => {
      rmSync(flag);
    },
  };
}

/** Settings with which the primary ends just before a worker sends it a message. */
function losingPrimary(): Record<string, string> {
  const script = join(lastingFolder(), 'lose.cjs');
  writeFileSync(
    script,
    `const { worker } = require('node:cluster');
    if (worker) {
      const { send } = worker;
      const primary = process.ppid;
      worker.send = (message) => {
        try { process.kill(primary, 'SIGKILL'); } catch { /* The other worker was first. */ }
        while (process.ppid === primary);
        return send.call(worker, message);
      };
    }`,
  );
  return { NODE_OPTIONS: `--require ${script}` };
}
