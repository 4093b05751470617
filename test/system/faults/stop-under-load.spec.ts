import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { cleanUp } from '../embedded/processes';
import { signal } from '../../support/system-processes';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process';
import { Caller } from '../../support/caller';
import { authHeaders } from '../../support/exchange';
import { HesitantReader } from '../../support/exported';
import { everyItem } from '../../support/pages';
import { until } from '../../support/until';
import { agreement } from './account';
import { ownServer, type OwnServer } from './own-server';
import { send } from './send';
import { Writer } from './writer';

jest.setTimeout(300_000);

/** So many write at a time, beside as many pipelines, which ask without waiting. */
const WRITERS = 3;

let own: OwnServer;
let root: Caller;
beforeAll(async () => {
  own = await ownServer();
  const first = startServiceProcess({ DATABASE_URL: own.url, WORKERS: '1', LOG_LEVEL: 'silent' });
  root = await first.root();
  first.kill('SIGTERM');
  await first.ended;
});
afterAll(async () => {
  await cleanUp();
  await own.end();
});

async function serve(environment: Record<string, string>): Promise<[ServiceProcess, Caller]> {
  const service = startServiceProcess({ DATABASE_URL: own.url, LOG_LEVEL: 'silent', ...environment });
  return [service, new Caller(await service.serving(), root.credentials)];
}

describe.each(['1', '2'])('SIGTERM under load, with WORKERS=%s', (workers) => {
  /** What serves when the first has stopped is stopped itself, while much hangs. */
  const environment = { WORKERS: workers, SHUTDOWN_SECONDS: '1' };
  let next: [ServiceProcess, Caller] | undefined;

  it('no request in flight fails, and nothing is done that is not answered', async () => {
    const [service, caller] = await serve({ WORKERS: workers });
    const writer = new Writer(WRITERS);
    const names = [1, 2, 3].map((one) => `p${workers}-${String(one)}`);
    const pipelines = names.map((name) => new Pipeline(caller, name));
    await writer.start(caller);
    await writer.acknowledges(20);
    await Promise.all(pipelines.map((pipeline) => pipeline.answers(10)));
    const stoppedAt = Date.now();
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await writer.rest();
    await Promise.all(pipelines.map((pipeline) => pipeline.ended));
    expect(pipelines.map(({ isToldOfEnd }) => isToldOfEnd)).toEqual([true, true, true]);
    // Those that were refused had not been sent by then.
    expect(writer.lost.filter(({ sentAt }) => sentAt < stoppedAt)).toEqual([]);

    next = await serve(environment);
    const [, there] = next;
    const tally = await agreement(writer, there, { DATABASE_URL: own.url });
    expect(tally.done).toBe(0);
    const made = new Map(names.map((name) => [name, 0]));
    for await (const { label } of everyItem(there, '/v1/labels?limit=1000')) {
      const [name = ''] = String(label).split(':');
      if (made.has(name)) made.set(name, (made.get(name) ?? 0) + 1);
    }
    expect(made).toEqual(new Map(pipelines.map(({ name, answered }) => [name, answered])));
  });

  it('it ends in time, whatever hangs', async () => {
    const [service, caller] = next ?? (await serve(environment));
    const region = await caller.region({ variables: { long: 'x'.repeat(900_000) } });
    for (let i = 0; i < 20; i++) await caller.host({ region_id: region.id });
    // One who reads nothing, one who sends in drops, one who does nothing, and one who waits.
    const reader = await HesitantReader.of(caller, '?resolved-values=true');
    const sender = request(`${caller.url}/v1/import`, {
      method: 'POST',
      headers: { ...authHeaders(caller.credentials), 'content-type': 'application/x-ndjson' },
    });
    const isCut = new Promise((resolve) => sender.once('error', resolve).once('response', resolve));
    sender.write('{"kind":"region",');
    const idle = await connected(caller);
    const waiting = send(caller, { method: 'GET', path: '/v1/changes/feed?after=latest&wait=60' });
    // And a database that answers nobody.
    const pids = own.processes();
    signal(pids, 'SIGSTOP');
    try {
      const writing = send(caller, { method: 'POST', path: '/v1/labels', body: { label: 'never' } });
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      await Promise.all([isCut, waiting, writing]);
    } finally {
      signal(pids, 'SIGCONT');
      reader.leave();
      idle.destroy();
    }
  });
});

it('goes on serving for the time of its notice, and says that it is not ready', async () => {
  const [service, caller] = await serve({ WORKERS: '1', SHUTDOWN_NOTICE_SECONDS: '2' });
  service.kill('SIGTERM');
  let ready;
  await until('it is not ready', 30, async () => {
    ready = await send(caller, { method: 'GET', path: '/readyz' });
    return ready?.status !== 200;
  });
  expect(ready).toMatchObject({
    status: 503,
    text: expect.stringContaining('The service is about to stop.'),
  });
  expect(await send(caller, { method: 'GET', path: '/healthz' })).toMatchObject({ status: 200 });
  expect(await send(caller, { method: 'GET', path: '/v1/regions?limit=1' })).toMatchObject({ status: 200 });
  expect(await service.ended).toBe(0);
  expect(await send(caller, { method: 'GET', path: '/healthz' })).toBeUndefined();
});

async function connected({ url }: Caller): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // It is cut, and that is no matter.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** What an answer begins with that says that something was made. */
const MADE = 'HTTP/1.1 201';

/** What an answer says after which nothing is answered on its connection. */
const LAST = /\r\nconnection: close\r\n/i;

/** A client that makes labels without waiting for answers. */
class Pipeline {
  /** How many labels it was told are made. */
  answered = 0;
  /** Whether an answer said that it is the last. */
  isToldOfEnd = false;
  readonly ended: Promise<void>;
  private sent = 0;

  constructor(
    private readonly caller: Caller,
    readonly name: string,
  ) {
    this.ended = this.run();
  }

  answers(count: number): Promise<void> {
    return until('answers', 60, () => Promise.resolve(this.answered >= count));
  }

  private async run(): Promise<void> {
    const socket = await connected(this.caller);
    // A part may end within a status line.
    let begun = '';
    let tail = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      const text = begun + part;
      this.answered += text.split(MADE).length - 1;
      begun = text.slice(Math.max(text.lastIndexOf(MADE) + 1, text.length - MADE.length + 1));
      // Whoever sends on to one that has hung up loses what he has not yet read.
      this.isToldOfEnd ||= LAST.test(tail + part);
      tail = part.slice(-LAST.source.length);
      // As many again as were answered, so that there are always some on their way.
      while (!this.isToldOfEnd && socket.writable && this.sent < this.answered + 8) this.ask(socket);
    });
    for (let i = 0; i < 8; i++) this.ask(socket);
    await new Promise((resolve) => socket.once('close', resolve));
  }

  private ask(socket: Socket): void {
    const body = JSON.stringify({ label: `${this.name}:${String(this.sent++)}` });
    const headers = Object.entries(authHeaders(this.caller.credentials)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const head = ['POST /v1/labels HTTP/1.1', 'Host: here', ...headers, 'Content-Type: application/json'];
    socket.write(`${[...head, `Content-Length: ${String(body.length)}`].join('\r\n')}\r\n\r\n${body}`);
  }
}
