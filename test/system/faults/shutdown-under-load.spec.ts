import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { cleanUp } from '../embedded/processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { Caller } from '../../support/caller';
import { authHeaders } from '../../support/http-exchange';
import { PausingReader } from '../../support/export-reader';
import { RawConnection, requestText } from '../../support/raw-connection';
import { until } from '../../support/until';
import { auditWrites } from './write-audit';
import { ownServer, type OwnServer } from './own-server';
import { send } from './send';
import { Writer } from './writer';

jest.setTimeout(300_000);

/** The number of concurrent writers. */
const WRITERS = 3;

const LATE_RESPONSES = 10;
const LONG_LIST_HOSTS = 20;
const LONG_LIST = '/v1/hosts?device_type=long';

let own: OwnServer;
let root: Caller;
let first: ServiceProcess;
beforeAll(async () => {
  own = await ownServer();
  // For four requests, also on a busy machine.
  const environment = { WORKERS: '1', LOG_LEVEL: 'silent', SHUTDOWN_NOTICE_SECONDS: '8' };
  first = startServiceProcess({ DATABASE_URL: own.url, ...environment });
  root = await first.root();
  await makeLongList(root);
});
afterAll(async () => {
  await cleanUp();
  await own.end();
});

async function serve(environment: Record<string, string>): Promise<[ServiceProcess, Caller]> {
  const service = startServiceProcess({ DATABASE_URL: own.url, LOG_LEVEL: 'silent', ...environment });
  return [service, new Caller(await service.serving(), root.credentials)];
}

it('a service with a shutdown notice period serves during it, and reports that it is not ready', async () => {
  first.kill('SIGTERM');
  let ready;
  await until('the service is not ready', 30, async () => {
    ready = await send(root, { method: 'GET', path: '/readyz' });
    return ready?.status !== 200;
  });
  expect(ready).toMatchObject({
    status: 503,
    text: expect.stringContaining('The service is about to stop.'),
  });
  expect(await send(root, { method: 'GET', path: '/healthz' })).toMatchObject({ status: 200 });
  expect(await send(root, { method: 'GET', path: '/v1/regions?limit=1' })).toMatchObject({ status: 200 });
  expect(await first.ended).toBe(0);
  expect(await send(root, { method: 'GET', path: '/healthz' })).toBeUndefined();
});

describe.each(['1', '2'])('SIGTERM under load, with WORKERS=%s', (workers) => {
  /** The service of the second test, in which connections and the database hang. */
  const environment = { WORKERS: workers, SHUTDOWN_SECONDS: '1' };
  let next: [ServiceProcess, Caller] | undefined;

  it('completes requests in flight, and does no write without a response', async () => {
    const [service, caller] = await serve({ WORKERS: workers });
    const writer = new Writer(WRITERS, 0);
    const reader = await PausingReader.of(caller, '', LONG_LIST);
    const idle = await RawConnection.to(caller.url);
    const late = await RawConnection.to(caller.url);
    late.pause();
    // The service has completed these responses long before the client has read them.
    late.write(requestText('GET', '/openapi.json', {}).repeat(LATE_RESPONSES));
    await writer.start(caller);
    await writer.untilAcknowledged(20);
    const stoppedAt = Date.now();
    service.kill('SIGTERM');
    // Connections that are in use stay open for longer than idle ones.
    await until('idle connections are closed', 30, () => Promise.resolve(idle.isEnded));
    expect(JSON.parse(await reader.rest())).toHaveLength(LONG_LIST_HOSTS);
    late.resume();
    expect(await service.ended).toBe(0);
    // The last of them may still be on the way: the service ends when the operating system has taken them.
    await until('the late client has read to the end', 30, () => Promise.resolve(late.isEnded));
    expect(late.answers.map(({ status }) => status)).toEqual(Array(LATE_RESPONSES).fill(200));
    await writer.stop();
    // Only requests sent after the signal were refused.
    expect(writer.lost.filter(({ sentAt }) => sentAt < stoppedAt)).toEqual([]);

    next = await serve(environment);
    const [, there] = next;
    const tally = await auditWrites(writer, there, { DATABASE_URL: own.url });
    expect(tally.done).toBe(0);
  });

  it('stops in time although clients and the database hang', async () => {
    const [service, caller] = next ?? (await serve(environment));
    // Clients that do not read, that send slowly, that are idle, and that wait for changes.
    const reader = await PausingReader.of(caller, '?resolved-values=true');
    const sender = request(`${caller.url}/v1/import`, {
      method: 'POST',
      headers: { ...authHeaders(caller.credentials), 'content-type': 'application/x-ndjson' },
    });
    const isClosed = new Promise((resolve) => sender.once('error', resolve).once('response', resolve));
    sender.write('{"kind":"region",');
    const idle = await connected(caller);
    const waiting = send(caller, { method: 'GET', path: '/v1/changes/feed?after=latest&wait=60' });
    // A database that does not respond.
    const resume = own.server.suspend();
    try {
      const writing = send(caller, { method: 'POST', path: '/v1/labels', body: { label: 'never' } });
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      await Promise.all([isClosed, waiting, writing]);
    } finally {
      resume();
      reader.leave();
      idle.destroy();
    }
  });
});

/** Makes a list that is longer than what the operating system buffers for a client that reads nothing. */
async function makeLongList(caller: Caller): Promise<void> {
  const region = await caller.region({ variables: { long: 'x'.repeat(900_000) } });
  for (let i = 0; i < LONG_LIST_HOSTS; i++) await caller.host({ region_id: region.id, device_type: 'long' });
}

async function connected({ url }: Caller): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The service may reset it.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
