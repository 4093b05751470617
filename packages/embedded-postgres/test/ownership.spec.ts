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
import { folderWithCluster, startHolder } from './holder';

// Tests run concurrently, each on its own folder: they mostly wait for processes.
afterAll(cleanUp);
// The first tests wait for the cluster that all copy, and the machine may be busy.
jest.setTimeout(180_000);

const service = { role: 'service' } as const;
const command = { role: 'command' } as const;

describe('two services on one data folder', () => {
  it.concurrent('the second reports the process ID of the first', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, ...service });
    await first.ready();
    const second = startHolder({ dataDir, ...service });
    const { message } = await second.event('refused');
    expect(message).toContain(`Another service (process ${first.pid})`);
    expect(message).toContain(dataDir);
    expect(await second.ended).toBe(1);
    expect(first.running).toBe(true);
  });

  it.concurrent('one of several that start concurrently on a new folder succeeds, and the others are refused', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const holders = [1, 2, 3, 4].map(() => startHolder({ dataDir, ...service }));
    await Promise.all(
      holders.map((holder) =>
        holder.line((line) => /"(ready|refused)"/.test(line) || undefined, 'an outcome'),
      ),
    );
    const winners = holders.filter((holder) => holder.lines[0]?.includes('"ready"'));
    expect(winners).toHaveLength(1);
    for (const loser of holders.filter((holder) => !winners.includes(holder))) {
      expect((await loser.event('refused')).message).toContain(`(process ${winners[0]?.pid})`);
    }
  });

  it.concurrent('the second starts right after the first was killed', async () => {
    const dataDir = await folderWithCluster();
    const first = startHolder({ dataDir, ...service });
    await query(await first.ready(), 'CREATE TABLE stored AS SELECT 1 AS n');
    first.kill('SIGKILL');
    const second = startHolder({ dataDir, ...service });
    expect(await query(await second.ready(), 'SELECT n FROM stored')).toEqual([{ n: 1 }]);
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

  it.concurrent('waits for the server of a service that is starting for the first time', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const first = startHolder({ dataDir, ...service });
    await eventually(() => processesOn(dataDir).length > 0, 'initdb');
    const second = startHolder({ dataDir, ...command, hold: false });
    expect(await second.ready()).toBe(await first.ready());
    expect(await second.ended).toBe(0);
    expect(first.running).toBe(true);
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
  it.concurrent('is ignored if another process now has its process ID', async () => {
    const dataDir = await folderWithCluster();
    mkdirSync(join(dataDir, 'run'), { mode: 0o700 });
    const record = {
      pid: process.pid,
      identity: 'started at another time',
      role: 'service',
      state: 'running',
    };
    writeFileSync(join(dataDir, 'run/owner.7'), JSON.stringify(record));
    await startHolder({ dataDir, ...service }).ready();
    expect(readdirSync(join(dataDir, 'run')).filter((name) => name.startsWith('owner'))).toEqual(['owner.8']);
  });

  it.concurrent('is ignored if a power failure truncated it', async () => {
    const dataDir = await folderWithCluster();
    mkdirSync(join(dataDir, 'run'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'run/owner.3'), '{"pid":12');
    const holder = startHolder({ dataDir, ...service });
    await holder.ready();
    expect(JSON.parse(readFileSync(join(dataDir, 'run/owner.4'), 'utf8'))).toMatchObject({ pid: holder.pid });
  });
});

function after(milliseconds: number): Promise<string> {
  return new Promise((settle) => setTimeout(settle, milliseconds, 'nothing yet'));
}
