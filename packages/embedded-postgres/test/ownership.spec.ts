import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cleanUp,
  eventually,
  postmasterOf,
  query,
  temporaryFolder,
} from '../../../test/system/embedded/processes';
import { processesOn } from '../../../test/support/system-processes';
import { claimOwnership } from '../src/ownership';
import { folderWithCluster, startHolder } from './holder';

// Tests run concurrently, each on its own folder: they mostly wait for processes.
afterAll(cleanUp);
// The first tests wait for the cluster that all copy, and the machine may be busy.
jest.setTimeout(180_000);

const service = { role: 'service' } as const;
const command = { role: 'command' } as const;

describe('two services on one data folder', () => {
  it.concurrent('the second is refused with the process ID of the first, and starts right after the first was killed', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, ...service });
    await query(await first.ready(), 'CREATE TABLE stored AS SELECT 1 AS n');
    const refused = startHolder({ dataDir, ...service });
    const { message } = await refused.event('refused');
    expect(message).toContain(`Another service (process ${first.pid})`);
    expect(message).toContain(dataDir);
    expect(await refused.ended).toBe(1);
    expect(first.running).toBe(true);

    first.kill('SIGKILL');
    const second = startHolder({ dataDir, ...service });
    expect(await query(await second.ready(), 'SELECT n FROM stored')).toEqual([{ n: 1 }]);
  });

  it.concurrent('one of several that start concurrently on a new folder succeeds, and a command waits for its server', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const holders = [1, 2, 3].map(() => startHolder({ dataDir, ...service }));
    await eventually(() => processesOn(dataDir).length > 0, 'initdb');
    const user = startHolder({ dataDir, ...command, hold: false });
    await Promise.all(
      holders.map((holder) =>
        holder.line((line) => /"(ready|refused)"/.test(line) || undefined, 'an outcome'),
      ),
    );
    const winners = holders.filter((holder) => holder.lines[0]?.includes('"ready"'));
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    for (const loser of holders.filter((holder) => holder !== winner)) {
      expect((await loser.event('refused')).message).toContain(`(process ${winner?.pid})`);
    }
    expect(await user.ready()).toBe(await winner?.ready());
    expect(await user.ended).toBe(0);
    expect(winner?.running).toBe(true);
  });

  it.concurrent('the second waits for a first that is stopping', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, ...service });
    await first.ready();
    first.kill('SIGTERM');
    await first.event('stopping');
    await startHolder({ dataDir, ...service }).ready();
    expect(await first.ended).toBe(0);
  });
});

describe('a command', () => {
  it.concurrent('uses the server of a running service, and leaves it running', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, ...service });
    const host = await first.ready();
    const server = postmasterOf(dataDir);
    const second = startHolder({ dataDir, ...command, hold: false });
    expect(await second.ready()).toBe(host);
    expect(await second.ended).toBe(0);
    expect(postmasterOf(dataDir)).toBe(server);
    expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.concurrent('starts a server for its own duration if none runs', async () => {
    const dataDir = await folderWithCluster();
    const alone = startHolder({ dataDir, ...command, hold: false });
    await alone.event('stopped');
    expect(await alone.ended).toBe(0);
    expect(processesOn(dataDir)).toEqual([]);
  });

  it.concurrent('that owns the server makes a service wait', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, ...command });
    await first.ready();
    const second = startHolder({ dataDir, ...service });
    // Longer than a service waits for another service.
    await expect(Promise.race([second.ready(), after(2_500)])).resolves.toBe('nothing yet');
    first.kill('SIGTERM');
    await second.ready();
    expect(await first.ended).toBe(0);
  });
});

describe('the owner record', () => {
  const runFolder = () => {
    const run = join(temporaryFolder(), 'run');
    mkdirSync(run, { mode: 0o700 });
    return run;
  };

  it('is ignored if another process now has its process ID', async () => {
    const run = runFolder();
    const record = {
      pid: process.pid,
      identity: 'started at another time',
      role: 'service',
      state: 'running',
    };
    writeFileSync(join(run, 'owner.7'), JSON.stringify(record));
    expect(await claimOwnership(run, 'data', 'service')).toHaveProperty('ownership');
    expect(readdirSync(run)).toEqual(['owner.8']);
  });

  it('is ignored if a power failure truncated it', async () => {
    const run = runFolder();
    writeFileSync(join(run, 'owner.3'), '{"pid":12');
    expect(await claimOwnership(run, 'data', 'service')).toHaveProperty('ownership');
    expect(JSON.parse(readFileSync(join(run, 'owner.4'), 'utf8'))).toMatchObject({ pid: process.pid });
  });
});

function after(milliseconds: number): Promise<string> {
  return new Promise((settle) => setTimeout(settle, milliseconds, 'nothing yet'));
}
