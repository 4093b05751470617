import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { aName, Caller } from '../../support/caller';
import { describeWithPeers } from '../../support/external-programs';
import { Program } from '../../support/program';
import { freePort } from '../../support/free-port';
import { addressOf, PROJECT, sharedService, startProgram } from '../../support/service';
import { childrenOf } from '../../support/system-processes';
import { until } from '../../support/until';

// Each restart takes seconds, and the machine may be busy.
jest.setTimeout(180_000);

/** The pause (ms) between the requests of a client, so that the test does not need a processor of its own. */
const PACE = 100;

const folder = mkdtempSync(join(tmpdir(), 'muster-proxy-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** One of two instances, which is restarted on the same port. */
class Instance {
  private program: Program | undefined;

  constructor(readonly port: number) {}

  async start(): Promise<void> {
    this.program = startProgram(sharedService().databaseUrl, {
      PORT: String(this.port),
      TRUST_PROXY: '1',
      SHUTDOWN_NOTICE_SECONDS: '3',
    });
    await addressOf(this.program);
  }

  async stop(): Promise<void> {
    this.program?.kill('SIGTERM');
    expect(await this.program?.ended).toBe(0);
  }
}

/** Clients that read and write until they are stopped, each one request at a time, on new connections. */
class Clients {
  private readonly stopRequest = new AbortController();
  private readonly done: Promise<unknown>;
  readonly statuses: (number | string)[] = [];

  constructor(url: string) {
    const caller = new Caller(url, sharedService().root.credentials);
    this.done = Promise.all([
      this.repeat(() => caller.get('/v1/regions?limit=1')),
      this.repeat(() => caller.post('/v1/labels', { label: aName('label') })),
    ]);
  }

  private async repeat(send: () => PromiseLike<{ readonly status: number }>): Promise<void> {
    while (!this.stopRequest.signal.aborted) {
      try {
        this.statuses.push((await send()).status);
      } catch (error) {
        this.statuses.push(String(error));
      }
      await delay(PACE);
    }
  }

  /** The outcomes that are neither 200 nor 201. */
  async stop(): Promise<(number | string)[]> {
    this.stopRequest.abort();
    await this.done;
    expect(this.statuses.length).toBeGreaterThan(20);
    return this.statuses.filter((status) => status !== 200 && status !== 201);
  }
}

/** An example with other addresses. @param replacements each occurs once */
function example(name: string, replacements: readonly (readonly [RegExp, string])[]): string {
  let text = readFileSync(join(PROJECT, 'deploy/load-balancer', name), 'utf8');
  for (const [pattern, replacement] of replacements) {
    expect(text.split(pattern)).toHaveLength(2);
    text = text.replace(pattern, replacement);
  }
  return text;
}

describe('two instances behind a load balancer, restarted one after the other', () => {
  const instances: Instance[] = [];
  let addresses: (readonly [RegExp, string])[];
  beforeAll(async () => {
    instances.push(new Instance(await freePort()), new Instance(await freePort()));
    await Promise.all(instances.map((instance) => instance.start()));
    addresses = instances.map(({ port }, n) => [
      new RegExp(`muster-${String(n + 1)}\\.example\\.com:7780`),
      `127.0.0.1:${String(port)}`,
    ]);
  });
  afterAll(() => Promise.all(instances.map((instance) => instance.stop())));

  const start = (program: string, args: readonly string[]) =>
    new Program(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true }));

  describeWithPeers('HAProxy', ['haproxy'], () => {
    it('loses no request', async () => {
      const port = await freePort();
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(
        file,
        example('haproxy.cfg', [...addresses, [/bind .*/, `bind 127.0.0.1:${String(port)}`]]),
      );
      const proxy = start('haproxy', ['-db', '-f', file]);
      const reports = (server: string, state: string) => {
        const sentence = `Server muster/${server} is ${state}`;
        const times = () => proxy.errorLines.filter((line) => line.includes(sentence)).length;
        const before = times();
        return until(sentence, 60, () => Promise.resolve(times() > before));
      };
      const url = `http://127.0.0.1:${String(port)}`;
      const caller = new Caller(url, sharedService().root.credentials);
      await until('HAProxy serves', 60, () =>
        caller.get('/healthz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      const clients = new Clients(url);
      for (const [n, instance] of instances.entries()) {
        const name = `muster-${String(n + 1)}`;
        const isDown = reports(name, 'DOWN');
        await instance.stop();
        await isDown;
        const isUp = reports(name, 'UP');
        await instance.start();
        await isUp;
      }
      expect(await clients.stop()).toEqual([]);
      proxy.kill('SIGKILL');
      await proxy.ended;
    });
  });

  describeWithPeers('nginx', ['nginx'], () => {
    it('loses no request', async () => {
      const port = await freePort();
      const site = join(folder, 'muster.conf');
      const file = join(folder, 'nginx.conf');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      writeFileSync(
        file,
        `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log stderr;
        ${process.getuid?.() === 0 ? 'user root;' : ''}
        events {} http { access_log off; ${temporary.join(' ')} include ${site}; }`,
      );
      const writeSite = (stopped?: Instance) => {
        const text = example('nginx.conf', [
          ...addresses,
          [/listen 443 ssl/, `listen 127.0.0.1:${String(port)}`],
          [/ssl_certificate [^;]*;/, ''],
          [/ssl_certificate_key [^;]*;/, ''],
        ]);
        const server = `127.0.0.1:${String(stopped?.port)}`;
        writeFileSync(site, text.replace(`${server} max_fails`, `${server} down max_fails`));
      };
      writeSite();
      const proxy = start('nginx', ['-e', 'stderr', '-c', file]);
      /** As `nginx -s reload`: the former worker completes its requests and exits. */
      const reload = async (stopped?: Instance) => {
        writeSite(stopped);
        const former = childrenOf(proxy.pid);
        proxy.kill('SIGHUP');
        await until('the former worker exits', 60, () => {
          const present = childrenOf(proxy.pid);
          return Promise.resolve(present.length > 0 && !present.some((pid) => former.includes(pid)));
        });
      };
      const url = `http://127.0.0.1:${String(port)}`;
      const caller = new Caller(url, sharedService().root.credentials);
      await until('nginx serves', 60, () =>
        caller.get('/healthz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      const clients = new Clients(url);
      for (const instance of instances) {
        await reload(instance);
        await instance.stop();
        await instance.start();
        await reload();
      }
      expect(await clients.stop()).toEqual([]);
      proxy.kill('SIGTERM');
      await proxy.ended;
    });
  });
});
