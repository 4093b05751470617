import { join } from 'node:path';
import { cleanUp, temporaryFolder } from '../embedded/processes';
import { startServiceProcess } from '../../support/service-process';
import { processesOn } from '../../support/system-processes';
import { Caller } from '../../support/caller';
import { until } from '../../support/until';
import { admin, builtAdmin, linesByName, printed } from '../../support/admin';

// The machine may be busy.
jest.setTimeout(120_000);

afterEach(cleanUp);

it('muster-admin uses the embedded database of a running service, and starts it if none runs', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const run = (...args: string[]) => admin(args, { DATA_DIR: dataDir });

  // The data folder does not exist yet.
  const first = linesByName(
    await printed(
      builtAdmin(['bootstrap', '--project', 'fleet', '--username', 'chief', '--reason', 'CHG-1'], {
        DATA_DIR: dataDir,
      }),
    ),
  );
  expect(processesOn(dataDir)).toEqual([]);

  const service = startServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' });
  const url = await service.serving();
  const callerOf = ({ project = '', username = '', 'api key': token = '' }: Record<string, string>) =>
    new Caller(url, { token, user: username, project });
  const chief = callerOf(first);
  const changes = await chief.get('/v1/changes').expect(200);
  expect(changes.body).toMatchObject([{ actor: { id: null, username: 'muster-admin' }, reason: 'CHG-1' }]);

  const bob = callerOf(linesByName(await printed(run('user', 'create', 'bob', '--project', 'fleet'))));
  await bob.get('/v1/regions').expect(200);
  await printed(run('user', 'key', 'revoke', 'bob', '--all', '--project', 'fleet'));
  await until('the service rejects the key', 60, async () => (await bob.get('/v1/regions')).status === 401);
  await printed(run('migrate', '--status'));
  await printed(run('verify'));
  // The service owns the server: no command has stopped it.
  await chief.post('/v1/regions', { name: 'still there' }).expect(201);

  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  // The folder was bootstrapped before the service started, so the service printed no credentials.
  expect(service.lines).toEqual([]);
  expect(JSON.parse(await printed(run('user', 'list', '--json')))).toMatchObject([
    { username: 'bob', keys: 0 },
    { username: 'chief', keys: 1 },
  ]);
  expect(processesOn(dataDir)).toEqual([]);
});
